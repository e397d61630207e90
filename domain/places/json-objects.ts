import { refuseField } from '#domain/kernel/validation.ts'

/**
 * Yields the text of each object of a JSON stream without buffering the stream: a sequence of objects (usually one a
 * line), or the objects of one list inside a single outer object. An object longer than the limit yields an empty text.
 * @param list key of the list in the outer object.
 * @throws Refusal validation_failed on `file` at the end of a text whose braces or quotes are not closed: objects may be missing
 */
export async function* objectsOf(texts: AsyncIterable<string>, list: string, max_characters: number): AsyncGenerator<string> {
  const opening = new RegExp(`"${list}"\\s*:\\s*\\[\\s*$`)
  let depth = 0
  /** Depth at which the wanted objects start: 0, or 1 inside the list. */
  let floor = 0
  /** What follows the list in the outer object is not in it. */
  let isListOver = false
  let quoted = false
  let escaped = false
  let buffer = ''
  let tooLong = false
  for await (const text of texts) {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const character = text[at]
      if (quoted) {
        if (escaped) escaped = false
        else if (character === '\\') escaped = true
        else if (character === '"') quoted = false
      } else if (character === '"') quoted = true
      else if (character === '{') {
        // The outer object was buffered only until its list started: drop what came before.
        if (depth === 1 && floor === 0 && opening.test(buffer + text.slice(from, at))) floor = 1
        if (depth === floor) {
          buffer = ''
          from = at
          tooLong = false
        }
        depth++
      } else if (character === '}') {
        depth--
        if (depth === floor) {
          const object = buffer + text.slice(from, at + 1)
          if (!isListOver) yield tooLong || object.length > max_characters ? '' : object
          buffer = ''
          from = at + 1
        } else if (depth === 0) {
          // The outer object is over: another one may follow.
          floor = 0
          isListOver = false
          buffer = ''
          from = at + 1
        }
      } else if (character === ']' && depth === 1 && floor === 1) isListOver = true
    }
    if (buffer.length + text.length - from > max_characters) tooLong = depth > floor
    buffer = tooLong ? '' : buffer + text.slice(from)
  }
  if (depth !== 0 || quoted) refuseField('file', 'The GeoJSON is cut off or damaged. Correct it and send the whole file again.')
}
