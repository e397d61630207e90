import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import { digitsOf, type Person } from '#domain/personal-data/person.ts'

/** What stands where a person was named. */
export const ERASED = '[erased]'

/** Finds a person in what people write. */
export interface Naming {
  /** What the database asks of a row first: misses no text that names the person, and finds too many. Null: every row is read. */
  prefilter: Prefilter | null
  /** The expression of those namings that a text may hold; null where it holds none. */
  expressionFor(text: string): RegExp | null
}

interface Prefilter {
  /** Patterns of LIKE over text in lower case. */
  likes: string[]
  /** Patterns of LIKE over the digits of the text alone. */
  digits: string[]
}

/** One way in which a person is named. */
interface OneNaming {
  expression: string
  likes: string[]
  /** Its words in one case: all of them stand in a text that has the naming. */
  runs: string[]
  /** Digits that stand together in the digits of such a text. */
  digits: string | null
}

/** The database compares each row with each pattern: beyond so many it is faster to read the rows. */
const PREFILTER_MAX = 24
/** A number with fewer digits is a house number, a year or a size as easily. */
const PHONE_DIGITS_MIN = 7
/** What posts to chats put before a sign that would mean something there. */
const MARKED = '[\\u200b\\\\]?'
/** What may stand between the digits of a number, as people write it and chats are sent it. */
const BETWEEN_DIGITS = '[\\s().\\/\\\\\\u200b-]{0,6}'
/** The country before a number: with a plus, the 1 of North America, or run together with the rest. */
const COUNTRY = `(?:\\+\\d{1,3}${BETWEEN_DIGITS}|1${BETWEEN_DIGITS}|\\d{1,3})?`

/**
 * How a person is named: by the address, by a telephone number however it is spaced, and by a name of two words or more,
 * in either order. A name that another contact bears, or of one word, stands for nobody.
 */
export function namingOf({ email, names, phones, namesakes }: Person): Naming {
  const numbers = [...new Set(phones.map(digitsOf).filter(isWholeNumber))]
  const whole = namesakes.length > 0 ? [] : names.map(wordsOf).filter((words) => words.filter(isWord).length > 1)
  const namings = [namingByAddress(email), ...numbers.map(namingByNumber), ...whole.map(namingByName)]
  return { prefilter: prefilterOf(namings), expressionFor: expressionsOf(namings) }
}

function namingByAddress(email: string): OneNaming {
  const expression = `(?<![\\p{L}\\p{N}._%+-])${literal(email)}(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])`
  return { expression, likes: [`%${patternOf(email)}%`], runs: runsOf(email), digits: null }
}

function namingByNumber(digits: string): OneNaming {
  const expression = `(?<![\\p{L}\\p{N}])${COUNTRY}${MARKED}\\(?${[...digits].join(BETWEEN_DIGITS)}(?!\\p{N})`
  return { expression, likes: [], runs: [], digits }
}

function namingByName(words: string[]): OneNaming {
  const [first, last] = [patternOf(present(words[0])), patternOf(present(words.at(-1)))]
  const expression = inEitherOrder(words)
    .map((name) => `(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`)
    .join('|')
  return { expression, likes: [`%${first}%${last}%`, `%${last}%${first}%`], runs: runsOf(words.join(' ')), digits: null }
}

function prefilterOf(namings: OneNaming[]): Prefilter | null {
  if (namings.length > PREFILTER_MAX) return null
  return { likes: namings.flatMap(({ likes }) => likes), digits: namings.flatMap(({ digits }) => (digits ? [`%${digits}%`] : [])) }
}

/** Hundreds of namings in one expression would be tried at every letter: of a text's own words, few are left. */
function expressionsOf(namings: OneNaming[]): Naming['expressionFor'] {
  const byRun = groupBy(namings, ({ runs }) => runs[0])
  const byEnd = groupBy(namings, ({ digits }) => digits?.slice(-PHONE_DIGITS_MIN))
  return (text) => {
    const runs = new Set(runsOf(text))
    const named = [...runs].flatMap((run) => byRun.get(run) ?? []).filter((naming) => naming.runs.every((run) => runs.has(run)))
    const numbered = windowsOf(text.replace(/\D/g, '')).flatMap((end) => byEnd.get(end) ?? [])
    const possible = new Set([...named, ...numbered])
    return possible.size > 0 ? new RegExp([...possible].map(({ expression }) => expression).join('|'), 'giu') : null
  }
}

/** Letters and digits that stand together, in one case: both ways, for a few letters have two small or two large forms. */
const runsOf = (text: string) =>
  text
    .toLowerCase()
    .toUpperCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Every run of so many digits as a telephone number has at least. */
function windowsOf(digits: string): string[] {
  const count = Math.max(0, digits.length - PHONE_DIGITS_MIN + 1)
  return [...new Set(Array.from({ length: count }, (_, at) => digits.slice(at, at + PHONE_DIGITS_MIN)))]
}

const isWord = (word: string) => /[\p{L}\p{N}]/u.test(word)

/** Whether digits are enough to be looked for as a telephone number. */
export const isWholeNumber = (digits: string) => digits.length >= PHONE_DIGITS_MIN

export const wordsOf = (name: string) => name.split(/[\s,]+/).filter((word) => word !== '')

/** "Jane van Doe", "van Doe, Jane" and "Doe, Jane van". */
function inEitherOrder(words: string[]): string[] {
  const spaced = (part: string[]) => part.map(literal).join('\\s+')
  const turned = words.slice(1).map((_, at) => `${spaced(words.slice(at + 1))},\\s*${spaced(words.slice(0, at + 1))}`)
  return [spaced(words), ...turned]
}

/** The text itself, however its signs are marked. */
function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, (sign) => MARKED + (ENTITIES[sign] ?? (SYNTAX.test(sign) ? `\\${sign}` : sign)))
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/
/** Signs that chats are sent by name. */
const ENTITIES: Record<string, string> = { '&': '&(?:amp;)?', '<': '(?:<|&lt;)', '>': '(?:>|&gt;)' }

/** Any sign that is no letter or digit of ASCII may be written otherwise where the text is kept: escaped, or in the other case. */
const patternOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/gu, '%')

/** The words around the first place at which a text names the person; null where it does not. */
export function excerptOf(naming: Naming, text: string): string | null {
  const found = naming.expressionFor(text)?.exec(text)
  if (!found) return null
  const from = Math.max(0, found.index - AROUND)
  const to = Math.min(text.length, found.index + found[0].length + AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** Characters before and after. */
const AROUND = 60

/** The text without the person. */
export function withoutPerson(naming: Naming, text: string): string {
  const expression = naming.expressionFor(text)
  return expression ? text.replace(expression, ERASED) : text
}
