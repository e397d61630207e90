import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMetrics } from '#domain/engines/metrics.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { performer } from '#workers/perform.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const REPORT_ID = '00000000-0000-7000-8000-000000000001'

test('the time until a job starts is counted once, not again for its retries', async () => {
  const metrics = openMetrics()
  const perform = performer({ ...world.app, metrics })
  const entry = { name: 'report.render' as const, id: '1', payload: { report_id: REPORT_ID }, due_at: new Date() }
  await perform(entry, false)
  await perform({ ...entry, restarted: true }, false)
  expect((await metrics.read()).text).toContain('weather_job_wait_seconds_count{job_name="report.render"} 1\n')
})
