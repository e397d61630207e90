import stringWidth from 'string-width'
import { plain } from '../format.ts'
import type { Look } from './terminal.ts'

/** A line of what is opened, and how it is meant. */
export interface Line {
  text: string
  tone?: Tone | undefined
}

export type Tone = 'title' | 'quiet' | 'alarm'

/** Text of the server as this terminal can show it: without what a terminal acts on, in ASCII where it draws no more. */
export function shown(text: unknown, { unicode }: Pick<Look, 'unicode'>): string {
  const safe = plain(String(text ?? ''))
  return unicode ? safe : asciiOf(safe)
}

/** The nearest that ASCII has: letters without their accents, straight quotes and dashes; else a question mark. */
function asciiOf(text: string): string {
  return text
    .replace(/[‘’′]/g, "'")
    .replace(/[“”″]/g, '"')
    .replace(/[–—·]/g, '-')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '?')
}

const graphemes = new Intl.Segmenter()

/** Columns that a text takes: looked up only where there is more than ASCII. */
const widthOf = (text: string) => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text))

/** A text of exactly this many columns: filled up with blanks, or cut off with a mark. */
export function fit(text: string, width: number, { marks }: Pick<Look, 'marks'>): string {
  const whole = beginningOf(text, width)
  if (whole.length === text.length) return text + ' '.repeat(width - widthOf(text))
  if (width < 1) return ''
  const kept = beginningOf(whole, width - 1)
  return kept + marks.more + ' '.repeat(width - 1 - widthOf(kept))
}

/** As much of a text as has room, in a time that grows with the room. */
function beginningOf(text: string, width: number): string {
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

/** As many words as there is room for, two blanks between them. */
export function fitting(words: readonly string[], width: number): string {
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line}  ${word}`
    if (widthOf(longer) > width) break
    line = longer
  }
  return line
}

/** Lines no wider than the width, broken between words; what follows is set in as the line began, and a little more. */
export function wrap({ text, ...rest }: Line, width: number): Line[] {
  const indent = ' '.repeat(Math.min((/^ */.exec(text)?.[0].length ?? 0) + 2, width >> 1))
  const lines: string[] = []
  let left = text
  for (let fitting = beginningOf(left, width); fitting.length < left.length; fitting = beginningOf(left, width)) {
    const space = left[fitting.length] === ' ' ? fitting.length : fitting.lastIndexOf(' ')
    const cut = space > indent.length ? space : Math.max(fitting.length, indent.length + 1)
    lines.push(left.slice(0, cut))
    left = indent + left.slice(cut).trimStart()
  }
  return [...lines, left].map((line) => ({ text: line, ...rest }))
}

/** A value's keys, one a line; nested ones set in. */
export function sheetOf(value: object, indent = ''): Line[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const text = `${indent}${key.replaceAll('_', ' ')}`
    if (member === null || typeof member !== 'object') return [{ text: `${text}: ${member ?? '-'}` }]
    if (Array.isArray(member) && member.every((one) => typeof one !== 'object')) return [{ text: `${text}: ${member.join(', ') || '-'}` }]
    return [{ text }, ...sheetOf(member, `${indent}  `)]
  })
}

/** Lines in a frame, a title at the left of its upper edge and a word at the right. */
export function cardOf(title: string, word: string, lines: readonly string[], width: number, look: Look): Line[] {
  const [leftTop, rightTop, rightEnd, leftEnd, across, down] = [...look.marks.frame] as [string, string, string, string, string, string]
  const inside = Math.max(1, width - 4)
  const right = word && ` ${word} `
  const room = width - 5 - widthOf(right)
  const left = `${across} ${widthOf(title) > room ? fit(title, room, look) : title} `
  return [
    { text: leftTop + left + across.repeat(Math.max(0, width - 2 - widthOf(left + right))) + right + rightTop, tone: 'title' },
    ...lines.flatMap((line) => wrap({ text: line }, inside)).map(({ text }) => ({ text: `${down} ${fit(text, inside, look)} ${down}` })),
    { text: `${leftEnd}${across.repeat(inside + 2)}${rightEnd}`, tone: 'title' },
  ]
}

/** A bar a value, the largest the highest; a blank for none. */
export function sparkline(values: readonly number[], bars: string): string {
  const most = Math.max(...values, 1)
  const heights = [...bars]
  return values.map((value) => (value === 0 ? ' ' : heights[Math.ceil((value / most) * heights.length) - 1])).join('')
}
