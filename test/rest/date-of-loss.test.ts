import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { details, detailsText, importText } from '#test/domain/archive/files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

/** The location of the made-up rows of test/domain/archive/files.ts, in Frisco. */
const place = { latitude: 33.1499, longitude: -96.8241 }
const march = { ...place, window_start: '2019-03-01', window_end: '2019-03-31', radius_miles: 10 }

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  const rows = [
    { EVENT_ID: '1', BEGIN_DAY: '14', END_DAY: '14', MAGNITUDE: '1.00' },
    { EVENT_ID: '2', BEGIN_DAY: '20', END_DAY: '20', MAGNITUDE: '1.75' },
    { EVENT_ID: '3', BEGIN_DAY: '20', END_DAY: '20', MAGNITUDE: '2.50' },
    { EVENT_ID: '4', BEGIN_DAY: '28', END_DAY: '28', MAGNITUDE: '0.75' },
  ]
  await importText(world, detailsText(...rows), { file_name: details(2019), whole_year: true })
})
beforeEach(async () => {
  token = (await aToken(world, await aTeam(world))).token
})
afterAll(() => rest.close())

const call = (method: Parameters<Rest['call']>[0], path: string, body?: unknown, headers?: Record<string, string>) =>
  rest.call(method, path, { token, body, ...(headers && { headers }) })

// biome-ignore lint/suspicious/noExplicitAny: what any field answers
async function graph(query: string): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await rest.fastify.inject({ method: 'POST', url: '/graphql', headers, payload: JSON.stringify({ query }) })
  expect(answer.json().errors).toBeUndefined()
  return answer.json().data
}

async function finished(body: object) {
  const made = await call('POST', '/reports', { ...march, ...body })
  expect(made.status).toBe(202)
  expect([made.body.data.days, made.body.data.day_of_loss]).toEqual([null, null])
  await world.drain()
  const report = (await call('GET', `/reports/${made.body.data.id}`)).body.data
  expect(keys.differences(keys.completeReport, report)).toEqual([])
  return report
}

type Day = { date: string; relation: string; records: number; hail: { ground_in: number | null } }
const shortOf = ({ days }: { days: Day[] }) => days.map(({ date, relation, records, hail }) => [date, relation, records, hail.ground_in])

describe('date_of_loss', () => {
  it('makes the report cover that day first, with the days around it', async () => {
    const report = await finished({ date_of_loss: '2019-03-20' })
    expect(shortOf(report)).toEqual([
      ['2019-03-20', 'date_of_loss', 2, 2.5],
      ['2019-03-14', 'other', 1, 1],
    ])
    expect(report.day_of_loss.statement).toMatch(
      /^On 2019-03-20, the date of loss, 2 records of hail, wind or tornado were found within 10 mi of the address: hail reported 2\.50 in, /,
    )
    expect(report.day_of_loss.statement).toContain('No such record was found within two days of it.')
    const rings = report.day_of_loss.rings.map(({ radius_miles }: { radius_miles: number }) => radius_miles)
    expect(rings).toEqual([1, 3, 10])
    const { data } = (await call('GET', `/reports/${report.id}/verification`)).body
    expect([keys.differences(keys.verification, data), data.date_of_loss]).toEqual([[], '2019-03-20'])
  })

  it('shows a near date next to the storm, and keeps the evidence unchanged', async () => {
    const [near, far, none] = [
      await finished({ date_of_loss: '2019-03-21' }),
      await finished({ date_of_loss: '2019-03-08' }),
      await finished({}),
    ]
    expect(shortOf(near)).toEqual([
      ['2019-03-21', 'date_of_loss', 0, null],
      ['2019-03-20', 'near', 2, 2.5],
      ['2019-03-14', 'other', 1, 1],
    ])
    const absent =
      'no record of hail, wind or tornado was found within 10 mi of the address; absence of a record does not show that none occurred.'
    expect(near.day_of_loss.statement).toContain(`On 2019-03-21, the date of loss, ${absent}`)
    expect(near.day_of_loss.statement).toContain('Within two days of it: on 2019-03-20 hail reported 2.50 in, ')
    expect(shortOf(far)).toEqual([
      ['2019-03-20', 'other', 2, 2.5],
      ['2019-03-14', 'other', 1, 1],
      ['2019-03-08', 'date_of_loss', 0, null],
    ])
    expect(far.day_of_loss.statement).toContain(
      'Other days of the window that stand out, newest first: 2019-03-20 (hail reported 2.50 in, ',
    )
    expect([none.date_of_loss, none.day_of_loss, none.days]).toEqual([null, null, null])
    expect(new Set([near, far, none].map(({ fingerprint, headline }) => `${fingerprint} ${headline}`)).size).toBe(1)
  })

  it('states which of the days around it are outside the window', async () => {
    const { day_of_loss } = await finished({ window_start: '2019-03-20', date_of_loss: '2019-03-20' })
    expect(day_of_loss.statement).toContain(
      'Of the five days around it, 2019-03-20 to 2019-03-22 lie in the window; the others were not searched.',
    )
  })

  it('is refused without a charge if it is not a day or is outside the window', async () => {
    const before = (await call('GET', '/credits')).body.data.balance
    for (const date_of_loss of ['2019-02-28', '2019-04-01', '2019-02-30', '20 March', 20190320, ['2019-03-20']]) {
      const { status, body } = await call('POST', '/reports', { ...march, date_of_loss })
      expect([date_of_loss, status, Object.keys(body.errors)]).toEqual([date_of_loss, 422, ['date_of_loss']])
    }
    const outside = await call('POST', '/reports', { ...march, date_of_loss: '2019-04-01' })
    expect(outside.body.errors.date_of_loss).toEqual(['The date of loss must lie within the window.'])
    expect((await call('GET', '/credits')).body.data.balance).toBe(before)
  })

  it('applies to every row of a batch without one of its own', async () => {
    const { window_start, window_end } = march
    const { body } = await call('POST', '/reports/batch', {
      window_start,
      window_end,
      date_of_loss: '2019-03-20',
      reports: [place, { ...place, date_of_loss: '2019-03-14' }, { ...place, date_of_loss: '2018-03-14' }],
    })
    const rows = body.results.map(
      ({ message, report }: { message: string; report: { date_of_loss: string } | null }) => message ?? report?.date_of_loss,
    )
    expect(rows).toEqual(['2019-03-20', '2019-03-14', 'The date of loss must lie within the window.'])
    await world.drain()
  })

  it('has the same wording for a saved property', async () => {
    const { data: property } = (await call('POST', '/properties', place)).body
    await world.drain()
    const { window_start, window_end } = march
    const input = { window_start, window_end, radius_miles: 10, date_of_loss: '2019-03-20' }
    const { status, body } = await call('POST', `/properties/${property.id}/reports`, input)
    expect([status, body.data.date_of_loss, body.data.property_id]).toEqual([202, '2019-03-20', property.id])
    await world.drain()
    const report = (await call('GET', `/reports/${body.data.id}`)).body.data
    const { day_of_loss, days } = await finished({ date_of_loss: '2019-03-20' })
    expect([report.day_of_loss, report.days]).toEqual([day_of_loss, days])
    const before = (await call('GET', '/credits')).body.data.balance
    const outside = await call('POST', `/properties/${property.id}/reports`, { ...input, date_of_loss: '2019-04-01' })
    expect([outside.status, Object.keys(outside.body.errors)]).toEqual([422, ['date_of_loss']])
    expect((await call('GET', '/credits')).body.data.balance).toBe(before)
  })

  it('is part of an idempotent request: the same date returns the existing report, another date is refused', async () => {
    const send = (date_of_loss: string) => call('POST', '/reports', { ...march, date_of_loss }, { 'idempotency-key': 'loss' })
    const made = await send('2019-03-20')
    const again = await send('2019-03-20')
    expect([again.status, again.headers['idempotent-replay'], again.body.data.id]).toEqual([200, 'true', made.body.data.id])
    expect(again.body.data.date_of_loss).toBe('2019-03-20')
    const other = await send('2019-03-21')
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
    await world.drain()
  })

  it('is refused if the plan does not reach it, even if the plan reaches the end of the window', async () => {
    const now = world.clock.now()
    world.clock.set('2024-03-25T12:00:00Z')
    try {
      const team = await aTeam(world, { limit_overrides: { lookback_years: 5 } })
      token = (await aToken(world, team)).token
      const before = (await call('GET', '/credits')).body.data.balance
      const { status, body } = await call('POST', '/reports', { ...march, date_of_loss: '2019-03-20' })
      expect([status, body.code, body.limit]).toEqual([402, 'plan_limit', 'lookback'])
      expect((await call('GET', '/credits')).body.data.balance).toBe(before)
      const reached = await finished({ date_of_loss: '2019-03-28' })
      expect([reached.window.start > '2019-03-20', shortOf(reached)]).toEqual([true, [['2019-03-28', 'date_of_loss', 1, 0.75]]])
    } finally {
      world.clock.set(now)
    }
  })

  it('is kept when a report is refreshed, and the comparison includes its statements', async () => {
    const { id, day_of_loss } = await finished({ date_of_loss: '2019-03-20' })
    const larger = details(2019).replace(/_c\d+/, '_c20200101')
    const rows = [
      { EVENT_ID: '1', BEGIN_DAY: '14', END_DAY: '14', MAGNITUDE: '1.00' },
      { EVENT_ID: '2', BEGIN_DAY: '20', END_DAY: '20', MAGNITUDE: '1.75' },
      { EVENT_ID: '3', BEGIN_DAY: '20', END_DAY: '20', MAGNITUDE: '3.00' },
      { EVENT_ID: '4', BEGIN_DAY: '28', END_DAY: '28', MAGNITUDE: '0.75' },
    ]
    world.clock.advance(1000)
    await importText(world, detailsText(...rows), { file_name: larger, whole_year: true })
    world.clock.advance(1000)
    const refreshed = await graph(`mutation { refreshReport(report: "${id}") { id date_of_loss } }`)
    expect(refreshed.refreshReport.date_of_loss).toBe('2019-03-20')
    await world.drain()
    const now = (await call('GET', `/reports/${refreshed.refreshReport.id}`)).body.data
    expect(now.day_of_loss.statement).toBe(day_of_loss.statement.replace('hail reported 2.50 in', 'hail reported 3.00 in'))
    const { reportDiff } = await graph(`{ reportDiff(a: "${id}", b: "${now.id}") { statements { field old new } } }`)
    const change = reportDiff.statements.find(({ field }: { field: string }) => field.startsWith('day_of_loss'))
    expect(JSON.stringify([change.old, change.new])).toMatch(/2\.50? in.*3(\.00)? in/)
  })
})
