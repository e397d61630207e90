import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '#domain/engines/log.ts'
import { openMetrics } from '#domain/engines/metrics.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { aPendingReport, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { crashHandler, performer } from '#workers/perform.ts'

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

test('only a job that does not run again has failed for the last time', async () => {
  const metrics = openMetrics()
  const lines: { job: string; msg: string }[] = []
  const log = openLog('error', { write: (line) => lines.push(JSON.parse(line)) })
  const clock = {
    now: () => {
      throw new Error('no time')
    },
  }
  const perform = performer({ ...world.app, clock, metrics, log })
  const watch = { subject: 'property' as const, subject_id: 'not an id' }
  const property = { property_id: 'not an id' }
  await world.app.db.$transaction(async (tx) => {
    await stageDurable(tx, 'detection.backfill', watch)
    await stageDurable(tx, 'property.locate', property)
  })
  await world.app.pool.query("UPDATE lasting_jobs SET tries = 4 WHERE job = 'property.locate'")
  const entries = [
    { name: 'plan.renew' as const, payload: {} },
    { name: 'detection.backfill' as const, payload: { lasting_id: 1, ...watch } },
    { name: 'delivery.send' as const, payload: { delivery_id: 'not an id' } },
    { name: 'property.locate' as const, payload: { lasting_id: 2, ...property } },
    { name: 'report.generate' as const, payload: { report_id: 'not an id' } },
  ]
  for (const entry of entries) await expect(perform({ ...entry, id: '1', due_at: new Date() }, true)).rejects.toThrow()
  expect(lines.map(({ job, msg }) => [job, msg])).toEqual([
    ['plan.renew', 'a job failed and is tried again'],
    ['detection.backfill', 'a job failed and is tried again'],
    ['delivery.send', 'a job failed and is tried again'],
    ['property.locate', 'a job failed for the last time'],
    ['report.generate', 'a job failed for the last time'],
  ])
  const { text } = await metrics.read()
  const given_up = [...text.matchAll(/duration_seconds_count\{job_name="([\w.]+)",outcome="given_up"\} 1$/gm)].map(([, job]) => job)
  expect(given_up).toEqual(['property.locate', 'report.generate'])
})

test.each([
  { name: 'property.locate' as const, task: { property_id: 'not an id' } },
  { name: 'integration.switched_off' as const, task: { integration_id: 'not an id' } },
])('a failed try of $name that is followed by another minutes later counts as failed, and not as done', async ({ name, task }) => {
  const metrics = openMetrics()
  const lines: { msg: string }[] = []
  const log = openLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const mail = { ...world.app.mail, configured: true }
  await world.app.db.$transaction((tx) => stageDurable(tx, name, task as never))
  const [job] = await world.app.db.$queryRaw<{ id: number }[]>`SELECT max(id)::int AS id FROM lasting_jobs`
  const payload = { lasting_id: job?.id, ...task }
  await performer({ ...world.app, mail, metrics, log })({ name, id: '1', payload, due_at: new Date() }, true)
  expect(lines.map(({ msg }) => msg)).toEqual(['a job failed and is tried again'])
  const { text } = await metrics.read()
  expect(text).toContain(`weather_job_duration_seconds_count{job_name="${name}",outcome="failed"} 1`)
  expect(text).not.toContain('outcome="done"')
})

test('a report whose workers died fails; a scheduled job runs again', async () => {
  const metrics = openMetrics()
  const handleCrashed = crashHandler({ ...world.app, metrics })
  const team = await aTeam(world, { credits: 1 })
  const report_id = await world.app.db.$transaction((tx) => aPendingReport(tx, team, world.clock.now()))
  const crashed = (name: 'report.generate' | 'sweep', payload: object) => handleCrashed({ name, id: '1', payload, due_at: new Date() })
  await crashed('report.generate', { report_id })
  await crashed('sweep', {})
  expect(await world.app.db.report.findUniqueOrThrow({ where: { id: report_id } })).toMatchObject({
    status: 'failed',
    failure_reason: 'internal_error',
  })
  const { text } = await metrics.read()
  expect(text).toContain('weather_job_duration_seconds_count{job_name="report.generate",outcome="given_up"} 1')
  expect(text).toContain('weather_job_duration_seconds_count{job_name="sweep",outcome="failed"} 1')
})
