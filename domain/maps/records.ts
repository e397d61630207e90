import type pg from 'pg'
import { IN_USE } from '#domain/archive/search/superseded.ts'
import type { Precision } from '#domain/closed-sets.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { CELLS_PER_DEGREE } from '#domain/geo/cells.ts'
import { WORLD_BITS, worldPoint } from '#domain/maps/mercator.ts'
import { type MapPath, type MapPoint, POINT_WORDS, type PointList, putPoint } from '#domain/maps/point-list.ts'
import { byStrength, figureOf } from '#domain/maps/strength.ts'
import type { WidePath } from '#domain/maps/tornado-widths.ts'
import type { Severity } from '#domain/weather/severities.ts'
import type { EvidenceKind, RecordSource } from '#domain/weather/sources.ts'
import { type RecordType, weatherType } from '#domain/weather/types.ts'

/** The archive's records that a map shows. The list of a tile has the strongest points first. */
export interface MapRecords {
  points: PointList
  /** Tornadoes with an end point; they are in `points` too. */
  paths: MapPath[]
}

/**
 * Returns the archive's records whose point or path may be in a box of degrees. Leaves out records without a place of their own,
 * preliminary records that final ones replaced, and cells of the radar grid: cells become records only when they are cited,
 * and radar is shown from its frames.
 */
export async function recordsOnMap(client: Client, box: Bounds): Promise<MapRecords> {
  const { south, west, north, east } = box
  const around = [south - ROUNDING, north + ROUNDING, west - ROUNDING, east + ROUNDING]
  const rows = await readRows<Row>(client, { name: 'records_on_map', text: RECORDS, values: [cellsOfBox(box), ...around] })
  const points = new Uint32Array(rows.length * POINT_WORDS)
  const paths: MapPath[] = []
  let end = 0
  for (const row of rows) {
    const point = pointOf(row)
    // The point is beyond the ends of the map's projection.
    if (!point) continue
    putPoint(points, end, point)
    end += POINT_WORDS
    const path = pathOf(point, row)
    if (path) paths.push(path)
  }
  return { points: points.subarray(0, end), paths }
}

/** Returns the archive's tornadoes of a stated width whose path may be in a box of degrees, the strongest first. */
export async function widePathsOnMap(client: Client, { south, west, north, east }: Bounds): Promise<WidePath[]> {
  const rows = await readRows<WideRow>(client, { name: 'wide_paths_on_map', text: WIDE_PATHS, values: [west, south, east, north] })
  const paths = rows.flatMap(([width_yd, ...row]) => {
    const point = pointOf(row)
    const path = point && pathOf(point, row)
    return path ? [{ ...path, width_yd }] : []
  })
  return paths.sort(byStrength)
}

type Client = Pick<pg.ClientBase, 'query'>

/** Reads each row as an array: there are hundreds of thousands. */
async function readRows<Row extends unknown[]>(client: Client, query: pg.QueryConfig<unknown[]>): Promise<Row[]> {
  const { rows } = await client.query<Row, unknown[]>({ ...query, rowMode: 'array' })
  return rows
}

const COLUMNS = `
  id, type, severity, (occurred_on - DATE '1970-01-01')::int, source, evidence_kind, latitude, longitude, end_latitude, end_longitude,
         hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale, precision`

/** Degrees, a tenth of a metre: the edge of a tile is computed differently from a point's position in it. */
const ROUNDING = 1e-6

/**
 * Records that the index places outside are not read: a tile of zoom 14 is less than a hundredth of a cell.
 * With two lists of ids, PostgreSQL makes a bitmap and reads several pages at once, as in readRecords.
 */
const RECORDS = `
  WITH near AS MATERIALIZED (
    SELECT record_id FROM record_cells
     WHERE cell = ANY($1::int[])
       AND (latitude IS NULL OR latitude BETWEEN $2::float8 AND $3::float8 AND longitude BETWEEN $4::float8 AND $5::float8))
  SELECT ${COLUMNS} FROM archive_records r
   WHERE (id = ANY(ARRAY(SELECT record_id FROM near WHERE record_id % 2 = 0)) OR id = ANY(ARRAY(SELECT record_id FROM near WHERE record_id % 2 = 1)))
     AND latitude IS NOT NULL AND longitude IS NOT NULL AND precision <> 'grid' AND ${IN_USE}`

/**
 * Uses only the index on such paths' boxes: the expression must match the index definition. The index includes withdrawn records, which
 * have no cells.
 */
const WIDE_PATHS = `
  SELECT tornado_width_yd, ${COLUMNS} FROM archive_records r
   WHERE tornado_width_yd IS NOT NULL AND precision = 'path' AND withdrawn_at IS NULL AND ${IN_USE}
     AND box(point(longitude, latitude), point(end_longitude, end_latitude)) && box(point($1, $2), point($3, $4))`

type WideRow = [width_yd: number, ...Row]

type Row = [
  id: number,
  type: RecordType,
  severity: Severity,
  day: number,
  source: RecordSource,
  evidence_kind: EvidenceKind,
  latitude: number,
  longitude: number,
  end_latitude: number | null,
  end_longitude: number | null,
  hail_size_in: number | null,
  wind_gust_mph: number | null,
  wind_speed_mph: number | null,
  tornado_ef_scale: number | null,
  precision: Precision,
]

function pointOf(row: Row): MapPoint | null {
  const [id, type, severity, day, source, evidence_kind, latitude, longitude, , , ...magnitudes] = row
  const [hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale] = magnitudes
  const place = worldPoint(latitude, longitude)
  const value = figureOf({ type, hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale })
  return place && { id, x: place.x, y: place.y, type, severity, day, value, source, evidence_kind }
}

function pathOf(point: MapPoint, row: Row): MapPath | null {
  const [, , , , , , , , end_latitude, end_longitude, , , , , precision] = row
  if (weatherType(point.type).extent !== 'path' || precision !== 'path' || end_latitude === null || end_longitude === null) return null
  const end = worldPoint(end_latitude, end_longitude)
  // A line across the antimeridian would be drawn across the whole map.
  if (!end || Math.abs(end.x - point.x) >= 2 ** (WORLD_BITS - 1)) return null
  return { ...point, end_x: end.x, end_y: end.y }
}

/** Returns the search cells that overlap a box of degrees. */
export function cellsOfBox({ south, west, north, east }: Bounds): number[] {
  const columns = 360 * CELLS_PER_DEGREE
  const row = (latitude: number) => Math.min(180 * CELLS_PER_DEGREE - 1, Math.max(0, Math.floor((latitude + 90) * CELLS_PER_DEGREE)))
  const column = (longitude: number) => Math.min(columns - 1, Math.max(0, Math.floor((longitude + 180) * CELLS_PER_DEGREE)))
  const cells: number[] = []
  for (let y = row(south); y <= row(north); y++) for (let x = column(west); x <= column(east); x++) cells.push(y * columns + x)
  return cells
}

/** Returns the degrees that a search cell covers. */
export function boxOfCell(cell: number): Bounds {
  const columns = 360 * CELLS_PER_DEGREE
  const south = Math.floor(cell / columns) / CELLS_PER_DEGREE - 90
  const west = (cell % columns) / CELLS_PER_DEGREE - 180
  return { south, west, north: south + 1 / CELLS_PER_DEGREE, east: west + 1 / CELLS_PER_DEGREE }
}
