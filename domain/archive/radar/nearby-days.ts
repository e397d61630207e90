import type pg from 'pg'
import type { DayCell } from '#domain/archive/radar/cell-records.ts'
import { type DayHours, hoursOfDay, isOfDay } from '#domain/archive/radar/day-hours.ts'
import { BLOCK_SIDE, unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import type { FrameCell } from '#domain/archive/radar/frame.ts'
import { blocksWithin, gridCellAt, northWestOf } from '#domain/archive/radar/grid.ts'
import { boxAround, isOffGrid, type Proximity, proximityOf, type RadarWindow } from '#domain/archive/radar/nearby.ts'
import { OVER_PLACE_MIN_MM } from '#domain/archive/radar/storm-episodes.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** The largest values of the stored days around a place. */
export interface NearbyDays {
  /** For each day and source, the largest cell within the radius (the nearest of equals), and the cell over the place from half an inch. */
  cells: DayCell[]
  /** The largest estimate over the place, for days whose hours are known to be theirs alone. */
  over: DayOver[]
}

/** The cell over a place on one of its days. */
export interface DayOver {
  /** YYYY-MM-DD */
  day: string
  source: RecordSource
  /** Tenths of a millimetre. */
  tenths: number
}

const TENTHS = 10

const DAYS = asOfStatement(
  'radar-days-near',
  ({ radar_days }) => `
    SELECT block, day::text, source, data, from_at, until_at, of_moments, file_id, revision
      FROM ${radar_days} d WHERE block = ANY($1::int[]) AND day BETWEEN $2::date AND $3::date AND from_at IS NOT NULL
     ORDER BY day, source, block`,
)

/** Returns what is permanently stored of a window's days around a place. Days whose hours are unknown are left out. */
export async function nearbyDays(
  pool: Pick<pg.ClientBase, 'query'>,
  place: LocatedPlace,
  window: RadarWindow,
  as_of: Date | null = null,
): Promise<NearbyDays> {
  const box = boxAround(place, window.radius_miles)
  if (isOffGrid(box)) return { cells: [], over: [] }
  const { rows } = await pool.query<DayHours & { block: number; day: string; source: RecordSource; data: Buffer }>(
    DAYS(as_of, [blocksWithin(box), window.start, window.end]),
  )
  const days = new Map<string, { largest: FoundCell; over: FoundCell | null }>()
  for (const { block, day, source, data, ...hours } of rows) {
    for (const cell of cellsWithin(block, data, box)) {
      const proximity = proximityOf(place, box, window.radius_miles, cell)
      if (!proximity) continue
      const found = { ...cell, day, source, hours, proximity }
      const key = `${day} ${source}`
      const current = days.get(key)
      const isOver = proximity.is_over && cell.size_mm >= OVER_PLACE_MIN_MM
      days.set(key, {
        largest: larger(current?.largest ?? null, found),
        over: isOver ? larger(current?.over ?? null, found) : (current?.over ?? null),
      })
    }
  }
  const largestPerDay = [...days.values()]
  return {
    cells: largestPerDay.flatMap(({ largest, over }) => [largest, over === largest ? null : over]).filter((cell) => cell !== null),
    over: largestPerDay.flatMap(({ over }) => (over && isOfDay(over.hours, dayAt(place, over.day)) ? [dayOver(over)] : [])),
  }
}

interface FoundCell extends DayCell {
  proximity: Proximity
}

const dayOver = ({ day, source, size_mm }: FoundCell): DayOver => ({ day, source, tenths: Math.round(size_mm * TENTHS) })

/** Yields the cells with hail of a block that are around a box. Over years of days, most of each block does not matter. */
function* cellsWithin(block: number, data: Buffer, box: Bounds): Generator<FrameCell> {
  const sizes = unpackSizes(data)
  const corner = northWestOf(block)
  const [first, last] = [gridCellAt(box.north, box.west), gridCellAt(box.south, box.east)]
  const within = (place: number) => Math.min(Math.max(place, 0), BLOCK_SIDE - 1)
  for (let down = within(first.row - corner.row); down <= within(last.row - corner.row); down++) {
    for (let across = within(first.column - corner.column); across <= within(last.column - corner.column); across++) {
      const tenths = sizes[down * BLOCK_SIDE + across] ?? 0
      if (tenths > 0) yield { row: corner.row + down, column: corner.column + across, size_mm: tenths / TENTHS }
    }
  }
}

function larger(one: FoundCell | null, other: FoundCell): FoundCell {
  if (!one) return other
  const isLarger = other.size_mm > one.size_mm || (other.size_mm === one.size_mm && other.proximity.miles < one.proximity.miles)
  return isLarger ? other : one
}

const dayAt = ({ latitude, longitude }: LocatedPlace, day: string) => hoursOfDay(day, timezoneAt(latitude, longitude))
