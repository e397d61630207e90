import { HOUR_MS } from '../durations.ts'
import { cellsOf } from './csv-row.ts'
import type { Stated } from './faults.ts'
import { MPH_PER_KNOT } from './knots.ts'

/** Reads a row of Storm Events, with the columns of Storm-Data-Bulk-csv-Format or of an export from its search page. */
export function readStormEvent(row: string, head: string): Stated | string {
  const columns = cellsOf(head).map((name) => name.trim())
  const cells = cellsOf(row)
  if (!columns.includes('EVENT_ID')) return 'the file is not a table of storm events'
  if (cells.length !== columns.length) return `the row has ${cells.length} cells instead of ${columns.length}`
  const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? ''
  const moment = momentOf(cell)
  if (moment === null) return 'the row states no day and time'
  const event = cell('EVENT_TYPE')
  return {
    event,
    id: cell('EVENT_ID'),
    moment,
    ...statedOf(event, cell),
    points: [pointOf(cell('BEGIN_LAT'), cell('BEGIN_LON')), pointOf(cell('END_LAT'), cell('END_LON'))].flatMap((point) => point ?? []),
  }
}

/** A row of the 1990s may name several events: "TORNADOES, TSTM WIND, HAIL". A report takes it as a tornado, else as hail. */
function statedOf(event: string, cell: (name: string) => string): Pick<Stated, 'hail_in' | 'wind_mph' | 'rating'> {
  const magnitude = Number(cell('MAGNITUDE'))
  if (/tornado/i.test(event)) return { rating: cell('TOR_F_SCALE') }
  if (/hail/i.test(event)) return { hail_in: magnitude }
  return isWind(event, cell('MAGNITUDE_TYPE')) ? { wind_mph: magnitude * MPH_PER_KNOT } : {}
}

/** For other events a magnitude is a wind speed if its type is stated. */
const isWind = (event: string, kind: string) => /wind/i.test(event) || kind !== ''

function pointOf(latitude: string, longitude: string): [[number, number]] | null {
  return latitude === '' || longitude === '' ? null : [[Number(latitude), Number(longitude)]]
}

/** UTC offsets in hours for rows with only a zone name. Since 2007 the offset follows the name: CST-6. */
const OFFSETS: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AST: -4,
  AKST: -9,
  HST: -10,
  SST: -11,
  GST: 10,
  CHST: 10,
}
/** The file of 1992 has one time zone for half of the country. */
const UNCERTAIN_ZONE_YEAR = 1992

function momentOf(cell: (name: string) => string): Stated['moment'] {
  const [, year, month] = /^(\d{4})(\d\d)$/.exec(cell('BEGIN_YEARMONTH')) ?? []
  const [, m, d, y] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(cell('BEGIN_DATE')) ?? []
  const clock = cell('BEGIN_TIME').padStart(4, '0')
  const local = Date.UTC(
    Number(year ?? y),
    Number(month ?? m) - 1,
    Number(d ?? cell('BEGIN_DAY')),
    Number(clock.slice(0, -2)),
    Number(clock.slice(-2)),
  )
  if (Number.isNaN(local)) return null
  const [, name = '', hours] = /^([A-Z]{3,4})([+-]?\d{1,2})?$/.exec(cell('CZ_TIMEZONE').toUpperCase()) ?? []
  const offset = hours === undefined ? OFFSETS[name] : Number(hours)
  if (offset === undefined || Number(year ?? y) === UNCERTAIN_ZONE_YEAR) return { at: local, is_sure: false }
  return { at: local - offset * HOUR_MS, is_sure: true }
}
