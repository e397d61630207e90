import { fromVectorTileJs, GeoJSONWrapper } from '@maplibre/vt-pbf'
import { areaLayerOf } from '#domain/maps/area-layer.ts'
import { type BandArea, RADAR_BYTES_MAX } from '#domain/maps/band-areas.ts'
import { cutPaths, type Tags, type TileFeature } from '#domain/maps/cut-paths.ts'
import { EXTENT, type TileAddress } from '#domain/maps/mercator.ts'
import { dateOf, pointLayersOf } from '#domain/maps/point-layers.ts'
import { type MapPath, POINT_WORDS, type PointList } from '#domain/maps/point-list.ts'
import { cutWidths, type WidePath } from '#domain/maps/tornado-widths.ts'
import { cutWarnings, WARNING_BYTES_MAX, type WarningArea } from '#domain/maps/warning-areas.ts'
import { familyOf } from '#domain/weather/types.ts'

/** The most bytes of a tile before compression: a phone can draw this much without a pause. */
export const TILE_BYTES_MAX = 500_000
/** What the shaded widths of tornadoes may take of it: some 300. */
const WIDTH_BYTES_MAX = 50_000
/** What the layers beneath leave to points: the 700 strongest. */
const POINT_BYTES_MIN = 50_000
/** An over-full layer is cut somewhat below its limit: features differ in size. */
const CUT_MARGIN = 0.95

export interface TileContent {
  /** The strongest first. */
  points: PointList
  /** The strongest first. */
  paths: MapPath[]
  /** The largest first. */
  areas: BandArea[]
  /** Newest first. */
  warnings: WarningArea[]
  /** The strongest first. */
  widths: WidePath[]
}

/**
 * Returns a tile in the vector tile format; empty if it shows nothing. Leaves out the weakest records, the smallest hail and the oldest
 * warnings of a tile that would be too large.
 */
export function drawTile(tile: TileAddress, { points, paths, areas, warnings, widths }: TileContent): Buffer {
  // A tile is a sequence of layers. Radar comes first, because later layers are drawn over it.
  const beneath = [
    encodeFirst(areas.length, RADAR_BYTES_MAX, (count) => areaLayerOf(areas.slice(0, count))),
    encodeLayer('warnings', cutWarnings(warnings.toReversed(), tile), WARNING_BYTES_MAX),
    encodeLayer(
      'tornado_widths',
      cutWidths(widths.toReversed(), tile, (path) => ({ ...pathTags(path), width_yd: path.width_yd })),
      WIDTH_BYTES_MAX,
    ),
  ]
  const left = TILE_BYTES_MAX - bytesOf(beneath)
  const lines = encodeLayer('tornado_paths', cutPaths(paths.toReversed(), tile, pathTags), left - POINT_BYTES_MIN)
  const over = encodeFirst(points.length / POINT_WORDS, left - lines.length, (count) =>
    pointLayersOf(points.subarray(0, count * POINT_WORDS), tile),
  )
  return Buffer.concat([...beneath, lines, over])
}

const bytesOf = (layers: Uint8Array[]) => layers.reduce((sum, { length }) => sum + length, 0)

/** Encodes the last features, which are drawn over the others, as many as the limit allows. */
function encodeLayer(name: string, features: TileFeature[], bytes_max: number): Uint8Array {
  return encodeFirst(features.length, bytes_max, (count) => {
    const drawn = features.slice(features.length - count)
    return drawn.length > 0 ? fromVectorTileJs({ layers: { [name]: layerOf(name, drawn) } }) : new Uint8Array()
  })
}

/** Encodes fewer of the features until they fit. `encode` returns no bytes for none, so every limit is kept. */
function encodeFirst(features: number, bytes_max: number, encode: (count: number) => Uint8Array): Uint8Array {
  let [count, bytes] = [features, encode(features)]
  while (count > 0 && bytes.length > bytes_max) {
    count = Math.floor(((count * bytes_max) / bytes.length) * CUT_MARGIN)
    bytes = encode(count)
  }
  return bytes
}

const layerOf = (name: string, features: TileFeature[]) =>
  Object.assign(new GeoJSONWrapper(features, { version: 2, extent: EXTENT }), { name })

function pathTags({ id, type, severity, day, value, source, evidence_kind }: MapPath): Tags {
  return { id, type, family: familyOf(type), severity, date: dateOf(day), value, source, evidence_kind }
}
