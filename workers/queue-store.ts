import type { JobsOptions, Job as QueuedJob, WorkerOptions } from 'bullmq'
import type { BuiltJob } from '#workers/jobs.ts'

/** The store of the queue: Redis or the database. */
export interface QueueStore {
  reachable(): boolean
  isUnavailable(): boolean
  /** Reports a request that failed: it timed out, and the store reconnects; or it was refused, and the store counts as unavailable until it takes writes. */
  reportFault(fault: Error): void
  queue(name: BuiltJob): BackendQueue
  worker(name: BuiltJob, run: Run, limits: Limits): JobWorker
  close(): Promise<void>
}

/** Settings of a worker. */
export type Limits = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'runRetryDelay'>
type Run = (job: QueuedJob) => Promise<void>

/** Common to both backends. */
interface Closable {
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
export interface BackendQueue extends Closable {
  addBulk(entries: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>
  getJobCounts(...states: (typeof STATES)[number][]): Promise<Record<string, number>>
  getPrioritized(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
  getWaiting(start: number, end: number): Promise<Pick<QueuedJob, 'timestamp' | 'opts'>[]>
}

/** States of a job, as the metrics name them. */
export const DEPTHS = ['waiting', 'active', 'delayed'] as const
/** States of a job in the queue. A waiting job with a turn is `prioritized`. */
export const STATES = [...DEPTHS, 'prioritized'] as const
