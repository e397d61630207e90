import assert from 'node:assert'
import { randomUUID } from 'node:crypto'
import { systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { admitPerson } from '#domain/people/admit-person.ts'
import { openSession } from '#domain/people/sessions.ts'
import { createTeam } from '#domain/plans/teams.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'

export const claim = 'A session is read with its person, role and team in one round trip, for little more than one row by its key'

/** Existing sessions; the requests come from a few of them. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
const BUSY = 20
/** Requests in flight: a busy server. */
const AT_ONCE = 32

interface Stage {
  app: Parameters<typeof admitPerson>[0]
  sessions: { id: string; secret: string; team_id: string }[]
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { db, pool, close } = openDatabase(url)
  bed.closing(close)
  const [team, other] = [
    await createTeam(db, systemClock, { name: 'Bench', plan: 'enterprise' }),
    await createTeam(db, systemClock, { name: 'Other', plan: 'enterprise' }),
  ]
  await pool.query(
    `WITH made AS (INSERT INTO people (id, email) SELECT gen_random_uuid(), 'person' || n || '@example.com' FROM generate_series(1, $3::int) n RETURNING id),
          placed AS (INSERT INTO memberships (team_id, person_id, role) SELECT team.id, made.id, 'analyst' FROM made, unnest(ARRAY[$1, $2]::uuid[]) AS team(id))
     INSERT INTO sessions (id, hash, person_id, created_at, seen_at, expires_at)
     SELECT gen_random_uuid(), md5(made.id::text) || md5('x' || made.id), made.id, now(), now(), now() + interval '30 days' FROM made`,
    [team.id, other.id, bed.size],
  )
  const people = await db.person.findMany({ take: BUSY })
  const client = { address: '127.0.0.1', user_agent: undefined, request_id: randomUUID() }
  const sessions: Stage['sessions'] = []
  for (const { id: person_id } of people) {
    const secret = await db.$transaction((tx) => openSession(tx, systemClock.now(), { person_id, handed_over: false }, client))
    const { id } = await db.session.findFirstOrThrow({ where: { person_id }, orderBy: { created_at: 'desc' } })
    sessions.push({ id, secret, team_id: other.id })
  }
  await pool.query('ANALYZE people, memberships, sessions')
  return { app: { db, pool, clock: systemClock }, sessions }
}

const BY_KEY = 'SELECT id, hash, person_id, seen_at, expires_at FROM sessions WHERE id = $1'

type Session = Stage['sessions'][number]
const admitted = ({ app }: Stage, { secret, team_id }: Session) => admitPerson(app, secret, team_id)
const byKey = ({ app }: Stage, { id }: Session) => app.pool.query({ name: 'bench_session', text: BY_KEY, values: [id] })

/** The same request from every client at once; the measured value is the time of one. */
async function together(stage: Stage, turn: number, ask: (stage: Stage, session: Session) => Promise<unknown>): Promise<Measured> {
  const of = (place: number) => stage.sessions[(turn * AT_ONCE + place) % stage.sessions.length] as Session
  await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => ask(stage, of(place))))
  return { operations: AT_ONCE }
}

export const arms: Arm<Stage>[] = [
  { name: 'session, person, role and team', run: (stage, turn) => together(stage, turn, admitted) },
  { name: 'one row by its key', peer: true, run: (stage, turn) => together(stage, turn, byKey) },
]

export const reach: Reach[] = [{ arm: 'session, person, role and team', peer: 'one row by its key', ratio_at_most: 1.3 }]

export async function check(stage: Stage): Promise<void> {
  for (const session of stage.sessions) {
    const caller = await admitted(stage, session)
    const { rows } = await byKey(stage, session)
    assert.equal(caller?.team.id, session.team_id)
    assert.equal(caller?.person?.id, rows[0].person_id)
    assert.equal(caller?.person?.session_id, session.id)
  }
}
