import { createReadStream } from 'node:fs'
import path from 'node:path'
import { closeApp, openApp } from '#domain/app.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { detect } from '#domain/exposures/detect.ts'
import { reissueDurable } from '#domain/kernel/durable-jobs.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { configFor } from '#test/support/config-for.ts'
import { drain } from './drain.ts'
import { feedsAt } from './feeds.ts'
import type { ProcessTask } from './process-task.ts'

/** Runs one errand in a process of its own. */
const task = JSON.parse(process.env.PROCESS_TASK as string) as ProcessTask
const config = configFor({
  database_url: process.env.DATABASE_URL as string,
  home: '.weather-test',
  log_level: 'silent',
  contact: 'weather@example.com',
})
const now = new Date(task.now)
const app = await openApp(config, { clock: { now: () => now }, ...('feeds' in task && { http: feedsAt(task.feeds) }) })
if ('detect' in task) await detect(app, task.detect)
if ('lane' in task) await runLane(app, task.lane)
if ('file' in task) {
  // Entries that an earlier process took from the outbox are lost with that process.
  await app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 s'")
  await reissueDurable(app)
  await ingest(app, 'storm-events', createReadStream(task.file), { file_name: path.basename(task.file) })
  await drain(app)
}
await closeApp(app)
