import { geoJSONToTile } from '@maplibre/geojson-vt'
import type { Feature, LineString, MultiPolygon, Polygon } from 'geojson'
import { EDGE, EXTENT, type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import type { MapPath } from '#domain/maps/point-list.ts'

type Line = Pick<MapPath, 'id' | 'x' | 'y' | 'end_x' | 'end_y'>

/** Lines of two points need no simplifying, nor do polygons of twenty; they are in a square already, as wide as the world. */
const options = { extent: EXTENT, buffer: EXTENT * EDGE, tolerance: 0, clip: true, coordinates: 'unitSquare' } as const

/** A line or an area in units of the tile: what geojson-vt gives, whose own types NodeNext does not resolve. */
export interface TileFeature {
  id: number
  /** 2 lines, 3 areas. */
  type: 2 | 3
  geometry: [number, number][][]
  tags: Tags
}

/** What a feature says of itself; null is left out of the tile. */
export type Tags = Record<string, string | number | null>

/**
 * The parts of paths inside a tile and its edge, in the paths' order. A path that passes the tile by is none of them.
 */
export function cutPaths<Path extends Line>(paths: readonly Path[], tile: TileAddress, tags: (path: Path) => Tags): TileFeature[] {
  if (paths.length === 0) return []
  const features = paths.map((path) => ({
    type: 'Feature' as const,
    id: path.id,
    geometry: { type: 'LineString' as const, coordinates: [inUnitSquare(path.x, path.y), inUnitSquare(path.end_x, path.end_y)] },
    properties: tags(path),
  }))
  return cutFeatures(features, tile)
}

/** The parts of lines and areas inside a tile and its edge. @param features in a square as wide as the world: `inUnitSquare` */
export function cutFeatures(features: Feature<LineString | Polygon | MultiPolygon, Tags>[], { z, x, y }: TileAddress): TileFeature[] {
  return geoJSONToTile({ type: 'FeatureCollection', features }, z, x, y, options).features
}

const WORLD = 2 ** WORLD_BITS
/** World units as shares of the world. */
export const inUnitSquare = (x: number, y: number): [number, number] => [x / WORLD, y / WORLD]

/** Those of some paths that come into a tile or its edge. */
export function pathsThrough<Path extends Line>(paths: readonly Path[], tile: TileAddress): Path[] {
  const inside = new Set(cutPaths(paths, tile, () => ({})).map(({ id }) => id))
  return paths.filter(({ id }) => inside.has(id))
}

/** The tiles of a zoom that the box around a path and its edge meets. */
export function tilesAround({ x, y, end_x, end_y }: Omit<Line, 'id'>, z: number): TileAddress[] {
  const side = 2 ** (WORLD_BITS - z)
  const last = 2 ** z - 1
  const between = (one: number, other: number) => {
    const tileAt = (at: number) => Math.min(last, Math.max(0, Math.floor(at)))
    const [from, to] = [tileAt(Math.min(one, other) / side - EDGE), tileAt(Math.max(one, other) / side + EDGE)]
    return Array.from({ length: to - from + 1 }, (_, step) => from + step)
  }
  return between(x, end_x).flatMap((column) => between(y, end_y).map((row) => ({ z, x: column, y: row })))
}
