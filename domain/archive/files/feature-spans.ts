import type { ByteSpan } from '#domain/archive/files/span.ts'
import { withoutZeroEscapes, withoutZeros } from '#domain/archive/files/text.ts'

const ZERO = 0x00
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Depths within a collection: its own keys, and its list of features. */
const KEYS_OF_COLLECTION = 1
const LIST_OF_FEATURES = 2

/**
 * Returns the byte spans of the features of a GeoJSON collection, one for each feature that a parser finds. A JSON parser
 * does not give positions, so this walks the bytes once and looks only at brackets, quotes and commas. The result is
 * meaningful only for valid JSON.
 */
export function featureSpans(json: Uint8Array): ByteSpan[] {
  let spans: ByteSpan[] = []
  let depth = 0
  let start = 0
  /** Whether the next value belongs to the key `features`, and whether its list is open. */
  let [isNext, isOpen] = [false, false]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      const end = endOfString(json, at)
      if (depth === KEYS_OF_COLLECTION) isNext = isKeyOfFeatures(json, at, end)
      at = end
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1
      if (depth !== LIST_OF_FEATURES || !isNext) continue
      // If a key has two lists, a parser takes the last.
      spans = []
      isNext = false
      isOpen = byte === OPEN_LIST
      start = at + 1
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte === COMMA) {
      if (isOpen && depth === LIST_OF_FEATURES) {
        spans.push(trimmed(json, start, at))
        start = at + 1
      }
      if (byte === COMMA) continue
      if (depth === LIST_OF_FEATURES) isOpen = false
      depth -= 1
    }
  }
  // An empty list has an empty span before its closing bracket.
  return spans.filter(({ length }) => length > 0)
}

/** Returns the index of the quote that ends the string that begins at `at`. */
function endOfString(json: Uint8Array, at: number): number {
  for (let end = at + 1; end < json.length; end++) {
    if (json[end] === QUOTE) return end
    if (json[end] !== BACKSLASH) continue
    // Zero characters are dropped before the text is parsed: the backslash then escapes the character after them.
    do end++
    while (json[end] === ZERO)
  }
  return json.length
}

/** Parses the key, which may contain escapes, without its zero characters: readers of the collection drop them too. */
function isKeyOfFeatures(json: Uint8Array, at: number, end: number): boolean {
  const key = Buffer.from(json.subarray(at, end + 1)).toString('latin1')
  if (JSON.parse(withoutZeroEscapes(withoutZeros(key))) !== 'features') return false
  let after = end + 1
  while (isBlank(json[after])) after++
  return json[after] === COLON
}

function trimmed(json: Uint8Array, start: number, end: number): ByteSpan {
  let [from, until] = [start, end]
  while (from < until && isBlank(json[from])) from++
  while (until > from && isBlank(json[until - 1])) until--
  return { start: from, length: until - from }
}

const isBlank = (byte: number | undefined) => byte !== undefined && byte <= SPACE
