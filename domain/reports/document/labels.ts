/** A text's box in drawing units, y downwards. */
interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Label {
  x: number
  /** The baseline of the letters. */
  y: number
  text: string
  align?: 'start' | 'middle'
}

/** Texts are 10 units high: no text in Inter has wider letters on average, not even one of capitals and digits. */
const LETTER_WIDTH = 6.8
/** Inter's own line at 10 units: 9.7 above the baseline and 2.4 below it. */
const ASCENT = 9.8
const DESCENT = 2.5

/** Keeps the texts of a picture from covering each other, its marks and its edge. */
export interface Labels {
  /** Reserves a square around a point: no text is placed there. */
  occupy(x: number, y: number, reach: number): void
  /** Returns and reserves the first place where the text fits; null if it fits in none. */
  place(candidates: readonly Label[]): Label | null
}

/** Places labels on a picture so that none overlaps another or leaves it. Sizes and places in units of the picture. */
export function openLabels(width: number, height: number): Labels {
  const taken: Box[] = []
  const fits = (box: Box) =>
    box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height && !taken.some((other) => overlap(box, other))
  return {
    occupy(x, y, reach) {
      taken.push({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach })
    },
    place(candidates) {
      const found = candidates.find((label) => fits(boxOf(label)))
      if (found) taken.push(boxOf(found))
      return found ?? null
    },
  }
}

function boxOf({ x, y, text, align = 'start' }: Label): Box {
  const width = text.length * LETTER_WIDTH
  const left = align === 'middle' ? x - width / 2 : x
  return { left, top: y - ASCENT, right: left + width, bottom: y + DESCENT }
}

const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
