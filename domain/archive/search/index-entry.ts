import type { ArchiveRecord } from '#domain/archive/record.ts'
import { cellOf, cellsOfArea, cellsOfPath } from '#domain/geo/cells.ts'
import type { Position } from '#domain/geo/measure.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { weatherType } from '#domain/weather/types.ts'

type Placed = Pick<ArchiveRecord, 'type' | 'precision' | 'latitude' | 'longitude' | 'end_latitude' | 'end_longitude' | 'corners'>

/** The search index entry of a record. */
export interface IndexEntry {
  /** Every cell that the record touches; none for county and zone records, which are found by county or zone code. */
  cells: number[]
  /** The single point that decides the record's distance; null if its shape decides. */
  point: Position | null
  /** Local date of its end, if that is a later day. */
  ends_on: string | null
}

/** What the search index holds of a record: the cells that it touches, its point if it is one, and its last local day. */
export function indexEntry(record: Placed & Pick<ArchiveRecord, 'occurred_on' | 'ends_at'>): IndexEntry {
  const endpoints = endpointsOf(record)
  const isPoint = record.precision === 'point' || record.precision === 'grid'
  return { cells: cellsOf(record, endpoints), point: (isPoint && endpoints.length === 1 && endpoints[0]) || null, ends_on: lastDay(record) }
}

/** Returns the ends of a path, or the one or two points of a report; empty without a point. */
export function endpointsOf(record: Placed): Position[] {
  const begin = positionOf(record.longitude, record.latitude)
  const end = positionOf(record.end_longitude, record.end_latitude)
  if (!begin) return []
  const hasTwoEnds =
    end && (record.precision === 'path' || weatherType(record.type).extent === 'ends') && (end[0] !== begin[0] || end[1] !== begin[1])
  return hasTwoEnds ? [begin, end] : [begin]
}

function cellsOf(record: Placed, ends: Position[]): number[] {
  if (record.precision === 'area' && record.corners) return cellsOfArea(record.corners)
  if (record.precision === 'path') return cellsOfPath(ends)
  return [...new Set(ends.map(([longitude, latitude]) => cellOf(latitude, longitude)))]
}

function lastDay({ ends_at, occurred_on, latitude, longitude }: Placed & Pick<ArchiveRecord, 'occurred_on' | 'ends_at'>): string | null {
  // West of Greenwich the local date is never after the UTC date, so most records return here.
  if (!ends_at || latitude === null || longitude === null || (longitude < 0 && ends_at.toISOString().slice(0, 10) <= occurred_on))
    return null
  const day = localDate(ends_at, timezoneAt(latitude, longitude))
  return day > occurred_on ? day : null
}

function positionOf(longitude: number | null, latitude: number | null): Position | null {
  return longitude === null || latitude === null ? null : [longitude, latitude]
}
