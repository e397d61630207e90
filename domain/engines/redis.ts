import { Redis, type RedisOptions } from 'ioredis'
import type { Config } from '#domain/kernel/config.ts'
import { readRedisAddress } from '#domain/kernel/redis-address.ts'
import { withTimeLimit } from '#domain/kernel/time-limit.ts'

/** Settings of the connection to Redis. */
export type RedisConfig = Pick<Config, 'redis_url'> & Partial<Pick<Config, 'redis_ca' | 'redis_sentinel_password'>>

/** Timeout of one sentinel, before the next one is queried. */
const SENTINEL_ANSWERS_WITHIN_MS = 1000
/** Pause before all sentinels are queried again if none knows a master. */
const SENTINELS_AGAIN_MS = 250

/**
 * Connects to the server, or to the master that the sentinels currently report. A connection that is lost, or renewed by
 * `watchRedis`, queries the sentinels again.
 * @throws Error if no URL is set, or it is invalid
 */
export function openRedis(config: RedisConfig, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const address = config.redis_url === null ? null : readRedisAddress(config.redis_url)
  if (!address) throw new Error('REDIS_URL is not a valid URL')
  const { url, sentinels, master, tls } = address
  const secure = tls ? { tls: config.redis_ca ? { ca: config.redis_ca } : {} } : {}
  // The server became a replica and kept its connections: behind the same name there is another now. A script wraps the message.
  const followMaster: Pick<RedisOptions, 'reconnectOnError'> = { reconnectOnError: (fault) => fault.message.includes('READONLY') }
  if (!sentinels || !master) return new Redis(url.href, { ...secure, ...followMaster, ...options })
  return new Redis({
    sentinels,
    name: master,
    db: Number(url.pathname.slice(1)) || 0,
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(config.redis_sentinel_password && { sentinelPassword: config.redis_sentinel_password }),
    ...secure,
    ...('tls' in secure && { enableTLSForSentinelMode: true, sentinelTLS: secure.tls }),
    sentinelCommandTimeout: SENTINEL_ANSWERS_WITHIN_MS,
    sentinelRetryStrategy: () => SENTINELS_AGAIN_MS,
    ...followMaster,
    ...options,
  })
}

/** Heartbeat that detects a hanging Redis or a silently cut connection, which is then renewed. */
const HEARTBEAT_MS = 2000
const ANSWERS_WITHIN_MS = 3000

/**
 * Renews a connection that gets no response; call `renew` if a command got none. The client's own detection of a new master would close the
 * connection for good.
 */
export function watchRedis(redis: Redis): { renew(): void; stop(): void } {
  /** Heartbeats in a row during which the connection was open but not ready; the second one renews it. */
  let unready = 0
  const renew = () => {
    // Disconnecting while it still looks for its server would close it for good.
    if (redis.status !== 'connecting') redis.disconnect(true)
  }
  const heartbeat = setInterval(() => {
    unready = redis.status === 'connect' ? unready + 1 : 0
    if (unready > 1) renew()
    if (redis.status === 'ready') withTimeLimit(ANSWERS_WITHIN_MS, redis.ping(), 'Redis does not answer').catch(renew)
  }, HEARTBEAT_MS)
  return { renew, stop: () => clearInterval(heartbeat) }
}
