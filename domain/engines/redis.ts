import { Redis, type RedisOptions } from 'ioredis'
import type { Config } from '#domain/kernel/config.ts'
import { readRedisAddress } from '#domain/kernel/redis-address.ts'

/** How Redis is reached. */
export type RedisConfig = Pick<Config, 'redis_url'> & Partial<Pick<Config, 'redis_ca' | 'redis_sentinel_password'>>

/** A sentinel that stands still is given up after so long, and the next one asked. */
const SENTINEL_ANSWERS_WITHIN_MS = 1000
/** All sentinels are asked again after so long where none knows a master. */
const SENTINELS_AGAIN_MS = 250

/**
 * Connects to the server, or to the one that the sentinels name as master at the time: a connection that is lost, or made again by
 * `watchRedis`, asks them anew.
 * @param options how the connection is used
 * @throws Error where no address is set, or it cannot be read
 */
export function openRedis(config: RedisConfig, options: Omit<RedisOptions, 'replyMapping'>): Redis {
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
    // A master that became a replica and kept its connections.
    reconnectOnError: (fault) => fault.message.startsWith('READONLY'),
    ...options,
  })
}

/** A Redis that stands still, or to which the way is cut without a word, is noticed so soon and asked for a new connection. */
const BEAT_MS = 2000
const ANSWERS_WITHIN_MS = 3000

/** Makes a connection again over which no answer comes; `doubt` says that one did not. The client's own way to hear of a new master ends it for good. */
export function watchRedis(redis: Redis): { doubt(): void; stop(): void } {
  /** Beats of a connection that is open and not yet in use: the second in a row is one too many. */
  let unready = 0
  const doubt = () => {
    // One that still asks for its server would be ended for good.
    if (redis.status !== 'connecting') redis.disconnect(true)
  }
  const beat = setInterval(() => {
    unready = redis.status === 'connect' ? unready + 1 : 0
    if (unready > 1) doubt()
    if (redis.status === 'ready') within(ANSWERS_WITHIN_MS, redis.ping()).catch(doubt)
  }, BEAT_MS)
  return { doubt, stop: () => clearInterval(beat) }
}

/** @throws Error where the store has not answered in time */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store of the queue does not answer')), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
