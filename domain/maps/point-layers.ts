import { present } from '#domain/kernel/present.ts'
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
 * the list's own words: through an object for each point it takes ten times as long, which is most of a tile's time.
 * @param list strongest first: those are drawn last, over the others
 */
export function pointLayersOf(list: PointList, tile: TileAddress): Buffer {
  const byLayer = pointLayers.map((): number[] => [])
  for (let at = list.length - POINT_WORDS; at >= 0; at -= POINT_WORDS) byLayer[layerAt(list, at)]?.push(at)
  return Buffer.concat(pointLayers.flatMap((name, number) => layerOfPoints(name, list, present(byLayer[number]), tile)))
}

/** Tags of the format's fields: the number of the field by 8, and how it is written. */
const LAYER = 0x1a
const [NAME, FEATURE, KEY, VALUE, SIDE, VERSION] = [0x0a, 0x12, 0x1a, 0x22, 0x28, 0x78]
const [FEATURE_ID, FEATURE_TAGS, FEATURE_TYPE, FEATURE_GEOMETRY] = [0x08, 0x12, 0x18, 0x22]
const [VALUE_TEXT, VALUE_DOUBLE, VALUE_WHOLE] = [0x0a, 0x19, 0x28]
const SPECIFICATION = 2
const POINT = 1
/** The command "move to", once. */
const MOVE_TO = 9

/** In the order of their places in a layer. */
const keys = ['id', 'type', 'family', 'severity', 'date', 'value', 'source', 'evidence_kind']
/** A feature takes 62 bytes at most, and the values that only it has (id, date, figure) 34. */
const POINT_BYTES = 96
/** All names of keys and vocabularies take less. */
const NAME_BYTES = 8192

function layerOfPoints(name: string, list: PointList, points: number[], tile: TileAddress): Buffer[] {
  if (points.length === 0) return []
  const features = openBytes(points.length * POINT_BYTES)
  const values = openBytes(points.length * POINT_BYTES + NAME_BYTES)
  const numbers = numberValues(values)
  for (const at of points) putFeature(features, numbers, list, at, tile)
  const head = openBytes(NAME_BYTES)
  putField(head, VERSION, SPECIFICATION)
  putText(head, NAME, name)
  putField(head, SIDE, EXTENT)
  for (const key of keys) putText(head, KEY, key)
  const parts = [head, features, values].map(({ bytes, end }) => bytes.subarray(0, end))
  const tag = openBytes(NAME_BYTES)
  putField(
    tag,
    LAYER,
    parts.reduce((sum, part) => sum + part.length, 0),
  )
  return [tag.bytes.subarray(0, tag.end), ...parts]
}

function putFeature(to: Bytes, numbers: ValueNumbers, list: PointList, at: number, { z, x, y }: TileAddress): void {
  const id = present(list[at + word.id])
  const type = typeAt(list, at)
  const value = valueAt(list, at)
  const feature = open(to, FEATURE)
  putField(to, FEATURE_ID, id)
  const tags = open(to, FEATURE_TAGS)
  putTag(to, 0, numbers.ofNumber(id))
  putTag(to, 1, numbers.ofText(type))
  putTag(to, 2, numbers.ofText(familyOf(type)))
  putTag(to, 3, numbers.ofText(severityAt(list, at)))
  putTag(to, 4, numbers.ofText(dateOf(dayAt(list, at))))
  if (value !== null) putTag(to, 5, numbers.ofNumber(value))
  putTag(to, 6, numbers.ofText(sourceAt(list, at)))
  putTag(to, 7, numbers.ofText(evidenceKindAt(list, at)))
  close(to, tags)
  putField(to, FEATURE_TYPE, POINT)
  const geometry = open(to, FEATURE_GEOMETRY)
  const shift = WORLD_BITS - z - EXTENT_BITS
  putVarint(to, MOVE_TO)
  // Twice the number, for these are never negative: a point lies in its tile.
  putVarint(to, ((present(list[at + word.x]) >>> shift) - x * EXTENT) * 2)
  putVarint(to, ((present(list[at + word.y]) >>> shift) - y * EXTENT) * 2)
  close(to, geometry)
  close(to, feature)
}

const EXTENT_BITS = Math.log2(EXTENT)

/** Which number each value of a layer has; a value is written when it is first asked for. */
interface ValueNumbers {
  ofText(text: string): number
  ofNumber(value: number): number
}

function numberValues(to: Bytes): ValueNumbers {
  const texts = new Map<string, number>()
  const figures = new Map<number, number>()
  const next = () => texts.size + figures.size
  return {
    ofText(text) {
      const known = texts.get(text)
      if (known !== undefined) return known
      const number = next()
      texts.set(text, number)
      const value = open(to, VALUE)
      putText(to, VALUE_TEXT, text)
      close(to, value)
      return number
    },
    ofNumber(figure) {
      const known = figures.get(figure)
      if (known !== undefined) return known
      const number = next()
      figures.set(figure, number)
      const value = open(to, VALUE)
      if (Number.isInteger(figure)) putField(to, VALUE_WHOLE, figure)
      else {
        to.bytes[to.end] = VALUE_DOUBLE
        to.end = to.bytes.writeDoubleLE(figure, to.end + 1)
      }
      close(to, value)
      return number
    },
  }
}

interface Bytes {
  bytes: Buffer
  end: number
}

const openBytes = (size: number): Bytes => ({ bytes: Buffer.allocUnsafe(size), end: 0 })

/** Begins a part whose length is written at its end: below 128 always, one byte. */
function open(to: Bytes, tag: number): number {
  to.bytes[to.end] = tag
  to.end += 2
  return to.end
}

function close({ bytes, end }: Bytes, start: number): void {
  bytes[start - 1] = end - start
}

function putField(to: Bytes, tag: number, value: number): void {
  to.bytes[to.end++] = tag
  putVarint(to, value)
}

function putTag(to: Bytes, key: number, value: number): void {
  to.bytes[to.end++] = key
  putVarint(to, value)
}

function putText(to: Bytes, tag: number, text: string): void {
  const start = open(to, tag)
  to.end += to.bytes.write(text, to.end, 'latin1')
  close(to, start)
}

/** Seven bits a byte, the low ones first. */
function putVarint(to: Bytes, value: number): void {
  let left = value
  for (; left >= 0x80; left >>>= 7) to.bytes[to.end++] = (left & 0x7f) | 0x80
  to.bytes[to.end++] = left
}

const MS_PER_DAY = 86_400_000
/** Days repeat a thousandfold, and their texts are dear. */
const dates = new Map<number, string>()

/** YYYY-MM-DD of a day since 1970. */
export function dateOf(day: number): string {
  let text = dates.get(day)
  if (text === undefined) dates.set(day, (text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10)))
  return text
}
