import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { tileOf } from '#domain/maps/tile.ts'
import { readCsv } from '#test/oracle/csv.ts'
import { openWorld, type World } from '#test/support/world.ts'

const name = 'StormEvents_details-ftp_v1.0_d2019_c20190617.csv.gz'
const file = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'storm-events', name)
const skipped = existsSync(file) ? '' : ' (skipped: real records not present)'

/** Units of a tile's side and of a spot's: 64 spots per side. */
const SIDE = 4096
const SPOT = 64
/** Number of tiles compared at a zoom that shows all their records. */
const NEAR_TILES = 60

interface Place {
  layer: string
  latitude: number
  longitude: number
  size: number
}

/** The agency's event names, by the layer that shows them. */
const layerNames: Record<string, RegExp> = {
  hail: /^(Marine )?Hail$/,
  wind: /^((Marine )?Thunderstorm Wind|(Marine )?(High|Strong) Wind)$/,
  tornado: /^(Tornado|Funnel Cloud|Waterspout)$/,
  flood: /^(Flood|Flash Flood|Coastal Flood|Lakeshore Flood|Storm Surge\/Tide)$/,
}

/** Every row with a place, read by code that is independent of the archive. */
function placesIn(path: string): Place[] {
  return readCsv(path)
    .filter((row) => row.BEGIN_LAT && row.BEGIN_LON)
    .map((row) => ({
      layer: Object.keys(layerNames).find((layer) => layerNames[layer]?.test(row.EVENT_TYPE ?? '')) ?? 'other',
      latitude: Number(row.BEGIN_LAT),
      longitude: Number(row.BEGIN_LON),
      size: Number(row.MAGNITUDE),
    }))
}

/** Units from the north-west corner of the map at a zoom (EPSG:3857). */
function unitsAt({ latitude, longitude }: Place, z: number): [x: number, y: number] {
  const y = 0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI)
  return [((longitude + 180) / 360) * 2 ** z * SIDE, y * 2 ** z * SIDE].map(Math.floor) as [number, number]
}

let world: World
let places: Place[]

describe.skipIf(skipped)(`tiles of the agency’s first quarter of 2019${skipped}`, () => {
  beforeAll(async () => {
    world = await openWorld()
    places = placesIn(file)
    await ingest(world.app, 'storm-events', createReadStream(file), { file_name: name, quiet: true })
    await refreshMaps(world.app)
  })
  afterAll(() => world?.close())

  /** The points of a tile by layer, with their position and value. */
  async function pointsIn(z: number, x: number, y: number) {
    const { gzip } = await tileOf(world.app, { z, x, y })
    const { layers } = new VectorTile(new PbfReader(gzip.length > 0 ? gunzipSync(gzip) : gzip))
    return Object.entries(layers)
      .filter(([layer]) => ['hail', 'wind', 'tornado', 'flood', 'other'].includes(layer))
      .flatMap(([layer, found]) =>
        Array.from({ length: found.length }, (_, index) => {
          const feature = found.feature(index)
          const { x: left = 0, y: down = 0 } = feature.loadGeometry()[0]?.[0] ?? {}
          return { layer, left, down, size: Number(feature.properties.value ?? 0) }
        }),
      )
  }

  function byTile(z: number): Map<string, Place[]> {
    const tiles = new Map<string, Place[]>()
    for (const row of places) {
      const name = unitsAt(row, z)
        .map((units) => Math.floor(units / SIDE))
        .join('/')
      tiles.set(name, [...(tiles.get(name) ?? []), row])
    }
    return tiles
  }

  it('show every record at its place at high zoom', async () => {
    expect(places.length).toBeGreaterThan(3900)
    const busiest = [...byTile(10)].sort(([, one], [, other]) => other.length - one.length).slice(0, NEAR_TILES)
    for (const [name, rows] of busiest) {
      const [x = 0, y = 0] = name.split('/').map(Number)
      const expected = rows.map((row) => [row.layer, ...unitsAt(row, 10).map((units) => units % SIDE)].join(' '))
      const shown = (await pointsIn(10, x, y)).map(({ layer, left, down }) => [layer, left, down].join(' '))
      expect(shown.sort()).toEqual(expected.sort())
    }
  })

  it.each([2, 4, 6])('show one record per occupied spot at zoom %i, for hail the largest', async (z) => {
    for (const [name, rows] of byTile(z)) {
      const [x = 0, y = 0] = name.split('/').map(Number)
      const largest = new Map<string, number>()
      for (const row of rows) {
        const spot = [row.layer, ...unitsAt(row, z).map((units) => Math.floor((units % SIDE) / SPOT))].join(' ')
        const size = row.layer === 'hail' ? row.size : 0
        largest.set(spot, Math.max(size, largest.get(spot) ?? 0))
      }
      const shown = (await pointsIn(z, x, y)).map(
        ({ layer, left, down, size }) =>
          [[layer, Math.floor(left / SPOT), Math.floor(down / SPOT)].join(' '), layer === 'hail' ? size : 0] as const,
      )
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(largest))
      expect(shown).toHaveLength(largest.size)
    }
  })
})
