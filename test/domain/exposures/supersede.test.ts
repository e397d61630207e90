import { beforeEach, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import type { Team } from '#generated/prisma/client.ts'
import { aTeam } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { details } from '../archive/files.ts'
import { aProperty, events, exposures, storm } from './storm.ts'

let world: World
let team: Team
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
  team = await aTeam(world)
})

/** Imports a storm and makes its records preliminary, like those of the daily lists. */
async function aPreliminaryStorm(rows: Parameters<typeof storm>[1]): Promise<void> {
  await storm(world, rows)
  await world.app.pool.query(`UPDATE archive_records SET source = 'nws_lsr', preliminary = true`)
  await world.app.pool.query('DELETE FROM coverage')
  await world.app.pool.query('UPDATE exposures SET provisional = true')
}

it('follows the final record when it replaces preliminary ones, without a new event', async () => {
  await aProperty(world, team)
  await aPreliminaryStorm([
    { EVENT_ID: '1', MAGNITUDE: '1.75' },
    { EVENT_ID: '2', MAGNITUDE: '1.75', BEGIN_TIME: '1800', END_TIME: '1800' },
  ])
  const [before] = await exposures(world)
  await storm(world, [{ EVENT_ID: '3', MAGNITUDE: '1.75' }])
  const after = await exposures(world)
  expect(after).toMatchObject([{ id: before?.id, provisional: false, reports: 1, sources: 1 }])
  expect(after[0]?.last_seen_at.getTime()).toBeGreaterThanOrEqual(before?.last_seen_at.getTime() as number)
  expect(await events(world)).toEqual(['exposure.detected'])
})

it('withdraws a storm day that the final record does not confirm, even though none of its records changed', async () => {
  await aProperty(world, team)
  await aPreliminaryStorm([{ EVENT_ID: '1' }])
  await storm(world, [{ EVENT_ID: '3', BEGIN_LAT: '40.0', BEGIN_LON: '-90.0', END_LAT: '40.0', END_LON: '-90.0' }])
  expect(await exposures(world)).toMatchObject([{ withdrawn: true, reports: 0 }])
})

it('returns to the preliminary records when the final ones are deleted', async () => {
  await aProperty(world, team)
  await aPreliminaryStorm([{ EVENT_ID: '1', MAGNITUDE: '1.00' }])
  await storm(world, [{ EVENT_ID: '3', MAGNITUDE: '2.00' }])
  expect(await exposures(world)).toMatchObject([{ provisional: false, largest_measured_in: 2 }])
  await deleteSource(world.app, 'storm-events')
  await world.drain()
  expect(await exposures(world)).toMatchObject([{ provisional: true, largest_measured_in: 1 }])
})

it('drops sample exposures once real data is held for that month', async () => {
  await seedSample(world.app)
  await aProperty(world, team, { latitude: 33.1499, longitude: -96.8241 })
  await world.drain()
  const days = async () => (await exposures(world)).map(({ date, sample }) => [date.toISOString().slice(0, 7), sample])
  expect(await days()).toEqual(['2025-03', '2025-04', '2025-05', '2025-06', '2025-11'].map((month) => [month, true]))
  expect(await events(world)).toEqual([])
  const real = { BEGIN_YEARMONTH: '202505', END_YEARMONTH: '202505', BEGIN_DAY: '3', END_DAY: '3' }
  await storm(world, [{ EVENT_ID: '1', ...real, MAGNITUDE: '1.50' }], { file_name: details(2025, '20250901') })
  expect(await days()).toEqual([
    ['2025-06', true],
    ['2025-11', true],
    ['2025-05', false],
  ])
})

it('keeps sample exposures in a month with only context data', async () => {
  await seedSample(world.app)
  await aProperty(world, team, { latitude: 33.1499, longitude: -96.8241 })
  await world.app.pool.query(
    `INSERT INTO coverage (source, state, month) SELECT source, 'TX', '2025-05-01' FROM unnest('{nws_warnings,asos,nws_zones}'::text[]) source`,
  )
  await world.drain()
  const months = (await exposures(world)).map(({ date }) => date.toISOString().slice(0, 7))
  expect(months).toEqual(['2025-03', '2025-04', '2025-05', '2025-06', '2025-11'])
})
