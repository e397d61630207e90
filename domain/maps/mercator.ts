import type { Bounds } from '#domain/geo/area.ts'

/** One tile of the web's common grid: x runs east from -180, y runs south from 85.05 degrees north. */
export interface TileAddress {
  z: number
  x: number
  y: number
}

/** Highest zoom that is served: a unit of its tiles is 0.6 m, finer than any record's coordinates. */
export const ZOOM_MAX = 14
/** Units per side of a tile, the usual extent of vector tiles. */
export const EXTENT = 4096
/** Fraction of a tile's side by which lines and areas extend past its edge, so that no seam shows. */
export const EDGE = 1 / 64
/** The world is 2^26 units wide: one unit of a tile at the deepest zoom. */
export const WORLD_BITS = 26
const WORLD = 2 ** WORLD_BITS
/** The limit of the square world of the web's Mercator projection, degrees. */
export const LATITUDE_MAX = 85.0511287798066
const RADIANS = Math.PI / 180

/** Whether a tile with these numbers exists. */
export function isTile({ z, x, y }: TileAddress): boolean {
  return z <= ZOOM_MAX && x < 2 ** z && y < 2 ** z
}

/** Converts a longitude to world units, not rounded. */
export function worldX(longitude: number): number {
  return ((longitude + 180) / 360) * WORLD
}

/** Converts a latitude to world units from the north, not rounded (EPSG:3857). */
export function worldY(latitude: number): number {
  const sine = Math.sin(latitude * RADIANS)
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD
}

/** Converts a place to whole world units; null beyond the ends of the projection. */
export function worldPoint(latitude: number, longitude: number): { x: number; y: number } | null {
  if (Math.abs(latitude) > LATITUDE_MAX) return null
  const inside = (units: number) => Math.min(WORLD - 1, Math.max(0, Math.floor(units)))
  return { x: inside(worldX(longitude)), y: inside(worldY(latitude)) }
}

/** The inverse of `worldY`: the latitude, in degrees, of world units from the north. */
export const latitudeOf = (y: number): number => latitudeAt(y / WORLD)

/** Returns the degrees that a tile covers. */
export function boxOf({ z, x, y }: TileAddress): Bounds {
  const side = 2 ** z
  return {
    west: (x / side) * 360 - 180,
    east: ((x + 1) / side) * 360 - 180,
    north: latitudeAt(y / side),
    south: latitudeAt((y + 1) / side),
  }
}

/** Returns the tile of a zoom that contains a point of the world. */
export function tileAt(x: number, y: number, z: number): TileAddress {
  return { z, x: x >>> (WORLD_BITS - z), y: y >>> (WORLD_BITS - z) }
}

/** Returns the tiles of a zoom that overlap a box of degrees. */
export function tilesMeeting(box: Bounds, z: number): TileAddress[] {
  const last = 2 ** z - 1
  const number = (units: number) => Math.min(last, Math.max(0, Math.floor(units / 2 ** (WORLD_BITS - z))))
  const inMap = (latitude: number) => Math.min(LATITUDE_MAX, Math.max(-LATITUDE_MAX, latitude))
  const tiles: TileAddress[] = []
  for (let x = number(worldX(box.west)); x <= number(worldX(box.east)); x++)
    for (let y = number(worldY(inMap(box.north))); y <= number(worldY(inMap(box.south))); y++) tiles.push({ z, x, y })
  return tiles
}

/** Packs the three numbers of a tile into one, below 2^32. */
export function tileKey({ z, x, y }: TileAddress): number {
  return (z * 16_384 + x) * 16_384 + y
}

/** The tile of a key of `tileKey`. */
export function tileOfKey(key: number): TileAddress {
  return { z: Math.floor(key / 268_435_456), x: Math.floor(key / 16_384) % 16_384, y: key % 16_384 }
}

/** The tile of the zoom above that contains a tile. */
export function parentOf({ z, x, y }: TileAddress): TileAddress {
  return { z: z - 1, x: x >> 1, y: y >> 1 }
}

/** The four tiles of the zoom below that a tile contains. */
export function childrenOf({ z, x, y }: TileAddress): TileAddress[] {
  return [0, 1].flatMap((right) => [0, 1].map((below) => ({ z: z + 1, x: x * 2 + right, y: y * 2 + below })))
}

function latitudeAt(share: number): number {
  return Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) / RADIANS
}
