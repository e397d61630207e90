import { afterAll, beforeAll, expect, test } from 'vitest'
import { isCompiledEarly } from '#domain/archive/coverage/coverage-months.ts'
import { listStoredMonths } from '#domain/archive/coverage/stored-months.ts'
import { archiveStatus } from '#domain/archive/status.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('consecutive months form one span across the turn of a year, and preliminary months are separate', async () => {
  await world.owner.query(`INSERT INTO coverage (source, state, month, preliminary) VALUES
    ('noaa_storm_events', 'TX', '2024-11-01', false), ('noaa_storm_events', 'TX', '2024-12-01', false),
    ('noaa_storm_events', 'TX', '2025-01-01', false), ('noaa_storm_events', 'TX', '2025-03-01', false),
    ('noaa_storm_events', 'OK', '2025-01-01', false), ('nws_lsr', 'TX', '2025-04-01', true)`)
  expect(await listStoredMonths(world.app)).toEqual([
    {
      source: 'noaa_storm_events',
      label: expect.any(String),
      by_day: false,
      states: [
        { state: 'OK', spans: [{ from: '2025-01', to: '2025-01', preliminary: false, early: false }] },
        {
          state: 'TX',
          spans: [
            { from: '2024-11', to: '2025-01', preliminary: false, early: false },
            { from: '2025-03', to: '2025-03', preliminary: false, early: false },
          ],
        },
      ],
    },
    {
      source: 'nws_lsr',
      label: expect.any(String),
      by_day: false,
      states: [{ state: 'TX', spans: [{ from: '2025-04', to: '2025-04', preliminary: true, early: false }] }],
    },
  ])
})

test('months whose file was compiled within 120 days of their end are separate', async () => {
  await world.owner.query(`INSERT INTO coverage (source, state, month, preliminary, compiled_on) VALUES
    ('noaa_storm_events', 'KS', '2019-01-01', false, '2019-06-17'), ('noaa_storm_events', 'KS', '2019-02-01', false, '2019-06-28'),
    ('noaa_storm_events', 'KS', '2019-03-01', false, '2019-06-17'), ('noaa_storm_events', 'KS', '2019-04-01', false, '2019-06-17')`)
  const stored = (await listStoredMonths(world.app)).find(({ source }) => source === 'noaa_storm_events')
  expect(stored?.states.find(({ state }) => state === 'KS')?.spans).toEqual([
    { from: '2019-01', to: '2019-02', preliminary: false, early: false },
    { from: '2019-03', to: '2019-04', preliminary: false, early: true },
  ])
  const status = (await archiveStatus(world.app)).sources.find(({ source }) => source === 'noaa_storm_events')
  expect(status?.states.find(({ state }) => state === 'KS')?.held.filter(({ early }) => early)).toMatchObject([
    { from: '2019-03', to: '2019-04' },
  ])
  // The day of the limit is not early, in SQL as elsewhere.
  expect([isCompiledEarly('2019-02', '2019-06-28'), isCompiledEarly('2019-02', '2019-06-27')]).toEqual([false, true])
})

test('a month of which both the whole and a day are stored counts once, as those of the sample with radar', async () => {
  await world.owner.query(`INSERT INTO coverage (source, state, month, preliminary)
    SELECT 'sample', 'TX', month, false FROM generate_series('2025-01-01'::date, '2025-12-01', '1 month') AS month`)
  await world.owner.query(`INSERT INTO coverage_days (source, state, day, moments) VALUES ('sample', 'TX', '2025-05-28', 10)`)
  const sample = (await listStoredMonths(world.app)).find(({ source }) => source === 'sample')
  expect(sample).toMatchObject({ by_day: false, states: [{ state: 'TX', spans: [{ from: '2025-01', to: '2025-12' }] }] })
})

test('for a source held by day, a month counts if any of its days is held', async () => {
  await world.owner.query(`INSERT INTO coverage_days (source, state, day, moments) VALUES
    ('noaa_mesh', 'TX', '2025-05-30', 10), ('noaa_mesh', 'TX', '2025-06-01', 10), ('noaa_mesh', 'TX', '2025-08-02', 1)`)
  const radar = (await listStoredMonths(world.app)).find(({ source }) => source === 'noaa_mesh')
  expect(radar).toMatchObject({
    by_day: true,
    states: [
      {
        state: 'TX',
        spans: [
          { from: '2025-05', to: '2025-06' },
          { from: '2025-08', to: '2025-08' },
        ],
      },
    ],
  })
})
