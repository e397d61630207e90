import { Redis } from 'ioredis'
import type pg from 'pg'
import type { Config } from '#domain/config.ts'
import type { Log } from '#domain/engines/log.ts'

/** How a bucket stands after a request was judged. */
export interface Rate {
  limit: number
  remaining: number
  /** When the oldest counted request leaves the window; on a refusal, when the request would be allowed. */
  reset_at: Date
}

export interface Verdict extends Rate {
  allowed: boolean
}

/** Counts requests in a sliding log: at most `limit` in any 60 seconds, for each bucket. */
export interface Limiter {
  /** True where the log lies in the database: there a token is read and its request counted by one statement. */
  in_database: boolean
  /** Counts `cost` requests if they fit, else none. */
  hit(bucket: string, limit: number, cost: number, now: Date): Promise<Verdict>
  close(): Promise<void>
}

/** The window of the contract's "per minute". */
const WINDOW_MS = 60_000

/** Opens the log on Redis where one is configured, else in the database. */
export function openLimiter(config: Pick<Config, 'redis_url'>, pool: pg.Pool, log: Log): Limiter {
  return config.redis_url ? redisLimiter(config.redis_url, log) : databaseLimiter(pool)
}

const COUNT = 'SELECT granted = $3 AS allowed, free - granted AS remaining, reset_at FROM count_hits($1, $2, $3, false, $4)'

function databaseLimiter(pool: pg.Pool): Limiter {
  return {
    in_database: true,
    async hit(bucket, limit, cost, now) {
      const { rows } = await pool.query({ name: 'count_hits', text: COUNT, values: [bucket, limit, cost, now] })
      return { limit, ...rows[0] }
    },
    close: async () => {},
  }
}

/**
 * One script, run whole by Redis: forget what left the window, judge, count.
 * KEYS[1] list of the bucket's hits, oldest first; ARGV now (ms), window (ms), limit, cost. Answers {allowed, remaining, reset (ms)}.
 * Time never runs backwards within a bucket, so that servers whose clocks differ a little share one log.
 */
const COUNT_SCRIPT = `
local window, limit, cost = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = math.max(tonumber(ARGV[1]), tonumber(redis.call('LINDEX', KEYS[1], -1) or 0))
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
while oldest <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
end
local used = redis.call('LLEN', KEYS[1])
if used + cost > limit then
  local frees = tonumber(redis.call('LINDEX', KEYS[1], used + cost - limit - 1) or now)
  return {0, math.max(limit - used, 0), string.format('%d', frees + window)}
end
for _ = 1, cost do redis.call('RPUSH', KEYS[1], string.format('%d', now)) end
redis.call('PEXPIRE', KEYS[1], window)
return {1, limit - used - cost, string.format('%d', oldest + window)}`

/** A request waits no longer for its count: Redis answers within a millisecond or is in trouble. */
const COUNT_TIMEOUT_MS = 250
/** A lost Redis is tried again at least so often. */
const RECONNECT_MAX_MS = 2000

interface CountingRedis extends Redis {
  countHits(key: string, now: number, window: number, limit: number, cost: number): Promise<[number, number, string]>
}

/** A limiter that cannot be reached allows and says so: a broken counter must not close the service. */
function redisLimiter(url: string, log: Log): Limiter {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COUNT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
  }) as CountingRedis
  redis.on('error', (fault) => log.warn({ reason: fault.message }, 'the rate limiter has lost Redis'))
  redis.defineCommand('countHits', { numberOfKeys: 1, lua: COUNT_SCRIPT })
  return {
    in_database: false,
    async hit(bucket, limit, cost, now) {
      try {
        const [allowed, remaining, reset] = await redis.countHits(`rate:${bucket}`, now.getTime(), WINDOW_MS, limit, cost)
        return { limit, allowed: allowed === 1, remaining, reset_at: new Date(Number(reset)) }
      } catch (fault) {
        log.warn({ reason: (fault as Error).message }, 'the rate limiter did not answer: the request is allowed')
        return { limit, allowed: true, remaining: limit, reset_at: new Date(now.getTime() + WINDOW_MS) }
      }
    },
    async close() {
      redis.disconnect()
    },
  }
}
