import { callerOfTeam, type TeamColumns } from '#domain/access/authenticate.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { OperatorRole, TeamRole } from '#domain/closed-sets.ts'
import { sharedReadsOf } from '#domain/engines/shared-reads.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { abilitiesOf } from '#domain/people/roles.ts'
import { hashSecret } from '#domain/people/secrets.ts'
import { idleSince, updateSeenAt, validSessionSql } from '#domain/people/sessions.ts'
import { type PlanTimes, planStatus } from '#domain/plans/plans.ts'

type Gate = Pick<App, 'db' | 'pool' | 'clock'>

/** A valid session with its person and the requested team. */
interface SessionRow extends TeamColumns {
  session_id: string
  person_id: string
  email: string
  person_name: string | null
  seen_at: Date
  expires_at: Date
  role: TeamRole
}

/**
 * Returns the caller for a session cookie in a team. It is read at every request, so that a removed member loses access at the next
 * one. Concurrent requests share one statement; once a minute a second statement records that the session is in use.
 * @param team_id a team of the person; null: the first team that they joined
 * @returns null if the session has ended, or the person is not in the team
 */
export async function admitPerson(gate: Gate, secret: string, team_id: string | null): Promise<Caller | null> {
  if (team_id !== null && !isUuid(team_id)) return null
  // The time of the request, however long the response takes: a session counts as used when a request arrives.
  const now = gate.clock.now()
  const hash = hashSecret(secret)
  const row = await read(gate, hash, team_id)
  if (!row) return null
  await updateSeenAt(gate, { id: row.session_id, seen_at: row.seen_at }, now)
  return callerOf(gate, row, hash)
}

/** The refusal of a request whose session has ended, or whose person is not in the team. */
export const signedOut = () => new Refusal('unauthenticated', 'You are signed out, or no longer in this team. Sign in again.')

function callerOf(gate: Gate, row: SessionRow, hash: string): Caller {
  return callerOfTeam(gate, row, {
    abilities: abilitiesOf(row.role),
    token: {
      id: row.session_id,
      hash: `session:${hash}`,
      name: row.person_name ?? row.email,
      prefix: 'session',
      expires_at: row.expires_at,
      last_used_at: row.seen_at,
    },
    person: { id: row.person_id, email: row.email, name: row.person_name, role: row.role, session_id: row.session_id },
    async admitAgain() {
      const again = await read(gate, hash, row.team_id)
      if (!again) throw signedOut()
      return callerOf(gate, again, hash)
    },
  })
}

type Reading = Pick<App, 'pool' | 'clock'>
const readSession = sharedReadsOf(({ pool }: Reading) => pool, querySessions)

async function read(reading: Reading, hash: string, team_id: string | null): Promise<SessionRow | undefined> {
  const { row } = await readSession(reading, keyOf(hash, team_id))
  return row
}

/** The database returns ids in lower case, whatever the case of the query. */
const keyOf = (hash: string, team_id: string | null) => `${hash} ${team_id?.toLowerCase() ?? ''}`

async function querySessions({ pool, clock }: Reading, wanted: ReadonlyMap<string, number>): Promise<Map<string, SessionRow>> {
  const pairs = [...wanted.keys()].map((key) => key.split(' '))
  // As text: the driver would format a Date part by part, in the zone of the process.
  const values = [pairs.map(([hash]) => hash), pairs.map(([, team_id]) => team_id || null), clock.now().toISOString()]
  const { rows } = await pool.query<SessionRow & { hash: string; requested_team: string | null }>({
    name: 'admit_people',
    text: ADMIT,
    values,
  })
  return new Map(rows.map(({ hash, requested_team, ...row }) => [keyOf(hash, requested_team), row]))
}

/** For each session: its person and their membership in the requested team, or in the first team that they joined. */
const ADMIT = `
  SELECT requested.hash, requested.team_id AS requested_team, s.id AS session_id, s.seen_at, s.expires_at, p.id AS person_id, p.email, p.name AS person_name, m.role,
         g.id AS team_id, g.name AS team_name, g.timezone, g.plan, g.trial_ends_at, g.lapsed_at, g.limit_overrides, g.created_at AS team_created_at
    FROM unnest($1::text[], $2::uuid[]) AS requested (hash, team_id)
    JOIN sessions s ON s.hash = requested.hash AND ${validSessionSql('s', '$3')}
    JOIN people p ON p.id = s.person_id
    JOIN LATERAL (
           SELECT team_id, role FROM memberships
            WHERE person_id = p.id AND (requested.team_id IS NULL OR team_id = requested.team_id) ORDER BY created_at, team_id LIMIT 1
         ) m ON true
    JOIN teams g ON g.id = m.team_id`

/** The person signed in with a cookie, and their teams, for the console's navigation. */
export interface SignedIn {
  person: {
    id: string
    email: string
    name: string | null
    operator_roles: OperatorRole[]
    session_id: string
    handed_over: boolean
    company_email: string | null
  }
  teams: { id: string; name: string; role: TeamRole; lapsed: boolean }[]
}

/** Returns the signed-in person; null if the session has ended. A person may be in no team. Concurrent requests share one read. */
export async function whoIsSignedIn({ db, clock }: Pick<App, 'db' | 'clock'>, secret: string): Promise<SignedIn | null> {
  const { row } = await readSignedIn({ db, clock }, hashSecret(secret))
  return row ?? null
}

type PeopleReading = Pick<App, 'db' | 'clock'>
const readSignedIn = sharedReadsOf(({ db }: PeopleReading) => db, querySignedIn)

async function querySignedIn({ db, clock }: PeopleReading, wanted: ReadonlyMap<string, number>): Promise<Map<string, SignedIn>> {
  const now = clock.now()
  const found = await db.session.findMany({
    where: { hash: { in: [...wanted.keys()] }, expires_at: { gt: now }, seen_at: { gt: idleSince(now) } },
    select: {
      hash: true,
      id: true,
      handed_over: true,
      company_email: true,
      person: {
        select: {
          id: true,
          email: true,
          name: true,
          operator_roles: true,
          memberships: {
            orderBy: [{ created_at: 'asc' }, { team_id: 'asc' }],
            select: { role: true, team: { select: { id: true, name: true, trial_ends_at: true, lapsed_at: true } } },
          },
        },
      },
    },
  })
  return new Map(found.map(({ hash, ...session }) => [hash, signedInBy(session, now)]))
}

interface FoundSession {
  id: string
  handed_over: boolean
  company_email: string | null
  person: Omit<SignedIn['person'], 'session_id' | 'handed_over' | 'company_email'> & {
    memberships: { role: TeamRole; team: Pick<SignedIn['teams'][number], 'id' | 'name'> & PlanTimes }[]
  }
}

function signedInBy({ id, handed_over, company_email, person: { memberships, ...person } }: FoundSession, now: Date): SignedIn {
  return {
    person: { ...person, session_id: id, handed_over, company_email },
    teams: memberships.map(({ role, team }) => ({ id: team.id, name: team.name, role, lapsed: planStatus(team, now).lapsed })),
  }
}
