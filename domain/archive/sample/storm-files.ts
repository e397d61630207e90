import { madeUpEvents } from '#domain/archive/sample/storm-day.ts'
import { MADE_UP } from '#domain/weather/sources.ts'

const STEM = 'ftp_v1.0_d2025_c20260618.csv'
/** Compiled after April of the next year, so the whole year counts as covered. */
export const detailsName = `sample-StormEvents_details-${STEM}`
export const locationsName = `sample-StormEvents_locations-${STEM}`

const COLLIN: [number, string] = [85, 'COLLIN']
const EPISODE = 'Made up for the sample: no such storm is on record.'

/** Returns the made-up events as a details file of Storm Events. */
export function sampleDetails(): string {
  const rows = madeUpEvents.map((storm, index) => {
    const [fips, name] = storm.county ?? COLLIN
    const at = `2025${storm.day.slice(0, 2)}`
    const day = Number(storm.day.slice(2))
    const [latitude, longitude] = storm.from
    const [end_latitude, end_longitude] = storm.to ?? storm.from
    const values: Record<string, string | number> = {
      BEGIN_YEARMONTH: at,
      BEGIN_DAY: day,
      BEGIN_TIME: storm.begin,
      END_YEARMONTH: at,
      END_DAY: day,
      END_TIME: storm.end,
      EPISODE_ID: 1,
      EVENT_ID: keyOf(index),
      STATE: 'TEXAS',
      STATE_FIPS: 48,
      YEAR: 2025,
      EVENT_TYPE: storm.type,
      CZ_TYPE: 'C',
      CZ_FIPS: fips,
      CZ_NAME: name,
      WFO: 'FWD',
      CZ_TIMEZONE: 'CST-6',
      SOURCE: storm.source,
      MAGNITUDE: storm.magnitude ?? '',
      MAGNITUDE_TYPE: storm.magnitude_type ?? '',
      TOR_F_SCALE: storm.rating ?? '',
      BEGIN_LAT: latitude,
      BEGIN_LON: longitude,
      END_LAT: end_latitude,
      END_LON: end_longitude,
      EPISODE_NARRATIVE: EPISODE,
      EVENT_NARRATIVE: `${MADE_UP}. ${storm.text}`,
      DATA_SOURCE: 'SAMPLE',
    }
    return detailsColumns.map((column) => values[column] ?? '')
  })
  return csvOf([[...detailsColumns], ...rows])
}

/** Returns the corners of its floods as a locations file of Storm Events. */
export function sampleLocations(): string {
  const rows = madeUpEvents.flatMap(({ day, corners }, index) =>
    (corners ?? []).map(([latitude, longitude], corner) => [
      `2025${day.slice(0, 2)}`,
      1,
      keyOf(index),
      corner + 1,
      '',
      '',
      '',
      latitude,
      longitude,
      '',
      '',
    ]),
  )
  return csvOf([locationsColumns, ...rows])
}

function keyOf(index: number): string {
  return `SAMPLE-${index + 1}`
}

function csvOf(rows: (string | number)[][]): string {
  return rows
    .map((row) => `${row.map((value) => (typeof value === 'number' ? value : `"${value.replaceAll('"', '""')}"`)).join(',')}\n`)
    .join('')
}

/** Every column of the agency's details file, in its order. */
export const detailsColumns = [
  'BEGIN_YEARMONTH',
  'BEGIN_DAY',
  'BEGIN_TIME',
  'END_YEARMONTH',
  'END_DAY',
  'END_TIME',
  'EPISODE_ID',
  'EVENT_ID',
  'STATE',
  'STATE_FIPS',
  'YEAR',
  'MONTH_NAME',
  'EVENT_TYPE',
  'CZ_TYPE',
  'CZ_FIPS',
  'CZ_NAME',
  'WFO',
  'BEGIN_DATE_TIME',
  'CZ_TIMEZONE',
  'END_DATE_TIME',
  'INJURIES_DIRECT',
  'INJURIES_INDIRECT',
  'DEATHS_DIRECT',
  'DEATHS_INDIRECT',
  'DAMAGE_PROPERTY',
  'DAMAGE_CROPS',
  'SOURCE',
  'MAGNITUDE',
  'MAGNITUDE_TYPE',
  'FLOOD_CAUSE',
  'CATEGORY',
  'TOR_F_SCALE',
  'TOR_LENGTH',
  'TOR_WIDTH',
  'TOR_OTHER_WFO',
  'TOR_OTHER_CZ_STATE',
  'TOR_OTHER_CZ_FIPS',
  'TOR_OTHER_CZ_NAME',
  'BEGIN_RANGE',
  'BEGIN_AZIMUTH',
  'BEGIN_LOCATION',
  'END_RANGE',
  'END_AZIMUTH',
  'END_LOCATION',
  'BEGIN_LAT',
  'BEGIN_LON',
  'END_LAT',
  'END_LON',
  'EPISODE_NARRATIVE',
  'EVENT_NARRATIVE',
  'DATA_SOURCE',
] as const
const locationsColumns = [
  'YEARMONTH',
  'EPISODE_ID',
  'EVENT_ID',
  'LOCATION_INDEX',
  'RANGE',
  'AZIMUTH',
  'LOCATION',
  'LATITUDE',
  'LONGITUDE',
  'LAT2',
  'LON2',
]
