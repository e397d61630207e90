import { gunzipSync } from 'node:zlib'
import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile'
import type { Point, Polygon } from 'geojson'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { sharedPool } from '#domain/engines/row-scope.ts'
import { boxOf, type TileAddress, tileAt, tileKey, worldPoint } from '#domain/maps/mercator.ts'
import { POINT_WORDS, word } from '#domain/maps/point-list.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { recordsOnMap } from '#domain/maps/records.ts'
import { drawAhead, tileOf } from '#domain/maps/tile.ts'
import { readAlerts } from '#test/domain/archive/warnings/alerts.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function decode(tile: TileAddress): Promise<VectorTile> {
  const { gzip } = await tileOf(world.app, tile)
  return new VectorTile(new PbfReader(gzip.length === 0 ? gzip : gunzipSync(gzip)))
}

async function idsIn(tile: TileAddress, layer = 'hail'): Promise<number[]> {
  const found = (await decode(tile)).layers[layer]
  return found ? Array.from({ length: found.length }, (_, index) => Number(found.feature(index).properties.id)) : []
}

/** The tile at a zoom that contains a place, by the formula of EPSG:3857. */
function tileOver(latitude: number, longitude: number, z: number): TileAddress {
  const x = Math.floor(((longitude + 180) / 360) * 2 ** z)
  const radians = (latitude * Math.PI) / 180
  const y = Math.floor(((1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2) * 2 ** z)
  return { z, x, y }
}

const numbersOf = ({ x, y, z }: TileAddress): [number, number, number] => [x, y, z]

describe('a tile', () => {
  it('shows a record at every zoom, at its place and in no neighbouring tile', async () => {
    for (const [latitude, longitude] of [
      [35.3, -97.5],
      [30.1, 179.99],
      [30.1, -179.99],
      [85, 12.3],
    ] as const) {
      const { id } = await storeRecord(world, { latitude, longitude, hail_size_in: 1.75 })
      await refreshMaps(world.app)
      for (let z = 0; z <= 14; z++) {
        const tile = tileOver(latitude, longitude, z)
        const layer = (await decode(tile)).layers.hail
        const features = Array.from({ length: layer?.length ?? 0 }, (_, index) => layer?.feature(index)).filter(
          (one) => one?.properties.id === id,
        )
        expect(features).toHaveLength(1)
        const { geometry } = (features[0] as VectorTileFeature).toGeoJSON(tile.x, tile.y, z)
        const [lon, lat] = (geometry as Point).coordinates as [number, number]
        // A unit of a tile: its width in degrees divided by 4096.
        expect(Math.abs(lon - longitude)).toBeLessThan(360 / 2 ** z / 2048)
        expect(Math.abs(lat - latitude)).toBeLessThan(360 / 2 ** z / 2048)
        for (const [right, down] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ] as const) {
          const side = 2 ** z
          const neighbour = { z, x: (tile.x + right + side) % side, y: tile.y + down }
          if (neighbour.y < 0 || neighbour.y >= side || tileKey(neighbour) === tileKey(tile)) continue
          expect(await idsIn(neighbour)).not.toContain(id)
        }
      }
    }
  })

  it('reads only the part of a cell inside the tile, and paths that pass through it', async () => {
    const [latitude, longitude] = [40.06, -100.06]
    const inside = await storeRecord(world, { latitude, longitude })
    const outside = await storeRecord(world, { latitude: latitude + 0.1, longitude })
    const through = await storeRecord(world, {
      type: 'tornado',
      precision: 'path',
      latitude: latitude - 0.05,
      longitude,
      end_latitude: latitude + 0.05,
      end_longitude: longitude,
    })
    const { points, paths } = await recordsOnMap(world.app.pool, boxOf(tileOver(latitude, longitude, 14)))
    const read = Array.from({ length: points.length / POINT_WORDS }, (_, nth) => points[nth * POINT_WORDS + word.id])
    expect(read.sort()).toEqual([inside.id, through.id].sort())
    expect(read).not.toContain(outside.id)
    expect(paths.map(({ id }) => id)).toEqual([through.id])
  })

  it('shows a record at the edge of the world in only one tile per zoom', async () => {
    for (const [latitude, longitude] of [
      [-30.1, 179.99],
      [-30.1, -179.99],
      [85, -12.3],
    ] as const) {
      const { id } = await storeRecord(world, { latitude, longitude, hail_size_in: 4.5 })
      await refreshMaps(world.app)
      for (const z of [1, 2, 3]) {
        const holding: TileAddress[] = []
        for (let x = 0; x < 2 ** z; x++)
          for (let y = 0; y < 2 ** z; y++) if ((await idsIn({ z, x, y })).includes(id)) holding.push({ z, x, y })
        expect(holding).toEqual([tileOver(latitude, longitude, z)])
      }
    }
  })

  it('carries the properties of a record', async () => {
    const { id } = await storeRecord(world, { latitude: 40.01, longitude: -100.01, hail_size_in: 2.5, occurred_on: '2021-06-07' })
    await refreshMaps(world.app)
    const layer = (await decode(tileOver(40.01, -100.01, 12))).layers.hail
    expect(layer?.feature(0).properties).toEqual({
      id,
      type: 'hail',
      family: 'thunderstorm',
      severity: 'severe',
      date: '2021-06-07',
      value: 2.5,
      source: 'noaa_storm_events',
      evidence_kind: 'ground',
    })
  })

  it('shows the strongest record of a spot at low zoom, and all at high zoom', async () => {
    const [latitude, longitude] = [44.44, -90.9]
    const weak = await storeRecord(world, { latitude, longitude, hail_size_in: 1 })
    const strong = await storeRecord(world, { latitude: latitude + 0.0001, longitude, hail_size_in: 4 })
    const gust = await storeRecord(world, { latitude, longitude, type: 'thunderstorm_wind', wind_gust_mph: 60 })
    await refreshMaps(world.app)
    for (const z of [0, 3, 6, 9]) {
      const shown = await idsIn(tileOver(latitude, longitude, z))
      expect(shown).not.toContain(weak.id)
      if (z > 3) expect(shown).toContain(strong.id)
    }
    expect(await idsIn(tileOver(latitude, longitude, 9), 'wind')).toContain(gust.id)
    expect((await idsIn(tileOver(latitude, longitude, 11))).sort()).toEqual([weak.id, strong.id].sort())
  })

  it('draws a path through every tile that it crosses', async () => {
    const path = { latitude: 36.05, longitude: -95.2, end_latitude: 36.4, end_longitude: -94.1 }
    const { id } = await storeRecord(world, { type: 'tornado', precision: 'path', tornado_ef_scale: 3, ...path })
    await refreshMaps(world.app)
    for (const z of [2, 7, 9, 12]) {
      for (const share of [0.01, 0.5, 0.99]) {
        const over = worldPoint(36.05 + 0.35 * share, -95.2 + 1.1 * share) as { x: number; y: number }
        const tile = tileAt(over.x, over.y, z)
        if (z < 12 || share === 0.01) expect(await idsIn(tile, 'tornado_paths')).toContain(id)
      }
    }
  })

  it('is removed with its record, and only the tiles over it are redrawn', async () => {
    const here = { latitude: 33.3, longitude: -101.3 }
    const { id } = await storeRecord(world, { ...here, hail_size_in: 3 })
    const otherTile = tileOver(47, -120, 8)
    await storeRecord(world, { latitude: 47, longitude: -120, hail_size_in: 1 })
    await refreshMaps(world.app)
    expect(await idsIn(tileOver(33.3, -101.3, 8))).toContain(id)
    const before = await tileOf(world.app, otherTile)
    const kept = () => world.app.pool.query('SELECT version FROM tiles WHERE z = 8 AND x = $1 AND y = $2', [otherTile.x, otherTile.y])
    await expect.poll(async () => (await kept()).rowCount).toBe(1)
    await world.app.pool.query('DELETE FROM record_cells WHERE record_id = $1', [id])
    await refreshMaps(world.app)
    for (const z of [0, 5, 8, 9, 10, 14]) expect(await idsIn(tileOver(33.3, -101.3, z))).not.toContain(id)
    expect((await tileOf(world.app, otherTile)).etag).toBe(before.etag)
    const { rows } = await kept()
    const { rows: now } = await world.app.pool.query(`SELECT value::int AS version FROM install_facts WHERE name = 'map_version'`)
    expect(Number(rows[0].version)).toBeLessThan(now[0].version)
  })

  it('shows a change completely or not at all while it is being made', async () => {
    const here = { latitude: 39.3, longitude: -88.3 }
    const { row, column } = gridCellAt(here.latitude, here.longitude)
    const first = await storeRecord(world, { ...here, hail_size_in: 2 })
    await refreshMaps(world.app)
    const second = await storeRecord(world, { ...here, type: 'flash_flood' })
    await world.app.pool.query('DELETE FROM record_cells WHERE record_id = $1', [first.id])
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2025-05-28T23:00:00Z'), [{ row, column, size_mm: 26 }]))
    const [before, after] = [`hail ${first.id}`, `flood ${second.id} radar_hail 202505283`]
    const seen = new Set<string>()
    let made = false
    const change = refreshMaps(world.app).finally(() => {
      made = true
    })
    const look = async (z: number) => {
      const { layers } = await decode(tileOver(here.latitude, here.longitude, z))
      const shown = ['hail', 'flood', 'radar_hail'].flatMap((name) => {
        const layer = layers[name]
        return layer ? [name, ...Array.from({ length: layer.length }, (_, index) => String(layer.feature(index).properties.id))] : []
      })
      seen.add(shown.join(' '))
    }
    do await Promise.all([7, 8, 9].map(look))
    while (!made)
    await change
    expect([before, after]).toEqual(expect.arrayContaining([...seen]))
    seen.clear()
    await Promise.all([7, 8, 9].map(look))
    expect([...seen]).toEqual([after])
  })

  it('is drawn ahead identically to one that is requested', async () => {
    await storeRecord(world, { latitude: 42.2, longitude: -83.3, hail_size_in: 1.25 })
    const { lists } = await refreshMaps(world.app)
    const requested = await tileOf(world.app, tileOver(42.2, -83.3, 8))
    await drawAhead(world.app, lists)
    const { rows } = await world.app.pool.query('SELECT z, x, y, etag FROM tiles ORDER BY z')
    expect(rows.map(({ z }) => z)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
    expect(rows).toContainEqual({ ...tileOver(42.2, -83.3, 8), etag: requested.etag })
  })

  it('outside the grid is not found, without a query', async () => {
    const query = vi.spyOn(sharedPool(world.app.pool), 'query')
    for (const tile of [
      { z: 15, x: 0, y: 0 },
      { z: 0, x: 1, y: 0 },
      { z: 14, x: 16_384, y: 0 },
      { z: 3, x: 0, y: 8 },
    ])
      await expect(tileOf(world.app, tile)).rejects.toMatchObject({ code: 'not_found' })
    expect(query).not.toHaveBeenCalled()
    query.mockRestore()
  })

  it('carries each polygon of a warning with its times and tags, and drops it with the warning', async () => {
    const around = (longitude: number) => ({
      type: 'Polygon',
      coordinates: [
        [
          [longitude, 32.6],
          [longitude + 0.4, 32.6],
          [longitude + 0.4, 33],
          [longitude, 33],
          [longitude, 32.6],
        ],
      ],
    })
    const times = { begins: '260528T2310Z', sent: '2026-05-28T23:10:00Z' }
    const event = 'Severe Thunderstorm Warning'
    // Drawn once before, so the new data must update it.
    const z8 = tileOver(32.8, -96.8, 8)
    expect((await decode(z8)).layers.warnings).toBeUndefined()
    await readAlerts(world, { action: 'NEW', ...times, shape: around(-97), event })
    await readAlerts(world, { action: 'CON', sent: '2026-05-28T23:25:00Z', shape: around(-96.9), event })
    // A warning for whole counties, without a polygon.
    await readAlerts(world, { action: 'NEW', ...times, number: 143, shape: null })
    await refreshMaps(world.app)
    const warningsIn = async (tile: TileAddress) => {
      const layer = (await decode(tile)).layers.warnings
      return Array.from({ length: layer?.length ?? 0 }, (_, nth) => (layer as VectorTileLayer).feature(nth))
    }
    const shared = {
      type: event,
      phenomenon: 'SV',
      severity: 'severe',
      source: 'nws_warnings',
      timezone: 'America/Chicago',
      max_hail_in: 1.75,
    }
    const complete = { ...shared, issued: '2026-05-28T23:10:00Z', expires: '2026-05-28T23:45:00Z' }
    const first = { ...complete, id: expect.any(Number), from: '2026-05-28T23:10:00Z', until: '2026-05-28T23:25:00Z' }
    const second = { ...complete, id: expect.any(Number), from: '2026-05-28T23:25:00Z', until: '2026-05-28T23:45:00Z' }
    for (const z of [6, 8, 12]) {
      const found = await warningsIn(tileOver(32.8, -96.8, z))
      expect(found.map(({ properties }) => properties)).toEqual([first, second])
      const outlines = found.map((one) => (one.toGeoJSON(...numbersOf(tileOver(32.8, -96.8, z))).geometry as Polygon).coordinates[0])
      const west = outlines.map((ring) => Math.min(...(ring ?? []).map(([longitude = 0]) => longitude)))
      if (z === 6) for (const [nth, longitude] of [-97, -96.9].entries()) expect(west[nth]).toBeCloseTo(longitude, 2)
    }
    expect(await warningsIn(tileOver(32.8, -96.8, 5))).toEqual([])
    expect(await warningsIn(tileOver(32.8, -95, 9))).toEqual([])
    // A cancelled warning was in force until its cancellation.
    await readAlerts(world, { action: 'CAN', sent: '2026-05-28T23:35:00Z', shape: null })
    await refreshMaps(world.app)
    expect((await warningsIn(z8)).map(({ properties }) => properties.until)).toEqual(['2026-05-28T23:25:00Z', '2026-05-28T23:35:00Z'])
    // Without its polygon, it leaves the tiles, whatever cells its counties have.
    for (const [before, after, shown] of [
      ['storm', 'zone', 0],
      ['zone', 'storm', 2],
    ] as const) {
      await world.owner.query('UPDATE warnings SET geometry_basis = $2 WHERE geometry_basis = $1', [before, after])
      await refreshMaps(world.app)
      expect(await warningsIn(z8)).toHaveLength(shown)
    }
    await deleteSource(world.app, 'warnings')
    await refreshMaps(world.app)
    expect(await warningsIn(z8)).toEqual([])
  })

  it('stays below 500 kB, with the strongest records first', async () => {
    const crowd = { south: 0, west: 0 }
    await world.app.pool.query(
      `INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, latitude, longitude, hail_size_in,
                                    precision, evidence_kind, is_observed, citation_url, description)
       SELECT 'noaa_storm_events', 'crowd/' || n, 'hail', 'thunderstorm', CASE WHEN n % 1000 = 0 THEN 'extreme' ELSE 'minor' END,
              DATE '1960-01-01' + (n % 20000), now(), $1 + 0.01 + (n % 173) * 0.001, $2 + 0.01 + (n / 173) * 0.001,
              0.5 + (n % 97) * 0.01, 'point', 'ground', true, 'https://example.com', ''
         FROM generate_series(1, 15000) AS n`,
      [crowd.south, crowd.west],
    )
    await world.app.pool.query(
      `INSERT INTO record_cells (record_id, cell, occurred_on)
       SELECT id, 360 * 1440 + 720, occurred_on FROM archive_records WHERE source_key LIKE 'crowd/%'`,
    )
    await refreshMaps(world.app)
    const { x, y } = tileOver(0.1, 0.1, 10)
    const drawn = await tileOf(world.app, { z: 10, x, y })
    expect(gunzipSync(drawn.gzip).length).toBeLessThanOrEqual(500_000)
    expect(gunzipSync(drawn.gzip).length).toBeGreaterThan(400_000)
    const layer = (await decode({ z: 10, x, y })).layers.hail
    const shown = Array.from({ length: layer?.length ?? 0 }, (_, index) => layer?.feature(index).properties.severity)
    expect(shown.filter((severity) => severity === 'extreme')).toHaveLength(15)
    expect(boxOf({ z: 10, x, y }).east).toBeGreaterThan(0.3)
  })
})
