import type { CsvRow } from '#domain/archive/files/csv.ts'
import { decimalOf } from '#domain/archive/files/decimal.ts'
import type { EventCorner } from '#domain/archive/sources/source.ts'
import type { EventRow, LocalTime } from '#domain/archive/storm-events/row.ts'
import { type State, stateByCode, stateByName } from '#domain/geo/states.ts'
import { repeatedColumn } from '#domain/kernel/csv.ts'

/** Returns a row's value in a column, trimmed; empty if the file has no such column. */
export type Cells = (column: string) => string

/** The three kinds of file with records or corners, each identified by a column that only it has. */
export type TableKind = 'details' | 'search_export' | 'locations'

/** Columns that a file of each kind must have. */
const needed: Record<TableKind, string[]> = {
  details: [
    'BEGIN_YEARMONTH',
    'BEGIN_DAY',
    'BEGIN_TIME',
    'EVENT_ID',
    'STATE',
    'EVENT_TYPE',
    'CZ_TYPE',
    'CZ_FIPS',
    'CZ_TIMEZONE',
    'SOURCE',
    'MAGNITUDE',
    'MAGNITUDE_TYPE',
    'TOR_F_SCALE',
    'BEGIN_LAT',
    'BEGIN_LON',
    'END_LAT',
    'END_LON',
    'EPISODE_NARRATIVE',
    'EVENT_NARRATIVE',
  ],
  search_export: [
    'EVENT_ID',
    'BEGIN_DATE',
    'BEGIN_TIME',
    'STATE_ABBR',
    'EVENT_TYPE',
    'CZ_TYPE',
    'CZ_FIPS',
    'CZ_TIMEZONE',
    'MAGNITUDE',
    'BEGIN_LAT',
    'BEGIN_LON',
  ],
  locations: ['YEARMONTH', 'EVENT_ID', 'LOCATION_INDEX', 'LATITUDE', 'LONGITUDE'],
}

/** Returns the kind of file that a header announces, or the reason why the file cannot be read. */
export function kindOf(header: string[]): { kind: TableKind } | { unreadable: string } {
  const has = (column: string) => header.includes(column)
  if (has('FATALITY_ID')) return { unreadable: 'A fatalities file has no events of its own: import the details file of its year.' }
  const kind = has('LOCATION_INDEX') ? 'locations' : has('CZ_NAME_STR') ? 'search_export' : has('BEGIN_YEARMONTH') ? 'details' : null
  if (!kind) return { unreadable: 'This is not a Storm Events file: its first line does not name the columns of one.' }
  const missing = needed[kind].filter((column) => !has(column))
  if (missing.length > 0) return { unreadable: `The file has no column ${missing.join(', ')}.` }
  const repeated = repeatedColumn(header.filter((column) => column !== ''))
  return repeated === null ? { kind } : { unreadable: repeated }
}

/** Returns a function that finds a column's value in the rows under a header. */
export function columnsOf(header: string[]): (row: CsvRow) => Cells {
  const places = new Map(header.map((column, place) => [column, place]))
  return ({ fields }) =>
    (column) =>
      fields[places.get(column) ?? -1]?.trim() ?? ''
}

/** Reads a row of a details file, or returns the reason why it is not usable. */
export function detailsRow(cells: Cells): EventRow | string {
  const begin = yearMonthTime(cells('BEGIN_YEARMONTH'), cells('BEGIN_DAY'), cells('BEGIN_TIME'))
  if (!begin) return 'BEGIN_YEARMONTH, BEGIN_DAY and BEGIN_TIME give no date and time'
  const end = yearMonthTime(cells('END_YEARMONTH'), cells('END_DAY'), cells('END_TIME'))
  return eventRow(cells, begin, end, stateByName(cells('STATE')), cells('CZ_NAME'))
}

/** Reads a row of a search page export, which has other names for the same columns. */
export function exportRow(cells: Cells): EventRow | string {
  const begin = dayTime(cells('BEGIN_DATE'), cells('BEGIN_TIME'))
  if (!begin) return 'BEGIN_DATE and BEGIN_TIME give no date and time'
  const name = cells('CZ_NAME_STR').replace(/ (CO\.|PAR\.|\(ZONE\))$/, '')
  return eventRow(cells, begin, dayTime(cells('END_DATE'), cells('END_TIME')), stateByCode(cells('STATE_ABBR')), name)
}

/** Reads a row of a locations file. */
export function cornerRow(cells: Cells): EventCorner | string {
  const latitude = decimalOf(cells('LATITUDE'))
  const longitude = decimalOf(cells('LONGITUDE'))
  const [, year] = YEAR_MONTH.exec(cells('YEARMONTH')) ?? []
  if (!EVENT_ID.test(cells('EVENT_ID'))) return `EVENT_ID "${cells('EVENT_ID')}" is not an id`
  if (!year) return `YEARMONTH "${cells('YEARMONTH')}" is not a month`
  if (!/^\d{1,4}$/.test(cells('LOCATION_INDEX'))) return `LOCATION_INDEX "${cells('LOCATION_INDEX')}" is not a number`
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return 'LATITUDE and LONGITUDE are not on the Earth'
  return { source_key: `${year}/${cells('EVENT_ID')}`, location_index: Number(cells('LOCATION_INDEX')), position: [longitude, latitude] }
}

/** Digits in the agency's files; the made-up sample has SAMPLE-1. */
const EVENT_ID = /^(\d{1,12}|SAMPLE-\d+)$/
const YEAR_MONTH = /^((?:19|20)\d{2})(0[1-9]|1[0-2])$/
const DATE = /^(\d{1,2})\/(\d{1,2})\/((?:19|20)\d{2})$/
const DAY = /^\d{1,2}$/
const HHMM = /^\d{1,4}$/

function eventRow(cells: Cells, begin: LocalTime, end: LocalTime | null, state: State | null, area_name: string): EventRow | string {
  if (!EVENT_ID.test(cells('EVENT_ID'))) return `EVENT_ID "${cells('EVENT_ID')}" is not an id`
  if (!/^[CZM]$/.test(cells('CZ_TYPE'))) return `CZ_TYPE "${cells('CZ_TYPE')}" is not C, Z or M`
  if (!/^\d{1,3}$/.test(cells('CZ_FIPS'))) return `CZ_FIPS "${cells('CZ_FIPS')}" is not a number`
  return {
    event_id: cells('EVENT_ID'),
    begin,
    end,
    zone: cells('CZ_TIMEZONE'),
    state,
    area_type: cells('CZ_TYPE'),
    area_number: cells('CZ_FIPS'),
    area_name,
    event_type: cells('EVENT_TYPE'),
    source: cells('SOURCE'),
    magnitude: cells('MAGNITUDE'),
    magnitude_type: cells('MAGNITUDE_TYPE'),
    rating: cells('TOR_F_SCALE'),
    begin_latitude: cells('BEGIN_LAT'),
    begin_longitude: cells('BEGIN_LON'),
    end_latitude: cells('END_LAT'),
    end_longitude: cells('END_LON'),
    path_length: cells('TOR_LENGTH'),
    path_width: cells('TOR_WIDTH'),
    event_narrative: cells('EVENT_NARRATIVE'),
    episode_narrative: cells('EPISODE_NARRATIVE'),
  }
}

/** The year is taken from BEGIN_YEARMONTH, because BEGIN_DATE_TIME has only two digits of it. */
function yearMonthTime(year_month: string, day: string, hhmm: string): LocalTime | null {
  const [, year, month] = YEAR_MONTH.exec(year_month) ?? []
  if (!year || !DAY.test(day) || !HHMM.test(hhmm)) return null
  return { year: Number(year), month: Number(month), day: Number(day), hhmm: Number(hhmm) }
}

function dayTime(date: string, hhmm: string): LocalTime | null {
  const [, month, day, year] = DATE.exec(date) ?? []
  if (!year || !HHMM.test(hhmm)) return null
  return { year: Number(year), month: Number(month), day: Number(day), hhmm: Number(hhmm) }
}
