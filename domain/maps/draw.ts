import { fromVectorTileJs, GeoJSONWrapper } from '@maplibre/vt-pbf'
import { areaLayerOf } from '#domain/maps/area-layer.ts'
import { cutPaths, type Tags, type TileFeature } from '#domain/maps/cut-paths.ts'
import { EXTENT, type TileAddress } from '#domain/maps/mercator.ts'
import { dateOf, pointLayersOf } from '#domain/maps/point-layers.ts'
import { type MapPath, POINT_WORDS } from '#domain/maps/point-list.ts'
import type { BandArea } from '#domain/maps/radar-bands.ts'
import type { MapRecords } from '#domain/maps/records.ts'
import { cutWidths, type WidePath } from '#domain/maps/tornado-widths.ts'
import { cutWarnings, type WarningArea } from '#domain/maps/warning-areas.ts'
import { familyOf } from '#domain/weather/types.ts'

/** The most bytes of a tile before compression: a phone can draw this much without a pause. */
export const TILE_BYTES_MAX = 500_000
/** An over-full tile is cut somewhat below the limit: features differ in size. */
const CUT_MARGIN = 0.95

export interface TileContent extends MapRecords {
  areas: BandArea[]
  /** Newest first. */
  warnings: WarningArea[]
  /** The strongest first. */
  widths: WidePath[]
}

/** Returns a tile in the vector tile format; empty if it shows nothing. Leaves out the weakest points of a tile that would be too large. */
export function drawTile(tile: TileAddress, { points, paths, areas, warnings, widths }: TileContent): Buffer {
  // A tile is a sequence of layers. Radar comes first, because later layers are drawn over it.
  const drawn = {
    warnings: cutWarnings(warnings.toReversed(), tile),
    tornado_widths: cutWidths(widths.toReversed(), tile, (path) => ({ ...pathTags(path), width_yd: path.width_yd })),
    tornado_paths: cutPaths(paths.toReversed(), tile, pathTags),
  }
  const under = Buffer.concat([areaLayerOf(areas), encode(drawn)])
  let over = pointLayersOf(points, tile)
  for (let shown = points.length / POINT_WORDS; under.length + over.length > TILE_BYTES_MAX; ) {
    shown = Math.floor(((shown * (TILE_BYTES_MAX - under.length)) / over.length) * CUT_MARGIN)
    over = pointLayersOf(points.subarray(0, shown * POINT_WORDS), tile)
  }
  return Buffer.concat([under, over])
}

function encode(layers: Record<string, TileFeature[]>): Uint8Array {
  const drawn = Object.entries(layers).flatMap(([name, features]) =>
    features.length > 0 ? [[name, layerOf(name, features)] as const] : [],
  )
  return fromVectorTileJs({ layers: Object.fromEntries(drawn) })
}

const layerOf = (name: string, features: TileFeature[]) =>
  Object.assign(new GeoJSONWrapper(features, { version: 2, extent: EXTENT }), { name })

function pathTags({ id, type, severity, day, value, source, evidence_kind }: MapPath): Tags {
  return { id, type, family: familyOf(type), severity, date: dateOf(day), value, source, evidence_kind }
}
