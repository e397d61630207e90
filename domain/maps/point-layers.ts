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
 * Returns the point layers of a tile in the vector tile format (Mapbox Vector Tile specification 2.1). They are written from
 * the words of the list: with an object for each point, which vt-pbf requires, it takes six times as long, which is most
 * of a tile's time.
 * @param list strongest first: the strongest are drawn last, over the others
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

/** A point takes some 72 bytes of a tile; the writer doubles a buffer that is too small. */
const BYTES_PER_WORD = 12

const POINT = 1
/** One "move to" command. */
const MOVE_TO = 9

interface Layer {
  name: string
  list: PointList
  /** The words at which its points begin. */
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

/** One object is reused for all features of a layer. */
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

/** Writes pairs: the index of a key and of a value. */
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

/** Days repeat thousands of times, and formatting them is slow. */
const dates = new Map<number, string>()

/** Returns a day since 1970 as YYYY-MM-DD. */
export function dateOf(day: number): string {
  let text = dates.get(day)
  if (text === undefined) dates.set(day, (text = new Date(day * DAY_MS).toISOString().slice(0, 10)))
  return text
}
