import { Link, Outlet } from '@tanstack/react-router'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { Connection } from './parts/connection.tsx'
import { DialogFallback, dialogScript } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { OwnInvitations } from './parts/own-invitations.tsx'
import { MainMenu } from './parts/places-bar.tsx'
import { lazyScript, preload, useScript } from './parts/script.tsx'
import { navigationFor } from './places.ts'
import { RequireSession, useCurrentSession } from './signed-in.tsx'
import { useTeamChanges } from './team-changes.ts'
import { useKeys } from './use-keys.ts'

const palette = lazyScript(async () => (await import('./palette.tsx')).Palette)

/** The frame around every page of a team: the navigation, and the palette on top. */
export function Frame() {
  return (
    <RequireSession>
      <FrameContent />
    </RequireSession>
  )
}

function FrameContent() {
  const { team, teams, person, invitations, ended, switchTeam } = useCurrentSession()
  const [paletteOpen, setPaletteOpen] = useState(false)
  const { part: Palette, ...loadState } = useScript(palette, paletteOpen)
  const closePalette = () => setPaletteOpen(false)
  const places = useMemo(() => navigationFor(team.role), [team.role])
  useTeamChanges({ team, ended })
  useKeys({ openPalette: () => setPaletteOpen(true), places })
  // The page loads first. What opens on top of it is preloaded, so that it is ready when somebody wants it.
  useEffect(() => void preload(dialogScript, palette), [])
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <MainMenu title={<TeamSwitcher />}>
        {places.map(({ to, label, key, icon, heading, paletteOnly }) =>
          paletteOnly ? null : (
            <Fragment key={to}>
              {heading && <div className="places-heading">{heading}</div>}
              <Link to={to} className={to === '/account' ? 'apart' : ''} activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} />
                <span className="places-name">{to === '/account' ? (person.name ?? person.email) : label}</span>{' '}
                <kbd aria-hidden>g {key}</kbd>
              </Link>
            </Fragment>
          ),
        )}
        {person.operator_roles.length > 0 && (
          <Link to="/operator">
            <Icon name="service" />
            <span className="places-name">Operator</span>
          </Link>
        )}
      </MainMenu>
      <main className="content" id="content" tabIndex={-1}>
        <Connection />
        <OwnInvitations teams={teams} invitations={invitations} onJoined={switchTeam} />
        <Outlet />
      </main>
      {paletteOpen &&
        (Palette ? <Palette close={closePalette} places={places} /> : <DialogFallback title="Go to" close={closePalette} {...loadState} />)}
    </div>
  )
}

/** Shows the current team, and lets a person of several teams switch. */
function TeamSwitcher() {
  const { team, teams, switchTeam } = useCurrentSession()
  if (teams.length === 1) return <span className="places-team">{team.name}</span>
  return (
    <>
      <label className="hidden-text" htmlFor="team">
        Team
      </label>
      <select id="team" className="places-team" value={team.id} onChange={(event) => switchTeam(event.target.value)}>
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </>
  )
}
