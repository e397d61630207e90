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

/** What a job waits for, as the figures name it. */
export const DEPTHS = ['waiting', 'active', 'delayed'] as const
/** States of a job in the queue: one that waits with a turn has a name of its own. */
export const STATES = [...DEPTHS, 'prioritized'] as const

/** How a worker takes jobs. */
export type Limits = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'runRetryDelay'>
type Run = (job: QueuedJob) => Promise<void>

/** What both backends have in common. */
export interface Closable {
  on(event: 'error', heard: (fault: Error) => void): unknown
  close(): Promise<void>
}
/** A queue of either backend. */
export interface Carrier extends Closable {
  addBulk(entries: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>
  getJobCounts(...states: (typeof STATES)[number][]): Promise<Record<string, number>>
  getPrioritized(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
  getWaiting(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
}
/** Where jobs lie. */
export interface Store {
  reachable(): boolean
  away(): boolean
  /** Something that was asked of it was not answered in time: it is reached anew, or it is away. */
  doubt(): void
  queue(name: BuiltJob): Carrier
  worker(name: BuiltJob, run: Run, limits: Limits): Closable
  close(): Promise<void>
}

/** A lost Redis is tried again at least so often. */
const REDIS_RECONNECT_MAX_MS = 2000

/**
 * One connection for all queues and workers, beside the one on which each worker waits. What is sent while it is
 * away would be sent later, once for each try of the relay: so nothing is sent then.
 */
export async function redisStore(config: RedisConfig): Promise<Store> {
  const redis = openRedis(config, {
    maxRetriesPerRequest: null,
    connectTimeout: REDIS_CONNECTS_WITHIN_MS,
    socketTimeout: REDIS_SILENT_MAX_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, REDIS_RECONNECT_MAX_MS),
  })
  // Every queue and worker says so when it is lost.
  redis.on('error', () => {})
  /** In milliseconds of the process's own running time; null while it is there. */
  let lostAt: number | null = performance.now()
  redis.on('ready', () => {
    lostAt = null
  })
  redis.on('close', () => {
    lostAt ??= performance.now()
  })
  const watched = watchRedis(redis)
  // What waited for a process to start would else find no queue yet, and the log would say so at each start.
  await Promise.race([once(redis, 'ready').catch(() => {}), pause(AWAY_AFTER_MS)])
  return {
    reachable: () => redis.status === 'ready',
    away: () => lostAt !== null && performance.now() - lostAt > AWAY_AFTER_MS,
    doubt: watched.doubt,
    queue: (name) => new Queue(name, { connection: redis }),
    worker: (name, run, limits) => new Worker(name, run, { connection: redis, drainDelay: LOOK_AGAIN_S, ...limits }),
    close: async () => {
      watched.stop()
      redis.disconnect()
    },
  }
}

/** Redis notifies one waiting worker of a job: where that one stands still, another finds it when it asks again. */
const LOOK_AGAIN_S = 2

/** One that is restarted is back by then; after it, jobs are done without it. */
const AWAY_AFTER_MS = 1000

const REDIS_CONNECTS_WITHIN_MS = 3000

/** A worker waits for a job for ten seconds at most before it asks again. */
const REDIS_SILENT_MAX_MS = 12_000

/** Connections of the shared pool beside the one on which each worker listens. */
const QUERY_CONNECTIONS = 4

/**
 * Makes or renews the queue's own tables, where it lies in the database, and the counter of each job's entries, which the first of them
 * would make. `--migrate` does it with the role that may.
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

/** Nothing is changed, and no right to change anything needed, where they are up to date. */
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

/** One pool for all queues and workers: with a pool each, a process would hold four connections a job. */
export async function databaseStore(database_url: string): Promise<Store> {
  const pool = openPool(database_url, {
    max: builtJobs.length + QUERY_CONNECTIONS,
    application_name: 'weather queue',
    // A job is a hint: one that a crash of the server forgets is issued again, and no job waits for the disk.
    settings: { search_path: 'bullmq', synchronous_commit: 'off' },
  })
  // The package has its own words for what a pool is: a notification's payload may be undefined in the driver's, and may not in these.
  if (!isPgPool(pool)) throw new Error("the queue does not take the driver's pool")
  // Every queue and worker listens for a lost connection, and says so.
  pool.setMaxListeners(0)
  await migrateQueue(pool)
  return {
    // Whoever takes a job from the outbox reaches it.
    reachable: () => true,
    away: () => false,
    doubt: () => {},
    queue: (name) => databaseQueue(name, pool),
    worker: (name, run, limits) => new Worker(name, run, { connection: pool, ...limits }, createPostgresBackend),
    close: () => pool.end(),
  }
}

/** A queue in the database, to which few jobs are added one by one, in their order, and more than that in bulk. */
function databaseQueue(name: BuiltJob, connection: PgPool): Carrier {
  const queue = new Queue(name, { connection }, createPostgresBackend)
  const inBulk = queue.addBulk.bind(queue)
  const addBulk: Carrier['addBulk'] = async (entries) => {
    if (entries.length > ONE_BY_ONE_MAX) return inBulk(entries)
    for (const { name, data, opts } of entries) await queue.add(name, data, opts)
    return undefined
  }
  return Object.assign(queue, { addBulk })
}

/**
 * Whatever comes in bulk the package puts into two temporary tables: that takes as long as some ten jobs one by one, and leaves dead rows in
 * PostgreSQL's own catalogue.
 */
const ONE_BY_ONE_MAX = 8
