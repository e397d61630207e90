import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
})
afterAll(() => rest.close())
beforeEach(async () => {
  token = (await aToken(world, await aTeam(world, { credits: 10 }))).token
})

const row = { address: '1 Main St, Moore, OK 73160', window_start: '2024-01-01', window_end: '2024-01-31' }
const post = (path: string, body: unknown, key?: string, by = token) =>
  rest.call('POST', path, { token: by, body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
const balance = async (by = token) => (await rest.call('GET', '/credits', { token: by })).body.data.balance as number
const fits = (shape: keys.Shape, value: unknown) => expect(keys.differences(shape, value)).toEqual([])

describe('a key', () => {
  it('makes fifty requests at once one report and one charge', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/reports', row, 'once')))
    const made = answers.filter(({ status }) => status === 202)
    expect(made).toHaveLength(1)
    for (const { status, body, headers } of answers.filter((answer) => answer !== made[0])) {
      expect([200, 409]).toContain(status)
      if (status === 200) expect([body.data.id, headers['idempotent-replay']]).toEqual([made[0]?.body.data.id, 'true'])
      else expect([body.code, headers['retry-after']]).toEqual(['idempotency_in_flight', '1'])
    }
    const replay = await post('/reports', row, 'once')
    expect([replay.status, replay.headers['idempotent-replay']]).toEqual([200, 'true'])
    expect(replay.body).toEqual(made[0]?.body)
    expect(await balance()).toBe(9)
  })

  it('ignores the order of keys in the body, and compares their values', async () => {
    const first = await post('/reports', row, 'k')
    const reversed = Object.fromEntries(Object.entries(row).reverse())
    expect((await post('/reports', reversed, 'k')).body.data.id).toBe(first.body.data.id)
    for (const [path, body] of [
      ['/reports', { ...row, radius_miles: 6 }],
      ['/reports', { ...row, radius_miles: 'far' }],
      ['/reports/batch', { reports: [row] }],
      ['/properties/batch', {}],
    ] as const) {
      const refused = await post(path, body, 'k')
      expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'idempotency_key_reused'])
      fits(keys.errorBody, refused.body)
    }
  })

  it('belongs to the team, whichever token sends it', async () => {
    const team = await aTeam(world)
    const [one, two] = [await aToken(world, team), await aToken(world, team)]
    const first = await post('/reports', row, 'shared', one.token)
    expect((await post('/reports', row, 'shared', two.token)).body.data.id).toBe(first.body.data.id)
    expect((await post('/reports', row, 'shared')).status).toBe(202)
  })

  it('returns the report in its current state, and 404 once it is deleted', async () => {
    const { body } = await post('/reports', { ...row, address: 'Nowhere at all 99999999' }, 'k')
    await world.drain()
    const replay = await post('/reports', { ...row, address: 'Nowhere at all 99999999' }, 'k')
    expect([replay.status, replay.body.data.status]).toEqual([200, 'failed'])
    await rest.call('DELETE', `/reports/${body.data.id}`, { token })
    expect((await post('/reports', { ...row, address: 'Nowhere at all 99999999' }, 'k')).status).toBe(404)
    expect(await balance()).toBe(10)
  })

  it('is not used up by a refusal', async () => {
    expect((await post('/reports', { ...row, window_end: 'x' }, 'k')).status).toBe(422)
    expect((await post('/reports', row, 'k')).status).toBe(202)
    const { token: poor } = await aToken(world, await aTeam(world, { credits: 0 }))
    expect((await post('/reports', row, 'k', poor)).body).toMatchObject({ status: 402, code: 'plan_limit', limit: 'credits' })
    expect(await balance()).toBe(9)
  })

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('%j is not a valid key', async (key) => {
    const refused = await post('/reports', row, key)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['idempotency_key']])
    expect(await balance()).toBe(10)
  })

  it('is ignored on endpoints where the contract does not support one', async () => {
    expect((await post('/properties', { address: row.address }, 'a b')).status).toBe(201)
  })
})

describe('a batch', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ address: `${index + 1} Main St, Moore, OK 73160` }))
  const { address: _, ...window } = row

  it('is 202 when every row was accepted', async () => {
    const { status, body } = await post('/reports/batch', { ...window, reports: rows(3) })
    expect(status).toBe(202)
    fits(keys.reportBatch(keys.acceptedRow), body)
    expect(body).toMatchObject({
      submitted: 3,
      accepted: 3,
      rejected: 0,
      skipped: 0,
      credits_spent: 3,
      credits_remaining: 7,
      out_of_credits: false,
    })
  })

  it('is 207 when rows have different results, each with its own status', async () => {
    const reports = [...rows(1), { address: 'x' }, {}, null, { address: row.address, window_start: '2024-02-01' }]
    const { status, body } = await post('/reports/batch', { ...window, reports })
    expect(status).toBe(207)
    fits(keys.reportBatch(keys.anyRow), body)
    expect(body.results.map((result: { status: string }) => result.status)).toEqual([
      'accepted',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
    ])
    expect(body.results.map((result: { index: number }) => result.index)).toEqual([0, 1, 2, 3, 4])
    expect(await balance()).toBe(9)
  })

  it('stops when credits run out, and returns the same result for its key', async () => {
    const body = { ...window, reports: rows(12) }
    const first = await post('/reports/batch', body, 'k')
    expect(first.status).toBe(207)
    fits(keys.reportBatch(keys.anyRow), first.body)
    expect(first.body).toMatchObject({ accepted: 10, skipped: 2, credits_spent: 10, credits_remaining: 0, out_of_credits: true })
    const replay = await post('/reports/batch', body, 'k')
    expect([replay.status, replay.headers['idempotent-replay']]).toEqual([200, 'true'])
    // A worker may have finished reports meanwhile: they are returned in their current state.
    type Results = { results: { report: { id: string } | null }[] }
    const withReportIds = ({ results, ...sums }: Results) => ({
      ...sums,
      results: results.map((row) => ({ ...row, report: row.report?.id ?? null })),
    })
    expect(withReportIds(replay.body)).toEqual(withReportIds(first.body))
    expect(await balance()).toBe(0)
  })

  it('of only invalid rows is 207 and costs nothing', async () => {
    const { status, body } = await post('/reports/batch', { reports: [{}, {}] })
    expect([status, body.rejected, body.credits_spent]).toEqual([207, 2, 0])
  })

  it.each([[{}], [{ reports: null }], [{ reports: [] }], [{ reports: {} }], [{ reports: rows(26) }]])(
    '%j is 422 as a whole',
    async (body) => {
      const refused = await post('/reports/batch', { ...window, ...body }, 'k')
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['reports']])
      expect((await post('/reports/batch', { ...window, reports: rows(1) }, 'k')).status).toBe(202)
    },
  )
})
