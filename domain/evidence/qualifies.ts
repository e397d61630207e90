import { isDoubtedBeyondExtent } from '#domain/archive/plausibility.ts'
import { isLargestOfHours } from '#domain/archive/radar/cell-records.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { weatherType } from '#domain/weather/types.ts'

/** Inches of hail that somebody reports: the severe line before 2010, which keeps old records comparable. */
const REPORTED_HAIL_IN = 0.75
/** Inches of hail that radar estimates: the severe line since 2010, for an estimate aloft says less. */
const RADAR_HAIL_IN = 1
/** Miles an hour: the severe line. */
const GUST_MPH = 58

/**
 * Whether a record that somebody or an instrument made is of a storm day. County and zone records, which name no point, never are; nor is
 * one whose place, time or size is doubted: nobody is notified of a storm that may have been elsewhere. A flood whose corners are not held
 * enters by the point where it began.
 */
export function qualifies(record: NearbyRecord): boolean {
  const { type, precision, hail_size_in, wind_gust_mph, wind_speed_mph } = record
  if (precision === 'county' || precision === 'zone' || isDoubtedBeyondExtent(record)) return false
  const rule = weatherType(type).enters
  if (rule === 'always') return true
  if (rule === 'hail_size') return hail_size_in !== null && hail_size_in >= REPORTED_HAIL_IN
  const mph = Math.max(wind_gust_mph ?? 0, wind_speed_mph ?? 0)
  return mph >= GUST_MPH || (mph === 0 && rule === 'gust_or_damage')
}

/**
 * The radar estimates that count: from 1.00 in, where two cells of one scan touch or somebody reported hail that day. What is
 * the largest of hours is left out: its hours may span two dates, and it has no moment.
 */
export function qualifyingRadar(scans: NearbyRecord[], hail_reported: boolean): NearbyRecord[] {
  const large = scans.filter((scan) => scan.type === 'hail' && (scan.hail_size_in ?? 0) >= RADAR_HAIL_IN && !isLargestOfHours(scan))
  return hail_reported ? large : touching(large)
}

/** A storm cell is reported anew with each volume scan: an hour holds ten of them. */
const SIGNATURES_APART_MS = HOUR_MS

/** Those that another one touches: cells of a grid side by side or corner to corner in one scan, signatures of single radars within the hour. */
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
  /** Source, product and moment. */
  scan: string
  row: number
  column: number
}

const nameOf = ({ scan, row, column }: GridPlace) => `${scan} ${row} ${column}`

/** Product, moment, row and column, as the key of a record of the radar grid has them; null for any other. */
function gridPlaceOf({ precision, source, source_key }: NearbyRecord): GridPlace | null {
  const parts = source_key.split('/')
  const [row, column] = parts.slice(-2).map(Number)
  if (precision !== 'grid' || row === undefined || column === undefined || Number.isNaN(row + column)) return null
  return { scan: [source, ...parts.slice(0, -2)].join('/'), row, column }
}
