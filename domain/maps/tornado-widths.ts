import type { Position } from 'geojson'
import { TORNADO_WIDTH_MAX_YD } from '#domain/archive/plausibility.ts'
import { cutFeatures, inUnitSquare, type Tags, type TileFeature } from '#domain/maps/cut-paths.ts'
import { boxOf, latitudeOf, type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import type { MapPath } from '#domain/maps/point-list.ts'
import { M_PER_YARD } from '#domain/weather/units.ts'

/** A path whose source states its width: the greatest, before 1994 the mean. */
export interface WidePath extends MapPath {
  width_yd: number
}

/** At lower zooms, even the widest path is only some pixels wide. */
export const WIDTHS_ZOOM_MIN = 10
/** Length of the equator of the projection's sphere, EPSG:3857. */
const EQUATOR_M = 2 * Math.PI * 6_378_137
const WORLD = 2 ** WORLD_BITS
const RADIANS = Math.PI / 180
const M_PER_DEGREE = EQUATOR_M / 360

/** Returns the box of a tile in degrees, extended so that it includes every path wide enough to reach into the tile. */
export function boxOfWidths(tile: TileAddress) {
  const { south, west, north, east } = boxOf(tile)
  const latitudeMargin = (TORNADO_WIDTH_MAX_YD * M_PER_YARD) / 2 / M_PER_DEGREE
  const longitudeMargin = latitudeMargin / Math.cos(Math.max(Math.abs(south), Math.abs(north)) * RADIANS)
  return { south: south - latitudeMargin, west: west - longitudeMargin, north: north + latitudeMargin, east: east + longitudeMargin }
}

/** Returns the ground on both sides of straight paths, as wide as its source states, with straight ends: the parts in a tile and its edge. */
export function cutWidths(paths: readonly WidePath[], tile: TileAddress, tags: (path: WidePath) => Tags): TileFeature[] {
  const features = paths.flatMap((path) => {
    const ring = ringAround(path)
    return ring
      ? [{ type: 'Feature' as const, id: path.id, geometry: { type: 'Polygon' as const, coordinates: [ring] }, properties: tags(path) }]
      : []
  })
  return features.length === 0 ? [] : cutFeatures(features, tile)
}

/** Null for a path that ends where it begins. The projection preserves angles, and stretches lengths by 1 / cos(latitude). */
function ringAround({ x, y, end_x, end_y, width_yd }: WidePath): Position[] | null {
  const [east, south] = [end_x - x, end_y - y]
  const length = Math.hypot(east, south)
  if (length === 0) return null
  const stretch = Math.cos(latitudeOf((y + end_y) / 2) * RADIANS)
  const half = (((width_yd * M_PER_YARD) / 2 / EQUATOR_M) * WORLD) / stretch / length
  const [right, down] = [-south * half, east * half]
  const corners: [number, number][] = [
    [x - right, y - down],
    [end_x - right, end_y - down],
    [end_x + right, end_y + down],
    [x + right, y + down],
    [x - right, y - down],
  ]
  return corners.map(([east, south]) => inUnitSquare(east, south))
}
