import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { createContext, useContext, useEffect } from 'react'
import { ApiError, readSession } from './api/session.ts'
import { loadDialogs } from './parts/dialog.tsx'
import { PassingNotes } from './parts/passing.tsx'
import { Empty, Failed, Loading } from './parts/states.tsx'
import { leaveForSignIn } from './signed-in.tsx'

const places = [
  { to: '/operator', label: 'Teams' },
  { to: '/operator/archive', label: 'Archive' },
  { to: '/operator/service', label: 'Service' },
  { to: '/operator/operators', label: 'Operators' },
] as const

const Roles = createContext<readonly string[]>([])

/** Whether the operator who is signed in has a role; a page offers nothing else. */
export function useRole(): (role: 'archive' | 'billing' | 'all') => boolean {
  const roles = useContext(Roles)
  return (role) => roles.includes('all') || roles.includes(role)
}

/** What surrounds the pages of whoever runs the service. They are of no team, and of all. */
export function OperatorFrame() {
  const session = useQuery({ queryKey: ['session'], queryFn: readSession, retry: false, staleTime: 60_000 })
  useEffect(() => void loadDialogs(), [])
  if (session.error instanceof ApiError && session.error.status === 401) return leaveForSignIn()
  if (session.error) return <Failed error={session.error} retry={() => session.refetch()} />
  if (session.isPending) return <Loading what="who you are" />
  const { person, teams } = session.data
  if (person.operator_roles.length === 0)
    return (
      <Empty title="For operators">
        <p>Only whoever runs this service sees these pages. You are signed in as {person.email}.</p>
        <p>
          <a href="/app/inbox">To your team</a>
        </p>
      </Empty>
    )
  return (
    <Roles.Provider value={person.operator_roles}>
      <PassingNotes>
        <div className="frame">
          <a className="skip" href="#content">
            To the content
          </a>
          <nav className="places" aria-label="Places">
            <div className="brand">Operator</div>
            {places.map(({ to, label }) => (
              <Link key={to} to={to} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
                {label}
              </Link>
            ))}
            {teams.length > 0 && (
              <Link to="/inbox" className="apart">
                To your team
              </Link>
            )}
          </nav>
          <main className="content" id="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </PassingNotes>
    </Roles.Provider>
  )
}
