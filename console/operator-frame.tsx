import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { createContext, useContext, useEffect } from 'react'
import { isSignedOut } from './api/session.ts'
import { AccessDenied } from './parts/access-denied.tsx'
import { Connection } from './parts/connection.tsx'
import { dialogScript } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { MainMenu } from './parts/places-bar.tsx'
import { useRestoredFocus } from './parts/restored-focus.ts'
import { preload } from './parts/script.tsx'
import { SignInAgain } from './parts/sign-in-again.tsx'
import { Failed, Loading } from './parts/states.tsx'
import { ToastProvider } from './parts/toasts.tsx'
import { leaveForSignIn, SESSION } from './signed-in.tsx'

const places = [
  { to: '/operator', label: 'Teams', icon: 'team' },
  { to: '/operator/archive', label: 'Archive', icon: 'archive' },
  { to: '/operator/service', label: 'Service', icon: 'service' },
  { to: '/operator/operators', label: 'Operators', icon: 'people' },
] as const

const Roles = createContext<readonly string[]>([])

/** Returns a function that states whether the signed-in operator has a role: a page offers only what the roles allow. */
export function useHasRole(): (role: 'archive' | 'billing' | 'all') => boolean {
  const roles = useContext(Roles)
  return (role) => roles.includes('all') || roles.includes(role)
}

/** The frame around the operator pages. They belong to no team and show all teams. */
export function OperatorFrame() {
  const session = useQuery(SESSION)
  useEffect(() => void preload(dialogScript), [])
  useRestoredFocus()
  if (session.isLoadingError && isSignedOut(session.error)) return leaveForSignIn()
  if (session.isLoadingError) return <Failed heading="h1" error={session.error} retry={() => session.refetch()} />
  if (session.isPending) return <Loading what="your session" />
  const { person, teams } = session.data
  const toTeam = teams.length > 0 && (
    <p>
      <a href="/app/inbox">Go to your team</a>
    </p>
  )
  if (person.operator_roles.length === 0)
    return (
      <AccessDenied title="For operators" email={person.email}>
        <p>Only operators of this service can see these pages.</p>
        {toTeam}
      </AccessDenied>
    )
  if (!person.operator_roles.some((role) => role === 'read' || role === 'all'))
    return (
      <AccessDenied title="You need the read role" email={person.email}>
        <p>
          You have the {person.operator_roles.length > 1 ? 'roles' : 'role'} {person.operator_roles.join(' and ')}, for use in the terminal
          program. To use these pages, ask the person who made you an operator to add the read role.
        </p>
        {toTeam}
      </AccessDenied>
    )
  return (
    <Roles.Provider value={person.operator_roles}>
      <ToastProvider>
        <div className="frame">
          <a className="skip" href="#content">
            Skip to content
          </a>
          <MainMenu title={<span className="places-team">Operator</span>}>
            {places.map(({ to, label, icon }) => (
              <Link key={to} to={to} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} />
                <span className="places-name">{label}</span>
              </Link>
            ))}
            {teams.length > 0 && (
              <Link to="/inbox" className="apart">
                <Icon name="inbox" />
                <span className="places-name">Go to your team</span>
              </Link>
            )}
          </MainMenu>
          <main className="content" id="content" tabIndex={-1}>
            <Connection />
            <Outlet />
          </main>
        </div>
      </ToastProvider>
      <SignInAgain session={session} />
    </Roles.Provider>
  )
}
