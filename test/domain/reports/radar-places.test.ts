import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { deleteOldFrames } from '#domain/archive/radar/frames.ts'
import { CONUS, centreOf } from '#domain/archive/radar/grid.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { countyAt } from '#domain/geo/counties.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { compile } from '#domain/reports/compile.ts'
import { DAY } from '#test/support/clock.ts'
import { openWorld } from '#test/support/world.ts'
import { bandOf } from '../maps/centres.ts'
import { foreignValues, gridOf24Hours, gridsFolder, skipped } from '../maps/foreign-grid.ts'

const BANDS = ['0.75', '1.00', '1.25', '1.50', '1.75', '2.00', '2.50', '2.75']
const PLACES_A_BAND = 25
/** Where the hour of the reference time is: octet 17 of section 1, which follows the 16 octets of section 0. */
const HOUR_OCTET = 16 + 16

/** The grid as if its 24 hours had ended at 06:00 UTC, which is within an hour of the end of the local day where its hail is. */
function gridToSix(): Buffer {
  const bytes = Buffer.from(readFileSync(path.join(gridsFolder, gridOf24Hours)))
  expect(bytes[HOUR_OCTET]).toBe(10)
  bytes[HOUR_OCTET] = 6
  return bytes
}

interface Chosen {
  place: LocatedPlace
  mm: number
}

/** Addresses in cells of each band, away from the middle of the cell, across the whole grid. */
function chosenPlaces(values: Float64Array): Chosen[] {
  const byBand = BANDS.map((): number[] => [])
  for (const [at, mm] of values.entries()) if (bandOf(mm) > 0) byBand[bandOf(mm) - 1]?.push(at)
  return byBand.flatMap((cells) =>
    Array.from({ length: PLACES_A_BAND }, (_, nth) => {
      const at = cells[Math.floor((nth * cells.length) / PLACES_A_BAND)] as number
      const centre = centreOf({ row: Math.floor(at / CONUS.columns), column: at % CONUS.columns })
      const [latitude, longitude] = [centre.latitude + 0.003, centre.longitude - 0.004]
      const county = countyAt(latitude, longitude)
      const timezone = timezoneAt(latitude, longitude)
      const place = {
        street: '1 Made Up Way',
        city: 'Somewhere',
        state: county?.state ?? 'IL',
        postal_code: null,
        county: county?.name ?? null,
      }
      return {
        place: { ...place, county_fips: county?.fips ?? null, latitude, longitude, precision: 'point', timezone } as LocatedPlace,
        mm: values[at] as number,
      }
    }),
  )
}

const window = { start: '2024-02-26', end: '2024-02-28', radius_miles: 3 }
const request = { as_of: null, date_of_loss: '2024-02-27', plan_tier: 'business' as const }

test.skipIf(skipped)(
  `reports for 200 places give the size and band that another program decodes, with and without the stored grid${skipped}`,
  async () => {
    const world = await openWorld()
    world.clock.set('2024-02-29T12:00:00Z')
    await ingest(world.app, 'mesh', Readable.from([gridToSix()]), { file_name: 'MRMS_MESH_Max_1440min_00.50_20240228-060000.grib2' })
    await refreshMaps(world.app)
    const chosen = chosenPlaces(foreignValues(path.join(gridsFolder, gridOf24Hours)))
    expect(chosen).toHaveLength(200)
    const findFaults = async () => {
      const wrong: string[] = []
      for (const { place, mm } of chosen) {
        const report = await compile(world.app, place, window, await searchArchive(world.app, place, window), request)
        const size = (mm / 25.4).toFixed(2)
        const words = `${size} in over this location on 2024-02-27 (largest of the`
        const statement = report.findings[0]?.statement ?? ''
        const rest = statement.slice(statement.indexOf(words))
        const isBand = rest.includes(`), inside the ${BANDS[bandOf(mm) - 1]} in band`)
        const cited = report.citations.find(({ view }) => view.relevance.distance_miles === 0)?.view
        if (!statement.includes(words) || !isBand || cited?.measurements.hail_size_in !== Number(size)) wrong.push(`${mm} mm: ${statement}`)
        const [day] = (report.days ?? []).filter(({ date }) => date === '2024-02-27')
        if (!day || (day.hail.radar_in ?? 0) < Number(size) || day.hail.ground_in !== null) wrong.push(`the day: ${JSON.stringify(day)}`)
        const { summary } = report.coverage
        // Days are held by state, and one place is off every shore.
        const daysText = countyAt(place.latitude, place.longitude) ? '1 of 3 days (of 1 day the largest alone)' : '1 of 3 days'
        if (!summary?.includes(`radar held for ${daysText}.`)) wrong.push(`${summary}`)
      }
      return wrong
    }
    expect(await findFaults()).toEqual([])
    world.clock.set(new Date(Date.parse('2024-02-28T06:00:00Z') + 31 * DAY))
    expect(await deleteOldFrames(world.app, 30)).toBe(1)
    expect(await findFaults()).toEqual([])
  },
)

test.skipIf(skipped)(
  `a record from a grid with hours far beyond the day is cited with a caveat, and no figure uses it${skipped}`,
  async () => {
    const world = await openWorld()
    await ingest(world.app, 'mesh', Readable.from([readFileSync(path.join(gridsFolder, gridOf24Hours))]), { file_name: gridOf24Hours })
    await refreshMaps(world.app)
    const [{ place, mm }] = chosenPlaces(foreignValues(path.join(gridsFolder, gridOf24Hours))).slice(-1) as [Chosen]
    const report = await compile(world.app, place, window, await searchArchive(world.app, place, window), request)
    const over = report.citations.find(({ view }) => view.relevance.distance_miles === 0)?.view
    expect(over).toMatchObject({
      occurred_on: '2024-02-27',
      begins_at: '2024-02-27T10:00:00Z',
      ends_at: '2024-02-28T10:00:00Z',
      measurements: { hail_size_in: Number((mm / 25.4).toFixed(2)) },
      provenance: { evidence_kind: 'radar', qualifier: 'radar_estimated', is_observed: false },
    })
    expect(over?.provenance.caveats[0]).toMatch(/^Its hours reach [45] h beyond the local day that it counts for/)
    expect(report.findings).toMatchObject([{ confidence: 'low', peak_hail_in: null, statement: expect.not.stringContaining('in band') }])
    expect(report.headline).toMatch(/^\d records? cited, (each )?with a caveat; coverage incomplete$/)
    expect(report.days?.find(({ date }) => date === '2024-02-27')?.hail.radar_in).toBeNull()
    expect(report.coverage.summary).toContain('radar not held; 1 radar grid of the largest of 24 hours held that spans two dates')
  },
)
