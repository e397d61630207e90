import { type AdmittedToken, admit, readToken } from '#domain/access/admit.ts'
import type { Caller } from '#domain/access/caller.ts'
import { type ScopedDb, scopedDb } from '#domain/access/scope.ts'
import { tokenLooksRight } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import { type Clock, momentForStore } from '#domain/engines/clock.ts'
import type { Verdict } from '#domain/engines/limiter.ts'
import type { Rate } from '#domain/kernel/refusal.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { planOf, planStatus } from '#domain/plans/plans.ts'

type Gate = Pick<App, 'db' | 'pool' | 'limiter' | 'clock' | 'config'>

/** Who asks, and what the rate headers say. */
export interface Admission {
  caller: Caller
  rate: Rate
}

/** Requests of one session: a page of the console asks for several things at once. */
export const SESSION_PER_MINUTE = 600
/** Refused credentials that one client address may send in a minute. */
const FAILURES_PER_MINUTE = 300

/**
 * Reads the token, its team and plan, and counts the request, in one round trip.
 * @param authorization the header as sent.
 * @param address the client's address: refused credentials are counted by it.
 * @throws Refusal `unauthenticated`, or `rate_limited` with the rate of its headers.
 */
export async function authenticate(app: Gate, authorization: string | undefined, address?: string): Promise<Admission> {
  const token = bearerOf(authorization)
  const found = token && tokenLooksRight(token) ? await admit(app, token) : null
  if (!found) {
    if (address) await countFailure(app, address)
    throw unauthenticated(token)
  }
  const rate = refuseAbove(found.verdict, app.clock)
  return { caller: callerOf(app, found.row), rate }
}

/** The caller of a request that was admitted, as their token, team and plan are by now. @throws Refusal `unauthenticated` */
export async function authenticateAgain(app: Gate, authorization: string | undefined): Promise<Caller> {
  const token = bearerOf(authorization)
  const row = token && (await readToken(app, token))
  if (!row) throw unauthenticated(token)
  return callerOf(app, row)
}

const unauthenticated = (token: string | null) =>
  new Refusal(
    'unauthenticated',
    token ? 'This token is unknown, expired or revoked.' : 'Send a token in the header Authorization: Bearer wt_...',
  )

/**
 * Counts further requests of a caller already admitted: a document's root fields beyond the first.
 * @throws Refusal `rate_limited`; nothing is counted then.
 */
export async function chargeRequests(app: Gate, caller: Caller, cost: number): Promise<Rate> {
  const { limiter, config, clock } = app
  const limit = caller.person ? SESSION_PER_MINUTE : config.rate_limit_per_minute
  return refuseAbove(await limiter.hit(caller.token.hash, limit, cost, momentForStore(clock)), clock)
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** @throws Refusal `rate_limited` where an address has sent too many credentials that were refused */
export async function countFailure(app: Pick<App, 'limiter' | 'clock'>, address: string): Promise<void> {
  await countOne(app, `ip:${address}`, FAILURES_PER_MINUTE)
}

/** @throws Refusal `rate_limited` where a bucket has had as many in the last minute as it may */
export async function countOne(app: Pick<App, 'limiter' | 'clock'>, bucket: string, limit: number): Promise<void> {
  await countSome(app, bucket, limit, 1)
}

/** Counts several at once: all of them, or none where they do not fit. @throws Refusal `rate_limited` */
export async function countSome(app: Pick<App, 'limiter' | 'clock'>, bucket: string, limit: number, count: number): Promise<void> {
  refuseAbove(await app.limiter.hit(bucket, limit, count, momentForStore(app.clock)), app.clock)
}

/** Counts nothing. @throws Refusal `rate_limited` where one more would not fit */
export async function requireRoom(app: Pick<App, 'limiter' | 'clock'>, bucket: string, limit: number): Promise<void> {
  const verdict = await app.limiter.hit(bucket, limit, 0, momentForStore(app.clock))
  refuseAbove({ ...verdict, allowed: verdict.remaining > 0 }, app.clock)
}

function refuseAbove({ allowed, ...rate }: Verdict, clock: Clock): Rate {
  if (allowed) return rate
  const seconds = Math.ceil((rate.reset_at.getTime() - clock.now().getTime()) / 1000)
  // The store's clock and this one can differ; the window is a minute by both.
  const retry_after = Math.min(Math.max(1, seconds), 60)
  throw new Refusal('rate_limited', `Too many requests: at most ${rate.limit} in a minute. Try again in ${retry_after} s.`, {
    retry_after,
    rate,
  })
}

/** What is read of a team for a caller of it. */
export type TeamColumns = Pick<
  AdmittedToken,
  'team_id' | 'team_name' | 'timezone' | 'plan' | 'trial_ends_at' | 'lapsed_at' | 'limit_overrides' | 'team_created_at'
>

function callerOf(app: Gate, row: AdmittedToken): Caller {
  return callerOfTeam(app, row, {
    abilities: new Set(row.abilities),
    token: {
      id: row.token_id,
      hash: row.token_hash,
      name: row.token_name,
      prefix: row.prefix,
      expires_at: row.expires_at,
      last_used_at: row.last_used_at,
    },
    person: null,
  })
}

/** A caller of the team in a row, as whom it is given. */
export function callerOfTeam(
  app: Pick<App, 'db' | 'clock'>,
  row: TeamColumns,
  who: Pick<Caller, 'abilities' | 'token' | 'person'>,
): Caller {
  const now = app.clock.now()
  let db: ScopedDb | undefined
  return {
    team: { id: row.team_id, name: row.team_name, timezone: row.timezone, created_at: row.team_created_at, ...planStatus(row, now) },
    plan: planOf(row, now),
    ...who,
    // Made when first used: most reads take their rows from the pool.
    get db() {
      db ??= scopedDb(app.db, row.team_id)
      return db
    },
  }
}
