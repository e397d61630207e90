import assert from 'node:assert'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { copyRows } from '#domain/archive/ingest/copy-rows.ts'
import { BLOCK_CELLS, packSizes } from '#domain/archive/radar/day-sizes.ts'
import type { FrameCell } from '#domain/archive/radar/frame.ts'
import { centreOf, gridCellAt, placeInBlock } from '#domain/archive/radar/grid.ts'
import { findStormDay } from '#domain/maps/storm-days.ts'
import { swathsOf } from '#domain/maps/swaths.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import type { Random } from './random.ts'
import { stormCentres } from './storm-files.ts'
import { vacuum } from './vacuum.ts'

export const claim =
  'How many watched properties lie in each band of a storm day is counted, and the largest listed, within a tenth of the time that PostGIS takes to count them with polygons made ready'

/** Watched properties of the team. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const

const DAY = '2025-05-28'
/** A national day has some 230,000 cells with hail; this many storms of this size have about as many. */
const STORMS = 120
/** Grid cells from the core of a storm to its edge, and its largest hail in tenths of a millimetre. */
const STORM_RADIUS = 25
const PEAK_TENTHS = 1000
/** Degrees around a town within which storms pass and properties are located. */
const SPREAD = 0.8

interface Stage {
  pool: pg.Pool
  team: string
  postgis: boolean
}

export async function setup({ size, random, postgis, ...bed }: Bed): Promise<Stage> {
  const { pool } = await bed.database()
  const centres = stormCentres(random)
  const around = (): [number, number] => {
    const [latitude, longitude] = random.pick(centres)
    return [latitude + random.between(-SPREAD, SPREAD), longitude + random.between(-SPREAD, SPREAD)]
  }
  const cells = storms(around, random)
  const team = randomUUID()
  await pool.query(
    `INSERT INTO teams (id, name, plan, period_started_at, renews_at, renewal_day) VALUES ($1, 'Bench', 'enterprise', now(), now(), 1)`,
    [team],
  )
  const client = await pool.connect()
  try {
    await copyRows(client, 'properties', COLUMNS, properties(team, size, around))
    for (const [block, sizesOf] of byBlock(cells))
      await client.query('INSERT INTO radar_days (block, day, source, data) VALUES ($1, $2, $3, $4)', [
        block,
        DAY,
        'noaa_mesh',
        packSizes(sizesOf),
      ])
  } finally {
    client.release()
  }
  await vacuum(pool)
  if (postgis) await createPeerTable(pool, cells)
  return { pool, team, postgis }
}

const COLUMNS = ['id', 'team_id', 'label', 'query', 'query_key', 'latitude', 'longitude', 'precision', 'located', 'tags']

function* properties(team: string, size: number, around: () => [number, number]) {
  for (let place = 0; place < size; place++) {
    const [latitude, longitude] = around()
    const name = `${place} Main Street`
    yield [randomUUID(), team, name, name, name.toLowerCase(), latitude, longitude, 'range', true, []]
  }
}

/**
 * Returns hail that grows toward the core of each storm, a tenth of it random; where two storms meet, the larger.
 * Tenths of a millimetre by cell.
 */
function storms(around: () => [number, number], random: Random): Map<string, FrameCell> {
  const cells = new Map<string, FrameCell>()
  for (let storm = 0; storm < STORMS; storm++) {
    const middle = gridCellAt(...around())
    const peak = random.integer(PEAK_TENTHS / 8, PEAK_TENTHS)
    for (let down = -STORM_RADIUS; down <= STORM_RADIUS; down++)
      for (let right = -STORM_RADIUS; right <= STORM_RADIUS; right++) {
        const strength = 1 - Math.hypot(down, right) / STORM_RADIUS
        const tenths = Math.round((peak * strength * random.integer(90, 110)) / 100)
        const [row, column] = [middle.row + down, middle.column + right]
        const existing = cells.get(`${row} ${column}`)
        if (tenths > (existing ? existing.size_mm * 10 : 0)) cells.set(`${row} ${column}`, { row, column, size_mm: tenths / 10 })
      }
  }
  return cells
}

function byBlock(cells: Map<string, FrameCell>): Map<number, Uint16Array> {
  const blocks = new Map<number, Uint16Array>()
  for (const cell of cells.values()) {
    const { latitude, longitude } = centreOf(cell)
    const place = placeInBlock(latitude, longitude)
    if (!place) continue
    const sizesOf = blocks.get(place.block) ?? new Uint16Array(BLOCK_CELLS)
    blocks.set(place.block, sizesOf)
    sizesOf[place.index] = Math.round(cell.size_mm * 10)
  }
  return blocks
}

/** The same swaths, one area for each row, and the same properties, both indexed: the fastest form for PostGIS. */
async function createPeerTable(pool: pg.Pool, cells: Map<string, FrameCell>): Promise<void> {
  await pool.query('CREATE EXTENSION postgis')
  await pool.query('CREATE TABLE peer_swath (from_in float8, area geometry)')
  const flat = Uint16Array.from([...cells.values()].flatMap(({ row, column, size_mm }) => [row, column, Math.round(size_mm * 10)]))
  for (const { from_in, polygons } of swathsOf([flat]))
    await pool.query(
      `INSERT INTO peer_swath SELECT $1, ST_SetSRID(ST_GeomFromGeoJSON(jsonb_build_object('type', 'Polygon', 'coordinates', polygon)), 4326)
         FROM jsonb_array_elements($2::jsonb) AS polygon`,
      [from_in, JSON.stringify(polygons)],
    )
  await pool.query(`
    CREATE TABLE peer_property AS SELECT id, ST_SetSRID(ST_MakePoint(longitude, latitude), 4326) AS place FROM properties
     ORDER BY ST_GeoHash(ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), 6);
    CREATE INDEX ON peer_property USING gist (place);
    CREATE INDEX ON peer_swath USING gist (area)`)
  await vacuum(pool, 'peer_property')
  await vacuum(pool, 'peer_swath')
}

const PEER = `
  SELECT s.from_in, count(*)::int AS properties FROM peer_swath s JOIN peer_property p ON ST_Contains(s.area, p.place)
   GROUP BY s.from_in ORDER BY s.from_in`

async function countPropertiesByPeer({ pool }: Stage): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ from_in: number; properties: number }>(PEER)
  return new Map(rows.map(({ from_in, properties }) => [from_in, properties]))
}

const readStormDay = ({ pool, team }: Stage) => findStormDay({ pool }, { team: { id: team } }, { date: DAY, per_page: 25 })

export const arms: Arm<Stage>[] = [
  { name: 'storm day', run: async (stage) => void (await readStormDay(stage)) },
  {
    name: 'PostGIS',
    peer: true,
    missing: ({ postgis }) => (postgis ? null : 'the server has no PostGIS'),
    run: async (stage) => void (await countPropertiesByPeer(stage)),
  },
]

export const reach: Reach[] = [{ arm: 'storm day', peer: 'PostGIS', ratio_at_most: 0.1 }]

/** Every band has the same count as in PostGIS, and most have some. */
export async function check(stage: Stage): Promise<void> {
  const { bands, places, total } = await readStormDay(stage)
  assert(total > 0, 'no property lies in a swath')
  assert.strictEqual(places.length, Math.min(total, 25))
  if (!stage.postgis) return
  const counted = await countPropertiesByPeer(stage)
  assert.deepStrictEqual(
    bands.map(({ properties }) => properties),
    swathBands.map((from_in) => counted.get(from_in) ?? 0),
  )
  assert(bands.filter(({ properties }) => properties > 0).length > swathBands.length / 2)
}
