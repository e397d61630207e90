import {
  assertSchemaCompatibility,
  createPostgresBackend,
  isPgPool,
  type JobsOptions,
  LATEST_SCHEMA_VERSION,
  Queue,
  type Job as QueuedJob,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq'
import { Redis } from 'ioredis'
import type pg from 'pg'
import type { Log } from '#domain/engines/log.ts'
import { ABANDONED_AFTER_MS, openPool } from '#domain/engines/pool.ts'
import type { Config } from '#domain/kernel/config.ts'
import { type BuiltJob, builtJobs, jobs } from '#workers/jobs.ts'

/** A job on its way: a row of the outbox. */
export interface QueueEntry {
  name: BuiltJob
  payload: object
  /** How long the queue holds it back; absent or null for not at all. */
  delay_ms?: number | null
  /** Jobs of a name are done in this order, and in that of their coming where it is equal; absent or 0 for before all others. */
  turn?: number
}

/** A job taken from the queue. */
export interface TakenEntry extends Omit<QueueEntry, 'delay_ms' | 'turn'> {
  /** The queue's name for it, the same at every try. */
  id: string
  /** When it was to be done: handed over, and held back as long as it should be. */
  due_at: Date
}

/** Runs a job. `last` says that the queue tries no more after this. */
export type Perform = (entry: TakenEntry, last: boolean) => Promise<void>

/** How many jobs of a name stand in the queue. */
export interface Depth {
  name: BuiltJob
  /** By what they wait for: `waiting` for a worker, `active` in one, `delayed` for their time or their next try. */
  counts: Record<(typeof DEPTHS)[number], number>
  /** When the one that waits longest for a worker was handed over, of those that come next; null where none waits. */
  waiting_since: Date | null
}

const DEPTHS = ['waiting', 'active', 'delayed'] as const

/** What carries jobs from the relay to the workers. It may lose everything: the rows of the database say what is to do. */
export interface JobQueue {
  /** Hands jobs over; rejects where the store cannot be reached. */
  add(entries: QueueEntry[]): Promise<void>
  /** Whether the store has not been reached for a while: nothing that it holds is done meanwhile. */
  away(): boolean
  /** Takes jobs of these names until `close`; of every name where none are given. */
  work(perform: Perform, names?: readonly BuiltJob[]): void
  /** What stands in the queue, of every name; rejects where the store cannot be reached. */
  depths(): Promise<Depth[]>
  /** The turn of the job of this name that is done next; null where none with a turn waits. Rejects where the store cannot be reached. */
  nextTurn(name: BuiltJob): Promise<number | null>
  /** Waits for the jobs at work, then lets go of the store. */
  close(): Promise<void>
}

/** What the queue needs to know of a job. */
export type Rules = Record<BuiltJob, { attempts: number; backoff: number; concurrency: number }>

/** Opens the queue on Redis where one is configured, else on the database. */
export async function openQueue(config: Pick<Config, 'redis_url' | 'database_url'>, log: Log, rules: Rules = jobs): Promise<JobQueue> {
  const store = config.redis_url ? redisStore(config.redis_url) : await databaseStore(config.database_url)
  const unwell = (fault: Error) => log.warn({ reason: fault.message }, 'the queue has trouble with its store')
  const queues = new Map(builtJobs.map((name) => [name, store.queue(name)]))
  const workers: Ended[] = []
  for (const queue of queues.values()) queue.on('error', unwell)
  return {
    async add(entries) {
      if (!store.reachable()) throw new Error('the store of the queue cannot be reached')
      for (const [name, queue] of queues) {
        const batch = entries.filter((entry) => entry.name === name)
        if (batch.length === 0) continue
        const added = queue.addBulk(batch.map((entry) => ({ name, data: entry.payload, opts: entryOptions(rules, entry) })))
        await within(PATIENCE_MS, added).catch((fault) => {
          store.doubt()
          throw fault
        })
      }
    },
    away: () => store.away(),
    work(perform, names = builtJobs) {
      for (const name of names) {
        const run = (job: QueuedJob) => perform(taken(name, job), job.attemptsMade + 1 >= rules[name].attempts)
        const worker = store.worker(name, run, workerOptions(rules, name))
        worker.on('error', unwell)
        workers.push(worker)
      }
    },
    async depths() {
      if (!store.reachable()) throw new Error('the store of the queue cannot be reached')
      return Promise.all([...queues].map(([name, queue]) => depthOf(name, queue)))
    },
    async nextTurn(name) {
      const queue = queues.get(name)
      if (!queue || !store.reachable()) throw new Error('the store of the queue cannot be reached')
      const [next] = await queue.getPrioritized(0, 0)
      return next?.opts.priority ?? null
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      await store.close()
    },
  }
}

const taken = (name: BuiltJob, job: QueuedJob): TakenEntry => ({ name, payload: job.data, id: String(job.id), due_at: dueAt(job) })

/** From then on it waits for a worker. */
const dueAt = ({ timestamp, opts }: Pick<QueuedJob, 'timestamp' | 'opts'>) => new Date(timestamp + (opts.delay ?? 0))

async function depthOf(name: BuiltJob, queue: Carrier): Promise<Depth> {
  const { prioritized = 0, waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts(...STATES)
  const first = waiting > 0 ? await queue.getWaiting(0, 0) : []
  const next = prioritized > 0 ? await queue.getPrioritized(0, NEXT - 1) : []
  const [oldest] = [...first, ...next].map(dueAt).sort((one, other) => one.getTime() - other.getTime())
  return { name, counts: { waiting: waiting + prioritized, active, delayed }, waiting_since: oldest ?? null }
}

/** States of a job in the queue: one that waits with a turn has a name of its own. */
const STATES = [...DEPTHS, 'prioritized'] as const
/** Jobs with turns, looked through for the oldest: those of a long order all came at once. */
const NEXT = 100

/** A hand-over that takes longer has failed: the relay keeps its rows, of whose transaction it must still be master, and tries again. */
const PATIENCE_MS = 3000

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store of the queue does not answer')), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Finished jobs leave nothing behind: what they did stands in the database. Each entry gets a job id of its own. */
function entryOptions(rules: Rules, { name, delay_ms, turn = 0 }: QueueEntry): JobsOptions {
  const { attempts, backoff } = rules[name]
  const held = delay_ms ? { delay: delay_ms } : {}
  return { attempts, backoff: { type: 'exponential', delay: backoff }, removeOnComplete: true, removeOnFail: true, priority: turn, ...held }
}

/** A job whose worker was killed is taken up again so often: a day of kills must not look like a poison job. */
const STALLS_MAX = 5
/** A job that its worker has not claimed again for so long is free: longer than a worker that stands still keeps its locks in the database. */
const JOB_LEASE_MS = ABANDONED_AFTER_MS + 3000
/** Jobs are looked through for such so often: what a dead worker had in hand is begun anew within twelve seconds. */
const STALLED_EVERY_MS = 4000
/** After a lost connection a worker looks for work again at once, not in the 15 s that BullMQ would wait. */
const RETRY_FETCH_MS = 1000

function workerOptions(rules: Rules, name: BuiltJob): Limits {
  return {
    concurrency: rules[name].concurrency,
    lockDuration: JOB_LEASE_MS,
    stalledInterval: STALLED_EVERY_MS,
    maxStalledCount: STALLS_MAX,
    runRetryDelay: RETRY_FETCH_MS,
  }
}

type Limits = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'runRetryDelay'>
type Run = (job: QueuedJob) => Promise<void>

/** What both backends have in common. */
interface Ended {
  on(event: 'error', heard: (fault: Error) => void): unknown
  close(): Promise<void>
}
interface Carrier extends Ended {
  addBulk(entries: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>
  getJobCounts(...states: (typeof STATES)[number][]): Promise<Record<string, number>>
  getPrioritized(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
  getWaiting(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
}
interface Store {
  reachable(): boolean
  away(): boolean
  /** Something that was asked of it was not answered in time: it is reached anew, or it is away. */
  doubt(): void
  queue(name: BuiltJob): Carrier
  worker(name: BuiltJob, run: Run, limits: Limits): Ended
  close(): Promise<void>
}

/** A lost Redis is tried again at least so often. */
const REDIS_RECONNECT_MAX_MS = 2000

/**
 * One connection for all queues and workers, beside the one on which each worker waits. What is sent while it is
 * away would be sent later, once for each try of the relay: so nothing is sent then.
 */
function redisStore(url: string): Store {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: REDIS_ANSWERS_WITHIN_MS,
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
  const beat = setInterval(() => reconnectInSilence(redis), REDIS_BEAT_MS)
  return {
    reachable: () => redis.status === 'ready',
    away: () => lostAt !== null && performance.now() - lostAt > AWAY_AFTER_MS,
    doubt: () => redis.disconnect(true),
    queue: (name) => new Queue(name, { connection: redis }),
    worker: (name, run, limits) => new Worker(name, run, { connection: redis, drainDelay: LOOK_AGAIN_S, ...limits }),
    close: async () => {
      clearInterval(beat)
      redis.disconnect()
    },
  }
}

/** A Redis that stands still, or to which the way is cut without a word, is noticed so soon and asked for a new connection. */
const REDIS_BEAT_MS = 2000
const REDIS_ANSWERS_WITHIN_MS = 3000

/** Redis notifies one waiting worker of a job: where that one stands still, another finds it when it asks again. */
const LOOK_AGAIN_S = 2

/** One that is restarted is back by then; after it, jobs are done without it. */
const AWAY_AFTER_MS = 1000

/** A worker waits for a job for ten seconds at most before it asks again. */
const REDIS_SILENT_MAX_MS = 12_000

/** Beats of a connection that is open and not yet in use: the second in a row is one too many. */
const unready = new WeakMap<Redis, number>()

function reconnectInSilence(redis: Redis): void {
  const beats = redis.status === 'connect' ? (unready.get(redis) ?? 0) + 1 : 0
  unready.set(redis, beats)
  if (beats > 1) redis.disconnect(true)
  if (redis.status === 'ready') within(REDIS_ANSWERS_WITHIN_MS, redis.ping()).catch(() => redis.disconnect(true))
}

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
async function databaseStore(database_url: string): Promise<Store> {
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
    queue: (name) => new Queue(name, { connection: pool }, createPostgresBackend),
    worker: (name, run, limits) => new Worker(name, run, { connection: pool, ...limits }, createPostgresBackend),
    close: () => pool.end(),
  }
}
