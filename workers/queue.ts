import type { JobsOptions, Job as QueuedJob } from 'bullmq'
import type { Log } from '#domain/engines/log.ts'
import { ABANDONED_AFTER_MS } from '#domain/engines/pool.ts'
import type { RedisConfig } from '#domain/engines/redis.ts'
import type { Config } from '#domain/kernel/config.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { withTimeLimit } from '#domain/kernel/time-limit.ts'
import { databaseStore } from '#workers/database-store.ts'
import { type BuiltJob, builtJobs, jobOf, jobs } from '#workers/jobs.ts'
import { type BackendQueue, type DEPTHS, type JobWorker, type Limits, STATES } from '#workers/queue-store.ts'
import { redisStore } from '#workers/redis-store.ts'

/** A job on its way: a row of the outbox. */
export interface QueueEntry {
  name: BuiltJob
  payload: object
  /** Delay in the queue; absent or null for none. */
  delay_ms?: number | null
  /** Jobs of a name run in this order; equal turns run in order of arrival. Absent or 0 runs before all others. */
  turn?: number
  /** Its trace context; absent or null if it has none. */
  traceparent?: string | null
}

/** A job taken from the queue. */
export interface TakenEntry extends Omit<QueueEntry, 'delay_ms' | 'turn'> {
  /** Its id in the queue, the same for every attempt. */
  id: string
  /** When it became due: the time of adding it plus its delay. */
  due_at: Date
  /** Whether it was started before. The time since it became due then includes earlier attempts and their back-offs. */
  restarted?: boolean
}

/** Runs a job. `last` is true for the last attempt in the queue. */
export type Perform = (entry: TakenEntry, last: boolean) => Promise<void>

/** Handles a job that the queue has dropped without running it again, because too many workers died during it. */
export type HandleCrashed = (entry: TakenEntry) => Promise<void>

/** Number of jobs of a name in the queue. */
export interface Depth {
  name: BuiltJob
  /** By state: `waiting` for a worker, `active` in one, `delayed` until their time or next attempt. */
  counts: Record<(typeof DEPTHS)[number], number>
  /** When the longest-waiting of the next jobs became due; null if none waits for a worker. */
  waiting_since: Date | null
}

/** Carries jobs from the relay to the workers. It may lose everything, because the rows of the database state what is to do. */
export interface JobQueue {
  /** Adds jobs; rejects if the store cannot be reached. */
  add(entries: QueueEntry[]): Promise<void>
  /** Whether the store has been unreachable for a while. None of its jobs run meanwhile. */
  isUnavailable(): boolean
  /** Runs jobs of these names until `close`; jobs of every name by default. */
  work(perform: Perform, names?: readonly BuiltJob[], handleCrashed?: HandleCrashed): void
  /** Jobs in the queue by name; rejects if the store cannot be reached. */
  depths(): Promise<Depth[]>
  /** The turn of the next job of this name; null if no job with a turn waits. Rejects if the store cannot be reached. */
  nextTurn(name: BuiltJob): Promise<number | null>
  /** Takes no more jobs. Resolves when the running ones have ended. */
  stopWork(): Promise<void>
  /** Waits for running jobs, then closes the store. */
  close(): Promise<void>
}

/** What the queue needs to know of a job. */
export type Rules = Record<BuiltJob, { attempts: number; backoff: number; concurrency: number }>

/** Opens the queue on Redis if it is configured, else on the database. */
export async function openQueue(
  config: RedisConfig & Pick<Config, 'database_direct_url'>,
  log: Log,
  rules: Rules = jobs,
): Promise<JobQueue> {
  const store = await (config.redis_url ? redisStore(config) : databaseStore(config.database_direct_url))
  const logged = new Set<string>()
  const logFault = ({ message: reason }: Error) => {
    if (logged.has(reason)) return
    logged.add(reason)
    setTimeout(() => logged.delete(reason), LOG_AGAIN_MS).unref()
    log.warn({ reason }, 'the queue has trouble with its store')
  }
  const queues = new Map(builtJobs.map((name) => [name, store.queue(name)]))
  const workers: JobWorker[] = []
  let handled = Promise.resolve()
  for (const queue of queues.values()) queue.on('error', logFault)
  const stopWork = async () => {
    await Promise.all(workers.map((worker) => worker.close()))
  }
  return {
    async add(entries) {
      if (!store.reachable()) throw new Error('the store of the queue cannot be reached')
      for (const [name, queue] of queues) {
        const batch = entries.filter((entry) => entry.name === name)
        if (batch.length === 0) continue
        const added = queue.addBulk(batch.map((entry) => ({ name, data: entry.payload, opts: entryOptions(rules, entry) })))
        await withTimeLimit(ADD_TIMEOUT_MS, added, 'the store of the queue does not answer').catch((fault: Error) => {
          store.reportFault(fault)
          throw fault
        })
      }
    },
    isUnavailable: () => store.isUnavailable(),
    work(perform, names = builtJobs, handleCrashed = async () => {}) {
      for (const name of names) {
        const run = (job: QueuedJob) => perform(entryOf(name, job), job.attemptsMade + 1 >= rules[name].attempts)
        const worker = store.worker(name, run, workerOptions(rules, name))
        worker.on('error', logFault)
        worker.on('failed', (job) => {
          if (job?.deferredFailure) handled = handled.then(() => handleCrashed(entryOf(name, job)).catch(logFault))
        })
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
    stopWork,
    async close() {
      await stopWork()
      await handled
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      await store.close()
    },
  }
}

const entryOf = (name: BuiltJob, job: QueuedJob): TakenEntry => ({
  name,
  payload: job.data,
  id: String(job.id),
  due_at: dueAt(job),
  restarted: job.attemptsStarted > 1,
  traceparent: job.opts.telemetry?.metadata ?? null,
})

/** When it started to wait for a worker. */
const dueAt = ({ timestamp, opts }: Pick<QueuedJob, 'timestamp' | 'opts'>) => new Date(timestamp + (opts.delay ?? 0))

async function depthOf(name: BuiltJob, queue: BackendQueue): Promise<Depth> {
  const { prioritized = 0, waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts(...STATES)
  const first = waiting > 0 ? await queue.getWaiting(0, 0) : []
  const next = prioritized > 0 ? await queue.getPrioritized(0, NEXT - 1) : []
  const [oldest] = [...first, ...next].map(dueAt).sort((one, other) => one.getTime() - other.getTime())
  return { name, counts: { waiting: waiting + prioritized, active, delayed }, waiting_since: oldest ?? null }
}

/** Number of next jobs searched for the oldest: the jobs of a large order all arrive at once. */
const NEXT = 100

/** Every queue and worker reports a lost store at each attempt to reconnect, some seventy of them: the same reason is logged this often. */
const LOG_AGAIN_MS = 10_000

/** Timeout for adding jobs. The relay then rolls back, keeps its rows and retries, so its transaction must still be open. */
const ADD_TIMEOUT_MS = 3000

/**
 * Finished jobs leave nothing in the queue, because their results are in the database. An entry gets its own job id, but a durable job uses the
 * id of its row, a job of a report that of the report, the digest of a morning its key, and a frequent scheduled job one of its own: it may be issued
 * again while it still waits or runs, and the queue then keeps only the existing entry.
 */
function entryOptions(rules: Rules, { name, payload, delay_ms, turn = 0, traceparent }: QueueEntry): JobsOptions {
  const { attempts, backoff } = rules[name]
  const delay = delay_ms ? { delay: delay_ms } : {}
  const jobId = ownId(name, payload)
  // Stored with the job where the package stores its own telemetry, which it creates only on request.
  const telemetry = traceparent ? { telemetry: { metadata: traceparent } } : {}
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoff },
    removeOnComplete: true,
    removeOnFail: true,
    priority: turn,
    ...(jobId !== null && { jobId }),
    ...delay,
    ...telemetry,
  }
}

/** A job that is scheduled less often is not in the queue when its next run is due, and may be requested meanwhile. */
const FREQUENT_MS = HOUR_MS

function ownId(name: BuiltJob, payload: QueueEntry['payload']): string | null {
  if ('lasting_id' in payload) return `lasting-${payload.lasting_id}`
  if ('report_id' in payload) return `report-${payload.report_id}`
  if ('team_id' in payload && 'local_date' in payload) return `digest-${payload.team_id}-${payload.local_date}`
  return (jobOf(name).every ?? FREQUENT_MS) < FREQUENT_MS ? 'scheduled' : null
}

/** How often a job of a killed worker is repeated. A day with several kills must not look like a poison job. */
const STALLS_MAX = 5
/** A lease that its worker has not renewed for this long is free. It is longer than a hung worker keeps its database locks. */
const JOB_LEASE_MS = ABANDONED_AFTER_MS + 3000
/** How often the queue looks for expired leases. Jobs of a dead worker restart within twelve seconds. */
const STALLED_EVERY_MS = 4000
/** After a lost connection a worker looks for jobs again after this time, instead of BullMQ's 15 s. */
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
