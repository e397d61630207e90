import { Redis, type RedisOptions } from 'ioredis'
import type { Config } from '#domain/kernel/config.ts'
import { readRedisAddress } from '#domain/kernel/redis-address.ts'

/** How Redis is reached. */
export type RedisConfig = Pick<Config, 'redis_url'> & Partial<Pick<Config, 'redis_ca' | 'redis_sentinel_password'>>

/** A sentinel that stands still is given up after so long, and the next one asked. */
const SENTINEL_ANSWERS_WITHIN_MS = 1000
/** Sentinels from which each connection hears of a new master: of three, one of them is there whenever they can agree on one. */
const SENTINELS_HEARD = 2
/** All sentinels are asked again after so long where none knows a master. */
const SENTINELS_AGAIN_MS = 250

/**
 * Connects to the server, or to the one that the sentinels name as master at the time: a connection that is lost asks them anew, and
 * one whose server is no longer the master is made again at once.
 * @param options how the connection is used
 * @throws Error where no address is set, or it cannot be read
 */
export function openRedis(config: RedisConfig, options: RedisOptions): Redis {
  const address = config.redis_url === null ? null : readRedisAddress(config.redis_url)
  if (!address) throw new Error('REDIS_URL cannot be read')
  const { url, sentinels, master, tls } = address
  const secure = tls ? { tls: config.redis_ca ? { ca: config.redis_ca } : {} } : {}
  if (!sentinels || !master) return new Redis(url.href, { ...secure, ...options })
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
    failoverDetector: true,
    sentinelMaxConnections: SENTINELS_HEARD,
    // A master that became a replica and kept its connections.
    reconnectOnError: (fault) => fault.message.startsWith('READONLY'),
    ...options,
  })
}
