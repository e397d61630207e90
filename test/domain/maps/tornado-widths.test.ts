import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import * as turf from '@turf/turf'
import type { Feature, MultiPolygon, Polygon } from 'geojson'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TileAddress, tileAt, worldPoint } from '#domain/maps/mercator.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { tileOf } from '#domain/maps/tile.ts'
import { detailsText, importText } from '#test/domain/archive/files.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const WIDTH_YD = 4576
const KM_PER_YARD = 0.0009144
const HALF_KM = (WIDTH_YD * KM_PER_YARD) / 2

/** Directions of a path, and one far north: a yard there has twice the pixels that it has at the equator. */
const paths = [
  ['from west to east', [-101.1, 35.49], [-100.85, 35.49]],
  ['from south to north', [-99.02, 35.3], [-99.02, 35.6]],
  ['aslant', [-98.2, 35.3], [-97.9, 35.52]],
  ['in Alaska', [-150.2, 61.2], [-149.9, 61.3]],
] as [string, [number, number], [number, number]][]

const tileOver = ([longitude = 0, latitude = 0]: number[], z: number): TileAddress => {
  const { x, y } = worldPoint(latitude, longitude) as { x: number; y: number }
  return tileAt(x, y, z)
}

async function widthsIn(tile: TileAddress) {
  const { gzip } = await tileOf(world.app, tile)
  const layer = new VectorTile(new PbfReader(gzip.length === 0 ? gzip : gunzipSync(gzip))).layers.tornado_widths
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => {
    const feature = layer?.feature(index)
    return feature?.toGeoJSON(tile.x, tile.y, tile.z) as Feature<Polygon | MultiPolygon>
  })
}

/** Whether the tile over a place shows it within the width of a tornado. */
async function isWithin(place: number[], z: number): Promise<boolean> {
  const widths = await widthsIn(tileOver(place, z))
  return widths.some((area) => turf.booleanPointInPolygon(place, area))
}

describe('the width of a path', () => {
  it.each(paths)('%s is drawn to scale on both sides, in every tile that it touches', async (_, from, to) => {
    const [[longitude, latitude], [end_longitude, end_latitude]] = [from, to]
    const { id } = await storeRecord(world, { type: 'tornado', precision: 'path', latitude, longitude, end_latitude, end_longitude })
    await world.app.pool.query('UPDATE archive_records SET tornado_width_yd = $1 WHERE id = $2', [WIDTH_YD, id])
    await refreshMaps(world.app)
    const line = turf.rhumbBearing(from, to)
    for (const z of [10, 12, 14])
      for (const share of [0.1, 0.5, 0.9]) {
        const [across, down] = [longitude + (end_longitude - longitude) * share, latitude + (end_latitude - latitude) * share]
        for (const side of [-90, 90]) {
          const at = (km: number) => turf.rhumbDestination([across, down], km, line + side).geometry.coordinates
          expect([await isWithin(at(HALF_KM * 0.98), z), await isWithin(at(HALF_KM * 1.02), z)]).toEqual([true, false])
        }
      }
    const behind = turf.rhumbDestination(from, 0.1, line + 180).geometry.coordinates
    expect(await isWithin(behind, 14)).toBe(false)
  })

  it('is left out at low zoom, if no width is stated, and if a path ends where it begins', async () => {
    const [longitude, latitude] = [-90, 38.5]
    const ends = { latitude, longitude, end_latitude: 38.6, end_longitude: longitude }
    const { id } = await storeRecord(world, { type: 'tornado', precision: 'path', ...ends })
    const still = await storeRecord(world, { type: 'tornado', precision: 'path', ...ends, end_latitude: latitude })
    await world.app.pool.query('UPDATE archive_records SET tornado_width_yd = 100 WHERE id = $1', [still.id])
    await refreshMaps(world.app)
    expect(await widthsIn(tileOver([longitude, latitude], 12))).toEqual([])
    await world.app.pool.query('UPDATE archive_records SET tornado_width_yd = 100 WHERE id = $1', [id])
    await refreshMaps(world.app)
    expect(await widthsIn(tileOver([longitude, latitude], 9))).toEqual([])
  })

  it('is removed when its record is withdrawn', async () => {
    const ends = { latitude: 39.5, longitude: -92, end_latitude: 39.6, end_longitude: -92 }
    const { id } = await storeRecord(world, { type: 'tornado', precision: 'path', ...ends })
    await world.app.pool.query('UPDATE archive_records SET tornado_width_yd = 440 WHERE id = $1', [id])
    await refreshMaps(world.app)
    expect(await widthsIn(tileOver([-92, 39.55], 12))).toHaveLength(1)
    // As an import does with an event that its new file lacks.
    await world.app.pool.query('UPDATE archive_records SET withdrawn_at = now() WHERE id = $1', [id])
    await world.app.pool.query('DELETE FROM record_cells WHERE record_id = $1', [id])
    await refreshMaps(world.app)
    expect(await widthsIn(tileOver([-92, 39.55], 12))).toEqual([])
  })

  it('carries the properties of its path and its width', async () => {
    const ends = { latitude: 38.5, longitude: -95, end_latitude: 38.6, end_longitude: -95 }
    const { id } = await storeRecord(world, { type: 'tornado', precision: 'path', tornado_ef_scale: 3, ...ends })
    await world.app.pool.query('UPDATE archive_records SET tornado_width_yd = 440 WHERE id = $1', [id])
    await refreshMaps(world.app)
    const [area] = await widthsIn(tileOver([-95, 38.55], 12))
    expect(area?.properties).toMatchObject({ id, type: 'tornado', value: 3, date: '2020-05-01', width_yd: 440 })
  })
})

describe('a record that was read before widths were stored', () => {
  const tornado = (id: string, TOR_WIDTH: string) =>
    detailsText({ EVENT_ID: id, EVENT_TYPE: 'Tornado', MAGNITUDE: '', TOR_F_SCALE: 'EF2', TOR_LENGTH: '7', END_LAT: '33.25', TOR_WIDTH })
  /** The current width and revision, and the earlier widths. */
  const storedWidths = async (id: string) => {
    const { rows } = await world.app.pool.query(
      `SELECT tornado_width_yd, revision, ARRAY(SELECT tornado_width_yd FROM record_versions WHERE record_id = r.id) AS before
         FROM archive_records r WHERE source_key LIKE '%/' || $1`,
      [id],
    )
    return rows[0]
  }

  it('gets its width when its file is read again, without a new version, and its tiles are redrawn', async () => {
    await importText(world, tornado('7001', '300'))
    await world.app.pool.query('UPDATE archive_records SET tornado_width_yd = NULL')
    await refreshMaps(world.app)
    const before = await storedWidths('7001')
    expect(await importText(world, tornado('7001', '300'))).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await storedWidths('7001')).toEqual({ ...before, tornado_width_yd: 300 })
    expect((await world.app.pool.query('SELECT FROM map_changes WHERE cells IS NOT NULL')).rowCount).toBe(1)
  })

  it('is changed by a file with another width, and its earlier width is kept', async () => {
    await importText(world, tornado('7002', '300'))
    expect(await importText(world, tornado('7002', '350'))).toMatchObject({ updated: 1 })
    expect(await storedWidths('7002')).toMatchObject({ tornado_width_yd: 350, before: [300] })
  })
})
