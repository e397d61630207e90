import type { App } from '#domain/app.ts'
import { SECOND_MS } from '#domain/kernel/durations.ts'
import type { JobQueue } from '#workers/queue.ts'

/** Declares gauges of the queue. They are read whenever the metrics of this process are requested. */
export function declareQueueGauges({ metrics }: Pick<App, 'metrics'>, queue: Pick<JobQueue, 'depths'>): void {
  metrics.measure(
    {
      weather_queue_jobs: { help: 'Jobs in the queue.', labels: ['job_name', 'state'] },
      weather_queue_oldest_seconds: { help: 'How long the oldest job has waited for a worker.', labels: ['job_name'] },
    },
    async () =>
      (await queue.depths()).flatMap(({ name, counts, waiting_since }) => [
        ...Object.entries(counts).map(([state, value]) => ({
          name: 'weather_queue_jobs' as const,
          labels: { job_name: name, state },
          value,
        })),
        {
          name: 'weather_queue_oldest_seconds' as const,
          labels: { job_name: name },
          value: waiting_since ? Math.max(Date.now() - waiting_since.getTime(), 0) / SECOND_MS : 0,
        },
      ]),
  )
}
