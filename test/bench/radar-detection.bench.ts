import assert from 'node:assert'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { copyRows } from '#domain/archive/copy.ts'
import { centreOf, gridCellAt } from '#domain/archive/radar/frame.ts'
import { REACHED } from '#domain/archive/radar/watched-cells.ts'
import { cellOf, cellsWithin } from '#domain/geo/cells.ts'
import type { Bed, Reach } from './frame.ts'
import { stormCentres } from './storm-files.ts'

export const claim = 'Which large cells of a radar grid somebody watches is found among a million properties without PostGIS'

/** Properties; a grid with an inch of hail in so many cells, in swaths as storms leave them. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
const SWATHS = 40
/** Grid cells of a swath, along and across. */
const LONG = 25
const WIDE = 5
const RADII = [1, 1, 1, 0.5, 2, 5]
/** Degrees around a town. */
const SPREAD = 1.5

interface Stage {
  pool: pg.Pool
  values: [cells: number[], latitudes: number[], longitudes: number[], subject_id: null]
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
    Array.from({ length: LONG * WIDE }, (_, place) => centreOf({ row: row + Math.floor(place / LONG), column: column + (place % LONG) })),
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
  await pool.query('VACUUM (ANALYZE) watch_cells')
  const latitudes = grid.map(({ latitude }) => latitude)
  const longitudes = grid.map(({ longitude }) => longitude)
  if (postgis) await layOutPeer(pool, latitudes, longitudes)
  return { pool, postgis, values: [grid.map(({ latitude, longitude }) => cellOf(latitude, longitude)), latitudes, longitudes, null] }
}

const METRES = 1609.344

async function layOutPeer(pool: pg.Pool, latitudes: number[], longitudes: number[]): Promise<void> {
  await pool.query(`
    CREATE EXTENSION postgis;
    CREATE TABLE peer_property AS
      SELECT subject_id AS id, radius_miles * ${METRES} AS reach, ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography AS place
        FROM (SELECT DISTINCT ON (subject_id) * FROM watch_cells) w ORDER BY ST_GeoHash(ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), 6);
    CREATE INDEX ON peer_property USING gist (place);
    CREATE TABLE peer_cell (id int, place geography)`)
  await pool.query(
    `INSERT INTO peer_cell SELECT place, ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography
       FROM unnest($1::float8[], $2::float8[]) WITH ORDINALITY AS g (latitude, longitude, place)`,
    [latitudes, longitudes],
  )
  await pool.query('VACUUM (ANALYZE) peer_property')
  await pool.query('VACUUM (ANALYZE) peer_cell')
}

const PEER = `
  SELECT id AS place FROM peer_cell g WHERE EXISTS (
    SELECT FROM peer_property p
     WHERE ST_DWithin(p.place, g.place, ${Math.max(...RADII) * METRES}, false) AND ST_DWithin(p.place, g.place, p.reach, false)) ORDER BY id`

async function places(pool: pg.Pool, text: string, values?: unknown[]): Promise<number[]> {
  const { rows } = await pool.query<{ place: number }>(text, values)
  return rows.map(({ place }) => place)
}

export const arms = [
  { name: 'cells joined', run: async ({ pool, values }: Stage) => void (await places(pool, REACHED, values)) },
  {
    name: 'PostGIS',
    peer: true,
    missing: ({ postgis }: Stage) => (postgis ? null : 'no PostGIS'),
    run: async ({ pool }: Stage) => void (await places(pool, PEER)),
  },
]

export const reach: Reach[] = [{ arm: 'cells joined', peer: 'PostGIS', ratio_at_most: { small: 0.5, full: 0.1 } }]

/** The two spheres differ by four parts in a million: a cell on a rim may be reached by one and not by the other. */
const RIM = 1e-3

export async function check({ pool, values, postgis }: Stage): Promise<void> {
  const found = await places(pool, REACHED, values)
  assert(found.length > 0, 'no cell is watched')
  if (!postgis) return
  const expected = new Set(await places(pool, PEER))
  const apart = found.filter((place) => !expected.has(place)).length + expected.size - found.filter((place) => expected.has(place)).length
  assert(apart <= Math.max(2, expected.size * RIM), `${apart} of ${expected.size} cells are judged apart`)
}
