import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

/** Width of a text in columns; looked up only for text beyond ASCII. */
export const widthOf = (text: string) => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text))

/** The part of a text that fits into this many columns. The time depends on the width, not on the text. */
export function prefixOf(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text
  let kept = ''
  let left = width
  for (const { segment } of graphemes.segment(text)) {
    left -= widthOf(segment)
    if (left < 0) break
    kept += segment
  }
  return kept
}

/** A text with spaces after it, at least this many columns wide. */
export const padTo = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)))
