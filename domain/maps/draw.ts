import vtPbf from 'vt-pbf'
import { familyOf, severityOf } from '#domain/archive/families.ts'
import { byStrength, layerOf, pointLayers } from '#domain/maps/layers.ts'
import { EXTENT, type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import type { MapPath, MapPoint } from '#domain/maps/point-list.ts'
import type { TileList } from '#domain/maps/pyramid.ts'
import { type BandArea, radarBands } from '#domain/maps/radar-bands.ts'
import { clipToTile } from '#domain/maps/strongest.ts'

/** Bytes of a tile before compression at most: what a telephone draws without a pause. */
export const TILE_BYTES_MAX = 500_000
/** Share of them that radar may take where a tile is full: it is the wordiest, and the records come first. */
const RADAR_BYTES_MAX = 200_000
/** Bytes that a corner of an outline takes, about, and an area besides. */
const CORNER_BYTES = 4
const AREA_BYTES = 40
/** How much further than the excess asks a full tile is cut: features are not all of one size. */
const CUT_MARGIN = 0.95

export interface TileContent extends TileList {
  areas: BandArea[]
}

type Feature = Parameters<typeof vtPbf.fromGeojsonVt>[0][string]['features'][number]

/** A tile as the bytes of the vector tile format, empty where it shows nothing. Where it would be too heavy, the weakest are left out. */
export function drawTile(tile: TileAddress, { points, paths, areas }: TileContent): Buffer {
  const [radar, all] = [withinBudget(areas), [...points].sort(byStrength)]
  let shown = all.length
  for (;;) {
    const bytes = encode(tile, all.slice(0, shown), paths, radar)
    if (bytes.length <= TILE_BYTES_MAX) return bytes
    shown = Math.floor(((shown * TILE_BYTES_MAX) / bytes.length) * CUT_MARGIN)
  }
}

/** The largest bands of the newest days, as far as the bytes go. */
function withinBudget(areas: BandArea[]): BandArea[] {
  let left = RADAR_BYTES_MAX
  return [...areas]
    .sort((one, other) => other.band - one.band || (one.day < other.day ? 1 : -1))
    .filter(({ rings }) => {
      left -= AREA_BYTES + rings.reduce((sum, ring) => sum + ring.length * CORNER_BYTES, 0)
      return left >= 0
    })
}

function encode(tile: TileAddress, points: MapPoint[], paths: MapPath[], areas: BandArea[]): Buffer {
  const layers: Record<string, { features: Feature[] }> = {}
  const add = (layer: string, feature: Feature) => (layers[layer] ??= { features: [] }).features.push(feature)
  for (const area of areas) add('radar_hail', areaFeature(area))
  for (const path of paths) {
    const line = clipToTile(path, tile)
    if (line) add('tornado_paths', { id: path.id, type: 2, geometry: [lineOf(line, tile)], tags: tagsOf(path) })
  }
  // The strongest are drawn last, over the others.
  for (const point of [...points].reverse())
    add(layerOf(point.type), { id: point.id, type: 1, geometry: [inTile(point.x, point.y, tile)], tags: tagsOf(point) })
  const named = ['radar_hail', 'tornado_paths', ...pointLayers].flatMap((name) => (layers[name] ? [[name, layers[name]] as const] : []))
  if (named.length === 0) return Buffer.alloc(0)
  return Buffer.from(vtPbf.fromGeojsonVt(Object.fromEntries(named), { version: 2, extent: EXTENT }))
}

function tagsOf({ id, type, severity, day, value, source, evidence_kind }: MapPoint): Feature['tags'] {
  return { id, type, family: familyOf(type), severity, date: dateOf(day), value, source, evidence_kind }
}

const MS_PER_DAY = 86_400_000
/** Days repeat a thousandfold in a tile, and their texts are dear. */
const dates = new Map<number, string>()

function dateOf(day: number): string {
  let text = dates.get(day)
  if (text === undefined) dates.set(day, (text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10)))
  return text
}

/** No record stands behind an area: its id is of its day and band. */
function areaFeature({ day, source, band, rings }: BandArea): Feature {
  const value = radarBands[band] as number
  const severity = severityOf({ type: 'hail', hail_size_in: value, wind_gust_mph: null, wind_speed_mph: null, tornado_ef_scale: null })
  const id = Number(day.replaceAll('-', '')) * 10 + band
  return {
    id,
    type: 3,
    geometry: rings.map((ring) => ring.map(({ x, y }): [number, number] => [x, y])),
    tags: { id, type: 'hail', family: familyOf('hail'), severity, date: day, value, source, evidence_kind: 'radar' },
  }
}

function inTile(x: number, y: number, tile: TileAddress): [number, number] {
  const scale = EXTENT / 2 ** (WORLD_BITS - tile.z)
  return [Math.floor(x * scale - tile.x * EXTENT), Math.floor(y * scale - tile.y * EXTENT)]
}

function lineOf([x, y, end_x, end_y]: [number, number, number, number], tile: TileAddress): [number, number][] {
  return [inTile(x, y, tile), inTile(end_x, end_y, tile)]
}
