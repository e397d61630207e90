import { plain } from '../format.ts'
import { prefixOf, widthOf } from '../width.ts'
import type { TerminalStyle } from './terminal.ts'

/** A line of the opened row, with its tone. */
export interface Line {
  text: string
  tone?: Tone | undefined
}

export type Tone = 'title' | 'quiet' | 'alarm'

/** Server text as this terminal can show it: without control characters, and in ASCII if the terminal shows nothing else. */
export function displayable(text: unknown, { unicode }: Pick<TerminalStyle, 'unicode'>): string {
  const safe = plain(String(text ?? ''))
  return unicode ? safe : asciiOf(safe)
}

/** The nearest ASCII text: letters without accents, straight quotes and dashes; a question mark for the rest. */
function asciiOf(text: string): string {
  return text
    .replace(/[‘’′]/g, "'")
    .replace(/[“”″]/g, '"')
    .replace(/[–—·]/g, '-')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '?')
}

/** Pads a text with spaces, or cuts it with a mark, to exactly this many columns. */
export function fit(text: string, width: number, { marks }: Pick<TerminalStyle, 'marks'>): string {
  const prefix = prefixOf(text, width)
  if (prefix.length === text.length) return text + ' '.repeat(width - widthOf(text))
  if (width < 1) return ''
  const kept = prefixOf(prefix, width - 1)
  return kept + marks.more + ' '.repeat(width - 1 - widthOf(kept))
}

/** As many words as fit, separated by two spaces. */
export function fitWords(words: readonly string[], width: number): string {
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line}  ${word}`
    if (widthOf(longer) > width) break
    line = longer
  }
  return line
}

/** Wraps text between words to the width. Continuation lines are indented a little more than the first. */
export function wrap({ text, ...rest }: Line, width: number): Line[] {
  const indent = ' '.repeat(Math.min((/^ */.exec(text)?.[0].length ?? 0) + 2, width >> 1))
  const lines: string[] = []
  let margin = ''
  let left = text
  for (let prefix = prefixOf(left, width); prefix.length < left.length; prefix = prefixOf(left, width - margin.length)) {
    const least = indent.length - margin.length
    const space = left[prefix.length] === ' ' ? prefix.length : prefix.lastIndexOf(' ')
    const cut = space > least ? space : Math.max(prefix.length, least + 1)
    lines.push(margin + left.slice(0, cut))
    margin = indent
    left = left.slice(cut).trimStart()
  }
  return [...lines, margin + left].map((line) => ({ text: line, ...rest }))
}

/** The keys of a value, one per line; nested keys are indented. */
export function sheetOf(value: object, indent = ''): Line[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const text = `${indent}${key.replaceAll('_', ' ')}`
    if (member === null || typeof member !== 'object') return [{ text: `${text}: ${member ?? '-'}` }]
    if (Array.isArray(member) && member.every((one) => typeof one !== 'object')) return [{ text: `${text}: ${member.join(', ') || '-'}` }]
    return [{ text }, ...sheetOf(member, `${indent}  `)]
  })
}

/** Lines in a frame, with a title at the left of the top edge and a word at the right. */
export function cardOf(title: string, word: string, lines: readonly string[], width: number, look: TerminalStyle): Line[] {
  const [leftTop, rightTop, rightEnd, leftEnd, across, down] = [...look.marks.frame] as [string, string, string, string, string, string]
  const inside = Math.max(1, width - 4)
  const right = word && ` ${word} `
  const titleWidth = width - 5 - widthOf(right)
  const left = `${across} ${widthOf(title) > titleWidth ? fit(title, titleWidth, look) : title} `
  return [
    { text: leftTop + left + across.repeat(Math.max(0, width - 2 - widthOf(left + right))) + right + rightTop, tone: 'title' },
    ...lines.flatMap((line) => wrap({ text: line }, inside)).map(({ text }) => ({ text: `${down} ${fit(text, inside, look)} ${down}` })),
    { text: `${leftEnd}${across.repeat(inside + 2)}${rightEnd}`, tone: 'title' },
  ]
}

/** One bar per value, the largest the highest; a space for none. */
export function sparkline(values: readonly number[], bars: string): string {
  const most = Math.max(...values, 1)
  const heights = [...bars]
  return values.map((value) => (value === 0 ? ' ' : heights[Math.ceil((value / most) * heights.length) - 1])).join('')
}
