import { PbfWriter } from 'pbf'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { featureField, LAYER, layerField, tag, type Values, writeHead, writeTag, writeValues } from '#domain/maps/layer-writer.ts'
import { EXTENT, type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import {
  dayAt,
  evidenceKindAt,
  layerAt,
  POINT_WORDS,
  type PointList,
  severityAt,
  sourceAt,
  typeAt,
  valueAt,
  word,
} from '#domain/maps/point-list.ts'
import { pointLayers } from '#domain/weather/layers.ts'
import { familyOf } from '#domain/weather/types.ts'

/**
 * The layers of points of a tile, as bytes of the vector tile format (Mapbox Vector Tile specification 2.1). Written from
 * the list's own words: through an object for each point, which vt-pbf asks for, it takes six times as long, which is most
 * of a tile's time.
 * @param list strongest first: those are drawn last, over the others
 */
export function pointLayersOf(list: PointList, tile: TileAddress): Uint8Array {
  const byLayer = pointLayers.map((): number[] => [])
  for (let at = list.length - POINT_WORDS; at >= 0; at -= POINT_WORDS) byLayer[layerAt(list, at)]?.push(at)
  const to = new PbfWriter(new Uint8Array(list.length * BYTES_PER_WORD))
  for (const [number, name] of pointLayers.entries()) {
    const points = present(byLayer[number])
    if (points.length > 0) to.writeMessage(LAYER, writeLayer, { name, list, points, tile })
  }
  return to.finish()
}

/** A point takes some 72 bytes of a tile; the writer doubles what does not suffice. */
const BYTES_PER_WORD = 12

const POINT = 1
/** The command "move to", once. */
const MOVE_TO = 9

interface Layer {
  name: string
  list: PointList
  /** Words at which its points stand. */
  points: number[]
  tile: TileAddress
}

function writeLayer({ name, list, points, tile }: Layer, to: PbfWriter): void {
  writeHead(to, name)
  const values: Values = new Map()
  const feature: Feature = { list, at: 0, tile, values }
  for (const at of points) {
    feature.at = at
    to.writeMessage(layerField.feature, writeFeature, feature)
  }
  writeValues(to, values)
}

/** One object serves all features of a layer. */
interface Feature {
  list: PointList
  at: number
  tile: TileAddress
  values: Values
}

function writeFeature(feature: Feature, to: PbfWriter): void {
  to.writeVarintField(featureField.id, present(feature.list[feature.at + word.id]))
  to.writeMessage(featureField.tags, writeTags, feature)
  to.writeVarintField(featureField.type, POINT)
  to.writeMessage(featureField.geometry, writePlace, feature)
}

/** Pairs of a key's number and a value's. */
function writeTags({ list, at, values }: Feature, to: PbfWriter): void {
  const type = typeAt(list, at)
  const value = valueAt(list, at)
  writeTag(to, tag.id, values, present(list[at + word.id]))
  writeTag(to, tag.type, values, type)
  writeTag(to, tag.family, values, familyOf(type))
  writeTag(to, tag.severity, values, severityAt(list, at))
  writeTag(to, tag.date, values, dateOf(dayAt(list, at)))
  if (value !== null) writeTag(to, tag.value, values, value)
  writeTag(to, tag.source, values, sourceAt(list, at))
  writeTag(to, tag.evidence_kind, values, evidenceKindAt(list, at))
}

const EXTENT_BITS = Math.log2(EXTENT)

function writePlace({ list, at, tile: { z, x, y } }: Feature, to: PbfWriter): void {
  const shift = WORLD_BITS - z - EXTENT_BITS
  to.writeVarint(MOVE_TO)
  to.writeSVarint((present(list[at + word.x]) >>> shift) - x * EXTENT)
  to.writeSVarint((present(list[at + word.y]) >>> shift) - y * EXTENT)
}

/** Days repeat a thousandfold, and their texts are dear. */
const dates = new Map<number, string>()

/** YYYY-MM-DD of a day since 1970. */
export function dateOf(day: number): string {
  let text = dates.get(day)
  if (text === undefined) dates.set(day, (text = new Date(day * DAY_MS).toISOString().slice(0, 10)))
  return text
}
