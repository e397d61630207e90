import type pg from 'pg'
import type { ScannedCell } from '#domain/archive/radar/cell-records.ts'
import { cellsOf, type FrameCell } from '#domain/archive/radar/frame.ts'
import { wasCovered } from '#domain/archive/radar/frame-coverage.ts'
import { blocksWithin, CONUS, centreOf, HALF_CELL } from '#domain/archive/radar/grid.ts'
import { EPISODE_GAP_MS, OVER_PLACE_MIN_MM } from '#domain/archive/radar/storm-episodes.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { distanceMiles, EARTH_RADIUS_MILES, type Point } from '#domain/geo/measure.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { isPrecise, type LocatedPlace } from '#domain/places/place.ts'
import { type RecordSource, SAMPLE_SOURCE } from '#domain/weather/sources.ts'

/** Dates of a window, YYYY-MM-DD, both included, and the radius in miles. */
export interface RadarWindow {
  start: string
  end: string
  radius_miles: number
}

const RADIANS = Math.PI / 180

const FRAMES = asOfStatement(
  'radar-near',
  ({ radar_frames }) => `
    SELECT f.source, f.valid_at, b.block, b.data
      FROM radar_blocks b JOIN ${radar_frames} f ON f.id = b.frame_id
     WHERE b.block = ANY($1::int[]) AND f.product = 'mesh' AND f.valid_at >= $2 AND f.valid_at < $3
     ORDER BY f.source, f.valid_at`,
)

/**
 * Returns what the radar mosaic estimated around a place: for each storm episode, the largest cell within the radius (the
 * nearest of equals), and the largest over the place from half an inch, unless the place is the centre of a ZIP or city. A cell counts on
 * the local date of its own point.
 */
export async function nearbyRadar(
  pool: Pick<pg.ClientBase, 'query'>,
  place: LocatedPlace,
  window: RadarWindow,
  as_of: Date | null = null,
): Promise<NearbyScans> {
  const box = boxAround(place, window.radius_miles)
  if (isOffGrid(box)) return { cells: [], wasChosenFrom: () => false }
  const { rows } = await pool.query<{ source: RecordSource; valid_at: Date; block: number; data: Buffer }>(
    FRAMES(as_of, [blocksWithin(box), new Date(Date.parse(window.start) - DAY_MS), new Date(Date.parse(window.end) + 2 * DAY_MS)]),
  )
  const episodes: Episode[] = []
  const precise = isPrecise(place)
  for (const { source, valid_at, block, data } of rows) {
    const isOfWindow = localDateFilter(valid_at, window)
    const near = cellsOf(block, data).flatMap((cell) => {
      const found = proximityOf(place, box, window.radius_miles, cell)
      return found && isOfWindow(found.latitude, found.longitude)
        ? [{ ...cell, miles: found.miles, is_over: found.is_over && precise }]
        : []
    })
    if (near.length === 0) continue
    let episode = episodes.at(-1)
    if (!episode || episode.source !== source || valid_at.getTime() - episode.until.getTime() > EPISODE_GAP_MS) {
      episode = { source, until: valid_at, largest: null, over: null }
      episodes.push(episode)
    }
    episode.until = valid_at
    for (const cell of near) addScan(episode, { ...cell, source, valid_at })
  }
  const cells = episodes.flatMap(({ largest, over }) => [largest, over === largest ? null : over]).filter((cell) => cell !== null)
  const frames = new Set(rows.map(frameKey))
  return { cells, wasChosenFrom: (source, moment) => frames.has(frameKey({ source, valid_at: moment })) }
}

/** The chosen cells of the frames that are stored. */
interface NearbyScans {
  cells: ScannedCell[]
  /** Whether the frame of a moment was read: of its cells, no others count. */
  wasChosenFrom(source: string, moment: Date): boolean
}

const frameKey = ({ source, valid_at }: { source: string; valid_at: Date }) => `${source} ${valid_at.toISOString()}`

interface NearbyCell extends ScannedCell {
  miles: number
  is_over: boolean
}

interface Episode {
  source: RecordSource
  until: Date
  largest: NearbyCell | null
  over: NearbyCell | null
}

function addScan(episode: Episode, cell: NearbyCell): void {
  const { largest, over } = episode
  if (!largest || cell.size_mm > largest.size_mm || (cell.size_mm === largest.size_mm && cell.miles < largest.miles)) episode.largest = cell
  if (cell.is_over && cell.size_mm >= OVER_PLACE_MIN_MM && (!over || cell.size_mm > over.size_mm)) episode.over = cell
}

/** A cell as seen from a place: its centre, its distance, and whether the cell is over the place. */
export interface Proximity {
  latitude: number
  longitude: number
  miles: number
  is_over: boolean
}

/** Returns a cell's position relative to the place; null if it is too far away. @param box around the place, see `boxAround` */
export function proximityOf(place: LocatedPlace, box: Bounds, radius_miles: number, cell: FrameCell): Proximity | null {
  const { latitude, longitude } = centreOf(cell)
  if (latitude < box.south || latitude > box.north || longitude < box.west || longitude > box.east) return null
  const is_over = Math.abs(latitude - place.latitude) <= HALF_CELL && Math.abs(longitude - place.longitude) <= HALF_CELL
  const miles = is_over ? 0 : distanceMiles(place.latitude, place.longitude, latitude, longitude)
  return miles > radius_miles ? null : { latitude, longitude, miles, is_over }
}

/**
 * Returns a function that decides for a point whether a time is in the window by local time. Most times need no time zone,
 * because none is a day apart from UTC.
 */
function localDateFilter(moment: Date, { start, end }: RadarWindow): (latitude: number, longitude: number) => boolean {
  const ms = moment.getTime()
  if (ms >= Date.parse(start) + DAY_MS && ms < Date.parse(end)) return () => true
  const dates = new Map<string, string>()
  return (latitude, longitude) => {
    const timezone = timezoneAt(latitude, longitude)
    const date = dates.get(timezone) ?? localDate(moment, timezone)
    dates.set(timezone, date)
    return date >= start && date <= end
  }
}

/** Whether a box is north or south of the grid. */
export const isOffGrid = ({ south, north }: Bounds) => north < CONUS.north - CONUS.rows * CONUS.step || south > CONUS.north

/** Returns the box that contains every cell within a radius. */
export function boxAround({ latitude, longitude }: Point, radius_miles: number): Bounds {
  const halfHeight = radius_miles / EARTH_RADIUS_MILES / RADIANS + HALF_CELL
  const halfWidth = halfHeight / Math.cos(latitude * RADIANS) + HALF_CELL
  return { south: latitude - halfHeight, north: latitude + halfHeight, west: longitude - halfWidth, east: longitude + halfWidth }
}

const COVERAGE = asOfStatement(
  'radar-coverage',
  ({ radar_frames }) =>
    `SELECT coverage FROM ${radar_frames} f WHERE product = 'mesh' AND source <> '${SAMPLE_SOURCE}' AND valid_at >= $1 AND valid_at < $2 ORDER BY valid_at DESC LIMIT 1`,
)

/** Selects the newest day of a window whose radar coverage is stored. */
const KEPT_COVERAGE = `
  SELECT coverage FROM radar_day_overviews
   WHERE source <> '${SAMPLE_SOURCE}' AND coverage IS NOT NULL AND day BETWEEN $1::date AND $2::date ORDER BY day DESC LIMIT 1`

/** Whether the mosaic reaches a place, by its newest frame of a window, else by its newest stored day; null if it has neither. */
export async function radarReaches(
  pool: Pick<pg.ClientBase, 'query'>,
  { latitude, longitude }: LocatedPlace,
  window: RadarWindow,
  as_of: Date | null = null,
): Promise<boolean | null> {
  const { rows } = await pool.query<{ coverage: Buffer }>(
    COVERAGE(as_of, [new Date(Date.parse(window.start) - DAY_MS), new Date(Date.parse(window.end) + 2 * DAY_MS)]),
  )
  const coverageRows =
    rows[0] || as_of !== null ? rows : (await pool.query<{ coverage: Buffer }>(KEPT_COVERAGE, [window.start, window.end])).rows
  return coverageRows[0] ? wasCovered(coverageRows[0].coverage, latitude, longitude) : null
}
