import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  isPgPool,
  type JobsOptions,
  LATEST_SCHEMA_VERSION,
  type PgPool,
  Queue,
  type Job as QueuedJob,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq'
import type pg from 'pg'
import { openPool } from '#domain/engines/pool.ts'
import { openRedis, type RedisConfig, watchRedis } from '#domain/engines/redis.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'

/** States of a job, as the metrics name them. */
export const DEPTHS = ['waiting', 'active', 'delayed'] as const
/** States of a job in the queue. A waiting job with a turn is `prioritized`. */
export const STATES = [...DEPTHS, 'prioritized'] as const

/** Settings of a worker. */
export type Limits = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'runRetryDelay'>
type Run = (job: QueuedJob) => Promise<void>

/** Common to both backends. */
export interface Closable {
  on(event: 'error', listener: (fault: Error) => void): unknown
  close(): Promise<void>
}
/** A worker of either backend. */
export interface JobWorker extends Closable {
  on(event: 'error', listener: (fault: Error) => void): unknown
  /** After each failed attempt. A worker also fails jobs that it does not run, because other workers died during them: they have a deferred failure. */
  on(event: 'failed', listener: (job: QueuedJob | undefined) => void): unknown
}
/** A queue of either backend. */
export interface JobStore extends Closable {
  addBulk(entries: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>
  getJobCounts(...states: (typeof STATES)[number][]): Promise<Record<string, number>>
  getPrioritized(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
  getWaiting(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
}
/** The store of the queue: Redis or the database. */
export interface Store {
  reachable(): boolean
  isUnavailable(): boolean
  /** Reports a request that failed: it timed out, and the store reconnects; or it was refused, and the store counts as unavailable until it takes writes. */
  reportFault(fault: Error): void
  queue(name: BuiltJob): JobStore
  worker(name: BuiltJob, run: Run, limits: Limits): JobWorker
  close(): Promise<void>
}

/** Longest pause before another attempt to reconnect to Redis. */
const REDIS_RECONNECT_MAX_MS = 2000

/**
 * Uses one connection for all queues and workers, plus one on which each worker waits. Commands sent while Redis is
 * unavailable would be sent later, once per attempt of the relay, so none are sent then.
 */
export async function redisStore(config: RedisConfig): Promise<Store> {
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

/**
 * Connections of the pool that all queues and workers share: one on which each worker listens, and four for their statements.
 * docs/settings.md states it.
 */
export const QUEUE_CONNECTIONS = builtJobs.length + 4

/**
 * Creates or migrates the tables of a queue in the database, and the id counter of each job, which its first entry would otherwise
 * create. `--migrate` does this with the role that may.
 */
export async function migrateQueueOf(database_url: string): Promise<void> {
  const pool = openPool(database_url, { max: 1, application_name: 'weather-migrations', settings: { search_path: 'bullmq' } })
  try {
    await migrateQueue(pool)
    await pool.query('SELECT next_job_id(name) FROM unnest($1::text[]) name', [builtJobs])
  } finally {
    await pool.end()
  }
}

/** If the tables are up to date, nothing is changed and no rights to change them are needed. */
async function migrateQueue(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const version = await assertSchemaCompatibility(client).catch((fault: Error) => {
      if (fault.name === 'SchemaMigrationRequiredError') return 0
      throw fault
    })
    if (version < LATEST_SCHEMA_VERSION) await runMigrations(client)
  } finally {
    client.release()
  }
}

/** Uses one pool for all queues and workers. With a pool each, a process would hold four connections per job. */
export async function databaseStore(database_url: string): Promise<Store> {
  const pool = openPool(database_url, {
    max: QUEUE_CONNECTIONS,
    application_name: 'weather queue',
    // A job is a hint: a job lost in a server crash is reissued, so no job needs to wait for the disk.
    settings: { search_path: 'bullmq', synchronous_commit: 'off' },
  })
  // The package has its own type of a pool: the payload of a notification may be undefined in the driver's type, but not in this one.
  if (!isPgPool(pool)) throw new Error("the queue does not take the driver's pool")
  // Every queue and worker listens for a lost connection and reports it.
  pool.setMaxListeners(0)
  await migrateQueue(pool)
  return {
    // A process that takes a job from the outbox can reach the same database.
    reachable: () => true,
    isUnavailable: () => false,
    reportFault: () => {},
    queue: (name) => databaseQueue(name, pool),
    worker: (name, run, limits) => new Worker(name, run, { connection: pool, ...limits }, createPostgresBackend),
    close: () => pool.end(),
  }
}

/** Creates a queue in the database. It adds few jobs one by one, in order, and more than that in bulk. */
function databaseQueue(name: BuiltJob, connection: PgPool): JobStore {
  const queue = new Queue(name, { connection }, createPostgresBackend)
  const inBulk = queue.addBulk.bind(queue)
  const addBulk: JobStore['addBulk'] = async (entries) => {
    if (entries.length > ONE_BY_ONE_MAX) return inBulk(entries)
    for (const { name, data, opts } of entries) await queue.add(name, data, opts)
    return undefined
  }
  return Object.assign(queue, { addBulk })
}

/**
 * For a bulk insert the package creates two temporary tables. That takes as long as about ten single inserts, and leaves dead rows in
 * PostgreSQL's system catalogue.
 */
const ONE_BY_ONE_MAX = 8
