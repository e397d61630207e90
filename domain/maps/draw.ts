import vtPbf from 'vt-pbf'
import { present } from '#domain/kernel/present.ts'
import { clipToTile } from '#domain/maps/clip.ts'
import { EXTENT, type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import { dateOf, pointLayersOf } from '#domain/maps/point-layers.ts'
import { type MapPath, POINT_WORDS } from '#domain/maps/point-list.ts'
import type { TileList } from '#domain/maps/pyramid.ts'
import type { BandArea } from '#domain/maps/radar-bands.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import { familyOf } from '#domain/weather/types.ts'

/** Bytes of a tile before compression at most: what a telephone draws without a pause. */
export const TILE_BYTES_MAX = 500_000
/** How much further than the excess asks a full tile is cut: features are not all of one size. */
const CUT_MARGIN = 0.95

export interface TileContent extends TileList {
  areas: BandArea[]
}

type Feature = Parameters<typeof vtPbf.fromGeojsonVt>[0][string]['features'][number]

/** A tile as the bytes of the vector tile format, empty where it shows nothing. Where it would be too heavy, the weakest points are left out. */
export function drawTile(tile: TileAddress, { points, paths, areas }: TileContent): Buffer {
  // Layers one after the other are a tile: radar first, for what comes later is drawn over it.
  const under = encode({
    radar_hail: areas.map(areaFeature),
    tornado_paths: paths.toReversed().flatMap((path) => pathFeature(path, tile)),
  })
  let over = pointLayersOf(points, tile)
  for (let shown = points.length / POINT_WORDS; under.length + over.length > TILE_BYTES_MAX; ) {
    shown = Math.floor(((shown * (TILE_BYTES_MAX - under.length)) / over.length) * CUT_MARGIN)
    over = pointLayersOf(points.subarray(0, shown * POINT_WORDS), tile)
  }
  return Buffer.concat([under, over])
}

function encode(layers: Record<string, Feature[]>): Uint8Array {
  const drawn = Object.entries(layers).flatMap(([name, features]) => (features.length > 0 ? [[name, { features }] as const] : []))
  return vtPbf.fromGeojsonVt(Object.fromEntries(drawn), { version: 2, extent: EXTENT })
}

/** No record stands behind an area: its id is of its day and band. */
function areaFeature({ day, source, band, rings }: BandArea): Feature {
  const { from_in: value } = present(radarBands[band])
  const severity = severityOf({ type: 'hail', hail_size_in: value, wind_gust_mph: null, wind_speed_mph: null, tornado_ef_scale: null })
  const id = Number(day.replaceAll('-', '')) * 10 + band
  return {
    id,
    type: 3,
    geometry: rings.map((ring) => ring.map(({ x, y }): [number, number] => [x, y])),
    tags: { id, type: 'hail', family: familyOf('hail'), severity, date: day, value, source, evidence_kind: 'radar' },
  }
}

/** Nothing where the path passes the tile by. */
function pathFeature({ id, type, severity, day, value, source, evidence_kind, ...path }: MapPath, tile: TileAddress): Feature[] {
  const line = clipToTile(path, tile)
  if (!line) return []
  const [x, y, end_x, end_y] = line
  const tags = { id, type, family: familyOf(type), severity, date: dateOf(day), value, source, evidence_kind }
  return [{ id, type: 2, geometry: [[inTile(x, y, tile), inTile(end_x, end_y, tile)]], tags }]
}

function inTile(x: number, y: number, tile: TileAddress): [number, number] {
  const scale = EXTENT / 2 ** (WORLD_BITS - tile.z)
  return [Math.floor(x * scale - tile.x * EXTENT), Math.floor(y * scale - tile.y * EXTENT)]
}
