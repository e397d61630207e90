import { geoJSONToTile } from '@maplibre/geojson-vt'
import type { Feature, LineString, MultiPolygon, Polygon } from 'geojson'
import { EDGE, EXTENT, type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import type { MapPath } from '#domain/maps/point-list.ts'

type Line = Pick<MapPath, 'id' | 'x' | 'y' | 'end_x' | 'end_y'>

/** Lines of two points and polygons of twenty need no simplifying. Their coordinates are already in a unit square as wide as the world. */
const options = { extent: EXTENT, buffer: EXTENT * EDGE, tolerance: 0, clip: true, coordinates: 'unitSquare' } as const

/** A line or an area in units of the tile, as geojson-vt returns it; NodeNext does not resolve that package's own types. */
export interface TileFeature {
  id: number
  /** 2 lines, 3 areas. */
  type: 2 | 3
  geometry: [number, number][][]
  tags: Tags
}

/** The properties of a feature; a null value is left out of the tile. */
export type Tags = Record<string, string | number | null>

/**
 * Returns the parts of paths inside a tile and its edge, in the paths' order. Leaves out paths that miss the tile.
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

/** Returns the parts of lines and areas inside a tile and its edge. @param features in a square as wide as the world: `inUnitSquare` */
export function cutFeatures(features: Feature<LineString | Polygon | MultiPolygon, Tags>[], { z, x, y }: TileAddress): TileFeature[] {
  return geoJSONToTile({ type: 'FeatureCollection', features }, z, x, y, options).features
}

const WORLD = 2 ** WORLD_BITS
/** Converts world units to fractions of the world. */
export const inUnitSquare = (x: number, y: number): [number, number] => [x / WORLD, y / WORLD]

/** Returns the paths that reach into a tile or its edge. */
export function pathsThrough<Path extends Line>(paths: readonly Path[], tile: TileAddress): Path[] {
  const inside = new Set(cutPaths(paths, tile, () => ({})).map(({ id }) => id))
  return paths.filter(({ id }) => inside.has(id))
}

/** Returns the tiles of a zoom that overlap the box around a path and its edge. */
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
