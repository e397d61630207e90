import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { setCurrentTeam } from './api/graphql.ts'
import { isSignedOut, readSession, type SignedIn, signInAddress, type Team } from './api/session.ts'
import { AccessDenied } from './parts/access-denied.tsx'
import { leaveTeam } from './parts/leaving.ts'
import { OwnInvitations } from './parts/own-invitations.tsx'
import { useRestoredFocus } from './parts/restored-focus.ts'
import { SignInAgain } from './parts/sign-in-again.tsx'
import { Failed, Loading } from './parts/states.tsx'
import { ToastProvider, useNotify } from './parts/toasts.tsx'

export interface CurrentSession extends SignedIn {
  team: Team
  /** Whether the session has ended; the page then waits for the next one. */
  ended: boolean
  /** Switches to another team: all later requests are made in it. If that would lose something on the page, the person is asked first. */
  switchTeam: (team_id: string) => void
}

const SessionContext = createContext<CurrentSession | null>(null)

/** Who is signed in, and in which team. */
export function useCurrentSession(): CurrentSession {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useCurrentSession must be used inside RequireSession')
  return session
}

const TEAM_STORAGE_KEY = 'weather-team'

/** The query that reads and caches who is signed in. */
export const SESSION = queryOptions({ queryKey: ['session'], queryFn: readSession, retry: false, staleTime: 60_000 })

/** The person and the team whose data the cache contains. It outlives the pages, because the cache does. */
let cachedFor: string | undefined

/** Drops what was read for another person or in another team. Called before anything is rendered from the cache. */
function dropForeignData(queries: QueryClient, reader: string): void {
  if (cachedFor && cachedFor !== reader) queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  cachedFor = reader
}

/** Renders its children for a signed-in person. Others are sent to sign in, and then back to this address. */
export function RequireSession({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const session = useQuery(SESSION)
  useRestoredFocus()
  const [storedTeamId, setStoredTeamId] = useState(() => localStorage.getItem(TEAM_STORAGE_KEY))
  const team = session.data?.teams.find(({ id }) => id === storedTeamId) ?? session.data?.teams[0]
  setCurrentTeam(team?.id ?? null)
  // The team changes by choice, and when the person is removed from it; the person, when another signs in in another window.
  const reader = team && `${session.data?.person.id} ${team.id}`
  if (reader) dropForeignData(queries, reader)
  const ended = isSignedOut(session.error)
  const currentSession = useMemo(() => {
    if (!session.data || !team) return null
    const switchTeam = (id: string) => {
      if (id === team.id) return
      leaveTeam(() => {
        localStorage.setItem(TEAM_STORAGE_KEY, id)
        setStoredTeamId(id)
      })
    }
    return { ...session.data, team, ended, switchTeam }
  }, [session.data, team, ended])
  if (session.isLoadingError && ended) return leaveForSignIn()
  if (session.isLoadingError) return <Failed heading="h1" error={session.error} retry={() => session.refetch()} />
  if (session.isPending) return <Loading what="your teams" />
  if (!currentSession)
    return (
      <AccessDenied title="You are not in a team" email={session.data.person.email}>
        {session.data.invitations?.length ? (
          <OwnInvitations {...session.data} onJoined={() => {}} />
        ) : (
          <p>Ask an owner of your team for an invitation.</p>
        )}
        {session.data.person.operator_roles.length > 0 && (
          <p>
            <a href="/app/operator">Go to the operator pages</a>
          </p>
        )}
      </AccessDenied>
    )
  return (
    <ToastProvider team={currentSession.team}>
      {/* Nothing of one team stays on the screen of another, except notices about work that finishes there later. */}
      <SessionContext.Provider key={reader} value={currentSession}>
        {children}
      </SessionContext.Provider>
      <RemovalNotice key={currentSession.person.id} {...currentSession} />
      <SignInAgain session={session} />
    </ToastProvider>
  )
}

/** Notifies a person who was removed from the team that they worked in: the page continues in another of their teams. */
function RemovalNotice({ team, teams }: Pick<CurrentSession, 'team' | 'teams'>) {
  const notify = useNotify()
  const last = useRef(team)
  useEffect(() => {
    const { id, name } = last.current
    last.current = team
    if (!teams.some((one) => one.id === id)) notify(`You are no longer in ${name}. You now work in ${team.name}.`)
  }, [team, teams, notify])
  return null
}

/** Leaves for the sign-in page, which returns to this address afterwards. */
export function leaveForSignIn(): null {
  window.location.replace(signInAddress())
  return null
}
