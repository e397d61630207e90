import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { rejectImpossible } from '#domain/archive/ingest/reject-impossible.ts'
import { isSuspect, isSuspectBeyondExtent } from '#domain/archive/plausibility.ts'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { readRecords } from '#domain/archive/search/stored-records.ts'
import { localReports } from '#domain/archive/sources/local-reports.ts'
import { type Batch, emptyBatch, type Source } from '#domain/archive/sources/source.ts'
import { spcReports } from '#domain/archive/sources/spc-reports.ts'
import { openWorld, type World } from '../../support/world.ts'
import {
  type DetailsRow,
  details,
  detailsText,
  importText,
  locations2019,
  locationsText,
  present,
  readText,
  recordsOf,
  skipped,
} from './files.ts'
import { readAlerts } from './warnings/alerts.ts'

/** Returns the caveats of one row of Storm Events. */
async function caveatsOf(row: DetailsRow, file_name?: string): Promise<string[]> {
  return (await recordOf(row, file_name)).caveats
}

async function recordOf(row: DetailsRow, file_name?: string): Promise<ArchiveRecord> {
  const { records, rejections } = await readText(detailsText(row), file_name)
  expect(rejections).toEqual([])
  return records[0] as ArchiveRecord
}

const reasonOf = async (row: DetailsRow, file_name?: string) => (await readText(detailsText(row), file_name)).rejections[0]?.reason

describe('a point', () => {
  it('gets a caveat more than 20 miles outside the county that the row names', async () => {
    // The north edge of Collin County is at 33.405.
    expect(await caveatsOf({ BEGIN_LAT: '33.68', BEGIN_LON: '-96.5', END_LAT: '', END_LON: '' })).toEqual([])
    expect(await recordOf({ BEGIN_LAT: '33.7', BEGIN_LON: '-96.5', END_LAT: '', END_LON: '' })).toMatchObject({
      caveats: ['The point lies 20.7 mi outside the county that the source names (Collin, TX).'],
      latitude: 33.7,
      county: 'Collin',
      precision: 'point',
    })
  })

  it('is replaced by the county if its sign is lost or its coordinates are swapped', async () => {
    const withoutCoordinates = {
      latitude: null,
      longitude: null,
      end_latitude: null,
      end_longitude: null,
      precision: 'county',
      county_mismatch: null,
    }
    const countyOnly = (county: string) => ({
      ...withoutCoordinates,
      caveats: [expect.stringMatching(new RegExp(`^The point lies \\d{4} mi outside the .*\\(${county}\\); only the county is used\\.$`))],
    })
    const late = { BEGIN_TIME: '2230', END_TIME: '2240' }
    for (const row of [
      { BEGIN_LON: '96.82', END_LON: '96.82' },
      { BEGIN_LAT: '-33.15', END_LAT: '-33.15' },
      { BEGIN_LAT: '0', END_LAT: '0', BEGIN_LON: '-60', END_LON: '-60' },
    ])
      expect(await recordOf({ ...late, ...row })).toMatchObject({
        ...countyOnly('Collin, TX'),
        county_fips: '48085',
        occurred_on: '2019-03-24',
      })
    const swapped = { STATE: 'MAINE', CZ_FIPS: '19', CZ_NAME: 'PENOBSCOT', CZ_TIMEZONE: 'EST-5', BEGIN_LAT: '-68.7', BEGIN_LON: '45.2' }
    expect(await recordOf({ ...swapped, END_LAT: '-68.7', END_LON: '45.2' })).toMatchObject(countyOnly('Penobscot, ME'))
  })

  it('may be in any of several counties that the row names', async () => {
    // Lenoir City is in the second county, 22 miles from the first.
    const row = { STATE: 'TENNESSEE', CZ_FIPS: '9', CZ_TIMEZONE: 'EST', BEGIN_LAT: '35.78', BEGIN_LON: '-84.57', END_LAT: '', END_LON: '' }
    expect(await caveatsOf({ ...row, CZ_NAME: 'BLOUNT AND LOUDON' })).toEqual([])
    expect(await caveatsOf({ ...row, CZ_NAME: 'BLOUNT' })).toEqual([
      'The point lies 22.0 mi outside the county that the source names (Blount, TN).',
    ])
    expect(await caveatsOf({ ...row, CZ_NAME: 'BLOUNT AND SHELBY' })).toEqual([
      'The point lies 22.0 mi outside the counties that the source names (Blount and Shelby, TN).',
    ])
  })

  it('is not checked in a county that is not on the map, at sea, or in a forecast zone', async () => {
    const far = { BEGIN_LAT: '40', BEGIN_LON: '-80', END_LAT: '', END_LON: '' }
    expect(await caveatsOf({ ...far, CZ_FIPS: '999', CZ_NAME: 'NOWHERE' })).toEqual([])
    expect(await caveatsOf({ ...far, CZ_TYPE: 'Z' })).toEqual([])
    expect(await caveatsOf({ ...far, CZ_TYPE: 'M', STATE: 'GULF OF MEXICO' })).toEqual([])
    // The map does not have the number, but it has the name.
    expect((await caveatsOf({ ...far, CZ_FIPS: '999', CZ_NAME: 'DENTON' }))[0]).toMatch(
      /^The point lies 1036 mi outside the county that the source names \(Denton, TX\)/,
    )
  })

  it('of a second place is dropped if it is far outside the county', async () => {
    expect(await recordOf({ END_LAT: '33.20', END_LON: '-96.70' })).toMatchObject({ end_latitude: 33.2, caveats: [] })
    expect(await recordOf({ END_LAT: '35.20', END_LON: '-96.70' })).toMatchObject({
      latitude: 33.15,
      end_latitude: null,
      end_longitude: null,
      caveats: ['The second point lies 124 mi outside the county that the source names (Collin, TX); only the first is used.'],
    })
  })
})

describe('a county', () => {
  const withoutCoordinates = { STATE: 'IOWA', CZ_FIPS: '41', BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' }

  it('gets a caveat if its number and its name are of different counties', async () => {
    expect(await recordOf({ ...withoutCoordinates, CZ_NAME: 'CLAYTON' })).toMatchObject({
      precision: 'county',
      county_fips: '19041',
      county: 'Clay',
      caveats: ['The source gives the number of one county (Clay, IA) and the name of another (Clayton, IA): either may be meant.'],
    })
    for (const CZ_NAME of ['CLAY', 'CLAY CO.', 'CLAY AND DICKINSON', 'PALO ALTO AND CLAY', 'CALY', ''])
      expect([CZ_NAME, await caveatsOf({ ...withoutCoordinates, CZ_NAME })]).toEqual([CZ_NAME, []])
    const baltimore = { ...withoutCoordinates, STATE: 'MARYLAND', CZ_TIMEZONE: 'EST-5' }
    expect(await caveatsOf({ ...baltimore, CZ_FIPS: '510', CZ_NAME: 'BALTIMORE CITY (C)' })).toEqual([])
    expect(await caveatsOf({ ...baltimore, CZ_FIPS: '35', CZ_NAME: "QUEEN ANNE'S" })).toEqual([])
    expect(await caveatsOf({ ...withoutCoordinates, STATE: 'INDIANA', CZ_FIPS: '91', CZ_NAME: 'LA PORTE' })).toEqual([])
  })

  it('without a number may be a forecast zone', async () => {
    const row = { ...withoutCoordinates, STATE: 'FLORIDA', CZ_FIPS: '0', CZ_TIMEZONE: 'EST' }
    expect(await recordOf({ ...row, CZ_NAME: 'FLZ050' })).toMatchObject({
      precision: 'zone',
      zone: 'FLZ050',
      county: null,
      county_fips: null,
    })
    expect(await recordOf({ ...row, CZ_NAME: 'FLZ001 - 023' })).toMatchObject({ precision: 'zone', zone: null, state: 'FL' })
    expect(await recordOf({ ...row, CZ_NAME: 'TAMPA BAY' })).toMatchObject({ precision: 'zone', zone: null, county_fips: '12000' })
  })

  it('that is a forecast zone keeps its own time zone if most of its state uses another', async () => {
    const zone = { CZ_TYPE: 'Z', CZ_FIPS: '418', CZ_NAME: 'WESTERN EL PASO COUNTY', BEGIN_LAT: '', BEGIN_LON: '', BEGIN_TIME: '2330' }
    const row = { ...zone, EVENT_TYPE: 'High Wind', MAGNITUDE: '50', MAGNITUDE_TYPE: 'EG', END_TIME: '2359' }
    expect(await recordOf({ ...row, BEGIN_YEARMONTH: '201901', CZ_TIMEZONE: 'MST-7' })).toMatchObject({ occurred_on: '2019-01-24' })
    expect(await recordOf({ ...row, CZ_TIMEZONE: 'MST-7' })).toMatchObject({ occurred_on: '2019-03-25' })
    expect(await recordOf({ ...row, CZ_TIMEZONE: 'CST-6' })).toMatchObject({ occurred_on: '2019-03-25' })
    const arizona = { ...row, STATE: 'ARIZONA', CZ_TIMEZONE: 'MST-7' }
    expect(await recordOf(arizona)).toMatchObject({ occurred_on: '2019-03-24' })
  })
})

describe('a path', () => {
  const tornado = { EVENT_TYPE: 'Tornado', MAGNITUDE: '', TOR_F_SCALE: 'EF1', END_LON: '-96.82' }

  it('with ends farther apart than 1.5 times its length plus 3 miles becomes a point', async () => {
    // 0.13 degrees are 8.98 miles, 0.131 are 9.05.
    expect(await recordOf({ ...tornado, TOR_LENGTH: '4', END_LAT: '33.28' })).toMatchObject({
      precision: 'path',
      caveats: [],
      end_latitude: 33.28,
    })
    expect(await recordOf({ ...tornado, TOR_LENGTH: '4', END_LAT: '33.281' })).toMatchObject({
      precision: 'point',
      latitude: 33.15,
      end_latitude: null,
      caveats: ['The two ends of the path lie 9.1 mi apart, but the source gives a length of 4 mi; only where it began is used.'],
    })
    expect((await recordOf({ ...tornado, TOR_LENGTH: '0', END_LAT: '33.2' })).precision).toBe('point')
  })

  it('without a stated length may be as long as the longest tornado on record', async () => {
    expect(await recordOf({ ...tornado, TOR_LENGTH: '', END_LAT: '36.2' })).toMatchObject({ precision: 'path', caveats: [] })
    expect(await recordOf({ ...tornado, TOR_LENGTH: '', END_LAT: '36.4' })).toMatchObject({
      precision: 'point',
      caveats: ['The two ends of the path lie 225 mi apart, farther than any tornado on record went; only where it began is used.'],
    })
  })

  it('must have a valid length', async () => {
    expect(await reasonOf({ ...tornado, TOR_LENGTH: 'long' })).toBe('TOR_LENGTH "long" is not a length')
    expect(await reasonOf({ ...tornado, TOR_LENGTH: '-2' })).toBe('TOR_LENGTH "-2" is not a length')
  })
})

describe('a time', () => {
  const file1992 = details(1992)

  it('of wind in 1992 is unsure if the file gives PST', async () => {
    const row = { EVENT_TYPE: 'Thunderstorm Wind', BEGIN_YEARMONTH: '199206', END_YEARMONTH: '199206', CZ_TIMEZONE: 'PST' }
    const unsure = [
      "The time zone is unsure: the source's file of 1992 says PST for thunderstorm wind in every state. The time is read as Central Standard Time (UTC-6), in which it agrees with the hail of the same storms.",
    ]
    expect(await caveatsOf({ ...row, MAGNITUDE: '50' }, file1992)).toEqual(unsure)
    expect(await caveatsOf({ ...row, EVENT_TYPE: 'Hail' }, file1992)).toEqual([])
    expect(await caveatsOf({ ...row, MAGNITUDE: '50', CZ_TIMEZONE: 'CST' }, file1992)).toEqual([])
    expect(await caveatsOf({ ...row, MAGNITUDE: '50', BEGIN_YEARMONTH: '199106', END_YEARMONTH: '199106' }, details(1991))).toEqual([])
  })

  it('that ends before it begins loses its end and gets a caveat', async () => {
    expect(await recordOf({ END_DAY: '11', END_TIME: '5' })).toMatchObject({
      ends_at: null,
      caveats: [
        'The source gives an end (2019-03-11 00:05) before the beginning (2019-03-24 17:35): one of the two is wrong, and the end is left out.',
      ],
    })
  })

  it('that ends after the file was compiled loses its end and gets a caveat', async () => {
    expect(await recordOf({ END_YEARMONTH: '209903' })).toMatchObject({
      ends_at: null,
      caveats: ['The source gives an end (2099-03-24 17:35) after its file was compiled (2019-06-17): it is wrong, and left out.'],
    })
  })

  it('of a thunderstorm that lasts for days gets a caveat', async () => {
    expect(await caveatsOf({ END_DAY: '25', END_TIME: '1735' })).toEqual([])
    expect(await recordOf({ END_DAY: '29', END_TIME: '1735' })).toMatchObject({
      ends_at: new Date('2019-03-29T23:35:00Z'),
      caveats: ['The source gives 120 hours from beginning to end, too long for a thunderstorm: one of the two times may be wrong.'],
    })
    expect(await caveatsOf({ EVENT_TYPE: 'Heavy Rain', MAGNITUDE: '', END_DAY: '29' })).toEqual([])
  })

  it('after the file was compiled is refused', async () => {
    expect(await reasonOf({ BEGIN_YEARMONTH: '201907' })).toBe('it begins on 2019-07-24, after its file was compiled on 2019-06-17')
    expect(await reasonOf({ BEGIN_YEARMONTH: '201906', BEGIN_DAY: '17' })).toBeUndefined()
  })
})

describe('a magnitude', () => {
  const wind = { EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE_TYPE: 'EG' }

  it.each([
    ['8.00', []],
    ['8.25', ['Hail of 8.25 in is larger than any measured in the United States (8.00 in, Vivian, South Dakota, 2010).']],
    ['.20', []],
    ['.01', ['Hail of 0.01 in is too small to be hail (5 mm, 0.20 in, at least).']],
    ['0', []],
  ])('of hail of %s in gets the expected caveats', async (MAGNITUDE, caveats) => {
    expect(await caveatsOf({ MAGNITUDE })).toEqual(caveats)
  })

  it.each([
    [wind, '130', []],
    // A hail size in hundredths of an inch, in the column for knots.
    [
      wind,
      '175',
      ['A thunderstorm wind of 201 mph is stronger than any measured in the United States (150 mph, Andrews Air Force Base, 1983).'],
    ],
    [{ EVENT_TYPE: 'High Wind', MAGNITUDE_TYPE: 'MG' }, '175', []],
    [
      { EVENT_TYPE: 'High Wind', MAGNITUDE_TYPE: 'MS' },
      '210',
      ['A wind of 242 mph is stronger than any measured in the United States (231 mph, Mount Washington, 1934).'],
    ],
    [wind, '17', []],
    // A hail size in inches, in the column for knots.
    [wind, '1.75', ['A wind of 2 mph is weaker than a fresh breeze (Beaufort 5, 19 mph at least): the figure may be mistaken.']],
    [
      { EVENT_TYPE: 'Strong Wind', MAGNITUDE_TYPE: 'MS' },
      '16',
      ['A wind of 18 mph is weaker than a fresh breeze (Beaufort 5, 19 mph at least): the figure may be mistaken.'],
    ],
  ])('of wind gets the expected caveats: %j with %s knots', async (row, MAGNITUDE, caveats) => {
    expect(await caveatsOf({ ...row, MAGNITUDE })).toEqual(caveats)
  })

  it('that is impossible is refused by name', async () => {
    expect(await reasonOf({ MAGNITUDE: '175' })).toBe('hail of 175 in is larger than any on record')
    expect(await reasonOf({ MAGNITUDE: '10.01' })).toBe('hail of 10.01 in is larger than any on record')
    expect(await reasonOf({ ...wind, MAGNITUDE: '300' })).toBe('a wind of 345 mph is stronger than any on record')
  })
})

test('several caveats are listed in order', async () => {
  const wind = { EVENT_TYPE: 'Thunderstorm Wind', CZ_TIMEZONE: 'PST', MAGNITUDE: '9' }
  const row = { ...wind, BEGIN_YEARMONTH: '199206', END_YEARMONTH: '199205', BEGIN_LAT: '34', END_LAT: '34' }
  expect((await caveatsOf(row, details(1992))).map((caveat) => caveat.split(' ').slice(0, 3).join(' '))).toEqual([
    'The point lies',
    'The time zone',
    'The source gives',
    'A wind of',
  ])
})

describe('the predicates', () => {
  const corners = 'The corners of the flooded area are not held; only where the flood began is used.'

  it('treat a record with a caveat as doubted, except for a flood that only lacks corners', () => {
    expect(isSuspect({ caveats: [] })).toBe(false)
    expect(isSuspect({ caveats: [corners] })).toBe(true)
    expect(isSuspectBeyondExtent({ caveats: [corners] })).toBe(false)
    expect(isSuspectBeyondExtent({ caveats: [corners, 'Its time is unsure.'] })).toBe(true)
  })
})

test('refuses a radar grid with impossible hail', () => {
  const frame = (size_mm: number) => frameOfCells(new Date('2025-05-28T23:00:00Z'), [{ row: 2_184, column: 3_317, size_mm }])
  const batch = { ...emptyBatch(2), frames: [frame(254), frame(300)] }
  expect(rejectImpossible(batch, new Date('2025-05-29T00:00:00Z'))).toMatchObject({
    frames: [{ peak_mm: 254 }],
    rejections: [{ row: 'the frame', reason: 'its hail of 11.81 in is larger than any on record' }],
  })
})

describe('stored records', () => {
  let world: World
  const flood = { EVENT_ID: '5', EVENT_TYPE: 'Flood', MAGNITUDE: '', BEGIN_LAT: '33.1', BEGIN_LON: '-96.8', END_LAT: '', END_LON: '' }
  const around: [number, number][] = [
    [33.1, -96.8],
    [33.1, -96.7],
    [33.2, -96.7],
  ]
  const astray: [number, number][] = [...around, [35.2, -96.7]]
  const add = (...rows: DetailsRow[]) => importText(world, detailsText(...rows))
  const locate = (corners: [number, number][], file_name = locations2019) =>
    importText(world, locationsText({ '5': corners }), { file_name })

  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.owner.query('TRUNCATE archive_records, record_cells, record_corners, coverage CASCADE'))

  const ids = async () =>
    (await world.app.pool.query<{ id: number }>('SELECT id FROM archive_records ORDER BY id')).rows.map(({ id }) => id)
  const storedRecords = async (column: string) =>
    (await world.app.pool.query(`SELECT ${column} FROM archive_records ORDER BY source_key`)).rows as Record<string, never>[]

  it('a flood has a caveat until its corners arrive, in any order of the files', async () => {
    await add(flood)
    expect(await storedRecords('precision, corners, caveats')).toEqual([
      { precision: 'point', corners: null, caveats: ['The corners of the flooded area are not held; only where the flood began is used.'] },
    ])
    await locate(around)
    const details_first = await storedRecords('precision, corners, caveats')
    expect(details_first).toMatchObject([{ precision: 'area', caveats: [] }])
    expect(await add(flood)).toMatchObject({ updated: 0, unchanged: 1 })

    await world.owner.query('TRUNCATE archive_records, record_cells, record_corners CASCADE')
    await locate(around)
    await add(flood)
    expect(await storedRecords('precision, corners, caveats')).toEqual(details_first)
  })

  it('a corner far outside the county is reported and the area is not used, in any order of the files', async () => {
    const expected = [
      {
        precision: 'point',
        corners: null,
        caveats: [
          'A corner of the flooded area lies 124 mi outside the county that the source names (Collin, TX); only where the flood began is used.',
        ],
      },
    ]
    await add(flood)
    await locate(astray)
    expect(await storedRecords('precision, corners, caveats')).toEqual(expected)
    await locate(around, locations2019.replace('0617', '0717'))
    expect(await storedRecords('precision, caveats')).toEqual([{ precision: 'area', caveats: [] }])

    await world.owner.query('TRUNCATE archive_records, record_cells, record_corners CASCADE')
    await locate(astray)
    await add(flood)
    expect(await storedRecords('precision, corners, caveats')).toEqual(expected)
  })

  it('other caveats of a flood stay when its corners arrive', async () => {
    await add({ ...flood, BEGIN_LAT: '35.1' })
    expect((await storedRecords('caveats'))[0]?.caveats).toHaveLength(2)
    await locate(around)
    expect(await storedRecords('precision, caveats')).toEqual([
      { precision: 'area', caveats: ['The point lies 117 mi outside the county that the source names (Collin, TX).'] },
    ])
  })

  it('caveats with quotes, commas and backslashes are read back unchanged', async () => {
    const caveats = ['Said "so", {twice}; a\\b\nand a tab\t.', '', 'NULL']
    await add({ EVENT_ID: '1' })
    await world.app.pool.query('UPDATE archive_records SET caveats = $1', [caveats])
    await add({ EVENT_ID: '2', CZ_NAME: 'COLLIN', BEGIN_LAT: '34', END_LAT: '34', END_LON: '-96.81' })
    const rows = await readRecords(world.app.pool, await ids())
    expect(rows.map((row) => row.caveats)).toEqual([
      caveats,
      [
        'The point lies 41.1 mi outside the county that the source names (Collin, TX).',
        'The second point lies 41.1 mi outside the county that the source names (Collin, TX); only the first is used.',
      ],
    ])
  })

  it('a time in the future is refused by name, whatever the source', async () => {
    world.clock.set('2019-06-20T00:00:00Z')
    const rows = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', BEGIN_YEARMONTH: '203503' })
    const summary = await importText(world, rows, { file_name: 'details.csv' })
    expect(summary).toMatchObject({ rows: 2, inserted: 1, rejected: 1 })
    expect(summary.rejections).toEqual([{ row: '2035/2', reason: 'its time, 2035-03-24T23:35Z, is in the future' }])
    const ahead = 'Time,Size,Location,County,State,Lat,Lon,Comments\n1800,175,2 N FRISCO,COLLIN,TX,33.18,-96.82,\n'
    await expect(importText(world, ahead, { file_name: '190621_rpts_hail.csv' }, 'spc-reports')).rejects.toMatchObject({
      details: { errors: { file: [expect.stringMatching(/^No row of this file can be used\. .* is in the future\.$/)] } },
    })
    expect(await importText(world, ahead, { file_name: '190619_rpts_hail.csv' }, 'spc-reports')).toMatchObject({ inserted: 1, rejected: 0 })
    const [sooner, later] = ['2019-06-19T23:00:00Z', '2019-06-22T00:00:00Z']
    expect((await readAlerts(world, { action: 'NEW', sent: sooner }, { action: 'CON', sent: later })).rejections).toEqual([
      { row: `urn:oid:CON.142.${later}.Dallas, TX`, reason: 'its time, 2019-06-22T00:00Z, is in the future' },
    ])
    const restated = emptyBatch(1)
    restated.records.push({ ...(await recordOf({})), issued_at: new Date(later) })
    expect(rejectImpossible(restated, world.clock.now())).toMatchObject({ records: [], rejections: [{ row: '2019/1' }] })
    const unended = emptyBatch(1)
    unended.records.push({ ...(await recordOf({})), ends_at: new Date(later) })
    expect(rejectImpossible(unended, world.clock.now())).toMatchObject({ records: [], rejections: [{ row: '2019/1' }] })
  })

  const reportAt = (city: string) => ({
    properties: { valid: '2025-06-05T22:07:00Z', city, county: 'Collin', st: 'TX', typetext: 'HAIL', wfo: 'FWD' },
    geometry: { type: 'Point', coordinates: [-96.82, 33.18] },
  })

  it.each<[string, string, (name: string) => string]>([
    ['local-reports', 'lsr.geojson', (city) => JSON.stringify({ features: ['2 N FRISCO', city].map(reportAt) })],
    [
      'spc-reports',
      '250605_rpts_hail.csv',
      (county) =>
        `Time,Size,Location,County,State,Lat,Lon,Comments\n${['COLLIN', county].map((name) => `1800,175,FRISCO,${name},TX,33.18,-96.82,\n`).join('')}`,
    ],
  ])('of %s with a key too long for the index is refused by name, and the others are stored', async (slug, file_name, fileWith) => {
    world.clock.set('2025-06-20T00:00:00Z')
    const name = randomBytes(4_000).toString('hex').toUpperCase()
    const summary = await importText(world, fileWith(name), { file_name }, slug)
    expect(summary).toMatchObject({ inserted: 1, rejected: 1, rejections: [{ reason: 'the names in it have more than 500 characters' }] })
  })

  it('an impossible wind of a station is refused by name', async () => {
    world.clock.set('2025-06-20T00:00:00Z')
    const observation = (timestamp: string, value: number) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-96.8, 33.1] },
      properties: { station: 'https://api.weather.gov/stations/KXXX', timestamp, windGust: { unitCode: 'wmoUnit:km_h-1', value } },
    })
    const features = [
      observation('2025-06-05T22:00:00Z', 100),
      observation('2025-06-05T23:00:00Z', 500),
      observation('2026-06-05T23:00:00Z', 100),
    ]
    const summary = await importText(world, JSON.stringify({ features }), { file_name: 'observations.json' }, 'observations')
    expect(summary.rejections).toEqual([
      { row: 'KXXX', reason: 'a wind of 311 mph is stronger than any on record' },
      { row: 'KXXX', reason: 'its time, 2026-06-05T23:00Z, is in the future' },
    ])
    expect((await world.app.pool.query('SELECT wind_gust_mph FROM observations')).rows).toEqual([{ wind_gust_mph: 62 }])
  })

  it('rows stored before plausibility checks are checked on the next import, and change only if they get a caveat', async () => {
    await add({ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '9' })
    await world.app.pool.query('UPDATE archive_records SET caveats = NULL')
    expect((await readRecords(world.app.pool, await ids())).map(({ caveats, judged }) => [caveats, judged])).toEqual([
      [[], false],
      [[], false],
    ])
    expect(await add({ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '9' })).toMatchObject({ updated: 1, unchanged: 1 })
    expect((await readRecords(world.app.pool, await ids())).map(({ caveats, judged }) => [caveats.length, judged])).toEqual([
      [0, true],
      [1, true],
    ])
  })

  it('corners that arrive for such a row do not check the rest of it', async () => {
    await add(flood)
    await world.app.pool.query('UPDATE archive_records SET caveats = NULL')
    await locate(around)
    expect(await storedRecords('precision, caveats')).toEqual([{ precision: 'area', caveats: null }])
  })
})

async function read(source: Source, file_name: string, text: string): Promise<Batch> {
  const { batches } = await source.read({ file_name, bytes: Readable.from([Buffer.from(text)]) })
  for await (const batch of batches) return batch
  throw new Error('nothing was read')
}

describe('a report of the Storm Prediction Center', () => {
  const hail = (line: string) => read(spcReports, '240513_rpts_hail.csv', `Time,Size,Location,County,State,Lat,Lon,Comments\n${line}\n`)
  const wind = (line: string) => read(spcReports, '240513_rpts_wind.csv', `Time,Speed,Location,County,State,Lat,Lon,Comments\n${line}\n`)
  const tornado = (line: string) =>
    read(spcReports, '240513_rpts_torn.csv', `Time,F_Scale,Location,County,State,Lat,Lon,Comments\n${line}\n`)

  it('gets a caveat far outside the county that it names', async () => {
    expect((await hail('1800,175,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).records).toMatchObject([{ county_fips: '48085', caveats: [] }])
    expect((await hail('1800,175,2 N FRISCO,COLLIN,TX,36.18,-96.82,')).records).toMatchObject([
      { county: 'COLLIN', county_fips: null, caveats: ['The point lies 192 mi outside the county that the source names (Collin, TX).'] },
    ])
    // A lost sign; a name of no county in the state; a county of that name in another state.
    expect((await hail('1800,175,2 N FRISCO,COLLIN,TX,33.18,96.82,')).records[0]?.caveats[0]).toMatch(/^The point lies \d{4} mi outside/)
    expect((await hail('1800,175,2 N FRISCO,WINNEBAGO,TX,43.42,-93.55,')).records).toMatchObject([
      { state: 'TX', county_fips: null, caveats: ['The point lies 587 mi outside the state that the source names (TX).'] },
    ])
    expect((await hail('1800,175,OFF SHORE,GMZ042,TX,27.0,-96.82,')).records).toMatchObject([{ caveats: [] }])
    expect((await hail('1800,175,HAMMOND,LAKE,IL,41.6,-87.5,')).records[0]).toMatchObject({
      county_fips: null,
      caveats: ['The point lies 40.4 mi outside the county that the source names (Lake, IL).'],
    })
  })

  it('is refused if it is impossible', async () => {
    expect((await hail('1800,1.75,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).rejections[0]?.reason).toBe(
      'its size "1.75" is not in hundredths of an inch',
    )
    expect((await hail('1800,1750,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).rejections[0]?.reason).toBe(
      'hail of 17.5 in is larger than any on record',
    )
    expect((await hail('1800,175,2 N FRISCO,COLLIN,TX,99.99,-999.99,')).rejections[0]?.reason).toBe('its point is not on the earth')
    expect((await hail('1800,-175,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).rejections[0]?.reason).toBe('its magnitude "-175" is not a number')
    expect((await hail('1800,0xAF,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).rejections[0]?.reason).toBe('its magnitude "0xAF" is not a number')
    expect((await tornado('1800,EF,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).rejections[0]?.reason).toBe('its magnitude "EF" is not a number')
    expect((await wind('1800,300,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).rejections[0]?.reason).toBe(
      'a wind of 300 mph is stronger than any on record',
    )
    expect((await wind('1800,200,2 N FRISCO,COLLIN,TX,33.18,-96.82,')).records[0]?.caveats[0]).toMatch(/^A thunderstorm wind of 200 mph/)
  })

  it('from another kind of file is refused with the whole file', async () => {
    const winds = 'Time,Speed,Location,County,State,Lat,Lon,Comments\n1800,65,2 N FRISCO,COLLIN,TX,33.18,-96.82,\n'
    await expect(read(spcReports, '240513_rpts_hail.csv', winds)).rejects.toMatchObject({
      details: { errors: { file: ['The file is named as a list of hail but contains one of wind.'] } },
    })
    for (const day of ['240230', '241301'])
      await expect(read(spcReports, `${day}_rpts_wind.csv`, winds)).rejects.toThrow('does not state its day')
    const yearly =
      'om,yr,mo,dy,date,time,tz,st,stf,stn,mag,inj,fat,loss,closs,slat,slon\n1,1991,5,1,1991-05-01,12:00:00,?,TX,48,1,1.75,0,0,0,0,33.1,-96.8\n'
    await expect(read(spcReports, '1955-2019_hail.csv', yearly)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(read(spcReports, '910501_rpts_hail.csv', yearly)).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

describe('a local storm report', () => {
  const properties = {
    valid: '2025-06-05T22:07:00Z',
    magnitude: 1.75,
    city: '2 N FRISCO',
    county: 'Collin',
    state: 'TX',
    source: 'Trained Spotter',
    remark: '',
    typetext: 'HAIL',
    product_id: '202506052215-KFWD-NWUS54-LSRFWD',
    unit: 'Inch',
    qualifier: 'M',
  }
  const report = (overrides: object, coordinates = [-96.82, 33.18]) =>
    read(
      localReports,
      'lsr.geojson',
      JSON.stringify({ features: [{ properties: { ...properties, ...overrides }, geometry: { type: 'Point', coordinates } }] }),
    )
  const reason = async (overrides: object, coordinates?: number[]) => (await report(overrides, coordinates)).rejections

  it('gets a caveat far outside the county that it names', async () => {
    expect((await report({})).records).toMatchObject([{ county_fips: '48085', caveats: [] }])
    expect((await report({}, [-96.82, 36.18])).records).toMatchObject([
      { county: 'Collin', county_fips: null, caveats: ['The point lies 192 mi outside the county that the source names (Collin, TX).'] },
    ])
    expect((await report({ county: 'GMZ042' }, [-96.82, 27])).records).toMatchObject([{ caveats: [] }])
    expect((await report({ county: 'GMZ042' }, [-93.55, 43.42])).records).toMatchObject([{ caveats: [] }])
    expect((await report({ magnitude: 9 })).records[0]?.caveats).toEqual([
      'Hail of 9.00 in is larger than any measured in the United States (8.00 in, Vivian, South Dakota, 2010).',
    ])
  })

  it.each<[string, object, number[] | undefined, string[]]>([
    ['in another state', { county: 'Winnebago' }, [-93.55, 43.42], ['The point lies 587 mi outside the state that the source names (TX).']],
    [
      'in another state, of no county',
      { county: '' },
      [-93.55, 43.42],
      ['The point lies 587 mi outside the state that the source names (TX).'],
    ],
    ['just over the border of the state', { county: 'Nowhere' }, [-96.6, 34.0], []],
    ['in the Gulf, off the state', { county: 'Gulf waters' }, [-95.5, 28], []],
    ['in China', { county: 'Nowhere' }, [96.82, 33.18], [expect.stringMatching(/^The point lies \d{4} mi outside the state/)]],
    ['of a state that is none', { county: 'Nowhere', state: 'ZZ' }, [-93.55, 43.42], []],
  ])('is checked against its state if it names no known county: %s', async (_what, overrides, point, caveats) => {
    expect((await report(overrides, point)).records).toMatchObject([{ caveats }])
  })

  it.each<[string, object, string[]]>([
    ['10 minutes ahead', { valid: '2025-06-05T22:25:00Z' }, []],
    ['more', { valid: '2025-06-05T22:45:00Z' }, ['The report is dated 30 minutes after its product was sent: its time may be mistaken.']],
    ['two weeks late', { valid: '2025-05-22T22:15:00Z' }, []],
    [
      'of the month before',
      { valid: '2025-05-05T22:07:00Z' },
      ['The report is dated 31 days before its product was sent: its date may be mistaken.'],
    ],
    ['of a survey', { valid: '2025-05-05T22:07:00Z', source: 'NWS Storm Survey' }, []],
    ['by an office whose product is not known', { valid: '2023-05-05T22:07:00Z', product_id: undefined, wfo: 'FWD' }, []],
  ])('is checked against the time of its product: %s', async (_what, overrides, caveats) => {
    expect((await report(overrides)).records).toMatchObject([{ caveats }])
  })

  it('gets a caveat if its wind is too weak', async () => {
    const gust = { typetext: 'TSTM WND GST', unit: 'MPH', qualifier: 'E' }
    expect((await report({ ...gust, magnitude: 6.1 })).records).toMatchObject([
      {
        wind_gust_mph: 6.1,
        caveats: ['A wind of 6.1 mph is weaker than a fresh breeze (Beaufort 5, 19 mph at least): the figure may be mistaken.'],
      },
    ])
    expect((await report({ ...gust, magnitude: 30 })).records).toMatchObject([{ caveats: [] }])
  })

  it('is refused if it is impossible, in text and GeoJSON alike', async () => {
    for (const valid of ['2024-06-05T22:07:00Z', '1025-06-05T22:07:00Z', '2025-02-01T22:07:00Z'])
      expect(await reason({ valid })).toMatchObject([{ reason: 'its time is more than 120 days before the product itself' }])
    expect(await reason({ magnitude: -1 })).toMatchObject([{ row: 'feature 1', reason: 'its magnitude of -1 inches is below 0' }])
    expect(await reason({ magnitude: 30 })).toMatchObject([{ reason: 'hail of 30 in is larger than any on record' }])
    expect(await reason({ typetext: 'TSTM WND GST', magnitude: 300, unit: 'MPH' })).toMatchObject([
      { reason: 'a wind of 300 mph is stronger than any on record' },
    ])
    expect(await reason({ typetext: 'TORNADO', magnitude: 7, unit: 'F' })).toMatchObject([{ reason: 'its rating F7 does not exist' }])
    expect(await reason({ valid: '2025-06-06T22:07:00Z' })).toMatchObject([{ reason: 'its time is later than the product itself' }])
    expect(await reason({ unit: 'constructor' })).toMatchObject([{ reason: 'its unit "constructor" is not known' }])
    expect(await reason({ product_id: '202513052215-KFWD-NWUS54-LSRFWD' })).toMatchObject([
      { reason: 'properties.product_id has no valid time' },
    ])
    expect(await reason({ product_id: '020506052215-KFWD-NWUS54-LSRFWD' })).toMatchObject([
      { reason: 'properties.product_id is not a product id' },
    ])
    for (const valid of ['0000-06-05T22:07:00Z', '1025-06-05T22:07:00Z'])
      expect(await reason({ valid, product_id: undefined, wfo: 'FWD' })).toMatchObject([{ reason: 'its time is before 1970' }])
    expect(await reason({}, [0, 0])).toMatchObject([{ reason: 'its point is not on the earth' }])
    const text = (second: string, point: string) =>
      `NWUS54 KFWD 052215\nLSRFWD\n\nPRELIMINARY LOCAL STORM REPORT\nNATIONAL WEATHER SERVICE FORT WORTH TX\n515 PM CDT THU JUN 05 2025\n\n0507 PM     HAIL             2 N FRISCO              ${point}\n${second}\n\n&&\n`
    const expected = async (second: string, point = '33.18N 96.82W') =>
      (await read(localReports, 'LSRFWD.txt', text(second, point))).rejections[0]?.reason
    expect(await expected('06/05/2025  E1.75 INCH       COLLIN             TX   TRAINED SPOTTER')).toBeUndefined()
    expect(await expected('02/30/2025  E1.75 INCH       COLLIN             TX   TRAINED SPOTTER')).toBe('its day or time does not exist')
    expect(await expected('06/05/2025  E-1.75 INCH      COLLIN             TX   TRAINED SPOTTER')).toBe(
      'its magnitude of -1.75 inches is below 0',
    )
    expect(await expected(`06/05/2025  E1.75 INCH       COLLIN${' '.repeat(300)}TX`)).toBe('a line of it is longer than 250 characters')
    const undated = text('06/05/2025  E1.75 INCH       COLLIN             TX   TRAINED SPOTTER', '33.18N 96.82W').replace(
      'JUN 05',
      'JUX 05',
    )
    expect((await read(localReports, 'LSRFWD.txt', undated)).rejections[0]?.reason).toBe('the date line has no valid date and time')
    const misdated = undated.replace('JUX 05 2025', 'JUN 05 0205').replaceAll('\n', '\r')
    expect((await read(localReports, 'LSRFWD.txt', misdated)).rejections[0]?.reason).toMatch(/^the date line .* is missing$/)
    const timed = async (shown: string, put: string) => {
      const product = text('06/05/2025  E1.75 INCH       COLLIN             TX   TRAINED SPOTTER', '33.18N 96.82W').replace(shown, put)
      return (await read(localReports, 'LSRFWD.txt', product)).rejections[0]?.reason
    }
    expect(await timed('0507 PM', '1707 PM')).toBe('its day or time does not exist')
    expect(await timed('515 PM', '1715 PM')).toBe('the date line has no valid date and time')
    expect(await timed('052215', '052275')).toBe('the header line has no valid time')
    expect(await expected('06/05/2025  E1.75 INCH       COLLIN             TX   TRAINED SPOTTER', '99.99N 96.82W')).toBe(
      'its point is not on the earth',
    )
    expect(await expected('06/05/2025  E1.75 INCH       COLLIN             TX   TRAINED SPOTTER', '0.00N 0.00W')).toBe(
      'its point is not on the earth',
    )
  })
})

describe.skipIf(!present)(`the agency's own files${skipped}`, () => {
  const byId = (records: ArchiveRecord[], id: string) => records.find(({ source_key }) => source_key.endsWith(`/${id}`))
  const count = (records: ArchiveRecord[], text: RegExp) =>
    records.filter(({ caveats }) => caveats.some((caveat) => text.test(caveat))).length

  it('give caveats to the known examples', async () => {
    const records1992 = await recordsOf(details(1992))
    expect(byId(records1992, '10090840')).toMatchObject({
      precision: 'point',
      end_latitude: null,
      caveats: expect.arrayContaining([
        'The two ends of the path lie 223 mi apart, but the source gives a length of 6 mi; only where it began is used.',
      ]),
    })
    const records1994 = await recordsOf(details(1994))
    expect(byId(records1994, '10349621')?.caveats).toEqual(['The point lies 183 mi outside the county that the source names (Grundy, TN).'])
    expect(byId(records1994, '10358435')?.caveats[0]).toMatch(/^A thunderstorm wind of 201 mph/)
  })

  it.each([
    [1990, { counties: 0, points: 22, paths: 6, zones: 0, ends: 0, lasting: 0, hail: 0, winds: 0 }],
    [1991, { counties: 0, points: 12, paths: 4, zones: 0, ends: 0, lasting: 0, hail: 0, winds: 0 }],
    [1992, { counties: 0, points: 18, paths: 13, zones: 6_443, ends: 0, lasting: 0, hail: 0, winds: 0 }],
    [1993, { counties: 6, points: 1, paths: 7, zones: 0, ends: 7, lasting: 2, hail: 1, winds: 11 }],
    [1994, { counties: 25, points: 16, paths: 14, zones: 0, ends: 12, lasting: 7, hail: 2, winds: 35 }],
    [1995, { counties: 50, points: 25, paths: 19, zones: 0, ends: 32, lasting: 9, hail: 49, winds: 39 }],
    [2019, { counties: 0, points: 2, paths: 0, zones: 0, ends: 0, lasting: 0, hail: 0, winds: 0 }],
  ])('of %d have the expected number of each caveat', async (year, doubts) => {
    const records = await recordsOf(details(year))
    expect({
      counties: count(records, /^The source gives the number of one county/),
      points: count(records, /^The point lies/),
      paths: count(records, /^The two ends/),
      zones: count(records, /^The time zone/),
      ends: count(records, /^The source gives an end/),
      lasting: count(records, /^The source gives \d+ hours/),
      hail: count(records, /^Hail of/),
      winds: count(records, /^A wind of \d+ mph is weaker/),
    }).toEqual(doubts)
  })

  it('of local reports have no caveats', async () => {
    const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'lsr')
    const file = readFileSync(path.join(folder, 'iem_lsrs_by_point_20250605_lubbock_trimmed.geojson'), 'utf8')
    const { records } = await read(localReports, 'lsr.geojson', file)
    expect(records.length).toBe(12)
    expect(records.flatMap(({ caveats }) => caveats)).toEqual([])
  })
})
