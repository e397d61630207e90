import { createPostgresBackend, type Job as QueuedJob, type JobsOptions, Queue, runMigrations, Worker, type WorkerOptions } from 'bullmq'
import pg from 'pg'
import type { Config } from '#domain/config.ts'
import type { Log } from '#domain/engines/log.ts'
import { type BuiltJob, builtJobs, jobOf } from '#workers/jobs.ts'

/** A job on its way: a row of the outbox. */
export interface QueueEntry {
  name: BuiltJob
  payload: object
}

/** Runs a job. `last` says that the queue tries no more after this. */
export type Perform = (entry: QueueEntry, last: boolean) => Promise<void>

/** What carries jobs from the relay to the workers. It may lose everything: the rows of the database say what is to do. */
export interface JobQueue {
  /** Hands jobs over; rejects where the store cannot be reached. */
  add(entries: QueueEntry[]): Promise<void>
  /** Takes jobs until `close`. */
  work(perform: Perform): void
  /** Waits for the jobs at work, then lets go of the store. */
  close(): Promise<void>
}

/** Opens the queue on Redis where one is configured, else on the database. */
export async function openQueue(config: Pick<Config, 'redis_url' | 'database_url'>, log: Log): Promise<JobQueue> {
  const store = config.redis_url ? redisStore(config.redis_url) : await databaseStore(config.database_url)
  const unwell = (fault: Error) => log.warn({ reason: fault.message }, 'the queue has trouble with its store')
  const queues = new Map(builtJobs.map((name) => [name, store.queue(name)]))
  const workers: Ended[] = []
  for (const queue of queues.values()) queue.on('error', unwell)
  return {
    async add(entries) {
      for (const [name, queue] of queues) {
        const batch = entries.filter((entry) => entry.name === name)
        if (batch.length > 0) await queue.addBulk(batch.map(({ payload }) => ({ name, data: payload, opts: optionsOf(name) })))
      }
    },
    work(perform) {
      for (const name of builtJobs) {
        const run = (job: QueuedJob) => perform({ name, payload: job.data }, job.attemptsMade + 1 >= jobOf(name).attempts)
        const worker = store.worker(name, run)
        worker.on('error', unwell)
        workers.push(worker)
      }
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      await store.close()
    },
  }
}

/** Finished jobs leave nothing behind: what they did stands in the database. Each entry gets a job id of its own. */
function optionsOf(name: BuiltJob): JobsOptions {
  const { attempts, backoff } = jobOf(name)
  return { attempts, backoff: { type: 'exponential', delay: backoff }, removeOnComplete: true, removeOnFail: true }
}

const workerOptions = (name: BuiltJob): Omit<WorkerOptions, 'connection'> => ({
  concurrency: jobOf(name).concurrency,
  // A job whose worker was killed is taken up again; five times, so that a day of kills does not look like a poison job.
  maxStalledCount: 5,
  // After a lost connection a worker looks for work again at once, not in the 15 s that BullMQ would wait.
  runRetryDelay: 1000,
})

type Run = (job: QueuedJob) => Promise<void>

/** What both backends have in common. */
interface Ended {
  on(event: 'error', heard: (fault: Error) => void): unknown
  close(): Promise<void>
}
interface Carrier extends Ended {
  addBulk(entries: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>
}
interface Store {
  queue(name: BuiltJob): Carrier
  worker(name: BuiltJob, run: Run): Ended
  close(): Promise<void>
}

/** A hand-over that takes longer has failed: the relay keeps its rows and tries again. */
const REDIS_COMMAND_TIMEOUT_MS = 5000
/** A lost Redis is tried again at least so often. */
const REDIS_RECONNECT_MAX_MS = 2000

function redisStore(url: string): Store {
  const retryStrategy = (attempt: number) => Math.min(attempt * 100, REDIS_RECONNECT_MAX_MS)
  const handing = { url, retryStrategy, enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: REDIS_COMMAND_TIMEOUT_MS }
  const taking = { url, retryStrategy, maxRetriesPerRequest: null }
  return {
    queue: (name) => new Queue(name, { connection: handing, skipWaitingForReady: true }),
    worker: (name, run) => new Worker(name, run, { connection: taking, ...workerOptions(name) }),
    close: async () => {},
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
    options: '-c search_path=bullmq',
  })
  // Every queue and worker hears of a lost connection.
  pool.setMaxListeners(0)
  pool.on('error', () => {})
  const client = await pool.connect()
  await runMigrations(client).finally(() => client.release())
  return {
    queue: (name) => new Queue(name, { connection: pool }, createPostgresBackend),
    worker: (name, run) => new Worker(name, run, { connection: pool, ...workerOptions(name) }, createPostgresBackend),
    close: () => pool.end(),
  }
}
