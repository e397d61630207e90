import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import type { Person } from '#domain/personal-data/person.ts'
import { FULL_PHONE_DIGITS, isSearchablePhone, PHONE_DIGITS_MIN } from '#domain/personal-data/phone-numbers.ts'

/** The replacement for a mention of a person. */
export const ERASED = '[erased]'

/** Finds a person in free text. */
export interface PersonMatcher {
  /** Conditions that the database checks first: they find every text that mentions the person, and others too. Null: every row is read. */
  prefilter: Prefilter | null
  /** Returns the expression of those mentions that a text may contain; null if it contains none. */
  expressionFor(text: string): RegExp | null
}

interface Prefilter {
  /** LIKE patterns for the text in lower case. */
  like_patterns: string[]
  /** LIKE patterns for the digits of the text only. */
  digits: string[]
}

/** One way to mention a person. */
interface MentionPattern {
  expression: string
  like_patterns: string[]
  /** Its words in one case: a text with this mention contains all of them. */
  runs: string[]
  /** Consecutive digits in the digits of such a text. */
  digits: string | null
}

/** The database compares each row with each pattern: beyond this many patterns it is faster to read all rows. */
const PREFILTER_MAX = 24
/** What posts to chats put before a character that has a special meaning there. */
const MARKED = '[\\u200b\\\\]?'
/** What may separate the digits of a number, as people write it and as chats receive it. */
const BETWEEN_DIGITS = '[\\s().\\/\\\\\\u200b-]{0,6}'
/** The country code before a number: with a plus, the 1 of North America, or joined to the rest. */
const COUNTRY = `(?:\\+\\d{1,3}${BETWEEN_DIGITS}|1${BETWEEN_DIGITS}|\\d{1,3})?`
/** What is directly before a number that continues another one, or the letters of a reference such as "CLM-5551234". */
const NUMBER_BEFORE = '(?<!\\p{L}[-_\\/]?|\\p{N}(?:[^\\S\\r\\n]|[().\\/\\\\\\u200b-]){0,6})'

/**
 * Returns how to find a person: by the address, by a telephone number with any spacing, and by a name of two words or more, in
 * either order. A name of one word, or one that another contact has, identifies nobody.
 */
export function personMatcherOf({ email, names, phones, namesakes }: Person): PersonMatcher {
  const fullNames = namesakes.length > 0 ? [] : names.map(wordsOf).filter((words) => words.filter(isWord).length > 1)
  const patterns = [patternByAddress(email), ...phones.filter(isSearchablePhone).map(patternByNumber), ...fullNames.map(patternByName)]
  return { prefilter: prefilterOf(patterns), expressionFor: expressionsOf(patterns) }
}

function patternByAddress(email: string): MentionPattern {
  const expression = `(?<![\\p{L}\\p{N}._%+-])${literal(email)}(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])`
  return { expression, like_patterns: [`%${patternOf(email)}%`], runs: runsOf(email), digits: null }
}

/** A number without its area code is the person's only as a whole: with more digits before or after, it is somebody else's. */
function patternByNumber(digits: string): MentionPattern {
  const number = [...digits].join(BETWEEN_DIGITS)
  const expression =
    digits.length < FULL_PHONE_DIGITS
      ? `${NUMBER_BEFORE}${number}(?![-.]?\\p{N})`
      : `(?<![\\p{L}\\p{N}])${COUNTRY}${MARKED}\\(?${number}(?!\\p{N})`
  return { expression, like_patterns: [], runs: [], digits }
}

function patternByName(words: string[]): MentionPattern {
  const [first, last] = [patternOf(present(words[0])), patternOf(present(words.at(-1)))]
  const expression = inEitherOrder(words)
    .map((name) => `(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`)
    .join('|')
  return { expression, like_patterns: [`%${first}%${last}%`, `%${last}%${first}%`], runs: runsOf(words.join(' ')), digits: null }
}

function prefilterOf(patterns: MentionPattern[]): Prefilter | null {
  if (patterns.length > PREFILTER_MAX) return null
  return {
    like_patterns: patterns.flatMap(({ like_patterns }) => like_patterns),
    digits: patterns.flatMap(({ digits }) => (digits ? [`%${digits}%`] : [])),
  }
}

/** Hundreds of mentions in one expression would be tried at every letter; filtering by the words of the text leaves few. */
function expressionsOf(patterns: MentionPattern[]): PersonMatcher['expressionFor'] {
  const byRun = groupBy(patterns, ({ runs }) => runs[0])
  const byEnd = groupBy(patterns, ({ digits }) => digits?.slice(-PHONE_DIGITS_MIN))
  return (text) => {
    const runs = new Set(runsOf(text))
    const named = [...runs].flatMap((run) => byRun.get(run) ?? []).filter((matcher) => matcher.runs.every((run) => runs.has(run)))
    const numbered = windowsOf(text.replace(/\D/g, '')).flatMap((end) => byEnd.get(end) ?? [])
    const possible = new Set([...named, ...numbered])
    return possible.size > 0 ? new RegExp([...possible].map(({ expression }) => expression).join('|'), 'giu') : null
  }
}

/**
 * Returns runs of letters and digits in one case. Both conversions are applied, because a few letters have two lower-case or
 * two upper-case forms.
 */
const runsOf = (text: string) =>
  text
    .toLowerCase()
    .toUpperCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns every run of digits with the least length of a telephone number. */
function windowsOf(digits: string): string[] {
  const count = Math.max(0, digits.length - PHONE_DIGITS_MIN + 1)
  return [...new Set(Array.from({ length: count }, (_, at) => digits.slice(at, at + PHONE_DIGITS_MIN)))]
}

const isWord = (word: string) => /[\p{L}\p{N}]/u.test(word)

/** The words of a name: "van Doe, Jane" has three. */
export const wordsOf = (name: string) => name.split(/[\s,]+/).filter((word) => word !== '')

/** "Jane van Doe", "van Doe, Jane" and "Doe, Jane van". */
function inEitherOrder(words: string[]): string[] {
  const spaced = (part: string[]) => part.map(literal).join('\\s+')
  const rotations = words.slice(1).map((_, at) => `${spaced(words.slice(at + 1))},\\s*${spaced(words.slice(0, at + 1))}`)
  return [spaced(words), ...rotations]
}

/** Returns an expression for the text itself, whether or not its special characters are escaped. */
function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, (sign) => MARKED + (ENTITIES[sign] ?? (SYNTAX.test(sign) ? `\\${sign}` : sign)))
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/
/** Characters that chats receive as entities. */
const ENTITIES: Record<string, string> = { '&': '&(?:amp;)?', '<': '(?:<|&lt;)', '>': '(?:>|&gt;)' }

/** Any character that is not an ASCII letter or digit may be stored in another form: escaped, or in the other case. */
const patternOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/gu, '%')

/** Returns the words around the first mention of the person in a text; null if there is none. */
export function excerptOf(matcher: PersonMatcher, text: string): string | null {
  const found = matcher.expressionFor(text)?.exec(text)
  if (!found) return null
  const from = Math.max(0, found.index - AROUND)
  const to = Math.min(text.length, found.index + found[0].length + AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** Characters before and after the mention. */
const AROUND = 60

/** Returns the text without the person. */
export function withoutPerson(matcher: PersonMatcher, text: string): string {
  const expression = matcher.expressionFor(text)
  return expression ? text.replace(expression, ERASED) : text
}
