import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { openRedis, type RedisConfig, watchRedis } from '#domain/engines/redis.ts'
import type { QueueStore } from '#workers/queue-store.ts'

/** Longest pause before another attempt to reconnect to Redis. */
const REDIS_RECONNECT_MAX_MS = 2000

/**
 * Uses one connection for all queues and workers, plus one on which each worker waits. Commands sent while Redis is
 * unavailable would be sent later, once per attempt of the relay, so none are sent then.
 */
export async function redisStore(config: RedisConfig): Promise<QueueStore> {
  const redis = openRedis(config, {
    maxRetriesPerRequest: null,
    connectTimeout: REDIS_CONNECTS_WITHIN_MS,
    socketTimeout: REDIS_SILENT_MAX_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, REDIS_RECONNECT_MAX_MS),
  })
  // Every queue and worker reports a lost connection itself.
  redis.on('error', () => {})
  /** When the connection was lost, in milliseconds of the process's running time; null while it is up. */
  let lostAt: number | null = performance.now()
  redis.on('ready', () => {
    lostAt = null
  })
  redis.on('close', () => {
    lostAt ??= performance.now()
  })
  const watched = watchRedis(redis)
  const refusals = watchRefusals(redis)
  // Without this wait, jobs staged before the start would find no queue yet, and every start would log a warning.
  await Promise.race([once(redis, 'ready').catch(() => {}), pause(UNAVAILABLE_AFTER_MS)])
  return {
    reachable: () => redis.status === 'ready',
    isUnavailable: () => [lostAt, refusals.since()].some((at) => at !== null && performance.now() - at > UNAVAILABLE_AFTER_MS),
    reportFault: (fault) => (fault.name === REFUSED ? refusals.note() : watched.renew()),
    queue: (name) => new Queue(name, { connection: redis }),
    worker: (name, run, limits) => new Worker(name, run, { connection: redis, drainDelay: CHECK_INTERVAL_S, ...limits }),
    close: async () => {
      watched.stop()
      refusals.stop()
      redis.disconnect()
    },
  }
}

/** Name of the error of a command that Redis refused. */
const REFUSED = 'ReplyError'
/** Interval for trying whether Redis takes writes again. */
const WRITE_AGAIN_MS = 2000
const TRIED_KEY = 'weather:takes-writes'

/** Notes that Redis responds but refuses writes, because its memory or its disk is full or it lacks replicas, until it takes one again. */
function watchRefusals(redis: ReturnType<typeof openRedis>): { note(): void; since(): number | null; stop(): void } {
  let since: number | null = null
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)
  const tryAgain = async () => {
    if (redis.status !== 'ready') return
    await redis.set(TRIED_KEY, '', 'PX', WRITE_AGAIN_MS)
    since = null
    stop()
  }
  return {
    note() {
      if (since !== null) return
      since = performance.now()
      timer = setInterval(() => tryAgain().catch(() => {}), WRITE_AGAIN_MS)
    },
    since: () => since,
    stop,
  }
}

/** Redis notifies one waiting worker of a job. If that worker hangs, another finds the job at its next poll. */
const CHECK_INTERVAL_S = 2

/** A restarted Redis is back by then. After this time, jobs run without it. */
const UNAVAILABLE_AFTER_MS = 1000

const REDIS_CONNECTS_WITHIN_MS = 3000

/** Longer than a worker's blocking wait for a job, which is at most ten seconds. */
const REDIS_SILENT_MAX_MS = 12_000
