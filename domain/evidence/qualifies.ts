import { isSuspectBeyondExtent } from '#domain/archive/plausibility.ts'
import { isLargestOfHours, keyOf } from '#domain/archive/radar/cell-records.ts'
import { cellsAround, type GridCell } from '#domain/archive/radar/grid.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import type { RecordSource } from '#domain/weather/sources.ts'
import { weatherType } from '#domain/weather/types.ts'

/** Inches of reported hail: the severe threshold before 2010, which keeps old records comparable. */
const REPORTED_HAIL_IN = 0.75
/** Inches of hail estimated by radar: the severe threshold since 2010, because an estimate aloft is weaker evidence. */
export const RADAR_HAIL_IN = 1
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
 * @param beyond keys of large cells out of reach, see `aloneWithin`: they make no exposure, but a cell in reach may touch them
 */
export function qualifyingRadar(scans: NearbyRecord[], hail_reported: boolean, beyond: ReadonlySet<string> = new Set()): NearbyRecord[] {
  const large = largeScans(scans)
  return hail_reported ? large : touching(large, beyond)
}

/**
 * Returns the keys of the cells around each large grid cell that touches no other of these records: whether it counts depends
 * on cells out of reach.
 */
export function aloneWithin(records: NearbyRecord[]): { source: RecordSource; source_key: string }[] {
  const large = largeScans(records).filter((scan) => gridPlaceOf(scan))
  const counted = new Set(touching(large, new Set()))
  return large
    .filter((scan) => !counted.has(scan))
    .flatMap((scan) => placesAround(scan).map((place) => ({ source: scan.source, source_key: keyOfPlace(place) })))
}

function largeScans(scans: NearbyRecord[]): NearbyRecord[] {
  return scans.filter((scan) => scan.type === 'hail' && (scan.hail_size_in ?? 0) >= RADAR_HAIL_IN && !isLargestOfHours(scan))
}

/** A storm cell is reported again with each volume scan, of which an hour has ten. */
const SIGNATURES_APART_MS = HOUR_MS

/**
 * Returns the scans that another one touches: grid cells side by side or corner to corner in one scan, or single-radar
 * signatures within an hour.
 */
function touching(scans: NearbyRecord[], beyond: ReadonlySet<string>): NearbyRecord[] {
  const cells = new Set(scans.filter((scan) => gridPlaceOf(scan)).map(keyOf))
  const signatures = scans.filter((scan) => !gridPlaceOf(scan))
  return scans.filter((scan) => {
    if (!gridPlaceOf(scan)) return signatures.some((other) => other !== scan && isSoonAfter(other, scan))
    return placesAround(scan).some((place) => {
      const key = keyOf({ source: scan.source, source_key: keyOfPlace(place) })
      return cells.has(key) || beyond.has(key)
    })
  })
}

/** Returns the eight places around a grid cell in its scan; none for any other record. */
function placesAround(scan: NearbyRecord): GridPlace[] {
  const place = gridPlaceOf(scan)
  return place ? cellsAround(place) : []
}

function isSoonAfter(one: NearbyRecord, other: NearbyRecord): boolean {
  return Math.abs(one.begins_at.getTime() - other.begins_at.getTime()) <= SIGNATURES_APART_MS
}

interface GridPlace extends GridCell {
  /** Product and time, as in the key. */
  scan: string
}

const keyOfPlace = ({ scan, row, column }: GridPlace) => `${scan}/${row}/${column}`

/** Reads product, time, row and column from the key of a radar grid record; null for any other record. */
function gridPlaceOf({ precision, source_key }: NearbyRecord): GridPlace | null {
  const parts = source_key.split('/')
  const [row, column] = parts.slice(-2).map(Number)
  if (precision !== 'grid' || row === undefined || column === undefined || Number.isNaN(row + column)) return null
  return { scan: parts.slice(0, -2).join('/'), row, column }
}
