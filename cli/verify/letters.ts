import type { Letter } from './canvas.ts'

/** Of a letter's size: spaces are letters themselves, and columns are farther apart; a lesser gap is a letter that took the place of a wider one. */
const WORD_GAP = 0.45
/** Of a letter's size: lines are farther apart. */
const LINE_SHIFT = 0.3

/** A line of a page, and the size of its first letter in points. */
export interface Line {
  text: string
  size: number
}

/** The lines of letters in the order in which they were painted: a space stands where there is room for one. */
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
