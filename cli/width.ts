import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()
/** In UTF-16 units. For each character, the segmenter copies all the text that it was given. */
const SEGMENTED_AT_ONCE = 256

/** Width of a text in columns; looked up only for text beyond ASCII. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  if (text.length <= SEGMENTED_AT_ONCE) return stringWidth(text)
  let width = 0
  for (const character of charactersOf(text)) width += stringWidth(character)
  return width
}

/** The part of a text that fits into this many columns. The time depends on the width, not on the text. */
export function prefixOf(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text
  let end = 0
  let left = width
  for (const character of charactersOf(text)) {
    left -= widthOf(character)
    if (left < 0) return text.slice(0, end)
    end += character.length
  }
  return text
}

/** The characters of a text as people see them: a letter with its accents is one. */
function* charactersOf(text: string): Generator<string> {
  let size = SEGMENTED_AT_ONCE
  for (let start = 0; start < text.length; ) {
    const part = text.slice(start, start + size)
    const isLast = start + size >= text.length
    let read = 0
    for (const { segment } of graphemes.segment(part)) {
      // The last character of a part may continue in the next.
      if (!isLast && read + segment.length === part.length) break
      read += segment.length
      yield segment
    }
    // A character longer than the part needs a larger one.
    size = read === 0 ? size * 2 : SEGMENTED_AT_ONCE
    start += read
  }
}

/** A text with spaces after it, at least this many columns wide. */
export const padTo = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)))
