import assert from 'node:assert'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { copyRows } from '#domain/archive/ingest/copy-rows.ts'
import type { FrameCell } from '#domain/archive/radar/frame.ts'
import { centreOf, gridCellAt } from '#domain/archive/radar/grid.ts'
import { groupByCell } from '#domain/archive/radar/reach.ts'
import { boxesOf, WATCHES_AROUND, watchedCells } from '#domain/archive/radar/watched-cells.ts'
import { MAY_REACH } from '#domain/exposures/may-reach.ts'
import { cellOf, cellsWithin } from '#domain/geo/cells.ts'
import type { Bed, Reach } from './frame.ts'
import { stormCentres } from './storm-files.ts'
import { vacuum } from './vacuum.ts'

export const claim =
  'Which large cells of a radar grid somebody watches is looked up in the grid, among a million properties, without PostGIS'

/** Properties; a grid with an inch of hail in so many cells, in swaths as storms leave them. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
const SWATHS = 40
/** Grid cells of a swath, along and across. */
const LONG = 25
const WIDE = 5
/** An inch and a half. */
const LARGE_MM = 38.1
const RADII = [1, 1, 1, 0.5, 2, 5]
/** Degrees around a town. */
const SPREAD = 1.5

interface Stage {
  pool: pg.Pool
  grid: FrameCell[]
  postgis: boolean
}

export async function setup({ random, size, postgis, ...bed }: Bed): Promise<Stage> {
  const { pool } = await bed.database()
  const centres = stormCentres(random)
  const around = (): [number, number] => {
    const [latitude, longitude] = random.pick(centres)
    return [latitude + random.between(-SPREAD, SPREAD), longitude + random.between(-SPREAD, SPREAD)]
  }
  const grid = Array.from({ length: SWATHS }, () => gridCellAt(...around())).flatMap(({ row, column }) =>
    Array.from({ length: LONG * WIDE }, (_, place) => ({
      row: row + Math.floor(place / LONG),
      column: column + (place % LONG),
      size_mm: LARGE_MM,
    })),
  )
  const team = randomUUID()
  function* watches() {
    for (let place = 0; place < size; place++) {
      const [latitude, longitude] = around()
      const radius = RADII[place % RADII.length] as number
      const id = randomUUID()
      for (const cell of cellsWithin(latitude, longitude, radius)) yield [id, cell, team, 'property', latitude, longitude, radius]
    }
  }
  const client = await pool.connect()
  try {
    await copyRows(client, 'watch_cells', ['subject_id', 'cell', 'team_id', 'subject', 'latitude', 'longitude', 'radius_miles'], watches())
  } finally {
    client.release()
  }
  await vacuum(pool, 'watch_cells')
  await createGridTable(pool, grid)
  if (postgis) await createPeerTable(pool)
  return { pool, postgis, grid }
}

/** The grid as a table for a look-up in SQL; its ids are the positions of its cells. */
async function createGridTable(pool: pg.Pool, grid: FrameCell[]): Promise<void> {
  const centres = grid.map(centreOf)
  await pool.query('CREATE TABLE grid_cell (id int, cell int, latitude float8, longitude float8)')
  await pool.query(
    `INSERT INTO grid_cell SELECT place - 1, cell, latitude, longitude
       FROM unnest($1::int[], $2::float8[], $3::float8[]) WITH ORDINALITY AS g (cell, latitude, longitude, place)`,
    [
      centres.map(({ latitude, longitude }) => cellOf(latitude, longitude)),
      centres.map(({ latitude }) => latitude),
      centres.map(({ longitude }) => longitude),
    ],
  )
}

const METRES = 1609.344

async function createPeerTable(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE EXTENSION postgis;
    CREATE TABLE peer_property AS
      SELECT subject_id AS id, radius_miles * ${METRES} AS reach, ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography AS place
        FROM (SELECT DISTINCT ON (subject_id) * FROM watch_cells) w ORDER BY ST_GeoHash(ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), 6);
    CREATE INDEX ON peer_property USING gist (place);
    CREATE TABLE peer_cell AS SELECT id, ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography AS place FROM grid_cell ORDER BY id`)
  await vacuum(pool, 'peer_property')
  await vacuum(pool, 'peer_cell')
}

const PEER = `
  SELECT id FROM peer_cell g WHERE EXISTS (
    SELECT FROM peer_property p
     WHERE ST_DWithin(p.place, g.place, ${Math.max(...RADII) * METRES}, false) AND ST_DWithin(p.place, g.place, p.reach, false)) ORDER BY id`

async function findCellsByPeer({ pool }: Stage): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(PEER)
  return rows.map(({ id }) => id)
}

/** In a transaction, as when a frame is stored. */
async function findWatchedCells({ pool, grid }: Stage): Promise<FrameCell[]> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const found = await watchedCells(client, grid)
    await client.query('COMMIT')
    return found
  } finally {
    client.release()
  }
}

export const arms = [
  { name: 'looked up in the grid', run: async (stage: Stage) => void (await findWatchedCells(stage)) },
  {
    name: 'PostGIS',
    peer: true,
    missing: ({ postgis }: Stage) => (postgis ? null : 'no PostGIS'),
    run: async (stage: Stage) => void (await findCellsByPeer(stage)),
  },
]

export const reach: Reach[] = [{ arm: 'looked up in the grid', peer: 'PostGIS', ratio_at_most: { small: 0.5, full: 0.1 } }]

/** The two spheres differ by four parts in a million: one may reach a cell on an edge and the other not. */
const RIM = 1e-3

/** The same cells as a join of every cell with every watch in SQL, and as PostGIS except for those on an edge. */
export async function check(stage: Stage): Promise<void> {
  const found = await findWatchedCells(stage)
  assert(found.length > 0, 'no cell is watched')
  const { rows: joined } = await stage.pool.query<{ id: number }>(
    `SELECT c.id FROM grid_cell c WHERE EXISTS (SELECT FROM watch_cells w WHERE w.cell = c.cell AND ${MAY_REACH}) ORDER BY c.id`,
  )
  assert.deepStrictEqual(
    found,
    joined.map(({ id }) => stage.grid[id]),
  )
  if (!stage.postgis) return
  const expected = new Set((await findCellsByPeer(stage)).map((id) => stage.grid[id] as FrameCell))
  const apart = found.filter((cell) => !expected.has(cell)).length + [...expected].filter((cell) => !found.includes(cell)).length
  assert(apart <= Math.max(2, expected.size * RIM), `${apart} of ${expected.size} cells are judged apart`)
}

export async function explain({ pool, grid }: Stage): Promise<Record<string, string>> {
  const boxes = boxesOf(groupByCell(grid))
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${WATCHES_AROUND}`, boxes)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert(plan.includes('Index Only Scan using watch_cells_cover'), plan)
  return { 'looked up in the grid': plan }
}
