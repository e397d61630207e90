import { createPostgresBackend, type JobsOptions, Queue, type Job as QueuedJob, runMigrations, Worker, type WorkerOptions } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Config } from '#domain/config.ts'
import { hearLostConnections } from '#domain/engines/database.ts'
import type { Log } from '#domain/engines/log.ts'
import { type BuiltJob, builtJobs, jobs } from '#workers/jobs.ts'

/** A job on its way: a row of the outbox. */
export interface QueueEntry {
  name: BuiltJob
  payload: object
}

/** A job taken from the queue. */
export interface TakenEntry extends QueueEntry {
  /** The queue's name for it, the same at every try. */
  id: string
  handed_over_at: Date
}

/** Runs a job. `last` says that the queue tries no more after this. */
export type Perform = (entry: TakenEntry, last: boolean) => Promise<void>

/** How many jobs of a name stand in the queue. */
export interface Depth {
  name: BuiltJob
  /** By what they wait for: `waiting` for a worker, `active` in one, `delayed` for their next try. */
  counts: Record<(typeof DEPTHS)[number], number>
  /** When the one that waits longest for a worker was handed over; null where none waits. */
  waiting_since: Date | null
}

const DEPTHS = ['waiting', 'active', 'delayed'] as const

/** What carries jobs from the relay to the workers. It may lose everything: the rows of the database say what is to do. */
export interface JobQueue {
  /** Hands jobs over; rejects where the store cannot be reached. */
  add(entries: QueueEntry[]): Promise<void>
  /** Takes jobs of these names until `close`; of every name where none are given. */
  work(perform: Perform, names?: readonly BuiltJob[]): void
  /** What stands in the queue, of every name; rejects where the store cannot be reached. */
  depths(): Promise<Depth[]>
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
        if (batch.length > 0)
          await within(PATIENCE_MS, queue.addBulk(batch.map(({ payload }) => ({ name, data: payload, opts: entryOptions(rules, name) }))))
      }
    },
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
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      await store.close()
    },
  }
}

const taken = (name: BuiltJob, { id, data, timestamp }: QueuedJob): TakenEntry => ({
  name,
  payload: data,
  id: String(id),
  handed_over_at: new Date(timestamp),
})

async function depthOf(name: BuiltJob, queue: Carrier): Promise<Depth> {
  const counts = (await queue.getJobCounts(...DEPTHS)) as Depth['counts']
  const [oldest] = counts.waiting > 0 ? await queue.getWaiting(0, 0) : []
  return { name, counts, waiting_since: oldest ? new Date(oldest.timestamp) : null }
}

/** A hand-over that takes longer has failed: the relay keeps its rows and tries again. */
const PATIENCE_MS = 5000

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store of the queue does not answer')), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Finished jobs leave nothing behind: what they did stands in the database. Each entry gets a job id of its own. */
function entryOptions(rules: Rules, name: BuiltJob): JobsOptions {
  const { attempts, backoff } = rules[name]
  return { attempts, backoff: { type: 'exponential', delay: backoff }, removeOnComplete: true, removeOnFail: true }
}

/** A job whose worker was killed is taken up again so often: a day of kills must not look like a poison job. */
const STALLS_MAX = 5
/** After a lost connection a worker looks for work again at once, not in the 15 s that BullMQ would wait. */
const RETRY_FETCH_MS = 1000

function workerOptions(rules: Rules, name: BuiltJob): Limits {
  return { concurrency: rules[name].concurrency, maxStalledCount: STALLS_MAX, runRetryDelay: RETRY_FETCH_MS }
}

type Limits = Pick<WorkerOptions, 'concurrency' | 'maxStalledCount' | 'runRetryDelay'>
type Run = (job: QueuedJob) => Promise<void>

/** What both backends have in common. */
interface Ended {
  on(event: 'error', heard: (fault: Error) => void): unknown
  close(): Promise<void>
}
interface Carrier extends Ended {
  addBulk(entries: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>
  getJobCounts(...states: (typeof DEPTHS)[number][]): Promise<Record<string, number>>
  getWaiting(start: number, end: number): Promise<{ timestamp: number }[]>
}
interface Store {
  reachable(): boolean
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
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: (attempt) => Math.min(attempt * 100, REDIS_RECONNECT_MAX_MS) })
  // Every queue and worker says so when it is lost.
  redis.on('error', () => {})
  return {
    reachable: () => redis.status === 'ready',
    queue: (name) => new Queue(name, { connection: redis }),
    worker: (name, run, limits) => new Worker(name, run, { connection: redis, ...limits }),
    close: async () => redis.disconnect(),
  }
}

/** Connections of the shared pool beside the one on which each worker listens. */
const QUERY_CONNECTIONS = 4

/** One pool for all queues and workers: with a pool each, a process would hold four connections a job. */
async function databaseStore(database_url: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: database_url,
    max: builtJobs.length + QUERY_CONNECTIONS,
    keepAlive: true,
    application_name: 'weather queue',
    // A job is a hint: one that a crash of the server forgets is issued again, and no job waits for the disk.
    options: '-c search_path=bullmq -c synchronous_commit=off',
  })
  // Every queue and worker listens for a lost connection, and says so.
  pool.setMaxListeners(0)
  hearLostConnections(pool)
  const client = await pool.connect()
  await runMigrations(client).finally(() => client.release())
  return {
    reachable: () => true,
    queue: (name) => new Queue(name, { connection: pool }, createPostgresBackend),
    worker: (name, run, limits) => new Worker(name, run, { connection: pool, ...limits }, createPostgresBackend),
    close: () => pool.end(),
  }
}
