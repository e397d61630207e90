import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SearchWindow, StoredRecord } from '#domain/archive/record.ts'
import { endpointsOf } from '#domain/archive/search/index-entry.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { readRecords } from '#domain/archive/search/stored-records.ts'
import { supersede } from '#domain/evidence/supersede.ts'
import { countiesWithinRadius, statesWithinRadius } from '#domain/geo/counties.ts'
import { distanceMiles } from '#domain/geo/measure.ts'
import { distanceToArea, distanceToPath } from '#domain/geo/shape.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { type DetailsRow, details, detailsText, importReal, importText, locations2019, locationsText, present, skipped } from '../files.ts'

let world: World

const placeAt = (latitude: number, longitude: number): LocatedPlace => ({
  street: null,
  city: null,
  state: 'TX',
  postal_code: null,
  county: null,
  county_fips: null,
  latitude,
  longitude,
  precision: 'zip',
  timezone: 'America/Chicago',
})
const frisco = placeAt(33.1499, -96.8241)
const march: SearchWindow = { start: '2019-03-01', end: '2019-03-31', radius_miles: 10 }
const near = (window: Partial<SearchWindow> = {}, place = frisco) => searchArchive(world.app, place, { ...march, ...window })
const idsOf = (records: StoredRecord[]) => records.map(({ source_key }) => source_key.split('/')[1])
const found = async (window: Partial<SearchWindow> = {}, place = frisco) => idsOf((await near(window, place)).records)
const add = (...rows: DetailsRow[]) => importText(world, detailsText(...rows))
const at = (latitude: number, longitude: number, end_latitude = latitude, end_longitude = longitude) => ({
  BEGIN_LAT: String(latitude),
  BEGIN_LON: String(longitude),
  END_LAT: String(end_latitude),
  END_LON: String(end_longitude),
})

const marineReport = `NWUS52 KJAX 242256
LSRJAX

PRELIMINARY LOCAL STORM REPORT
NATIONAL WEATHER SERVICE JACKSONVILLE FL
656 PM EDT SUN MAR 24 2019

..TIME...   ...EVENT...      ...CITY LOCATION...     ...LAT.LON...
..DATE...   ....MAG....      ..COUNTY LOCATION..ST.. ...SOURCE....
            ..REMARKS..

0638 PM     MARINE TSTM WIND FERNANDINA BEACH        30.75N 81.40W
03/24/2019  M60 MPH          AMZ452             FL   MESONET

&&

$$
`

describe('a search within a circle', () => {
  beforeEach(async () => {
    await world?.close()
    world = await openWorld()
  })

  it('finds the points whose unrounded distance is at most the radius', async () => {
    await add({ EVENT_ID: '1', ...at(33.25, -96.8241) }, { EVENT_ID: '2', ...at(33.35, -96.8241) })
    const [one] = (await near()).records
    expect(one?.distance_miles).toBeCloseTo(distanceMiles(33.1499, -96.8241, 33.25, -96.8241), 12)
    expect(one).toMatchObject({ bearing_degrees: expect.closeTo(0, 6), shown_latitude: 33.25, shown_longitude: -96.8241 })
    const exact = one?.distance_miles as number
    expect(await found({ radius_miles: exact })).toEqual(['1'])
    expect(await found({ radius_miles: exact - 1e-9 })).toEqual([])
  })

  it("selects by each record's own local date, newest first", async () => {
    await add(
      { EVENT_ID: '1', BEGIN_DAY: '23' },
      { EVENT_ID: '2', BEGIN_DAY: '24', BEGIN_TIME: '1700' },
      { EVENT_ID: '3', BEGIN_DAY: '24', BEGIN_TIME: '1800' },
      { EVENT_ID: '4', BEGIN_DAY: '24', BEGIN_TIME: '1800' },
      { EVENT_ID: '5', BEGIN_DAY: '25' },
      { EVENT_ID: '6', BEGIN_DAY: '25', BEGIN_TIME: '2315' },
    )
    expect(await found({ start: '2019-03-24', end: '2019-03-25' })).toEqual(['5', '4', '3', '2'])
    expect(await found({ start: '2019-03-26', end: '2019-03-26' })).toEqual(['6'])
  })

  it('uses the nearer end of two-point wind, hail and rain, and the beginning of anything else', async () => {
    const two = at(33.6, -96.8241, 33.16, -96.8241)
    await add(
      { EVENT_ID: '1', ...two },
      { EVENT_ID: '2', EVENT_TYPE: 'Heavy Rain', MAGNITUDE: '', ...two },
      { EVENT_ID: '3', EVENT_TYPE: 'Funnel Cloud', MAGNITUDE: '', ...two },
    )
    const { records } = await near()
    expect(idsOf(records).sort()).toEqual(['1', '2'])
    expect(records[0]).toMatchObject({ shown_latitude: 33.16, latitude: 33.6 })
  })

  it('uses the nearest part of a path along its great circle, wherever the path begins', async () => {
    await add({ EVENT_ID: '1', EVENT_TYPE: 'Tornado', MAGNITUDE: '', ...at(33.1, -98, 33.1, -95.5) })
    const [tornado] = (await near({ radius_miles: 5 })).records
    expect(tornado?.distance_miles).toBeCloseTo(3.02, 1)
    expect(tornado).toMatchObject({ precision: 'path', shown_longitude: -98, bearing_degrees: expect.closeTo(180, 0) })
    expect(await found({ radius_miles: 3 })).toEqual([])
  })

  it('finds an area that it touches or that surrounds it', async () => {
    await add({ EVENT_ID: '5', EVENT_TYPE: 'Flood', MAGNITUDE: '', ...at(32.8, -97.05) })
    expect(await found()).toEqual([])
    await importText(
      world,
      locationsText({
        '5': [
          [32.8, -97.05],
          [32.8, -96.1],
          [33.5, -96.1],
          [33.5, -97.05],
        ],
      }),
      { file_name: locations2019 },
    )
    expect((await near({ radius_miles: 1 })).records[0]).toMatchObject({
      precision: 'area',
      distance_miles: 0,
      bearing_degrees: 0,
      shown_latitude: 32.8,
    })
  })

  it('finds the county rows of the counties that it touches, without a distance', async () => {
    const county = { BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' }
    await add(
      { EVENT_ID: '1', ...county },
      { EVENT_ID: '2', ...county, CZ_FIPS: '121', CZ_NAME: 'DENTON' },
      { EVENT_ID: '3', ...county, CZ_FIPS: '113', CZ_NAME: 'DALLAS' },
    )
    const { records } = await near({ radius_miles: 3 })
    expect(records[0]).toMatchObject({ distance_miles: null, bearing_degrees: null, shown_latitude: null, precision: 'county' })
    expect(idsOf(records)).toEqual(countiesWithinRadius(33.1499, -96.8241, 3).includes('48121') ? ['2', '1'] : ['1'])
    expect((await found({ radius_miles: 20 })).sort()).toEqual(['1', '2', '3'])
  })

  it('finds zone rows only if the table of zones is held', async () => {
    await add({
      EVENT_ID: '1',
      EVENT_TYPE: 'Winter Storm',
      MAGNITUDE: '',
      CZ_TYPE: 'Z',
      CZ_FIPS: '104',
      BEGIN_LAT: '',
      BEGIN_LON: '',
      END_LAT: '',
      END_LON: '',
    })
    const before = await near()
    expect([idsOf(before.records), before.coverage.unplaced_zones]).toEqual([
      [],
      [{ state: 'TX', records: 1, types: [{ type: 'winter_storm', records: 1 }], table_held: false }],
    ])
    await importText(world, 'TX|104|FWD|Collin|TX104|Collin|48085|C|nc|33.18|-96.57\n', { file_name: 'zones.dbx' }, 'zones')
    const after = await near()
    expect([idsOf(after.records), after.coverage.unplaced_zones]).toEqual([['1'], []])
    expect(after.records[0]).toMatchObject({ precision: 'zone', distance_miles: null })
  })

  it('never finds withdrawn rows', async () => {
    await add({ EVENT_ID: '1' }, { EVENT_ID: '2', BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' }, { EVENT_ID: '3' })
    await importText(world, detailsText({ EVENT_ID: '3' }), { file_name: details(2019, '20190917'), whole_year: true })
    expect(await found()).toEqual(['3'])
  })

  it('works across the antimeridian', async () => {
    await add({ EVENT_ID: '1', STATE: 'ALASKA', CZ_FIPS: '16', CZ_TIMEZONE: 'HST-10', ...at(51.9, 179.95) })
    expect(await found({}, placeAt(51.9, -179.99))).toEqual(['1'])
  })

  it('leaves out a preliminary report at sea that is filed under a state beyond the circle, once the final record is there', async () => {
    const cumberland = { ...placeAt(30.85, -81.44), state: 'GA', timezone: 'America/New_York' }
    const cited = async (as_of: Date | null = null) => {
      const { records, coverage } = await searchArchive(world.app, cumberland, { ...march, radius_miles: 9 }, as_of)
      return supersede(records, coverage.horizons).map(({ source, state }) => [source, state])
    }
    await importText(world, marineReport, { file_name: 'LSRJAX.txt' }, 'local-reports')
    expect(statesWithinRadius(cumberland.latitude, cumberland.longitude, 9)).toEqual(['GA'])
    expect(await cited()).toEqual([['nws_lsr', 'FL']])
    const before = world.clock.now()
    world.clock.advance(60_000)
    await add({
      EVENT_TYPE: 'Marine Thunderstorm Wind',
      STATE: 'ATLANTIC SOUTH',
      STATE_FIPS: '87',
      CZ_TYPE: 'Z',
      CZ_FIPS: '452',
      CZ_NAME: 'FERNANDINA BEACH TO ST AUGUSTINE FL OUT 20NM',
      CZ_TIMEZONE: 'EST-5',
      MAGNITUDE: '50',
      MAGNITUDE_TYPE: 'MG',
      ...at(30.75, -81.4),
    })
    expect(await cited()).toEqual([['noaa_storm_events', null]])
    expect(await cited(before)).toEqual([['nws_lsr', 'FL']])
  })

  it('names events that were already running when the window began', async () => {
    const flood = { EVENT_TYPE: 'Flood', MAGNITUDE: '', BEGIN_DAY: '20' }
    await add(
      { ...flood, EVENT_ID: '1', END_DAY: '24', END_TIME: '1200' },
      { ...flood, EVENT_ID: '2', END_DAY: '23', END_TIME: '2200' },
      { ...flood, EVENT_ID: '3', END_DAY: '23', END_TIME: '2300' },
      { ...flood, EVENT_ID: '4', END_DAY: '25', BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' },
      { ...flood, EVENT_ID: '5', END_DAY: '28', ...at(36, -96) },
      // Hail that lasts eight days: one of its two times is wrong.
      { EVENT_ID: '6', BEGIN_DAY: '20', END_DAY: '28' },
    )
    const { records, coverage } = await near({ start: '2019-03-24' })
    expect(records).toEqual([])
    expect(coverage.running_into.map(({ type, occurred_on, ends_at }) => `${type} ${occurred_on} ${ends_at.toISOString()}`).sort()).toEqual(
      ['flood 2019-03-20 2019-03-24T18:00:00.000Z', 'flood 2019-03-20 2019-03-25T23:35:00.000Z'],
    )
  })

  it("counts hourly values of stations within 25 miles, on the place's local days, and returns their severe gusts", async () => {
    await world.app.pool.query(`
      INSERT INTO stations (id, latitude, longitude, cell) VALUES ('KDFW', 32.9, -97.02, 706332), ('KACT', 31.6, -97.2, 0)`)
    await world.app.pool.query(`UPDATE stations SET cell = (floor((latitude + 90) * 4) * 1440 + floor((longitude + 180) * 4))::int`)
    await world.app.pool.query('SELECT add_observation_year(2019)')
    await world.app.pool.query(`
      INSERT INTO observations (station_id, observed_at, wind_gust_mph, precipitation_in)
      VALUES ('KDFW', '2019-03-24T05:00Z', 60, null), ('KDFW', '2019-03-24T04:59Z', 61, null), ('KDFW', '2019-03-25T04:59Z', 62, 0.1),
             ('KDFW', '2019-03-24T06:00Z', 57, null), ('KDFW', '2019-03-24T07:00Z', null, 0.2), ('KACT', '2019-03-24T12:00Z', 63, null)`)
    const { observations } = await near({ start: '2019-03-24', end: '2019-03-24' })
    expect(observations.count).toBe(4)
    expect(observations.gusts.map(({ station_id, wind_gust_mph }) => [station_id, wind_gust_mph])).toEqual([
      ['KDFW', 62],
      ['KDFW', 60],
    ])
    expect(observations.gusts[0]?.distance_miles).toBeCloseTo(20.6, 0)
  })
})

describe.skipIf(!present)(`the agency's own records${skipped}`, () => {
  beforeAll(async () => {
    await world?.close()
    world = await openWorld()
    for (const name of [details(2019), locations2019, details(1991), details(1993)]) await importReal(world, name)
  })

  it('include the hail of 2.75 in at Frisco on 24 March 2019', async () => {
    const { records, coverage } = await near({ start: '2019-03-24', end: '2019-03-24', radius_miles: 5 })
    expect(
      records.map(({ type, hail_size_in, distance_miles }) => [type, hail_size_in, Math.round((distance_miles ?? 0) * 100) / 100]),
    ).toEqual([
      ['hail', 2, 3.77],
      ['hail', 2.75, 3.28],
      ['hail', 1.75, 0.82],
      ['hail', 1.75, 3.17],
      ['hail', 1.75, 4.77],
    ])
    expect(coverage).toMatchObject({ complete: true, provisional: false, horizons: { TX: '2019-03-31' } })
  })

  it('are found exactly as by checking every record', async () => {
    const { rows } = await world.app.pool.query<{ id: number }>('SELECT id FROM archive_records ORDER BY id')
    const all = await readRecords(
      world.app.pool,
      rows.map(({ id }) => id),
    )
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    for (let turn = 0; turn < 60; turn++) {
      const one = all[Math.floor(random() * all.length)] as StoredRecord
      const place = placeAt(
        Number(((one.latitude ?? 30 + random() * 15) + random() - 0.5).toFixed(5)),
        Number(((one.longitude ?? -100 + random() * 20) + random() - 0.5).toFixed(5)),
      )
      const radius_miles = [1, 5, 10, 25, 50, 100][turn % 6] as number
      const window = { start: one.occurred_on, end: turn % 2 ? '2019-03-31' : one.occurred_on, radius_miles }
      const counties = new Set(countiesWithinRadius(place.latitude, place.longitude, radius_miles))
      const expected = all.filter(
        (record) =>
          record.occurred_on >= window.start && record.occurred_on <= window.end && reaches(place, record, counties, radius_miles),
      )
      const { records } = await searchArchive(world.app, place, window)
      expect(idsOf(records).sort()).toEqual(idsOf(expected).sort())
    }
  })
})

function reaches(place: LocatedPlace, record: StoredRecord, counties: Set<string>, radius_miles: number): boolean {
  if (record.precision === 'county') return counties.has(record.county_fips as string)
  if (record.precision === 'zone') return false
  if (record.precision === 'path') return distanceToPath(place, endpointsOf(record)).miles <= radius_miles
  if (record.precision === 'area') return distanceToArea(place, record.corners as [number, number][]).miles <= radius_miles
  return endpointsOf(record).some(
    ([longitude, latitude]) => distanceMiles(place.latitude, place.longitude, latitude, longitude) <= radius_miles,
  )
}
