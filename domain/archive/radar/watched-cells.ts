import type pg from 'pg'
import { type HeldCells, holdCells, type ScannedCell } from '#domain/archive/radar/cell-records.ts'
import { cellsOf, centreOf } from '#domain/archive/radar/frame.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { EARTH_RADIUS_MILES } from '#domain/geo/measure.ts'

/** An inch: what radar estimates below it makes no exposure. */
const EXPOSURE_MIN_MM = 25.4
/** Half a side of a grid cell, degrees: over the cell, the distance is none. */
const GRID_HALF = 0.005
/** Miles: what SQL and JavaScript may round apart; the distance is decided once, when the record is read. */
const MARGIN = 1e-6

/** The cells of a frame's blocks in which the radar estimated an inch or more. */
export function largeCells(blocks: { block: number; data: Buffer }[], source: string, valid_at: Date): ScannedCell[] {
  return blocks.flatMap(({ block, data }) =>
    cellsOf(block, data)
      .filter(({ size_mm }) => size_mm >= EXPOSURE_MIN_MM)
      .map((cell) => ({ ...cell, source, valid_at })),
  )
}

/** Holds as records the large cells that a watched place reaches, or one such place: of a mosaic of millions those that somebody watches. */
export async function holdWatchedCells(
  client: Pick<pg.ClientBase, 'query'>,
  cells: ScannedCell[],
  subject_id: string | null = null,
): Promise<HeldCells> {
  if (cells.length === 0) return { ids: [], added: [] }
  const centres = cells.map(centreOf)
  const { rows } = await client.query<{ place: number }>(REACHED, [
    centres.map(({ latitude, longitude }) => cellOf(latitude, longitude)),
    centres.map(({ latitude }) => latitude),
    centres.map(({ longitude }) => longitude),
    subject_id,
  ])
  return holdCells(
    client,
    rows.map(({ place }) => cells[place - 1] as ScannedCell),
  )
}

/** Which of some grid cells a watched place reaches: search cell, latitude and longitude of each, and one place or all. */
export const REACHED = `
  SELECT g.place::int AS place
    FROM unnest($1::int[], $2::float8[], $3::float8[]) WITH ORDINALITY AS g (cell, latitude, longitude, place)
   WHERE EXISTS (
     SELECT FROM watch_cells w WHERE w.cell = g.cell AND ($4::uuid IS NULL OR w.subject_id = $4) AND (
       w.latitude IS NULL
       -- A watch reaches further than half a grid cell: only where latitudes are near is anything computed.
       OR (abs(g.latitude - w.latitude) <= (w.radius_miles + ${MARGIN}) / ${(EARTH_RADIUS_MILES * Math.PI) / 180} AND (
         (abs(g.latitude - w.latitude) <= ${GRID_HALF} AND abs(g.longitude - w.longitude) <= ${GRID_HALF})
         OR power(sin(radians(g.latitude - w.latitude) / 2), 2)
            + cos(radians(w.latitude)) * cos(radians(g.latitude)) * power(sin(radians(g.longitude - w.longitude) / 2), 2)
            <= power(sin((w.radius_miles + ${MARGIN}) / ${2 * EARTH_RADIUS_MILES}), 2)))))
   ORDER BY place`

/** Holds the large cells that a place reaches in the frames since then: a place that is watched from now on. */
export async function holdCellsSince({ pool }: { pool: Pick<pg.Pool, 'query'> }, subject_id: string, since: Date): Promise<void> {
  const { rows } = await pool.query<{ source: string; valid_at: Date; block: number; data: Buffer }>(FRAMES_OF, [
    subject_id,
    since,
    EXPOSURE_MIN_MM,
  ])
  for (const { block, data, source, valid_at } of rows)
    await holdWatchedCells(pool, largeCells([{ block, data }], source, valid_at), subject_id)
}

/** A search cell (a quarter of a degree, row * 1440 + column from the south-west) lies in the block of its whole degrees. */
const FRAMES_OF = `
  SELECT f.source, f.valid_at, b.block, b.data
    FROM (SELECT DISTINCT (cell / 1440 / 4) * 360 + (cell % 1440) / 4 AS block FROM watch_cells WHERE subject_id = $1) w
    JOIN radar_blocks b USING (block) JOIN radar_frames f ON f.id = b.frame_id
   WHERE f.product = 'mesh' AND f.valid_at >= $2 AND f.peak_mm >= $3
   ORDER BY f.valid_at`
