import { refuseParameter } from '#domain/exports/archive/refuse-parameter.ts'

/** `word` is a keyword or the name of a property, `name` a property in double quotes, `end` the end of the filter. */
export interface Token {
  kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'end'
  /** The token's meaning: a text without its quotes. */
  value: string
  /** Position of its first character, counted from 1. */
  at: number
}

const PARTS = [
  ['space', /\s+/y],
  ['text', /'(?:[^'\\]|''|\\[\s\S])*'/y],
  ['name', /"[A-Za-z_][\w.]*"/y],
  ['number', /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y],
  ['word', /[A-Za-z_][\w.]*/y],
  ['sign', /<>|<=|>=|[=<>(),]/y],
] as const

/** Characters that no text of the archive has, and that PostgreSQL cannot store. */
const UNPRINTABLE = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u

/** Splits a filter into words, values and signs. @throws Refusal 400 at the first character that begins no token */
export function tokensOf(filter: string): Token[] {
  const unprintable = filter.search(UNPRINTABLE)
  if (unprintable >= 0) refuseFilter(unprintable + 1, 'A filter must not contain control characters.')
  const tokens: Token[] = []
  let at = 0
  while (at < filter.length) {
    const found = partAt(filter, at)
    if (found.kind !== 'space') tokens.push({ kind: found.kind, value: meaningOf(found.kind, found.text), at: at + 1 })
    at += found.text.length
  }
  return [...tokens, { kind: 'end', value: '', at: filter.length + 1 }]
}

function partAt(filter: string, at: number): { kind: (typeof PARTS)[number][0]; text: string } {
  for (const [kind, part] of PARTS) {
    part.lastIndex = at
    const text = part.exec(filter)?.[0]
    if (text !== undefined) return { kind, text }
  }
  return refuseFilter(at + 1, filter[at] === "'" ? 'The text that begins here has no closing quote.' : `${filter[at]} is not allowed here.`)
}

/** A quote in a text is doubled or follows a backslash; other backslashes are passed on to LIKE. */
function meaningOf(kind: Token['kind'], text: string): string {
  if (kind === 'text') return text.slice(1, -1).replace(/''|\\'/g, "'")
  return kind === 'name' ? text.slice(1, -1) : text
}

/**
 * Refuses a filter.
 * @param at the character where it is wrong, from 1
 * @throws Refusal 400 naming `filter`
 */
export function refuseFilter(at: number, sentence: string): never {
  refuseParameter('filter', `At character ${at} of the filter: ${sentence}`)
}
