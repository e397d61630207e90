import type { Caller } from '#domain/access/caller.ts'
import { clientNetwork } from '#domain/access/client-network.ts'
import type { App } from '#domain/app.ts'
import { type Clock, momentForStore } from '#domain/engines/clock.ts'
import type { RateLimitResult } from '#domain/engines/limiter.ts'
import { SECOND_MS } from '#domain/kernel/durations.ts'
import { type Rate, Refusal } from '#domain/kernel/refusal.ts'

/** Requests of one session in a minute: a page of the console sends several at once. */
export const SESSION_PER_MINUTE = 600
/** Refused credentials that one client address may send in a minute. */
const FAILURES_PER_MINUTE = 300

/**
 * Counts further requests of an admitted caller: a GraphQL document's root fields beyond the first.
 * @throws Refusal `rate_limited`; then nothing is counted.
 */
export async function chargeRequests(app: Pick<App, 'limiter' | 'config' | 'clock'>, caller: Caller, cost: number): Promise<Rate> {
  const { limiter, config, clock } = app
  const limit = caller.person ? SESSION_PER_MINUTE : config.rate_limit_per_minute
  return requireAllowed(await limiter.hit(caller.token.hash, limit, cost, momentForStore(clock)), clock)
}

/** Counts a refused credential of an IP address. @throws Refusal `rate_limited` if there were too many */
export async function countFailure(app: Pick<App, 'limiter' | 'clock'>, address: string): Promise<void> {
  await countClient(app, 'ip', address, FAILURES_PER_MINUTE)
}

/** For this long, a process refuses a client that was refused without counting again: a flood of requests makes one statement a second. */
const REFUSED_AGAIN_MS = SECOND_MS
/** Clients whose refusals a process remembers. */
const REFUSED_MAX = 10_000

/** Times in milliseconds, by the clock of the process. */
interface LastRefusal {
  refusal: Refusal
  at: number
  until: number
}

/** The last refusals by bucket, oldest first. */
const refusals = new WeakMap<App['limiter'], Map<string, LastRefusal>>()

/**
 * Counts one request of a client.
 * @param kind what is counted: each kind has its own limit
 * @param address the client's IP address, IPv6 by its network
 * @throws Refusal `rate_limited` if the client reached the limit in the last minute
 */
export async function countClient(app: Pick<App, 'limiter' | 'clock'>, kind: string, address: string, limit: number): Promise<void> {
  const bucket = `${kind}:${clientNetwork(address)}`
  const refused = refusals.get(app.limiter) ?? new Map<string, LastRefusal>()
  refusals.set(app.limiter, refused)
  const now = app.clock.now().getTime()
  const last = refused.get(bucket)
  // The clock may have been set back.
  if (last && now >= last.at && now < last.until) throw last.refusal
  refused.delete(bucket)
  try {
    await countOne(app, bucket, limit)
  } catch (fault) {
    if (fault instanceof Refusal && fault.details.rate) {
      const until = Math.min(now + REFUSED_AGAIN_MS, fault.details.rate.reset_at.getTime())
      refused.set(bucket, { refusal: fault, at: now, until })
    }
    const [oldest] = refused.keys()
    if (refused.size > REFUSED_MAX && oldest !== undefined) refused.delete(oldest)
    throw fault
  }
}

/** Counts one request in a bucket. @throws Refusal `rate_limited` if the bucket reached its limit in the last minute */
export async function countOne(app: Pick<App, 'limiter' | 'clock'>, bucket: string, limit: number): Promise<void> {
  await countSome(app, bucket, limit, 1)
}

/** Counts several requests at once, or none if they do not all fit. @throws Refusal `rate_limited` */
export async function countSome(app: Pick<App, 'limiter' | 'clock'>, bucket: string, limit: number, count: number): Promise<void> {
  requireAllowed(await app.limiter.hit(bucket, limit, count, momentForStore(app.clock)), app.clock)
}

/** Checks a bucket without counting. @throws Refusal `rate_limited` if one more request would not fit */
export async function requireRequestBudget(app: Pick<App, 'limiter' | 'clock'>, bucket: string, limit: number): Promise<void> {
  const rate = await app.limiter.hit(bucket, limit, 0, momentForStore(app.clock))
  requireAllowed({ ...rate, allowed: rate.remaining > 0 }, app.clock)
}

/** Returns the values of the rate headers. @throws Refusal `rate_limited` if the counted request does not fit */
export function requireAllowed({ allowed, ...rate }: RateLimitResult, clock: Clock): Rate {
  if (allowed) return rate
  const seconds = Math.ceil((rate.reset_at.getTime() - clock.now().getTime()) / SECOND_MS)
  // The store's clock and this one may differ; the window is a minute by both.
  const retry_after = Math.min(Math.max(1, seconds), 60)
  throw new Refusal('rate_limited', `Too many requests: at most ${rate.limit} in a minute. Try again in ${retry_after} s.`, {
    retry_after,
    rate,
  })
}
