import { beforeAll, beforeEach, expect, it } from 'vitest'
import { previewReport } from '#domain/reports/preview.ts'
import { PREVIEWS_PER_DAY, PREVIEWS_PER_MINUTE } from '#domain/reports/preview-limit.ts'
import { details, detailsText, importText } from '#test/domain/archive/files.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { teamGraph } from './team-graph.ts'

/** The location of the made-up rows, in Frisco. */
const FRISCO = 'latitude: 33.1499, longitude: -96.8241'
const MARCH = 'window_start: "2019-03-01", window_end: "2019-03-31"'
const BAND = '{ severity range }'
const PREVIEW = `{
  address { query latitude precision } failure_reason failure_message window { start end radius_miles narrowed_by_plan } coverage { summary }
  event_count types { type event_count evidence_kinds } day_count
  days { date records relation hail { ground ${BAND} radar ${BAND} } wind { ground ${BAND} instrument ${BAND} } tornado } cost balance }`

const inFebruary = { BEGIN_YEARMONTH: '201902', END_YEARMONTH: '201902' }

const here = teamGraph()
beforeAll(async () => {
  const wind = { EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE_TYPE: 'EG' }
  const rows = [
    { EVENT_ID: '1', BEGIN_DAY: '14', END_DAY: '14', MAGNITUDE: '1.00' },
    { EVENT_ID: '2', BEGIN_DAY: '20', END_DAY: '20', MAGNITUDE: '1.75' },
    { EVENT_ID: '3', BEGIN_DAY: '20', END_DAY: '20', MAGNITUDE: '2.74' },
    { EVENT_ID: '4', BEGIN_DAY: '28', END_DAY: '28', MAGNITUDE: '0.75' },
    { EVENT_ID: '5', BEGIN_DAY: '28', END_DAY: '28', MAGNITUDE: '56', ...wind },
    { EVENT_ID: '6', BEGIN_DAY: '14', END_DAY: '14', MAGNITUDE: '', ...wind },
    { EVENT_ID: '7', ...inFebruary },
    { EVENT_ID: '8', ...inFebruary, BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' },
  ]
  await importText(here.world, detailsText(...rows), { file_name: details(2019), whole_year: true })
})
beforeEach(async () => {
  here.world.clock.advance(120_000)
})

const ask = async (args: string, selection = PREVIEW) => here.ask(`{ reportPreview(${args}) ${selection} }`)

it('states what a report would contain: place, counts, and days by bands of size', async () => {
  const { data, errors } = await ask(`${FRISCO}, ${MARCH}, radius_miles: 10, date_of_loss: "2019-03-21"`)
  expect(errors).toBeUndefined()
  expect(data.reportPreview).toMatchObject({
    address: { latitude: 33.1499, precision: 'point' },
    failure_reason: null,
    window: { start: '2019-03-01', end: '2019-03-31', radius_miles: 10, narrowed_by_plan: false },
    coverage: { summary: expect.stringContaining('Final records through') },
    event_count: 6,
    types: [
      { type: 'hail', event_count: 4, evidence_kinds: ['ground'] },
      { type: 'thunderstorm_wind', event_count: 2, evidence_kinds: ['ground'] },
    ],
    day_count: 3,
    cost: 1,
    balance: 100,
  })
  const none = { ground: null, radar: null }
  const still = { ground: null, instrument: null }
  const minor = { severity: 'minor', range: 'under 1 in' }
  const gust = { severity: 'moderate', range: '58 to 70 mph' }
  expect(data.reportPreview.days).toEqual([
    {
      date: '2019-03-28',
      records: 2,
      relation: 'other',
      hail: { ground: minor, radar: null },
      wind: { ground: gust, instrument: null },
      tornado: false,
    },
    { date: '2019-03-21', records: 0, relation: 'date_of_loss', hail: none, wind: still, tornado: false },
    {
      date: '2019-03-20',
      records: 2,
      relation: 'near',
      hail: { ground: { severity: 'severe', range: '1.75 to 2.75 in' }, radar: null },
      wind: still,
      tornado: false,
    },
    {
      date: '2019-03-14',
      records: 2,
      relation: 'other',
      hail: { ground: { severity: 'moderate', range: '1 to 1.75 in' }, radar: null },
      wind: { ground: { severity: 'unknown', range: null }, instrument: null },
      tornado: false,
    },
  ])
})

it('states the same of two narrower circles around the place, each searched by itself', async () => {
  // The records are 3.5 miles to the south.
  const north = `latitude: 33.2, longitude: -96.8241, ${MARCH}, radius_miles: 10`
  const circle = (miles: number) => `within(miles: ${miles}) { radius_miles event_count records_without_point day_count days { date } }`
  const { data } = await ask(
    north,
    `{ event_count day_count one: ${circle(1)} again: ${circle(1)} five: ${circle(5)} wide: ${circle(50)} }`,
  )
  const all = {
    event_count: 6,
    records_without_point: 0,
    day_count: 3,
    days: [{ date: '2019-03-28' }, { date: '2019-03-20' }, { date: '2019-03-14' }],
  }
  const none = { radius_miles: 1, event_count: 0, records_without_point: 0, day_count: 0, days: [] }
  expect(data.reportPreview).toEqual({
    event_count: 6,
    day_count: 3,
    one: none,
    again: none,
    five: { radius_miles: 5, ...all },
    wide: { radius_miles: 10, ...all },
  })
  const refused = async (circles: string) => (await ask(north, `{ ${circles} }`)).errors?.[0]?.extensions
  expect(await refused(`a: ${circle(1)} b: ${circle(2)} c: ${circle(3)}`)).toMatchObject({
    errors: { miles: ['A preview searches at most 2 narrower circles.'] },
  })
  expect(await refused(circle(0))).toMatchObject({ errors: { miles: ['The miles must be more than 0.'] } })
})

it('counts no record within a circle that names a county and no point', async () => {
  const circle = (miles: number) => `within(miles: ${miles}) { event_count records_without_point day_count days { date } }`
  const { data } = await ask(
    'latitude: 33.2, longitude: -96.8241, window_start: "2019-02-01", window_end: "2019-02-28", radius_miles: 10',
    `{ event_count records_without_point one: ${circle(1)} ten: ${circle(10)} }`,
  )
  const pointed = { event_count: 1, day_count: 1, days: [{ date: '2019-02-24' }] }
  expect(data.reportPreview).toEqual({
    event_count: 2,
    records_without_point: 1,
    one: { event_count: 0, records_without_point: 1, day_count: 0, days: [] },
    ten: { ...pointed, records_without_point: 1 },
  })
})

it('returns no figure that a record states, whatever fields are requested', async () => {
  const { data } = await ask(`${FRISCO}, ${MARCH}, radius_miles: 10`)
  expect(JSON.stringify(data)).not.toMatch(/2\.74|0\.75|64|distance|bearing|citation/)
})

it('charges nothing, and leaves no report, no job and no row in the audit log', async () => {
  const rows = async () => [
    await here.world.app.db.report.count({ where: { team_id: here.team.id } }),
    await here.world.app.db.creditTransaction.count({ where: { team_id: here.team.id } }),
    await here.world.app.db.auditEntry.count({ where: { team_id: here.team.id } }),
    (await here.world.app.db.team.findUniqueOrThrow({ where: { id: here.team.id } })).balance,
    await here.world.app.db.outboxJob.count(),
  ]
  const before = await rows()
  await ask(`${FRISCO}, ${MARCH}`)
  expect(await rows()).toEqual(before)
})

it('states why the report would fail for an address that is not one place', async () => {
  const { data } = await ask(`address: "1 Nowhere Lane, Nosuchtown, ZZ", ${MARCH}`)
  expect(data.reportPreview).toMatchObject({
    failure_reason: 'address_not_found',
    failure_message: expect.any(String),
    coverage: null,
    event_count: 0,
    days: [],
  })
})

it('refuses whatever the report would be refused for, except missing credits', async () => {
  const refused = async (args: string) => (await ask(args)).errors?.[0]?.extensions
  expect(await refused('address: "1 Main St, Dallas, TX", window_start: "2019-03-31", window_end: "2019-03-01"')).toMatchObject({
    code: 'validation_failed',
    errors: { window_end: [expect.any(String)] },
  })
  expect(await refused(`${FRISCO}, ${MARCH}, date_of_loss: "2019-05-01"`)).toMatchObject({ errors: { date_of_loss: [expect.any(String)] } })
  expect(await refused(`${FRISCO}, ${MARCH}, property_id: "00000000-0000-4000-8000-000000000000"`)).toMatchObject({
    errors: { property_id: [expect.any(String)] },
  })
  await here.replaceTeam({ plan: 'professional', credits: 0 })
  expect(await refused(`${FRISCO}, window_start: "1993-03-01", window_end: "1993-03-31"`)).toMatchObject({ limit: 'lookback' })
  expect(await refused(`${FRISCO}, ${MARCH}, layout: []`)).toMatchObject({ limit: 'layout' })
  const { data } = await ask(`${FRISCO}, ${MARCH}, radius_miles: 50`)
  expect(data.reportPreview).toMatchObject({ balance: 0, event_count: 6, window: { radius_miles: 25, narrowed_by_plan: true } })
})

it('is for tokens that may make reports', async () => {
  const { token } = await aToken(here.world, here.team, ['reports:read'])
  const { errors } = await here.graph.ask(token, `{ reportPreview(${FRISCO}, ${MARCH}) ${PREVIEW} }`)
  expect(errors).toMatchObject([{ extensions: { required_ability: 'reports:write' } }])
})

it(`is limited to ${PREVIEWS_PER_MINUTE} a minute and ${PREVIEWS_PER_DAY} a day for a team, over all its tokens together`, async () => {
  here.world.clock.set('2026-05-21T09:00:00Z')
  const caller = await aCaller(here.world, here.team)
  const march = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31' }
  const preview = () => previewReport(here.world.app, caller, march)
  const many = async (times: number) => {
    for (let at = 0; at < times; at += 1) await preview()
  }
  await many(PREVIEWS_PER_MINUTE)
  const other = (await aToken(here.world, here.team)).token
  const { errors } = await here.graph.ask(other, `{ reportPreview(${FRISCO}, ${MARCH}) { event_count } }`)
  expect(errors).toMatchObject([{ extensions: { code: 'rate_limited', status: 429 } }])
  expect(
    (await here.graph.ask((await aToken(here.world, await aTeam(here.world))).token, `{ reportPreview(${FRISCO}, ${MARCH}) { cost } }`))
      .errors,
  ).toBe(undefined)
  for (let used = PREVIEWS_PER_MINUTE; used < PREVIEWS_PER_DAY; used += PREVIEWS_PER_MINUTE) {
    here.world.clock.advance(61_000)
    await many(PREVIEWS_PER_MINUTE)
  }
  here.world.clock.advance(61_000)
  await expect(preview()).rejects.toMatchObject({ code: 'rate_limited', message: expect.stringContaining('300 a day') })
  here.world.clock.set('2026-05-22T00:00:01Z')
  expect(await preview()).toMatchObject({ event_count: 6 })
})

it('does not count a preview that was refused for its input', async () => {
  const before = await here.world.app.db.reportPreviews.count({ where: { team_id: here.team.id } })
  await ask('address: "1 Main St, Dallas, TX", window_start: "2019-03-31", window_end: "2019-03-01"')
  expect(await here.world.app.db.reportPreviews.count({ where: { team_id: here.team.id } })).toBe(before)
})
