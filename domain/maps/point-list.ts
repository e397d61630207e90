import { present } from '#domain/kernel/present.ts'
import { tileAt, tileKey } from '#domain/maps/mercator.ts'
import { namesByCode } from '#domain/weather/codes.ts'
import { pointLayers } from '#domain/weather/layers.ts'
import { type Severity, severityRank, severityTable } from '#domain/weather/severities.ts'
import { type EvidenceKind, evidenceKindTable, type RecordSource, recordSourceTable } from '#domain/weather/sources.ts'
import { layerOf, type RecordType, weatherTypes } from '#domain/weather/types.ts'

/** A record as a map shows it; x and y are world units. */
export interface MapPoint {
  id: number
  x: number
  y: number
  type: RecordType
  severity: Severity
  /** Days since 1970. */
  day: number
  value: number | null
  source: RecordSource
  evidence_kind: EvidenceKind
}

/** A path from one point to another. */
export interface MapPath extends MapPoint {
  end_x: number
  end_y: number
}

/**
 * Points as six words each, one after the other: they are chosen, stored and drawn by the hundred thousand, and an object
 * for each would take most of the time.
 */
export type PointList = Uint32Array

export const POINT_WORDS = 6
/**
 * The position of each word. `value` is hundredths plus one, 0 if there is none: a larger word is a stronger record.
 * `kinds` has the codes of type, severity, source and evidence kind, one byte each: codes stay the same when a vocabulary grows.
 */
export const word = { id: 0, x: 1, y: 2, day: 3, value: 4, kinds: 5 } as const
/**
 * The number of this layout, which every stored list has. Increase it whenever a word, a byte or the layer of a type gets another
 * meaning: lists with a lower number are never read, and are rebuilt.
 */
export const LIST_FORMAT = 1
/** The position of each vocabulary's byte in `kinds`. */
const kindBits = { type: 0, severity: 8, source: 16, evidence_kind: 24 } as const
/** A path has its end point in addition. */
export const PATH_WORDS = POINT_WORDS + 2
const HUNDREDTHS = 100

/**
 * Writes a point into a list.
 * @param at the index of its first word
 */
export function putPoint(list: PointList, at: number, { id, x, y, day, value, ...kinds }: MapPoint): void {
  list[at + word.id] = id
  list[at + word.x] = x
  list[at + word.y] = y
  list[at + word.day] = day
  list[at + word.value] = value === null ? 0 : Math.round(value * HUNDREDTHS) + 1
  list[at + word.kinds] =
    (weatherTypes[kinds.type].code << kindBits.type) |
    (severityTable[kinds.severity].code << kindBits.severity) |
    (recordSourceTable[kinds.source].code << kindBits.source) |
    (evidenceKindTable[kinds.evidence_kind].code << kindBits.evidence_kind)
}

/**
 * Reads a point from a list.
 * @param at the index of its first word
 */
export function pointAt(list: PointList, at: number): MapPoint {
  return {
    id: present(list[at + word.id]),
    x: present(list[at + word.x]),
    y: present(list[at + word.y]),
    day: dayAt(list, at),
    value: valueAt(list, at),
    type: typeAt(list, at),
    severity: severityAt(list, at),
    source: sourceAt(list, at),
    evidence_kind: evidenceKindAt(list, at),
  }
}

export const typeAt = nameReader('type', weatherTypes)
export const severityAt = nameReader('severity', severityTable)
export const sourceAt = nameReader('source', recordSourceTable)
export const evidenceKindAt = nameReader('evidence_kind', evidenceKindTable)

/** Reads the name of a point in one vocabulary by its code; throws for an unknown code. */
function nameReader<Name extends string>(kind: keyof typeof kindBits, vocabulary: Readonly<Record<Name, { code: number }>>) {
  const names = namesByCode(vocabulary)
  return (list: PointList, at: number): Name => {
    const name = names[kindAt(list, at, kind)]
    if (name === undefined) throw new Error(`a list of points holds a code that no ${kind} has: ${kindAt(list, at, kind)}`)
    return name
  }
}

/** Index of a point's layer in `pointLayers`, by the code of its type. */
const layerByCode = namesByCode(weatherTypes).map((type) => (type === undefined ? -1 : pointLayers.indexOf(layerOf(type))))

/** Index of a point's layer in `pointLayers`. */
export const layerAt = (list: PointList, at: number) => present(layerByCode[kindAt(list, at, 'type')])

const rankByCode = namesByCode(severityTable).map((severity) => (severity === undefined ? -1 : severityRank(severity)))
const rankAt = (list: PointList, at: number) => present(rankByCode[kindAt(list, at, 'severity')])

/** Signed: days before 1970 are negative. */
export const dayAt = (list: PointList, at: number) => present(list[at + word.day]) | 0

/** A point's size in inches, speed in miles an hour or rating; null if its record states none. */
export function valueAt(list: PointList, at: number): number | null {
  const value = present(list[at + word.value])
  return value === 0 ? null : (value - 1) / HUNDREDTHS
}

const kindAt = (list: PointList, at: number, kind: keyof typeof kindBits) => (present(list[at + word.kinds]) >>> kindBits[kind]) & 0xff

/** Below 0 if the first of two points is the stronger: the order of `byStrength`, on words. */
export function strongerAt(list: PointList, one: number, other: number): number {
  return (
    rankAt(list, other) - rankAt(list, one) ||
    present(list[other + word.value]) - present(list[one + word.value]) ||
    dayAt(list, other) - dayAt(list, one) ||
    present(list[other + word.id]) - present(list[one + word.id])
  )
}

/** Returns the points at these words of a list, in the given order. */
export function takePoints(list: PointList, from: ArrayLike<number>): PointList {
  const taken = new Uint32Array(from.length * POINT_WORDS)
  for (let index = 0; index < from.length; index++) {
    const at = present(from[index])
    taken.set(list.subarray(at, at + POINT_WORDS), index * POINT_WORDS)
  }
  return taken
}

/** Returns the words at which the points of each tile of a zoom begin, by the tile's key. */
export function pointsByTile(list: PointList, z: number): Map<number, number[]> {
  const tiles = new Map<number, number[]>()
  for (let at = 0; at < list.length; at += POINT_WORDS)
    addTo(tiles, tileKey(tileAt(present(list[at + word.x]), present(list[at + word.y]), z)), at)
  return tiles
}

/** Adds an item to the list under a key, which is begun if there is none. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const existing = lists.get(key)
  if (existing) existing.push(item)
  else lists.set(key, [item])
}

/** Returns one list of the points of all lists, in order. */
export function joinLists(lists: PointList[]): PointList {
  const joined = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let end = 0
  for (const list of lists) {
    joined.set(list, end)
    end += list.length
  }
  return joined
}

/** Returns paths as the bytes that are stored. */
export function packPaths(paths: MapPath[]): Buffer {
  const words = new Uint32Array(paths.length * PATH_WORDS)
  for (const [index, path] of paths.entries()) {
    putPoint(words, index * PATH_WORDS, path)
    words.set([path.end_x, path.end_y], index * PATH_WORDS + POINT_WORDS)
  }
  return bytesOf(words)
}

/** Reads stored bytes of paths. */
export function unpackPaths(bytes: Buffer): MapPath[] {
  const words = wordsOf(bytes)
  return Array.from({ length: words.length / PATH_WORDS }, (_, index) => {
    const at = index * PATH_WORDS
    return { ...pointAt(words, at), end_x: present(words[at + POINT_WORDS]), end_y: present(words[at + POINT_WORDS + 1]) }
  })
}

/** Returns words as stored bytes. */
export function bytesOf(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength)
}

/** Returns stored bytes as words; copied, because words must be aligned. */
export function wordsOf(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
