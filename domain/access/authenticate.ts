import type { Ability } from '#domain/access/abilities.ts'
import { scopedDb } from '#domain/access/scope.ts'
import { hashToken, tokenLooksRight } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import type { Rate, Verdict } from '#domain/engines/limiter.ts'
import { planOf, standingOf } from '#domain/plans/plans.ts'
import { Refusal } from '#domain/refusal.ts'

export type { Rate }

type Gate = Pick<App, 'db' | 'pool' | 'limiter' | 'clock' | 'config'>

/** Who asks, and what the rate headers say. */
export interface Admission {
  caller: Caller
  rate: Rate
}

/** Refused credentials that one client address may send in a minute. */
const FAILURES_PER_MINUTE = 300

/**
 * Reads the token, its team and plan, and counts the request, in one round trip.
 * @param authorization the header as sent.
 * @param cost how many requests this one counts as.
 * @param address the client's address: refused credentials are counted by it.
 * @throws Refusal `unauthenticated`, or `rate_limited` with the rate of its headers.
 */
export async function authenticate(app: Gate, authorization: string | undefined, cost = 1, address?: string): Promise<Admission> {
  const token = bearerOf(authorization)
  const found = token && tokenLooksRight(token) ? await admit(app, token, cost) : null
  if (!found) {
    if (address) await countFailure(app, address)
    throw new Refusal('unauthenticated', token ? 'This token is unknown, expired or revoked.' : 'Send a token in the header Authorization: Bearer wt_...')
  }
  refuseAbove(found.verdict, app.clock.now())
  const { allowed, ...rate } = found.verdict
  return { caller: callerOf(app, found.row), rate }
}

/**
 * Counts further requests of a caller already admitted: a document's root fields beyond the first.
 * @throws Refusal `rate_limited`; nothing is counted then.
 */
export async function chargeRequests(app: Gate, caller: Caller, cost: number): Promise<Rate> {
  const now = app.clock.now()
  const { allowed, ...rate } = refuseAbove(await app.limiter.hit(caller.token.prefix, app.config.rate_limit_per_minute, cost, now), now)
  return rate
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** The row of the database's function `admit`. */
interface AdmittedRow {
  token_id: string
  token_name: string
  prefix: string
  abilities: Ability[]
  expires_at: Date | null
  last_used_at: Date
  team_id: string
  team_name: string
  timezone: string
  plan: string
  trial_ends_at: Date | null
  lapsed_at: Date | null
  limit_overrides: unknown
  team_created_at: Date
  allowed: boolean
  remaining: number
  reset_at: Date
}

const ADMIT = 'SELECT * FROM admit($1, $2, $3, $4)'

/** Null for a token that is not in force. Where the log lies in Redis, both stores are asked at once. */
async function admit(app: Gate, token: string, cost: number): Promise<{ row: AdmittedRow; verdict: Verdict } | null> {
  const now = app.clock.now()
  const limit = app.config.rate_limit_per_minute
  const { in_database } = app.limiter
  const [{ rows }, counted] = await Promise.all([
    app.pool.query<AdmittedRow>({ name: 'admit', text: ADMIT, values: [hashToken(token), in_database ? limit : null, cost, now] }),
    in_database ? null : app.limiter.hit(token.slice(0, 9), limit, cost, now),
  ])
  const row = rows[0]
  if (!row) return null
  return { row, verdict: counted ?? { limit, allowed: row.allowed, remaining: row.remaining, reset_at: row.reset_at } }
}

async function countFailure(app: Gate, address: string): Promise<void> {
  const now = app.clock.now()
  refuseAbove(await app.limiter.hit(`ip:${address}`, FAILURES_PER_MINUTE, 1, now), now)
}

function refuseAbove(verdict: Verdict, now: Date): Verdict {
  if (verdict.allowed) return verdict
  const { allowed, ...rate } = verdict
  const retry_after = Math.max(1, Math.ceil((rate.reset_at.getTime() - now.getTime()) / 1000))
  throw new Refusal('rate_limited', `Too many requests: at most ${rate.limit} in a minute. Try again in ${retry_after} s.`, { retry_after, rate })
}

function callerOf(app: Gate, row: AdmittedRow): Caller {
  const now = app.clock.now()
  return {
    team: { id: row.team_id, name: row.team_name, timezone: row.timezone, created_at: row.team_created_at, ...standingOf(row, now) },
    plan: planOf(row, now),
    abilities: new Set(row.abilities),
    token: { id: row.token_id, name: row.token_name, prefix: row.prefix, expires_at: row.expires_at, last_used_at: row.last_used_at },
    db: scopedDb(app.db, row.team_id),
  }
}
