import { gzipSync } from 'node:zlib'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { gridOf } from '../bench/mesh-file.ts'
import { details, detailsText } from '../domain/archive/files.ts'
import { frisco } from '../domain/exposures/storm.ts'
import type { Feed, FeedReply } from './feeds.ts'
import { severeWarning } from './severe-warning.ts'

/** The moment of a made-up storm over Frisco, Texas, that every feed of every lane reports. */
const stormTime = new Date('2026-05-14T02:10:00Z')
/** When the feeds are read: a warning is in force, radar has just seen the hail, reports have come in. */
export const readTime = new Date('2026-05-14T02:20:00Z')

const near = { latitude: frisco.latitude + 0.01, longitude: frisco.longitude - 0.01 }
const { row, column } = gridCellAt(frisco.latitude, frisco.longitude)

/** Responses of the agencies about the storm, by path; for everything else, empty lists. */
export function stormFeeds(): Feed {
  const grid = gzipSync(
    gridOf(
      [0, 1, 2, 3].map((step) => ({ row, column: column + step, size_mm: 30 + step })),
      stormTime,
    ),
  )
  return (path) => {
    const [, host = '', rest = ''] = /^([^/]+)\/(.*)$/.exec(path) ?? []
    switch (host) {
      case 'mesonet.agron.iastate.edu':
        return collection(...(rest.includes('sts=202605') ? [localReport] : []))
      case 'www.spc.noaa.gov':
        return rest.includes('_rpts_') ? dayList(rest) : null
      case 'api.weather.gov':
        return service(rest)
      case 'mrms.ncep.noaa.gov':
        return { body: rest.endsWith('/') ? `<a href="${GRID}">${GRID}</a>` : grid }
      // A bucket returns an empty list for a day without data.
      case 'noaa-mrms-pds.s3.amazonaws.com':
        return { body: '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>' }
      case 'www.ncei.noaa.gov':
        return rest.startsWith('swdiws') ? { body: signatures(rest) } : finalRecord(rest)
      default:
        return null
    }
  }
}

const GRID = `MRMS_MESH_00.50_${readTime.toISOString().slice(0, 10).replaceAll('-', '')}-021000.grib2.gz`

const collection = (...features: object[]): FeedReply => ({
  body: JSON.stringify({ type: 'FeatureCollection', features, updated: readTime.toISOString() }),
})
const feature = (geometry: object, properties: object) => ({ type: 'Feature', geometry, properties })
const pointAt = ({ latitude, longitude }: typeof near) => ({ type: 'Point', coordinates: [longitude, latitude] })

const localReport = feature(pointAt(near), {
  valid: stormTime.toISOString(),
  magnitude: 1.75,
  city: '1 N Frisco',
  county: 'Collin',
  state: 'TX',
  remark: null,
  typetext: 'HAIL',
  product_id: '202605140215-KFWD-NWUS54-LSRFWD',
  unit: 'Inch',
  qualifier: 'M',
})

/** The day of 13 May ends at 1200 UTC on the 14th. */
function dayList(rest: string): FeedReply {
  const measure = rest.includes('hail') ? 'Size' : rest.includes('wind') ? 'Speed' : 'F_Scale'
  const header = `Time,${measure},Location,County,State,Lat,Lon,Comments\n`
  const found = rest.endsWith('260513_rpts_hail.csv') ? `0208,150,Frisco,Collin,TX,${near.latitude},${near.longitude},(FWD)\n` : ''
  return { body: header + found }
}

function service(rest: string): FeedReply | null {
  if (rest.startsWith('alerts/active')) return collection(warning)
  if (rest.startsWith('stations?state=TX')) return collection(feature(pointAt(near), { stationIdentifier: 'KFSO', name: 'Frisco' }))
  if (rest.startsWith('stations?') || rest.startsWith('alerts?')) return collection()
  if (rest.startsWith('stations/KFSO/observations')) return collection(observation)
  return null
}

const stamp = (at: Date) => at.toISOString().replace(/[-:]/g, '').slice(2, 13).concat('Z')
const ends = new Date(stormTime.getTime() + 6 * 3_600_000)
const around = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
  [-1, -1],
] as const

const warning = feature(
  { type: 'Polygon', coordinates: [around.map(([east, north]) => [frisco.longitude + east * 0.2, frisco.latitude + north * 0.2])] },
  {
    id: 'urn:oid:2.49.0.1.840.0.1',
    areaDesc: 'Collin, TX',
    geocode: { UGC: ['TXC085'] },
    sent: stormTime.toISOString(),
    onset: stormTime.toISOString(),
    expires: ends.toISOString(),
    ends: ends.toISOString(),
    ...severeWarning,
    senderName: 'NWS Fort Worth TX',
    headline: 'Severe Thunderstorm Warning issued May 13',
    instruction: null,
    parameters: { VTEC: [`/O.NEW.KFWD.SV.W.0142.${stamp(stormTime)}-${stamp(ends)}/`], maxHailSize: ['1.75'] },
  },
)

const observation = feature(pointAt(near), {
  station: 'https://api.weather.gov/stations/KFSO',
  timestamp: stormTime.toISOString(),
  windGust: { unitCode: 'wmoUnit:km_h-1', value: 100, qualityControl: 'V' },
  precipitationLastHour: { unitCode: 'wmoUnit:mm', value: 12, qualityControl: 'V' },
})

function signatures(rest: string): string {
  if (!rest.endsWith('20260513:20260514')) return 'summary\ncount,0\ntotalTimeInSeconds,0.013\n'
  const seen = (minute: string) => `2026-05-13T21:${minute}:00Z,KFWS,A1,100,80,1.75,${near.latitude},${near.longitude}\n`
  return `ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON\n${seen('05')}${seen('10')}summary\ncount,2\ntotalTimeInSeconds,0.032\n`
}

/** The folder lists the final records of the year before, with one storm. */
function finalRecord(rest: string): FeedReply | null {
  const name = details(2025, '20260417')
  if (rest.endsWith('/csvfiles/')) return { body: `<a href="${name}">${name}</a>` }
  const year = { BEGIN_YEARMONTH: '202505', END_YEARMONTH: '202505' }
  return rest.endsWith(name)
    ? { body: gzipSync(detailsText({ ...year, EVENT_ID: '1' }, { ...year, EVENT_ID: '2', BEGIN_DAY: '25' })) }
    : null
}
