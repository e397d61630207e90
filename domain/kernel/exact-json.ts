/**
 * JSON whose coordinates keep the digits with which they were sent. A number read by JSON.parse is the nearest double:
 * "-97.5000" and "-97.500000000000001" both come back as "-97.5". A watched shape is kept and shown as it was sent, so the
 * digits of every list named `coordinates` are noted beside the value when a body is read, and what is answered as text goes
 * into the answer as it stands.
 */

/** Lists of numbers, each number as it was written. */
export type Digits = string | Digits[]

const noted = new WeakMap<object, Digits>()

/** Notes how the numbers of a list were written. */
export function noteDigits(list: object, digits: Digits): void {
  noted.set(list, digits)
}

/** A list of numbers as JSON: digit for digit as it was sent, where that was noted. */
export function exactText(list: object): string {
  const digits = noted.get(list)
  return digits === undefined ? JSON.stringify(list) : written(digits)
}

function written(digits: Digits): string {
  return typeof digits === 'string' ? digits : `[${digits.map(written).join(',')}]`
}

/** JSON.parse, which notes the digits of all coordinates. Throws where the text is no JSON. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // A key may be written in escapes.
  if (/"coordinates"|\\u/.test(text)) noteWithin(value, JSON.parse(text.replace(TOKENS, asDigits)))
  return value
}

/** A string, which stays, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const asDigits = (token: string) => (token.startsWith('"') ? token : `"${token}"`)

/** Walks both readings of one text. */
function noteWithin(value: unknown, digits: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const partDigits = (digits as Record<string, unknown>)[key]
    if (key === 'coordinates' && Array.isArray(part)) noteDigits(part, partDigits as Digits)
    else noteWithin(part, partDigits)
  }
}

/** Begins a text that is JSON already. No text of the service begins so: none holds a NUL. */
const MARK = '\u0000json:'
/** The same in JSON, up to the end of its string. */
const MARKED = /"\\u0000json:((?:[^"\\]|\\.)*)"/g

/** A JSON text fit to stand for its value in what JSON.stringify is given; `unmarkJson` must see the result. */
export function markJson(text: string): string {
  return MARK + text
}

/** What JSON.stringify answered, with every marked text put in as it stands. */
export function unmarkJson(text: string): string {
  return text.includes('"\\u0000json:') ? text.replace(MARKED, (_, inner: string) => JSON.parse(`"${inner}"`)) : text
}
