import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  boxOf,
  childrenOf,
  isTile,
  LATITUDE_MAX,
  parentOf,
  type TileAddress,
  tileAt,
  tileKey,
  tileOfKey,
  tilesMeeting,
  WORLD_BITS,
  worldPoint,
  worldX,
  worldY,
  ZOOM_MAX,
} from '#domain/maps/mercator.ts'

const WORLD = 2 ** WORLD_BITS
const tiles = fc
  .integer({ min: 0, max: ZOOM_MAX })
  .chain((z) => fc.record({ z: fc.constant(z), x: fc.integer({ min: 0, max: 2 ** z - 1 }), y: fc.integer({ min: 0, max: 2 ** z - 1 }) }))
const places = fc.record({
  latitude: fc.double({ min: -85, max: 85, noNaN: true }),
  longitude: fc.double({ min: -180, max: 179.999, noNaN: true }),
})

it('recognises the tiles that exist, up to the deepest zoom', () => {
  expect(isTile({ z: 0, x: 0, y: 0 })).toBe(true)
  expect(isTile({ z: 14, x: 16_383, y: 16_383 })).toBe(true)
  for (const none of [
    { z: 0, x: 1, y: 0 },
    { z: 0, x: 0, y: 1 },
    { z: 3, x: 8, y: 7 },
    { z: 3, x: 7, y: 8 },
    { z: 15, x: 0, y: 0 },
  ])
    expect(isTile(none)).toBe(false)
})

it('puts places where EPSG:3857 does', () => {
  expect([worldX(-180), worldX(0), worldX(90)]).toEqual([0, WORLD / 2, WORLD * 0.75])
  expect(worldY(0)).toBe(WORLD / 2)
  expect(worldY(LATITUDE_MAX)).toBeCloseTo(0, 3)
  expect(worldY(-LATITUDE_MAX)).toBeCloseTo(WORLD, 3)
  // Oklahoma City.
  const { x, y } = worldPoint(35.4676, -97.5164) as { x: number; y: number }
  expect(tileAt(x, y, 10)).toEqual({ z: 10, x: 234, y: 403 })
})

it('keeps every place within the world, and has none beyond the limits of the projection', () => {
  expect(worldPoint(LATITUDE_MAX, -180)).toEqual({ x: 0, y: 0 })
  expect(worldPoint(-LATITUDE_MAX, 180)).toEqual({ x: WORLD - 1, y: WORLD - 1 })
  expect(worldPoint(LATITUDE_MAX + 0.0001, 0)).toBeNull()
  expect(worldPoint(-LATITUDE_MAX - 0.0001, 0)).toBeNull()
})

it('puts every place inside the box of its tile', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: ZOOM_MAX }), ({ latitude, longitude }, z) => {
      const { x, y } = worldPoint(latitude, longitude) as { x: number; y: number }
      const tile = tileAt(x, y, z)
      const { west, east, south, north } = boxOf(tile)
      const unit = 1e-5
      expect(isTile(tile)).toBe(true)
      expect(longitude >= west - unit && longitude <= east + unit && latitude >= south - unit && latitude <= north + unit).toBe(true)
    }),
  )
})

it('has adjacent boxes, and the whole world at zoom 0', () => {
  const { west, east, south, north } = boxOf({ z: 0, x: 0, y: 0 })
  expect([west, east]).toEqual([-180, 180])
  expect(north).toBeCloseTo(LATITUDE_MAX, 9)
  expect(south).toBeCloseTo(-LATITUDE_MAX, 9)
  const [one, right, below] = [boxOf({ z: 5, x: 7, y: 12 }), boxOf({ z: 5, x: 8, y: 12 }), boxOf({ z: 5, x: 7, y: 13 })]
  expect([one.east, one.south]).toEqual([right.west, below.north])
})

it('a box of degrees meets exactly the tiles whose boxes overlap it', () => {
  fc.assert(
    fc.property(places, places, fc.integer({ min: 0, max: 5 }), (one, other, z) => {
      const box = {
        south: Math.min(one.latitude, other.latitude),
        north: Math.max(one.latitude, other.latitude),
        west: Math.min(one.longitude, other.longitude),
        east: Math.max(one.longitude, other.longitude),
      }
      const found = new Set(tilesMeeting(box, z).map(tileKey))
      const margin = 1e-9
      for (let x = 0; x < 2 ** z; x++)
        for (let y = 0; y < 2 ** z; y++) {
          const tile = boxOf({ z, x, y })
          const apart =
            tile.west - box.east > margin ||
            box.west - tile.east > margin ||
            tile.south - box.north > margin ||
            box.south - tile.north > margin
          const within =
            tile.west < box.east - margin &&
            box.west < tile.east - margin &&
            tile.south < box.north - margin &&
            box.south < tile.north - margin
          if (within) expect(found.has(tileKey({ z, x, y }))).toBe(true)
          if (apart) expect(found.has(tileKey({ z, x, y }))).toBe(false)
        }
    }),
  )
})

it('a box beyond the world meets the tiles at its ends', () => {
  const poles = { south: -90, north: 90, west: -200, east: 200 }
  expect(tilesMeeting(poles, 1)).toEqual([
    { z: 1, x: 0, y: 0 },
    { z: 1, x: 0, y: 1 },
    { z: 1, x: 1, y: 0 },
    { z: 1, x: 1, y: 1 },
  ])
})

it('gives every tile its own number below 2^32', () => {
  fc.assert(
    fc.property(tiles, (tile) => {
      expect(tileOfKey(tileKey(tile))).toEqual(tile)
      expect(tileKey(tile)).toBeLessThan(2 ** 32)
    }),
  )
  expect([tileKey({ z: 0, x: 0, y: 1 }), tileKey({ z: 0, x: 1, y: 0 }), tileKey({ z: 1, x: 0, y: 0 })]).toEqual([1, 16_384, 268_435_456])
})

it('gives each tile four children, which fill its box and name it as their parent', () => {
  fc.assert(
    fc.property(tiles, (tile) => {
      const children = childrenOf(tile)
      expect(children.map(parentOf)).toEqual([tile, tile, tile, tile])
      const boxes = children.map(boxOf)
      expect(Math.min(...boxes.map(({ west }) => west))).toBe(boxOf(tile).west)
      expect(Math.max(...boxes.map(({ east }) => east))).toBe(boxOf(tile).east)
      expect(Math.max(...boxes.map(({ north }) => north))).toBeCloseTo(boxOf(tile).north, 9)
      expect(Math.min(...boxes.map(({ south }) => south))).toBeCloseTo(boxOf(tile).south, 9)
    }),
  )
  expect(childrenOf({ z: 1, x: 1, y: 0 } satisfies TileAddress)).toEqual([
    { z: 2, x: 2, y: 0 },
    { z: 2, x: 2, y: 1 },
    { z: 2, x: 3, y: 0 },
    { z: 2, x: 3, y: 1 },
  ])
})
