import assert from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import { abilities } from '#domain/access/abilities.ts'
import { authenticate } from '#domain/access/authenticate.ts'
import { hashToken, issueToken } from '#domain/access/tokens.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { openLimiter } from '#domain/engines/limiter.ts'
import { openLog } from '#domain/engines/log.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { configFor } from '#test/support/config-for.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'

export const claim = 'A token is read and its request counted exactly, in one round trip, for little more than a bare read'

/** Existing tokens; the requests come from a few of them, as on a busy install. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
const BUSY = 20
/** Requests in flight: a busy server. */
const AT_ONCE = 32
/** A limit that is never reached: every request is admitted and leaves its hit in the log. */
const LIMIT = 1_000_000

type Gate = Parameters<typeof authenticate>[0]

interface Stage {
  app: Gate
  tokens: string[]
  /** The same with the log in Redis; null on a machine without a Redis server. */
  onRedis: Gate | null
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { db, pool, close } = openDatabase(url)
  bed.closing(close)
  const config = configFor({ database_url: url, rate_limit_per_minute: LIMIT })
  const log = openLog('silent')
  const app: Gate = { db, pool, config, clock: systemClock, limiter: openLimiter(config, pool, log) }
  const team = await createTeam(db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const wanted = { team_id: team.id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null }
  const tokens: string[] = []
  for (let issued = 0; issued < BUSY; issued++) tokens.push((await issueToken(db, wanted)).token)
  await pool.query(
    `INSERT INTO tokens (id, team_id, name, prefix, hash, abilities)
     SELECT gen_random_uuid(), $1, 'other', 'other' || n, md5(n::text) || md5('x' || n), ARRAY['reports:read'] FROM generate_series($2::int, $3::int) n`,
    [team.id, BUSY + 1, bed.size],
  )
  await pool.query('ANALYZE tokens')
  return { app, tokens, onRedis: redisIsHere ? await openOnRedis(bed, app) : null }
}

async function openOnRedis(bed: Bed, app: Gate): Promise<Gate> {
  const server = await startRedis()
  bed.closing(() => server.stop())
  const limiter = openLimiter({ redis_url: server.url }, app.pool, openLog('silent'))
  bed.closing(() => limiter.close())
  // The database counts until it is connected.
  do await limiter.hit('first', 1, 1, null)
  while (limiter.in_database && (await pause(20, true)))
  return { ...app, limiter }
}

const tokenOf = ({ tokens }: Stage, turn: number) => tokens[turn % tokens.length] as string

const TOKEN = `
  SELECT t.id, t.name, t.prefix, t.abilities, t.expires_at, t.last_used_at, g.id AS team_id, g.name AS team_name, g.timezone, g.plan,
         g.trial_ends_at, g.lapsed_at, g.limit_overrides, g.created_at
    FROM tokens t JOIN teams g ON g.id = t.team_id WHERE t.hash = $1 AND t.revoked_at IS NULL`
const readToken = ({ app }: Stage, token: string) => app.pool.query({ name: 'bench_token', text: TOKEN, values: [hashToken(token)] })

/** The same request from every client at once; the measured value is the time of one. */
async function together(turn: number, ask: (turn: number) => Promise<unknown>): Promise<Measured> {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => ask(turn * AT_ONCE + place)))
  return { operations: AT_ONCE }
}

const withoutRedis = ({ onRedis }: Stage) => (onRedis ? null : 'no redis-server')
const select = (stage: Stage, turn: number) => together(turn, (each) => readToken(stage, tokenOf(stage, each)))

export const arms: Arm<Stage>[] = [
  {
    name: 'token, plan and limit',
    case: 'log in PostgreSQL',
    run: (stage, turn) => together(turn, (each) => authenticate(stage.app, `Bearer ${tokenOf(stage, each)}`)),
  },
  { name: 'one SELECT of token and plan', case: 'log in PostgreSQL', peer: true, run: select },
  {
    name: 'token, plan and limit',
    case: 'log in Redis',
    missing: withoutRedis,
    run: (stage, turn) => together(turn, (each) => authenticate(stage.onRedis as Gate, `Bearer ${tokenOf(stage, each)}`)),
  },
  { name: 'one SELECT of token and plan', case: 'log in Redis', peer: true, missing: withoutRedis, run: select },
]

export const reach: Reach[] = ['log in PostgreSQL', 'log in Redis'].map((log) => ({
  case: log,
  arm: 'token, plan and limit',
  peer: 'one SELECT of token and plan',
  ratio_at_most: 1.3,
}))

/** Both ways find the same token, and each request is counted once. */
export async function check(stage: Stage): Promise<void> {
  const token = tokenOf(stage, 0)
  const { rows } = await readToken(stage, token)
  for (const app of [stage.app, stage.onRedis].filter((gate) => gate !== null)) {
    const ask = () => authenticate(app, `Bearer ${token}`)
    const { caller, rate } = await ask()
    assert.deepEqual([caller.token.id, caller.team.id, [...caller.abilities]], [rows[0].id, rows[0].team_id, rows[0].abilities])
    const together = await Promise.all([ask(), ask(), ask()])
    assert.deepEqual(
      together.map((answer) => rate.remaining - answer.rate.remaining),
      [1, 2, 3],
    )
  }
}

export async function explain({ app, tokens }: Stage): Promise<Record<string, string>> {
  const plan = await app.pool.query(`EXPLAIN ANALYZE ${TOKEN}`, [hashToken(tokens[0] as string)])
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(text, /tokens_hash_key/)
  return { 'one SELECT of token and plan': text }
}
