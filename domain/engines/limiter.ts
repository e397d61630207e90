import type { Redis } from 'ioredis'
import type pg from 'pg'
import type { Log } from '#domain/engines/log.ts'
import { openRedis, type RedisConfig, watchRedis } from '#domain/engines/redis.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import type { Rate } from '#domain/kernel/refusal.ts'

export interface RateLimitResult extends Rate {
  allowed: boolean
}

/** Counts requests in a sliding log: at most `limit` in any 60 seconds, for each bucket. */
export interface Limiter {
  /** True while the database stores the log: one statement then reads a token and counts its request. */
  readonly in_database: boolean
  /** Counts `cost` requests if they fit, else none. @param moment null: the store's own time, which all servers share */
  hit(bucket: string, limit: number, cost: number, moment: Date | null): Promise<RateLimitResult>
  close(): Promise<void>
}

/** The contract's "per minute". */
const WINDOW_MS = 60_000

/** Opens the log in Redis if configured, else in the database, which also counts while Redis is unavailable. */
export function openLimiter(config: RedisConfig, pool: pg.Pool, log: Log): Limiter {
  const database = databaseLimiter(pool)
  return config.redis_url ? redisLimiter(config, database, log) : database
}

const COUNT = 'SELECT granted = $3 AS allowed, free - granted AS remaining, reset_at FROM count_hits($1, $2, $3, false, $4)'

function databaseLimiter(pool: pg.Pool): Limiter {
  return {
    in_database: true,
    async hit(bucket, limit, cost, moment) {
      const { rows } = await pool.query({ name: 'count_hits', text: COUNT, values: [bucket, limit, cost, moment] })
      return { limit, ...rows[0] }
    },
    close: async () => {},
  }
}

/**
 * One atomic Redis script: drops hits that left the window, decides, counts.
 * KEYS[1] list of the bucket's hits, oldest first; ARGV now (ms, or empty for the time of Redis), window (ms), limit, cost.
 * Returns {allowed, remaining, reset (ms)}. If the clock was set back by up to a second, the newest hit's time is used; hits
 * further ahead are dropped.
 */
const COUNT_SCRIPT = `
local window, limit, cost = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local newest = tonumber(redis.call('LINDEX', KEYS[1], -1) or 0)
while newest > now + 1000 do
  redis.call('RPOP', KEYS[1])
  newest = tonumber(redis.call('LINDEX', KEYS[1], -1) or 0)
end
now = math.max(now, newest)
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

/** A request waits no longer for its count: Redis responds within a millisecond or has a problem. */
const COUNT_TIMEOUT_MS = 250
/** While Redis is unavailable, one request in this interval tries it; the database counts all others at once. */
const RETRY_INTERVAL_MS = 1000
/** Longest pause before a reconnection to Redis. */
const RECONNECT_MAX_MS = 2000

interface CountingRedis extends Redis {
  countHits(key: string, now: number | '', window: number, limit: number, cost: number): Promise<[number, number, string]>
}

/** Counts in Redis, and in the database while Redis is unavailable: a switch between them starts every count at zero. */
function redisLimiter(config: RedisConfig, database: Limiter, log: Log): Limiter {
  const redis = openRedis(config, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COUNT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
  }) as CountingRedis
  /** The reason of the last line. Each attempt to reconnect reports it again, every two seconds at most. */
  let logged: string | null = null
  redis.on('error', ({ message: reason }: Error) => {
    if (reason !== logged) log.warn({ reason }, 'the rate limiter has lost Redis')
    logged = reason
  })
  redis.on('ready', () => {
    logged = null
  })
  redis.defineCommand('countHits', { numberOfKeys: 1, lua: COUNT_SCRIPT })
  const watched = watchRedis(redis)
  /** When Redis is tried next, in milliseconds since the process started; 0 while Redis responds. */
  let nextTryAt = 0
  return {
    get in_database() {
      return performance.now() < nextTryAt
    },
    async hit(bucket, limit, cost, moment) {
      if (performance.now() < nextTryAt) return database.hit(bucket, limit, cost, moment)
      const isRetry = nextTryAt > 0
      // Only this request tries Redis; the others do not wait.
      if (isRetry) nextTryAt = performance.now() + RETRY_INTERVAL_MS
      try {
        const [allowed, remaining, reset] = await redis.countHits(`rate:${bucket}`, moment?.getTime() ?? '', WINDOW_MS, limit, cost)
        if (nextTryAt > 0) log.info('the rate limiter uses Redis again')
        nextTryAt = 0
        return { limit, allowed: allowed === 1, remaining, reset_at: new Date(Number(reset)) }
      } catch (fault) {
        if (!isRetry) log.warn({ reason: messageOf(fault) }, 'the rate limiter has lost Redis and uses the database')
        nextTryAt = performance.now() + RETRY_INTERVAL_MS
        return database.hit(bucket, limit, cost, moment)
      }
    },
    async close() {
      watched.stop()
      redis.disconnect()
    },
  }
}
