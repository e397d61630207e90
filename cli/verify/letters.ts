import type { Letter } from './canvas.ts'

/**
 * As a share of the letter's size. Spaces are letters themselves, and columns are farther apart; a smaller gap follows a letter that
 * replaces a wider one.
 */
const WORD_GAP = 0.45
/** As a share of the letter's size: lines are farther apart. */
const LINE_SHIFT = 0.3

/** A line of a page, and the size of its first letter in points. */
export interface Line {
  text: string
  size: number
}

/** Joins letters into lines, in the order in which they were painted, with a space where the gap is wide enough for one. */
export function linesOf(letters: readonly Letter[]): Line[] {
  const lines: Line[] = []
  let before: Letter | null = null
  for (const letter of letters) {
    const gap = before ? between(before, letter) : '\n'
    const line = lines.at(-1)
    if (gap === '\n' || !line) lines.push({ text: letter.text, size: letter.size })
    else line.text += gap + letter.text
    before = letter
  }
  return lines.map(({ text, size }) => ({ text: text.replace(/\s+/g, ' ').trim(), size })).filter(({ text }) => text !== '')
}

function between({ box, size }: Letter, next: Letter): string {
  const shift = Math.abs(next.box.bottom - box.bottom)
  const gap = next.box.left - box.right
  if (shift > LINE_SHIFT * Math.max(size, next.size) || gap < -size) return '\n'
  return gap > WORD_GAP * Math.min(size, next.size) ? ' ' : ''
}
