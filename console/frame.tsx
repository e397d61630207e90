import { Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadDialogs } from './parts/dialog.tsx'
import { PassingNotes } from './parts/passing.tsx'
import { places, placesFor } from './places.ts'
import { RequireSession, useHere } from './signed-in.tsx'
import { useTeamChanges } from './team-changes.ts'
import { useKeys } from './use-keys.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

/** What surrounds every page: where one can go, and the palette over all of it. */
export function Frame() {
  return (
    <RequireSession>
      <PassingNotes>
        <Inside />
      </PassingNotes>
    </RequireSession>
  )
}

function Inside() {
  const { team, teams, goTo, person } = useHere()
  const [palette, setPalette] = useState(false)
  useTeamChanges(team.id)
  useKeys({ openPalette: () => setPalette(true) })
  // The page comes first: what opens over it is at hand by the time that somebody wants it.
  useEffect(() => void Promise.all([loadDialogs(), loadPalette()]), [])
  const shown = placesFor(team.role)
  return (
    <div className="frame">
      <a className="skip" href="#content">
        To the content
      </a>
      <nav className="places" aria-label="Places">
        <div className="brand">Weather desk</div>
        {teams.length > 1 ? (
          <div className="field">
            <label className="hidden-text" htmlFor="team">
              Team
            </label>
            <select id="team" value={team.id} onChange={(event) => goTo(event.target.value)}>
              {teams.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        ) : (
          <div className="brand soft small">{team.name}</div>
        )}
        {shown.map(({ to, label, key }) => (
          <Link key={to} to={to} className={to === '/account' ? 'apart' : ''} activeProps={{ 'aria-current': 'page' }}>
            {to === '/account' ? (person.name ?? person.email) : label} <kbd aria-hidden>g {key}</kbd>
          </Link>
        ))}
        {person.operator_roles.length > 0 && <Link to="/operator">Operator</Link>}
      </nav>
      <main className="content" id="content" tabIndex={-1}>
        <Outlet />
      </main>
      {palette && (
        <Suspense fallback={null}>
          <Palette close={() => setPalette(false)} places={places.filter((place) => shown.includes(place))} />
        </Suspense>
      )}
    </div>
  )
}
