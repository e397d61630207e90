import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { moveWatermark } from '#domain/archive/feeds/feed-states.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { storeCellRecords } from '#domain/archive/radar/cell-records.ts'
import { type Frame, frameOf } from '#domain/archive/radar/frame.ts'
import { insertFrame } from '#domain/archive/radar/frames.ts'
import { CONUS, gridCellAt } from '#domain/archive/radar/grid.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { withinRevision } from '#domain/archive/versions/revision.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { compose } from '#domain/reports/compose.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { warningsOver } from '#domain/reports/warnings-over.ts'
import { HOUR, SECOND } from '#test/support/clock.ts'
import { severeWarning } from '#test/support/severe-warning.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type DetailsRow, details, detailsText, locationsText } from '../files.ts'

const frisco: LocatedPlace = {
  street: '100 Main Street',
  city: 'Frisco',
  state: 'TX',
  postal_code: '75034',
  county: 'Collin',
  county_fips: '48085',
  latitude: 33.1499,
  longitude: -96.8241,
  precision: 'point',
  timezone: 'America/Chicago',
}
const lubbock: LocatedPlace = {
  ...frisco,
  street: null,
  city: 'Lubbock',
  postal_code: '79401',
  county: 'Lubbock',
  county_fips: '48303',
  latitude: 33.5779,
  longitude: -101.8552,
  precision: 'zip',
}

/** One step in the history of an install: its name, and how the install learns it. */
type Step = [name: string, come: (world: World) => Promise<unknown>]

const read = (slug: string, file_name: string, text: string, options = {}): Step => [
  `${slug} ${file_name} ${text.length}`,
  ({ app }) => ingest(app, slug, Readable.from([gzipSync(Buffer.from(text, 'latin1'))]), { file_name, ...options }),
]
const compiled = (day: string, ...rows: DetailsRow[]) =>
  read('storm-events', details(2019, day), detailsText(...rows), { whole_year: true })
const zoneTable = (...lines: string[]) => read('zones', 'bp18mr25.dbx', lines.map((line) => `${line}\r\n`).join(''))
const collin = 'TX|104|FWD|Collin|TX104|Collin|48085|C|nc|33.18|-96.57'
const denton = 'TX|104|FWD|Collin and Denton|TX104|Denton|48121|C|nc|33.18|-97.1'

/**
 * Rows that stay; change size; move away and back; are withdrawn and return; name a county; name a zone; are a flood with corners; go on.
 */
const stays: DetailsRow = { EVENT_ID: '1' }
const grows = (size: string): DetailsRow => ({ EVENT_ID: '2', MAGNITUDE: size, BEGIN_DAY: '20' })
const moves = (latitude: string): DetailsRow => ({ EVENT_ID: '3', BEGIN_LAT: latitude, END_LAT: latitude, BEGIN_DAY: '21' })
const returns: DetailsRow = { EVENT_ID: '4', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '60.00' }
const noPoint = { BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' }
const ofCounty = (fips: string): DetailsRow => ({ EVENT_ID: '5', EVENT_TYPE: 'Flood', CZ_FIPS: fips, MAGNITUDE: '', ...noPoint })
const ofZone = (zone: string): DetailsRow => ({
  EVENT_ID: '6',
  EVENT_TYPE: 'High Wind',
  CZ_TYPE: 'Z',
  CZ_FIPS: zone,
  MAGNITUDE: '55.00',
  ...noPoint,
})
const flood: DetailsRow = { EVENT_ID: '7', EVENT_TYPE: 'Flash Flood', MAGNITUDE: '', BEGIN_DAY: '23' }
const goesOn = (day: string): DetailsRow => ({ EVENT_ID: '8', EVENT_TYPE: 'Flood', MAGNITUDE: '', BEGIN_DAY: '01', END_DAY: day })
/** Changes from a point to a county record and back. */
const asPoint: DetailsRow = { EVENT_ID: '9', EVENT_TYPE: 'Flood', MAGNITUDE: '', BEGIN_DAY: '19' }

const square = (longitude: number, latitude: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [longitude - 0.2, latitude - 0.2],
      [longitude + 0.2, latitude - 0.2],
      [longitude + 0.2, latitude + 0.2],
      [longitude - 0.2, latitude + 0.2],
      [longitude - 0.2, latitude - 0.2],
    ],
  ],
})

function alert(action: string, sent: string, shape: object | null, codes = ['TXC085']) {
  const vtec = `/O.${action}.KFWD.SV.W.0142.${action === 'NEW' ? '190324T2310Z' : '000000T0000Z'}-190324T2345Z/`
  const properties = {
    id: `urn:oid:${action}.${sent}`,
    areaDesc: 'Collin, TX',
    geocode: { UGC: codes },
    sent,
    onset: null,
    expires: '2019-03-24T23:45:00Z',
    ends: '2019-03-24T23:45:00Z',
    ...severeWarning,
    senderName: 'NWS Fort Worth TX',
    headline: null,
    instruction: null,
    parameters: { VTEC: [vtec] },
  }
  return { type: 'Feature', geometry: shape, properties }
}
const warned = (...features: object[]) => read('warnings', 'alerts.json', JSON.stringify({ type: 'FeatureCollection', features }))

const stations = (latitude: number) => {
  const KDFW = {
    geometry: { type: 'Point', coordinates: [-96.84, latitude] },
    properties: { stationIdentifier: 'KDFW', name: 'A station' },
  }
  return read('observations', 'stations.geojson', JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', ...KDFW }] }))
}
const observed = (knots: string, minute: string) =>
  read(
    'observations',
    'metar-2019-03.txt',
    `SAUS44 KFWD 24${minute}\nMETAR KDFW 24${minute}Z 18030G${knots}KT 10SM CLR 30/20 A2992 RMK AO2 P0012=\n`,
  )

/** A frame with hail, in tenths of a millimetre, at Frisco. */
async function frame(at: string, tenths: number): Promise<Frame> {
  const { rows, columns, north, west, step } = CONUS
  const packed = new Uint16Array(rows * columns).fill(20)
  const { row, column } = gridCellAt(33.155, -96.825)
  packed[row * columns + column] = tenths + 30
  const field = {
    discipline: 209,
    category: 3,
    parameter: 28,
    rows,
    columns,
    north,
    west,
    step,
    packed,
    unpack: (raw: number) => (raw - 30) / 10,
  }
  return frameOf({ ...field, valid_at: new Date(at) })
}
const scanned = (at: string, tenths: number): Step => [
  `frame ${at}`,
  async ({ app }) => {
    // The frame is made first, because a transaction that is idle for seconds is ended.
    const made = await frame(at, tenths)
    await withinRevision(app, { source: 'noaa_mesh' }, async (client) => void (await insertFrame(client, 'noaa_mesh', made, null)))
  },
]

const lsr = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'lsr', 'iem_lsrs_by_point_20250605_lubbock_trimmed.geojson')
/** Part of a day's reports, and the time through which their feed is marked as read. Neither exists without real records. */
const reported = (part: number, through: string | null = null): Step[] => {
  if (!existsSync(lsr)) return []
  const { features, ...collection } = JSON.parse(readFileSync(lsr, 'utf8')) as { features: object[] }
  const some = features.slice(0, Math.ceil((features.length * part) / 3))
  return [
    read('local-reports', `lsr-${part}.geojson`, JSON.stringify({ ...collection, features: some }), { months: ['2025-06'] }),
    ...(through === null ? [] : [marked(through)]),
  ]
}
const marked = (through: string): Step => [
  `mark ${through}`,
  async ({ app }) => {
    await app.pool.query(`INSERT INTO feed_states (url, source, checked_at) VALUES ('nws_lsr', 'nws_lsr', now()) ON CONFLICT DO NOTHING`)
    await moveWatermark(app, 'nws_lsr', new Date(through))
  },
]

const steps: Step[] = [
  compiled('20190617', stays, grows('1.00'), moves('33.15'), returns, ofCounty('85'), ofZone('104'), flood, goesOn('24'), asPoint),
  zoneTable(collin),
  stations(33.2),
  observed('40', '2345'),
  warned(alert('NEW', '2019-03-24T23:10:00Z', square(-96.8, 33.1))),
  scanned('2019-03-24T22:00:00Z', 300),
  ...reported(1, '2025-06-05T12:00:00Z'),
  read(
    'storm-events',
    'StormEvents_locations-ftp_v1.0_d2019_c20190617.csv.gz',
    locationsText({
      7: [
        [33.1, -96.9],
        [33.1, -96.8],
        [33.2, -96.8],
        [33.2, -96.9],
      ],
    }),
  ),
  observed('64', '2335'),
  zoneTable(denton),
  compiled('20190817', stays, grows('1.75'), moves('35.15'), ofCounty('113'), ofZone('119'), flood, goesOn('12'), {
    ...asPoint,
    ...noPoint,
    CZ_FIPS: '113',
  }),
  scanned('2019-03-24T22:02:00Z', 450),
  scanned('2019-03-27T22:02:00Z', 200),
  stations(33.9),
  warned(alert('CON', '2019-03-24T23:20:00Z', square(-96.3, 33.1)), alert('CAN', '2019-03-24T23:25:00Z', null)),
  ...reported(2, '2025-06-30T12:00:00Z'),
  compiled('20191017', stays, grows('1.50'), moves('33.15'), returns, ofCounty('85'), ofZone('104'), flood, goesOn('24'), asPoint),
  ...reported(3),
  stations(33.21),
  zoneTable(collin, collin.replace('Collin|48085', 'Collin|48121').replace('33.18|-96.57', '33.2|-97')),
]

const march: SearchWindow = { start: '2019-03-10', end: '2019-03-31', radius_miles: 10 }
const june: SearchWindow = { start: '2025-06-01', end: '2025-06-30', radius_miles: 25 }

/** The whole content of a report, except ids that an install assigns. */
async function reportContent({ app }: World, as_of: Date | null) {
  const answers = []
  const searches: [LocatedPlace, SearchWindow][] = [
    [frisco, march],
    [frisco, { start: '2019-03-24', end: '2019-03-24', radius_miles: 10 }],
    [frisco, { start: '2019-01-01', end: '2019-12-31', radius_miles: 60 }],
    [lubbock, june],
  ]
  for (const [place, window] of searches) {
    const composed = compose(place, window, await searchArchive(app, place, window, as_of))
    const { address: _, ...statement } = { ...composed, address: place }
    answers.push({
      evidence: evidenceDocument(
        { address: place, window, coverage: composed.coverage },
        composed.citations.map(({ view }) => view),
      ),
      statement: { ...statement, citations: composed.citations.map(({ view: { id: _id, ...view } }) => view) },
      warnings: await warningsOver(app, place, window, place.timezone, as_of),
    })
  }
  return answers
}

describe('a report as of a point in time', () => {
  const moments: Date[] = []
  const then: Awaited<ReturnType<typeof reportContent>>[] = []
  let world: World
  beforeAll(async () => {
    world = await openWorld()
    for (const [, come] of steps) {
      await come(world)
      // With a fixed clock, each transaction gets its own millisecond.
      world.clock.advance(SECOND)
      moments.push(world.clock.now())
      then.push(await reportContent(world, null))
      world.clock.advance(HOUR)
    }
  }, 240_000)

  it('equals the report made at that time, byte for byte', async () => {
    for (const [place, moment] of moments.entries())
      expect([steps[place]?.[0], await reportContent(world, moment)]).toEqual([steps[place]?.[0], then[place]])
  })

  it('changes with each kind of change', () => {
    const texts = then.map((answers) => JSON.stringify(answers))
    const quiet = steps.flatMap(([name], place) => (place > 0 && texts[place] === texts[place - 1] ? [name] : []))
    // A station has no effect until it observes.
    expect(quiet).toEqual([steps[2]?.[0]])
  })

  it('equals the report of a fresh install that only received the earlier files', async () => {
    for (const count of [1, 9, 10, 16, 18, steps.length].filter((count) => count <= steps.length)) {
      const fresh = await openWorld()
      for (const [, come] of steps.slice(0, count)) {
        await come(fresh)
        fresh.clock.advance(HOUR)
      }
      expect(await reportContent(fresh, null)).toEqual(await reportContent(world, moments[count - 1] ?? null))
      await fresh.close()
    }
  }, 240_000)

  it('cites a radar cell that became a record only later', async () => {
    const first = moments[5] as Date
    const [before] = await reportContent(world, first)
    const { records } = await searchArchive(world.app, frisco, march, first)
    const cells = records.filter(({ source }) => source === 'noaa_mesh')
    expect(cells).toHaveLength(1)
    await storeCellRecords(world.app.pool, cells as Parameters<typeof storeCellRecords>[1])
    expect((await reportContent(world, first))[0]).toEqual(before)
    expect(
      (await searchArchive(world.app, frisco, march, moments[0] as Date)).records.filter(({ source }) => source === 'noaa_mesh'),
    ).toEqual([])
  })
})
