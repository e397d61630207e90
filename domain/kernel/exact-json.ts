/**
 * JSON whose coordinates keep the digits as sent. JSON.parse reads a number as the nearest double: "-97.5000" and
 * "-97.500000000000001" both come back as "-97.5". A watched shape is stored and shown as it was sent. So the parser records
 * the digits of every list named `coordinates` beside the value, and JSON texts go into a response unchanged.
 */

/** Lists of numbers, each number as it was written. */
export type Digits = string | Digits[]

const noted = new WeakMap<object, Digits>()

/** Records how the numbers of a list were written. */
export function noteDigits(list: object, digits: Digits): void {
  noted.set(list, digits)
}

/** Returns a list of numbers as JSON: digit for digit as sent, if the digits were recorded. */
export function exactText(list: object): string {
  const digits = noted.get(list)
  return digits === undefined ? JSON.stringify(list) : written(digits)
}

function written(digits: Digits): string {
  return typeof digits === 'string' ? digits : `[${digits.map(written).join(',')}]`
}

/** Parses JSON and records the digits of all coordinates. Throws if the text is not JSON. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // A key may be written with escapes.
  if (/"coordinates"|\\u/.test(text)) noteWithin(value, JSON.parse(text.replace(TOKENS, asDigits)))
  return value
}

/** A string, which stays as it is, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const asDigits = (token: string) => (token.startsWith('"') ? token : `"${token}"`)

/** Walks both parsed versions of the text in parallel. */
function noteWithin(value: unknown, digits: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const partDigits = (digits as Record<string, unknown>)[key]
    if (key === 'coordinates' && Array.isArray(part)) noteDigits(part, partDigits as Digits)
    else noteWithin(part, partDigits)
  }
}

/** Prefix of a text that already is JSON. No other text of the service starts like this: none contains a NUL. */
const MARK = '\u0000json:'
/** The marked text in JSON, up to the end of its string. */
const MARKED = /"\\u0000json:((?:[^"\\]|\\.)*)"/g

/** Marks a JSON text so that it can stand for its value in the input of JSON.stringify; `unmarkJson` must process the output. */
export function markJson(text: string): string {
  return MARK + text
}

/** Returns the output of JSON.stringify with every marked text inserted unchanged. */
export function unmarkJson(text: string): string {
  return text.includes('"\\u0000json:') ? text.replace(MARKED, (_, inner: string) => JSON.parse(`"${inner}"`)) : text
}
