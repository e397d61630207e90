import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { sampleFrames } from '#domain/archive/sample/frames.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { sourceLabel, sourceOf } from '#domain/archive/sources/index.ts'
import { archiveStatus } from '#domain/archive/status.ts'
import { locate } from '#domain/places/locate.ts'
import { processorMs } from '#test/support/processor.ts'
import { openWorld, type World } from '../../support/world.ts'
import { details, detailsText, importText } from './files.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await seedSample(world.app)
})
afterAll(() => world.close())

const { window_start: start, window_end: end, radius_miles } = sampleStorm

async function atTheSample() {
  const located = await locate(world.app, sampleStorm.address)
  if ('failure' in located) throw new Error(located.failure)
  expect(located.place).toMatchObject({ latitude: sampleStorm.latitude, longitude: sampleStorm.longitude, state: 'TX' })
  return searchArchive(world.app, located.place, { start, end, radius_miles })
}

it('shows a storm day with every kind of record at an address that can be located', async () => {
  const { records, coverage } = await atTheSample()
  const day = records.filter(({ occurred_on }) => occurred_on === sampleStorm.storm_date)
  expect(new Set(day.map(({ type }) => type))).toEqual(new Set(['hail', 'thunderstorm_wind', 'tornado', 'lightning', 'flash_flood']))
  expect(new Set(day.map(({ precision }) => precision))).toEqual(new Set(['point', 'path', 'area', 'grid']))
  expect(coverage).toMatchObject({ complete: true, provisional: false, sample: true, missing: [], sources: [{ source: 'sample' }] })
})

it('states everywhere that it is made up', async () => {
  const { records } = await atTheSample()
  for (const record of records) {
    expect(record).toMatchObject({
      source: 'sample',
      file_name: expect.stringMatching(/^sample-/),
      description: expect.stringMatching(/^Sample, made up\. /),
    })
    expect(sourceLabel(record)).toBe('Sample, made up')
    expect(sourceOf(record).methodology).toMatch(/^Made up/)
    expect(record.citation_url).not.toBe('')
  }
})

it('is seeded again at every start without a change, in under a second', async () => {
  const before = await archiveStatus(world.app)
  expect(await processorMs(() => seedSample(world.app))).toBeLessThan(1_000)
  expect(await archiveStatus(world.app)).toEqual(before)
})

it('is not used once a real record exists, however far away', async () => {
  await importText(world, detailsText({ BEGIN_YEARMONTH: '202512', BEGIN_DAY: '1' }), { file_name: details(2025, '20260618') })
  const { records, coverage } = await atTheSample()
  expect(records.map(({ source }) => source)).toEqual(['noaa_storm_events'])
  expect(coverage).toMatchObject({ sample: false, sources: [{ source: 'noaa_storm_events' }] })
})

it('once deleted stays deleted', async () => {
  expect(await deleteSource(world.app, 'sample')).toMatchObject({ source: 'sample', records: 14, others: sampleFrames().length })
  await seedSample(world.app)
  expect((await archiveStatus(world.app)).sources.map(({ slug }) => slug)).toEqual(['storm-events'])
  const { rows } = await world.app.pool.query(`SELECT count(*)::int AS left FROM record_corners WHERE source = 'sample'`)
  expect(rows).toEqual([{ left: 0 }])
  await expect(deleteSource(world.app, 'nothing')).rejects.toMatchObject({ code: 'validation_failed' })
})
