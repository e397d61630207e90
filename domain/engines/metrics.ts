import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { withTimeLimit } from '#domain/kernel/time-limit.ts'

/**
 * What a process counts and measures, in Prometheus' terms. No label takes a value that a caller chooses: the number of
 * series depends on operations, jobs and codes, never on teams and addresses. A job's label is `job_name`, because
 * Prometheus uses `job` for the group of a process.
 */
export interface Metrics {
  /** Durations of requests, in seconds, by operation and status. */
  requests: Histogram<'operation' | 'status'>
  /** Refused requests and GraphQL fields, by refusal code. */
  refusals: Counter<'code'>
  /** Durations of jobs, in seconds, by outcome: `done`, `failed` if it runs again, or `given_up` if it does not. */
  jobs: Histogram<'job_name' | 'outcome'>
  /** Seconds between the queuing of a job and its first start; retries are not counted. */
  job_waits: Histogram<'job_name'>
  /** Durations of delivery attempts, in seconds, by the status that the ledger shows afterwards. */
  deliveries: Histogram<'channel' | 'outcome'>
  /** Durations of document rendering, in seconds. */
  renders: Histogram<'outcome'>
  /** Reads that a replica may serve, by the server that served them, and why. */
  reads: Counter<'server' | 'reason'>
  /**
   * Declares gauges that are read together at each scrape. A gauge that `read` does not return is missing from the text. All of
   * them are missing if `read` throws or takes more than two seconds.
   */
  measure<Name extends string>(gauges: Record<Name, Gauged>, read: () => Promise<Reading<Name>[]> | Reading<Name>[]): void
  /** Adds the metrics of the Node.js process: event loop, memory, CPU, garbage collection. */
  watchProcess(): void
  /** Returns everything in Prometheus text format, without the gauges that cannot be read. */
  read(): Promise<{ text: string; content_type: string }>
}

/** A gauge that is read at each scrape. */
export interface Gauged {
  help: string
  labels?: string[]
}

export interface Reading<Name extends string> {
  name: Name
  value: number
  labels?: Record<string, string>
}

/** From a cached tile to the longest that a client waits. The service promises 500 ms at the 95th percentile. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
/** From an updated row to a pass over all feeds or a document of many pages. */
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300]

/** Opens a separate registry: two Apps in one process do not count together. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const groups: (() => Promise<void>)[] = []
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const refusals = new Counter({
    name: 'weather_refusals_total',
    help: 'Requests and GraphQL fields refused, by code.',
    labelNames: ['code'],
    registers,
  })
  const renders = histogram('weather_render_duration_seconds', 'Documents rendered.', ['outcome'], WORK_SECONDS)
  // Prometheus sees an increase only from a value that it has read: what alerts watch starts at 0.
  for (const code of ['server_error', 'engine_unavailable', 'rate_limited']) refusals.inc({ code }, 0)
  renders.zero({ outcome: 'failed' })
  return {
    requests: histogram('weather_http_request_duration_seconds', 'Requests answered.', ['operation', 'status'], REQUEST_SECONDS),
    refusals,
    jobs: histogram('weather_job_duration_seconds', 'Jobs run.', ['job_name', 'outcome'], WORK_SECONDS),
    job_waits: histogram('weather_job_wait_seconds', 'From the hand-over of a job to its first start.', ['job_name'], WORK_SECONDS),
    deliveries: histogram('weather_delivery_attempt_duration_seconds', 'Attempts to post.', ['channel', 'outcome'], WORK_SECONDS),
    renders,
    reads: new Counter({
      name: 'weather_replica_reads_total',
      help: 'Reads that the replica may serve, by the server that did: fresh there, or the primary, because the replica was unavailable, lagging, behind the team, or failed.',
      labelNames: ['server', 'reason'],
      registers,
    }),
    measure: (declared, read) => groups.push(groupOf(registers, declared, read)),
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    async read() {
      await Promise.all(groups.map((group) => group()))
      return { text: await registry.metrics(), content_type: registry.contentType }
    },
  }
}

/** A reading takes milliseconds; Prometheus times out after 10 s, and should still receive the metrics that need no reading. */
const READ_TIMEOUT_MS = 2000

function groupOf<Name extends string>(
  registers: Registry[],
  declared: Record<Name, Gauged>,
  read: () => Promise<Reading<Name>[]> | Reading<Name>[],
): () => Promise<void> {
  const gauges = new Map(
    Object.entries<Gauged>(declared).map(([name, { help, labels = [] }]) => [
      name,
      new Gauge({ name, help, labelNames: labels, registers }),
    ]),
  )
  return async () => {
    const readings = await withTimeLimit(READ_TIMEOUT_MS, (async () => read())(), 'the gauges could not be read in time').catch(() => [])
    for (const gauge of gauges.values()) forget(gauge)
    for (const { name, labels, value } of readings) gauges.get(name)?.set(labels ?? {}, value)
  }
}

/** Removes the values of a gauge. A gauge without labels would report 0 until it is set, but a value that was not read is not 0. */
function forget(gauge: Gauge): void {
  gauge.reset()
  gauge.remove({})
}
