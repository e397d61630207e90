import assert from 'node:assert'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type pg from 'pg'
import { packSizes } from '#domain/archive/radar/day-sizes.ts'
import { CONUS } from '#domain/archive/radar/grid.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { bandAreas } from '#domain/maps/band-areas.ts'
import { drawTile, TILE_BYTES_MAX } from '#domain/maps/draw.ts'
import type { TileAddress } from '#domain/maps/mercator.ts'
import { outlinesOf } from '#domain/maps/outlines.ts'
import { radarDaysOf } from '#domain/maps/radar-cells.ts'
import { storeOverview } from '#domain/maps/radar-days.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { blocksOf, hailStorms } from './hail-storms.ts'
import type { Random } from './random.ts'
import { vacuum } from './vacuum.ts'

export const claim =
  "A tile of radar's hail is drawn from the days that are kept in no more time than a database encodes the same polygons, within 500 kB"

/** Days with hail in as many cells as the agency's grid of 24 hours has on a day of storms across the country. */
export const sizes = { small: [1, 10], full: [10, 100] } as const
const CELLS_A_DAY = 230_000
const ZOOMS = [6, 8, 10] as const

interface Stage {
  pool: pg.Pool
  tiles: Map<number, TileAddress[]>
  postgis: boolean
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { pool, close } = openDatabase(url)
  bed.closing(close)
  const places: { row: number; column: number }[] = []
  if (bed.postgis) await pool.query('CREATE EXTENSION postgis; CREATE TABLE peer_band (day date, value float8, geom geometry)')
  for (let nth = 0; nth < bed.size; nth++) {
    const day = new Date(Date.UTC(2025, 0, 1 + nth)).toISOString().slice(0, 10)
    const hail = hailStorms(CELLS_A_DAY, bed.random)
    places.push(...hail.filter((_, at) => at % 997 === 0))
    await keepDay(pool, day, hail)
    if (bed.postgis) await createPeerPolygons(pool, day, hail)
  }
  if (bed.postgis) {
    await pool.query('CREATE INDEX ON peer_band USING gist (geom)')
    await vacuum(pool, 'peer_band')
  }
  return { pool, postgis: bed.postgis, tiles: new Map(ZOOMS.map((z) => [z, tilesOver(z, places, bed.random)])) }
}

type Hail = ReturnType<typeof hailStorms>

async function keepDay(pool: pg.Pool, day: string, hail: Hail): Promise<void> {
  const blocks = [...blocksOf(hail)]
  await pool.query(
    "INSERT INTO radar_days (block, day, source, data) SELECT block, $1, 'noaa_mesh', data FROM unnest($2::int[], $3::bytea[]) AS b (block, data)",
    [day, blocks.map(([block]) => block), blocks.map(([, sizes]) => packSizes(sizes))],
  )
  await storeOverview(pool, { day, source: 'noaa_mesh' })
}

const TENTHS_PER_IN = 254

/** The peer's polygons: those that a tile shows of the day's original cells, each separate and with its hole. */
async function createPeerPolygons(pool: pg.Pool, day: string, hail: Hail): Promise<void> {
  const bands = new Uint8Array(CONUS.rows * CONUS.columns)
  for (const { row, column, size_mm } of hail)
    bands[row * CONUS.columns + column] =
      radarBands.findLastIndex(({ from_in }) => Math.round(size_mm * 10) >= Math.round(from_in * TENTHS_PER_IN)) + 1
  const outlines = outlinesOf(bands, CONUS)
  for (const [band, { from_in }] of radarBands.entries()) {
    const polygons = (outlines.get(band + 1) ?? []).map(
      (rings) => `POLYGON(${rings.map((ring) => `(${ring.map(degrees).join()})`).join()})`,
    )
    await pool.query('INSERT INTO peer_band SELECT $1, $2, ST_Transform(ST_GeomFromText(wkt, 4326), 3857) FROM unnest($3::text[]) AS wkt', [
      day,
      from_in,
      polygons,
    ])
  }
}

const degrees = ([column, row]: [number, number]) => `${CONUS.west + (column - 0.5) * CONUS.step} ${CONUS.north - (row - 0.5) * CONUS.step}`

/** Tiles of a zoom level where hail fell, in proportion to the hail. */
function tilesOver(z: number, places: { row: number; column: number }[], random: Random): TileAddress[] {
  return Array.from({ length: 200 }, () => {
    const { row, column } = random.pick(places)
    const radians = ((CONUS.north - row * CONUS.step) * Math.PI) / 180
    return {
      z,
      x: Math.floor(((CONUS.west + column * CONUS.step + 180) / 360) * 2 ** z),
      y: Math.floor((0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** z),
    }
  })
}

const tileAt = ({ tiles }: Stage, z: number, turn: number) => {
  const all = tiles.get(z) as TileAddress[]
  return all[turn % all.length] as TileAddress
}

const draw = async ({ pool }: Stage, tile: TileAddress) =>
  drawTile(tile, { points: new Uint32Array(), paths: [], warnings: [], widths: [], areas: await bandAreas(radarDaysOf(pool, tile), tile) })

async function encode({ pool }: Stage, { z, x, y }: TileAddress): Promise<Buffer> {
  const { rows } = await pool.query<{ tile: Buffer }>({
    name: 'peer_band',
    text: `SELECT ST_AsMVT(shown, 'radar_hail', 4096, 'geom') AS tile FROM (
             SELECT 'hail' AS type, 'thunderstorm' AS family, 'severe' AS severity, day::text AS date, value, 'noaa_mesh' AS source, 'radar' AS evidence_kind,
                    ST_AsMVTGeom(geom, ST_TileEnvelope($1, $2, $3), 4096, 64, true) AS geom
               FROM peer_band WHERE geom && ST_TileEnvelope($1, $2, $3, margin => 1.0 / 64)) AS shown`,
    values: [z, x, y],
  })
  return rows[0]?.tile ?? Buffer.alloc(0)
}

export const arms: Arm<Stage>[] = ZOOMS.flatMap((z) => [
  { name: 'from kept days', case: `zoom ${z}`, run: async (stage, turn) => void (await draw(stage, tileAt(stage, z, turn))) },
  {
    name: 'ST_AsMVT',
    case: `zoom ${z}`,
    peer: true,
    missing: ({ postgis }) => (postgis ? null : 'no PostGIS'),
    run: async (stage, turn) => void (await encode(stage, tileAt(stage, z, turn))),
  },
])

export const reach: Reach[] = ZOOMS.map((z) => ({ case: `zoom ${z}`, arm: 'from kept days', peer: 'ST_AsMVT', ratio_at_most: 1 }))

/**
 * Tiles compared with the peer's at a zoom level at which both draw the original cells, and tiles whose size is
 * checked at every zoom level.
 */
const COMPARED = 10
/** Units of a tile by which the two may differ along an outline: one rounds, the other truncates. */
const ROUNDING = 0.02

export async function check(stage: Stage): Promise<void> {
  for (const [z, tiles] of stage.tiles)
    for (const tile of tiles.slice(0, COMPARED)) {
      const bytes = await draw(stage, tile)
      assert(bytes.length > 0 && bytes.length <= TILE_BYTES_MAX, `tile ${z}/${tile.x}/${tile.y} takes ${bytes.length} bytes`)
      if (!stage.postgis || z < 8) continue
      const peerAreas = areasOf(await encode(stage, tile))
      // Areas without room are not drawn; drawn areas are as large as in the database.
      for (const [key, area] of areasOf(bytes))
        assert(
          Math.abs(area - (peerAreas.get(key) ?? 0)) <= Math.max(area * ROUNDING, 600),
          `${key} of ${z}/${tile.x}/${tile.y}: ${area} and ${peerAreas.get(key)}`,
        )
    }
}

/** Square units of each day's bands, minus holes, by the shoelace formula. */
function areasOf(bytes: Buffer): Map<string, number> {
  const layer = new VectorTile(new PbfReader(bytes)).layers.radar_hail
  const areas = new Map<string, number>()
  for (let index = 0; index < (layer?.length ?? 0); index++) {
    const feature = layer?.feature(index)
    const key = `${feature?.properties.date} ${feature?.properties.value}`
    const area = (feature?.loadGeometry() ?? []).reduce((sum, ring) => sum + signed(ring), 0)
    areas.set(key, (areas.get(key) ?? 0) + area)
  }
  return new Map([...areas].map(([key, area]) => [key, Math.abs(area)]))
}

const signed = (ring: { x: number; y: number }[]) =>
  ring.slice(1).reduce((sum, { x, y }, at) => sum + ((ring[at]?.x ?? 0) * y - x * (ring[at]?.y ?? 0)) / 2, 0)
