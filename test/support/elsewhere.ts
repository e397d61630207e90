import { createReadStream } from 'node:fs'
import path from 'node:path'
import { closeApp, openApp } from '#domain/app.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { detect } from '#domain/exposures/detect.ts'
import { reissueDurable } from '#domain/kernel/durable-jobs.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { configFor } from '#test/support/config-for.ts'
import { drain } from './drain.ts'
import type { Errand } from './errands.ts'
import { feedsAt } from './feeds.ts'

/** Runs one errand in a process of its own. */
const errand = JSON.parse(process.env.ERRAND as string) as Errand
const config = configFor({
  database_url: process.env.DATABASE_URL as string,
  home: '.weather-test',
  log_level: 'silent',
  contact: 'weather@example.com',
})
const now = new Date(errand.now)
const app = await openApp(config, { clock: { now: () => now }, ...('feeds' in errand && { http: feedsAt(errand.feeds) }) })
if ('detect' in errand) await detect(app, errand.detect)
if ('lane' in errand) await runLane(app, errand.lane)
if ('file' in errand) {
  // Entries that an earlier process took from the outbox are lost with that process.
  await app.pool.query('UPDATE lasting_jobs SET due_at = now()')
  await reissueDurable(app)
  await ingest(app, 'storm-events', createReadStream(errand.file), { file_name: path.basename(errand.file) })
  await drain(app)
}
await closeApp(app)
