import { isSuspectBeyondExtent } from '#domain/archive/plausibility.ts'
import { isLargestOfHours } from '#domain/archive/radar/cell-records.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { weatherType } from '#domain/weather/types.ts'

/** Inches of reported hail: the severe threshold before 2010, which keeps old records comparable. */
const REPORTED_HAIL_IN = 0.75
/** Inches of hail estimated by radar: the severe threshold since 2010, because an estimate aloft is weaker evidence. */
const RADAR_HAIL_IN = 1
/** Mph: the severe threshold. */
const GUST_MPH = 58

/**
 * Whether a record from a person or an instrument makes a storm day. County and zone records, which have no point, never
 * do; nor does a record whose place, time or size is suspect, because nobody should be notified of a storm that may have
 * been elsewhere. A flood whose corners are not stored counts with the point where it began.
 */
export function qualifies(record: NearbyRecord): boolean {
  const { type, precision, hail_size_in, wind_gust_mph, wind_speed_mph } = record
  if (precision === 'county' || precision === 'zone' || isSuspectBeyondExtent(record)) return false
  const rule = weatherType(type).enters
  if (rule === 'always') return true
  if (rule === 'hail_size') return hail_size_in !== null && hail_size_in >= REPORTED_HAIL_IN
  const mph = Math.max(wind_gust_mph ?? 0, wind_speed_mph ?? 0)
  return mph >= GUST_MPH || (mph === 0 && rule === 'gust_or_damage')
}

/**
 * Returns the radar estimates that count: from 1.00 in, if two cells of one scan touch or somebody reported hail that day.
 * The largest of several hours is left out: its hours may span two dates, and it has no single time.
 */
export function qualifyingRadar(scans: NearbyRecord[], hail_reported: boolean): NearbyRecord[] {
  const large = scans.filter((scan) => scan.type === 'hail' && (scan.hail_size_in ?? 0) >= RADAR_HAIL_IN && !isLargestOfHours(scan))
  return hail_reported ? large : touching(large)
}

/** A storm cell is reported again with each volume scan, of which an hour has ten. */
const SIGNATURES_APART_MS = HOUR_MS

/**
 * Returns the scans that another one touches: grid cells side by side or corner to corner in one scan, or single-radar
 * signatures within an hour.
 */
function touching(scans: NearbyRecord[]): NearbyRecord[] {
  const cells = new Set(scans.map((scan) => gridPlaceOf(scan)).flatMap((cell) => (cell ? [nameOf(cell)] : [])))
  const signatures = scans.filter((scan) => !gridPlaceOf(scan))
  return scans.filter((scan) => {
    const cell = gridPlaceOf(scan)
    if (!cell) return signatures.some((other) => other !== scan && isSoonAfter(other, scan))
    return NEIGHBOURS.some(([down, across]) => cells.has(nameOf({ ...cell, row: cell.row + down, column: cell.column + across })))
  })
}

const NEIGHBOURS = [-1, 0, 1]
  .flatMap((down) => [-1, 0, 1].map((across) => [down, across] as const))
  .filter(([down, across]) => down !== 0 || across !== 0)

function isSoonAfter(one: NearbyRecord, other: NearbyRecord): boolean {
  return Math.abs(one.begins_at.getTime() - other.begins_at.getTime()) <= SIGNATURES_APART_MS
}

interface GridPlace {
  /** Source, product and time. */
  scan: string
  row: number
  column: number
}

const nameOf = ({ scan, row, column }: GridPlace) => `${scan} ${row} ${column}`

/** Reads product, time, row and column from the key of a radar grid record; null for any other record. */
function gridPlaceOf({ precision, source, source_key }: NearbyRecord): GridPlace | null {
  const parts = source_key.split('/')
  const [row, column] = parts.slice(-2).map(Number)
  if (precision !== 'grid' || row === undefined || column === undefined || Number.isNaN(row + column)) return null
  return { scan: [source, ...parts.slice(0, -2)].join('/'), row, column }
}
