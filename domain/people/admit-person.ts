import { callerOfTeam, type TeamColumns } from '#domain/access/authenticate.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { OperatorRole, TeamRole } from '#domain/closed-sets.ts'
import { sharedReads } from '#domain/engines/shared-reads.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { abilitiesOf } from '#domain/people/roles.ts'
import { hashSecret } from '#domain/people/secrets.ts'
import { idleSince, inForce, noteSeen } from '#domain/people/sessions.ts'

type Gate = Pick<App, 'db' | 'pool' | 'clock'>

/** A session in force with its person, and the team that is asked for. */
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
 * The caller that a session's cookie stands for in a team: read at every request, so that whoever was removed is out at the next, in one statement
 * with the other requests of the moment; once a minute a second notes that the session is used.
 * @param team_id of a team of theirs; null for the first that they joined
 * @returns null where the session has ended, or the person is not in the team
 */
export async function admitPerson({ db, pool, clock }: Gate, secret: string, team_id: string | null): Promise<Caller | null> {
  if (team_id !== null && !isUuid(team_id)) return null
  // When it was asked, however long the answer takes: a session is in use for as long as somebody asks.
  const now = clock.now()
  const hash = hashSecret(secret)
  const row = await read({ pool, clock }, hash, team_id)
  if (!row) return null
  await noteSeen({ pool }, { id: row.session_id, seen_at: row.seen_at }, now)
  return callerOfTeam({ db, clock }, row, {
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
  })
}

type Reading = Pick<App, 'pool' | 'clock'>
const readers = new WeakMap<App['pool'], ReturnType<typeof sharedReads<Reading, SessionRow>>>()

async function read(reading: Reading, hash: string, team_id: string | null): Promise<SessionRow | undefined> {
  const reader = readers.get(reading.pool) ?? sharedReads(ask)
  readers.set(reading.pool, reader)
  const { row } = await reader(reading, keyOf(hash, team_id))
  return row
}

/** The database answers an id in small letters, whatever it was asked with. */
const keyOf = (hash: string, team_id: string | null) => `${hash} ${team_id?.toLowerCase() ?? ''}`

async function ask({ pool, clock }: Reading, wanted: ReadonlyMap<string, number>): Promise<Map<string, SessionRow>> {
  const asked = [...wanted.keys()].map((key) => key.split(' '))
  // As text: the driver writes a Date in the zone of the process, part by part.
  const values = [asked.map(([hash]) => hash), asked.map(([, team_id]) => team_id || null), clock.now().toISOString()]
  const { rows } = await pool.query<SessionRow & { hash: string; asked_team: string | null }>({ name: 'admit_people', text: ADMIT, values })
  return new Map(rows.map(({ hash, asked_team, ...row }) => [keyOf(hash, asked_team), row]))
}

/** Of each session its person, and their place in the team that is asked for, or in the first that they joined. */
const ADMIT = `
  SELECT asked.hash, asked.team_id AS asked_team, s.id AS session_id, s.seen_at, s.expires_at, p.id AS person_id, p.email, p.name AS person_name, m.role,
         g.id AS team_id, g.name AS team_name, g.timezone, g.plan, g.trial_ends_at, g.lapsed_at, g.limit_overrides, g.created_at AS team_created_at
    FROM unnest($1::text[], $2::uuid[]) AS asked (hash, team_id)
    JOIN sessions s ON s.hash = asked.hash AND ${inForce('s', '$3')}
    JOIN people p ON p.id = s.person_id
    JOIN LATERAL (
           SELECT team_id, role FROM memberships
            WHERE person_id = p.id AND (asked.team_id IS NULL OR team_id = asked.team_id) ORDER BY created_at, team_id LIMIT 1
         ) m ON true
    JOIN teams g ON g.id = m.team_id`

/** Who is signed in by a cookie, and where: for the console's frame. */
export interface SignedIn {
  person: { id: string; email: string; name: string | null; operator_roles: OperatorRole[]; session_id: string; handed_over: boolean }
  teams: { id: string; name: string; role: TeamRole }[]
}

/** Null where the session has ended. Somebody may be in no team at all. */
export async function whoIsSignedIn({ db, clock }: Pick<App, 'db' | 'clock'>, secret: string): Promise<SignedIn | null> {
  const now = clock.now()
  const found = await db.session.findFirst({
    where: { hash: hashSecret(secret), expires_at: { gt: now }, seen_at: { gt: idleSince(now) } },
    select: {
      id: true,
      handed_over: true,
      person: {
        select: {
          id: true,
          email: true,
          name: true,
          operator_roles: true,
          memberships: {
            orderBy: [{ created_at: 'asc' }, { team_id: 'asc' }],
            select: { role: true, team: { select: { id: true, name: true } } },
          },
        },
      },
    },
  })
  if (!found) return null
  const { memberships, ...person } = found.person
  return {
    person: { ...person, session_id: found.id, handed_over: found.handed_over },
    teams: memberships.map(({ role, team }) => ({ ...team, role })),
  }
}
