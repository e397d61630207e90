import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

/** Every finished row in every state. Each response is compared with the contract's keys and types. */

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  await seedSample(world.app)
  await seedPlaces(world.app.pool)
  token = (await aToken(world, await aTeam(world, { credits: 40 }))).token
})
afterAll(() => rest.close())

const get = (path: string) => rest.call('GET', path, { token })
const fits = (shape: keys.Shape, value: unknown) => expect(keys.differences(shape, value)).toEqual([])
const { address, window_start, window_end, radius_miles } = sampleStorm
const storm = { address, window_start, window_end, radius_miles }
const request = async (more: object = {}) =>
  (await rest.call('POST', '/reports', { token, body: { ...storm, ...more } })).body.data.id as string
const completed = async (more: object = {}) => {
  const id = await request(more)
  await world.drain()
  return id
}

it.each([
  ['', keys.data(keys.index)],
  ['/account', keys.account],
  ['/team', keys.data(keys.team)],
  ['/credits', keys.data(keys.creditsOf)],
  ['/monitoring/runs', keys.monitoringRuns],
  ['/places?search=Moore', keys.places],
  ['/places?search=zzzzzz', keys.places],
  ['/reports', keys.page(keys.nothing)],
])('GET %s', async (path, shape) => {
  const { status, body } = await get(path)
  expect(status).toBe(200)
  fits(shape, body)
})

it('the account of a token that expires', async () => {
  const expires_at = new Date(world.clock.now().getTime() + 86_400_000)
  const { token: short } = await aToken(world, await aTeam(world, { plan: 'professional' }), ['maps:read'], expires_at)
  const { body } = await rest.call('GET', '/account', { token: short })
  fits(keys.account, body)
  expect(body.token).toMatchObject({ abilities: ['maps:read'], expires_at: expires_at.toISOString() })
})

it('the ledger shows credits that were spent, granted and returned', async () => {
  await completed()
  await completed({ address: 'Nowhere at all 99999999' })
  const { body } = await get('/credits/transactions')
  fits(keys.page(keys.transaction), body)
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['refund', 'spend', 'spend', 'allowance'])
  expect(body.data[3].report_id).toBeNull()
  const { body: spends } = await get('/credits/transactions?kind=spend')
  expect(spends.data).toHaveLength(2)
})

it('monitoring runs, complete and failed', async () => {
  const at = world.clock.now()
  await world.app.db.monitoringRun.createMany({
    data: [
      { lane: 'record', status: 'complete', started_at: at, finished_at: at, watermark: at, candidates: 3, written: 2, notified: 1 },
      { lane: 'warnings', status: 'failed', started_at: at, finished_at: at, failure_reason: 'The feed did not answer.' },
      { lane: 'surfaces', status: 'running', started_at: at },
    ],
  })
  const { body } = await get('/monitoring/runs')
  fits(keys.monitoringRuns, body)
  expect(body.data).toHaveLength(3)
})

it('a pending report, without results yet', async () => {
  await world.keepPending()
  const answer = await rest.call('POST', '/reports', { token, body: { ...storm, reference: 'R-1', recipient: 'Ada' } })
  expect(answer.status).toBe(202)
  fits(keys.data(keys.pendingReport), answer.body)
  const path = `/reports/${answer.body.data.id}`
  const shown = await get(path)
  fits(keys.data(keys.pendingReport), shown.body)
  expect(shown.body).toEqual(answer.body)
  fits(keys.page(keys.nothing), (await get(`${path}/events`)).body)
  for (const [method, rest_of] of [
    ['GET', '/verification'],
    ['GET', '/pdf'],
    ['POST', '/pdf/link'],
  ] as const) {
    const refused = await rest.call(method, `${path}${rest_of}`, { token })
    expect([refused.status, refused.body.code]).toEqual([409, 'report_not_ready'])
    fits(keys.errorBody, refused.body)
  }
  await world.drain()
})

it('a complete report, its records and its verification', async () => {
  const path = `/reports/${await completed({ layout: { sections: ['summary'], map: null } })}`
  const { body } = await get(path)
  fits(keys.data(keys.completeReport), body)
  expect(body.data.findings.length).toBeGreaterThan(0)
  expect(body.data.layout).toMatchObject({ sections: ['summary'], map: null })
  const events = (await get(`${path}/events`)).body
  fits(keys.page(keys.weatherEvent), events)
  expect(events.meta.total).toBe(body.data.event_count)
  expect(events.data.length).toBeGreaterThan(0)
  const verification = (await get(`${path}/verification`)).body
  fits(keys.data(keys.verification), verification)
  expect(verification.data.fingerprint).toBe(body.data.fingerprint)
})

it('a complete report that found nothing', async () => {
  const path = `/reports/${await completed({ address: '1 Main St, Bangor, ME 04401', window_end: '2025-02-01' })}`
  const { body } = await get(path)
  fits(keys.data(keys.completeReport), body)
  expect(body.data).toMatchObject({ findings: [], event_count: 0 })
  fits(keys.page(keys.nothing), (await get(`${path}/events`)).body)
  fits(keys.data(keys.verification), (await get(`${path}/verification`)).body)
})

it('a failed report', async () => {
  const path = `/reports/${await completed({ address: 'Nowhere at all 99999999' })}`
  const { body } = await get(path)
  fits(keys.data(keys.failedReport), body)
  fits(keys.page(keys.nothing), (await get(`${path}/events`)).body)
  const refused = await get(`${path}/verification`)
  expect(refused.body.message).toContain(body.data.failure_reason)
})

it('the listing shows reports in every state, and its filters narrow it', async () => {
  const { body } = await get('/reports?per_page=100')
  const shapes: Record<string, keys.Shape> = { pending: keys.pendingReport, failed: keys.failedReport, complete: keys.completeReport }
  for (const report of body.data) fits(shapes[report.status] as keys.Shape, report)
  expect(new Set(body.data.map(({ status }: { status: string }) => status))).toEqual(new Set(['complete', 'failed']))
  const { body: failed } = await get('/reports?status=failed')
  expect(failed.data.every(({ status }: { status: string }) => status === 'failed')).toBe(true)
  expect((await get('/reports?address=bangor')).body.meta.total).toBe(1)
  expect((await get('/reports?address=no%20such')).body).toMatchObject({ data: [], meta: { total: 0, last_page: 1, from: null, to: null } })
})

it('a deleted report is not found, and its charge stays', async () => {
  const id = await completed()
  const deleted = await rest.call('DELETE', `/reports/${id}`, { token })
  expect([deleted.status, deleted.text, deleted.headers['content-type']]).toEqual([204, '', undefined])
  expect((await get(`/reports/${id}`)).status).toBe(404)
  const { body } = await get('/credits/transactions?kind=spend')
  expect(body.data[0].report_id).toBe(id)
})
