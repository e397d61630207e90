import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMetrics } from '#domain/engines/metrics.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { declareGauges } from '#domain/observability/gauges.ts'
import { listWaitingJobs } from '#domain/observability/waiting-jobs.ts'
import { aPendingReport, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('a job that is issued once an hour, because its process died each time, is in the list and in the metrics', async () => {
  const { app } = world
  const metrics = openMetrics()
  declareGauges({ ...app, metrics })
  const crashing = async () => (await metrics.read()).text.match(/^weather_jobs_crashing\{.*/gm)
  const property_id = '00000000-0000-7000-8000-000000000001'
  await app.db.$transaction((tx) => stageDurable(tx, 'property.locate', { property_id }))
  const team = await aTeam(world, { credits: 2 })
  const id = await app.db.$transaction((tx) => aPendingReport(tx, team, world.clock.now()))
  const complete = { status: 'complete' as const, fingerprint: '0'.repeat(64), headline: 'Nothing was found.', latitude: 35 }
  await app.db.report.update({ where: { id }, data: { ...complete, generated_at: world.clock.now(), plan_tier: 'enterprise' } })
  await app.pool.query('UPDATE lasting_jobs SET starts = 19')
  await app.pool.query('UPDATE reports SET render_starts = 19')
  expect(await crashing()).toBeNull()
  expect(await listWaitingJobs(app)).toMatchObject([{ name: 'property.locate', staged: 1, durable: 1, crashing: 0 }])
  await app.pool.query('UPDATE lasting_jobs SET starts = 20')
  await app.pool.query('UPDATE reports SET render_starts = 20')
  const lines = ['weather_jobs_crashing{job_name="property.locate"} 1', 'weather_jobs_crashing{job_name="report.render"} 1']
  expect(await crashing()).toEqual(lines)
  await app.db.report.update({ where: { id }, data: { pdf_status: 'failed' } })
  expect(await crashing()).toEqual(lines)
  expect(await listWaitingJobs(app)).toMatchObject([
    { name: 'property.locate', staged: 1, durable: 1, crashing: 1 },
    { name: 'report.render', staged: 0, durable: 0, crashing: 1, oldest_at: null },
  ])
})
