import type { JobsOptions, Job as QueuedJob } from 'bullmq'
import type { Log } from '#domain/engines/log.ts'
import { ABANDONED_AFTER_MS } from '#domain/engines/pool.ts'
import { type RedisConfig, within } from '#domain/engines/redis.ts'
import type { Config } from '#domain/kernel/config.ts'
import { type BuiltJob, builtJobs, jobs } from '#workers/jobs.ts'
import { type Carrier, type Closable, type DEPTHS, databaseStore, type Limits, redisStore, STATES } from '#workers/queue-stores.ts'

/** A job on its way: a row of the outbox. */
export interface QueueEntry {
  name: BuiltJob
  payload: object
  /** How long the queue holds it back; absent or null for not at all. */
  delay_ms?: number | null
  /** Jobs of a name are done in this order, and in that of their coming where it is equal; absent or 0 for before all others. */
  turn?: number
  /** Its place in its trace; absent or null where it has none. */
  traceparent?: string | null
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
export async function openQueue(
  config: RedisConfig & Pick<Config, 'database_direct_url'>,
  log: Log,
  rules: Rules = jobs,
): Promise<JobQueue> {
  const store = await (config.redis_url ? redisStore(config) : databaseStore(config.database_direct_url))
  const unwell = (fault: Error) => log.warn({ reason: fault.message }, 'the queue has trouble with its store')
  const queues = new Map(builtJobs.map((name) => [name, store.queue(name)]))
  const workers: Closable[] = []
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

const taken = (name: BuiltJob, job: QueuedJob): TakenEntry => ({
  name,
  payload: job.data,
  id: String(job.id),
  due_at: dueAt(job),
  traceparent: job.opts.telemetry?.metadata ?? null,
})

/** From then on it waits for a worker. */
const dueAt = ({ timestamp, opts }: Pick<QueuedJob, 'timestamp' | 'opts'>) => new Date(timestamp + (opts.delay ?? 0))

async function depthOf(name: BuiltJob, queue: Carrier): Promise<Depth> {
  const { prioritized = 0, waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts(...STATES)
  const first = waiting > 0 ? await queue.getWaiting(0, 0) : []
  const next = prioritized > 0 ? await queue.getPrioritized(0, NEXT - 1) : []
  const [oldest] = [...first, ...next].map(dueAt).sort((one, other) => one.getTime() - other.getTime())
  return { name, counts: { waiting: waiting + prioritized, active, delayed }, waiting_since: oldest ?? null }
}

/** Jobs with turns, looked through for the oldest: those of a long order all came at once. */
const NEXT = 100

/** A hand-over that takes longer has failed: the relay keeps its rows, of whose transaction it must still be master, and tries again. */
const PATIENCE_MS = 3000

/**
 * Finished jobs leave nothing behind: what they did stands in the database. An entry gets a job id of its own, but that of a durable job has the
 * id of its row: it is issued again while it may still wait or be at work, and the queue then leaves it at the one that it has.
 */
function entryOptions(rules: Rules, { name, payload, delay_ms, turn = 0, traceparent }: QueueEntry): JobsOptions {
  const { attempts, backoff } = rules[name]
  const held = delay_ms ? { delay: delay_ms } : {}
  const durable = 'lasting_id' in payload ? { jobId: `lasting-${payload.lasting_id}` } : {}
  // Kept with the job as the package keeps its own traces, which it makes for those alone who ask it to.
  const traced = traceparent ? { telemetry: { metadata: traceparent } } : {}
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoff },
    removeOnComplete: true,
    removeOnFail: true,
    priority: turn,
    ...durable,
    ...held,
    ...traced,
  }
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
