import { byStrength, layerOf } from '#domain/maps/layers.ts'
import { type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import type { MapPath, MapPoint } from '#domain/maps/point-list.ts'

/**
 * A tile is 64 spots wide and high: 8 of the 512 pixels that it is drawn with, about the width of a marker. Spots of a
 * tile are whole spots of its four children, so that the strongest of the children's lists are the tile's own.
 */
const SPOT_BITS = 6
/** Paths of a tile at most: more could not be told apart, and these take less than half of what a tile may weigh. */
const PATHS_MAX = 4000

/** The strongest point of each spot and layer of a zoom, in the order of their ids. */
export function strongestPoints(points: Iterable<MapPoint>, z: number): MapPoint[] {
  return strongestOf(points, (point) => `${layerOf(point.type)} ${spotOf(point.x, point.y, z)}`).sort(byId)
}

/** The strongest path whose middle lies in each spot; each path once. */
export function strongestPaths(paths: Iterable<MapPath>, z: number): MapPath[] {
  const strongest = strongestOf(paths, ({ x, y, end_x, end_y }) => String(spotOf((x + end_x) / 2, (y + end_y) / 2, z)))
  return strongest.sort(byStrength).slice(0, PATHS_MAX).sort(byId)
}

function strongestOf<T extends MapPoint>(items: Iterable<T>, spot: (item: T) => string): T[] {
  const best = new Map<string, T>()
  for (const item of items) {
    const key = spot(item)
    const held = best.get(key)
    if (!held || byStrength(item, held) < 0) best.set(key, item)
  }
  return [...best.values()]
}

function spotOf(x: number, y: number, z: number): number {
  const side = 2 ** (WORLD_BITS - z - SPOT_BITS)
  return Math.floor(y / side) * 2 ** (z + SPOT_BITS) + Math.floor(x / side)
}

const byId = (one: MapPoint, other: MapPoint) => one.id - other.id

/** Share of a tile's side by which lines and areas reach over its edge, so that no seam shows. */
export const EDGE = 1 / 64

/** The part of a line inside a tile and its edge, in world units; null where it passes by (Liang and Barsky, 1984). */
export function clipToTile(
  { x, y, end_x, end_y }: Pick<MapPath, 'x' | 'y' | 'end_x' | 'end_y'>,
  tile: TileAddress,
): [number, number, number, number] | null {
  const side = 2 ** (WORLD_BITS - tile.z)
  const [west, north] = [(tile.x - EDGE) * side, (tile.y - EDGE) * side]
  const reach = side * (1 + 2 * EDGE)
  const [dx, dy] = [end_x - x, end_y - y]
  let [from, to] = [0, 1]
  for (const [step, room] of [
    [-dx, x - west],
    [dx, west + reach - x],
    [-dy, y - north],
    [dy, north + reach - y],
  ] as const) {
    if (step === 0 && room < 0) return null
    if (step < 0) from = Math.max(from, room / step)
    if (step > 0) to = Math.min(to, room / step)
  }
  return from > to ? null : [x + from * dx, y + from * dy, x + to * dx, y + to * dy]
}
