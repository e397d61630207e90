import type pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { generateReport } from '#domain/reports/generate.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

/** The App whose archive searches fail, the first ones or all. */
function failing(fault: Error & { code: string }, times = Number.POSITIVE_INFINITY) {
  const { pool } = world.app
  let left = times
  const query = (config: pg.QueryConfig, values?: unknown[]) =>
    config.name === 'find-near' && left-- > 0 ? Promise.reject(fault) : pool.query(config, values)
  return { ...world.app, pool: Object.assign(Object.create(pool), { query }) as typeof pool }
}

async function aPendingReport() {
  const team = await aTeam(world)
  const window = { window_start: '2025-05-01', window_end: '2025-05-31', radius_miles: 5 }
  const { report } = await requestReport(world.app, await aCaller(world, team), { address: '33.1499, -96.8241', ...window }, null)
  const state = async () => {
    const { status, failure_reason } = await world.app.db.report.findUniqueOrThrow({ where: { id: report.id } })
    const { balance } = await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    return { status, failure_reason, balance }
  }
  return { id: report.id, state }
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
const canceled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })

it('a report stays pending while the database is unavailable, is retried by its job, and is charged once', async () => {
  const { id, state } = await aPendingReport()
  await expect(generateReport(failing(refused), id)).rejects.toBe(refused)
  expect(await state()).toEqual({ status: 'pending', failure_reason: null, balance: 99 })
  await generateReport(world.app, id)
  expect(await state()).toEqual({ status: 'complete', failure_reason: null, balance: 99 })
})

it('a search that fails once or twice is retried', async () => {
  const { id, state } = await aPendingReport()
  await generateReport(failing(canceled, 2), id)
  expect(await state()).toEqual({ status: 'complete', failure_reason: null, balance: 99 })
})

it.each([
  ['takes too long', canceled],
  ['cannot be answered', Object.assign(new Error('could not read block'), { code: 'XX001' })],
])('a search that %s three times fails the report, and the credit is refunded', async (_, fault) => {
  const { id, state } = await aPendingReport()
  await generateReport(failing(fault), id)
  expect(await state()).toEqual({ status: 'failed', failure_reason: 'sources_unavailable', balance: 100 })
})
