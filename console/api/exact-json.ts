/**
 * JSON whose coordinates keep the digits with which they were written. JSON.parse reads the nearest double: "-97.5000" and
 * "-97.500000000000001" both come back as "-97.5", and what is drawn by one person is compared by another's program to the last digit.
 */

/** A list of numbers, or of such lists, each number as it was written. */
export type Digits = string | Digits[]

const noted = new WeakMap<object, Digits>()

/** A shape to be sent digit for digit. */
export function exactShape(type: string, coordinates: Digits): { type: string; coordinates: unknown[] } {
  const list: unknown[] = []
  noted.set(list, coordinates)
  return { type, coordinates: list }
}

/** The digits of a list that `parseExact` read, or that is to be sent so; null of any other. */
export const digitsOf = (list: unknown): Digits | null => (typeof list === 'object' && list !== null ? (noted.get(list) ?? null) : null)

/** Digits as JSON. */
export const exactText = (digits: Digits): string => (typeof digits === 'string' ? digits : `[${digits.map(exactText).join(',')}]`)

/** Digits as numbers, for a map. */
export const numbersOf = (digits: Digits): unknown => (typeof digits === 'string' ? Number(digits) : digits.map(numbersOf))

/**
 * JSON.parse, which notes the digits of every list named `coordinates`.
 * @throws SyntaxError where the text is no JSON
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (COORDINATES.test(text)) noteWithin(value, JSON.parse(text.replace(TOKENS, asText)))
  return value
}

/** The key as it stands, or with letters of it escaped. */
const COORDINATES = /"coordinates"|\\u/
/** A string, which stays, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const asText = (token: string) => (token.startsWith('"') ? token : `"${token}"`)

/** Walks both readings of one text. */
function noteWithin(value: unknown, digits: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const written = (digits as Record<string, unknown>)[key]
    if (key === 'coordinates' && Array.isArray(part)) noted.set(part, written as Digits)
    else noteWithin(part, written)
  }
}

/** Begins a text that stands for digits; no text of a person begins so. */
const MARK = '\u0000digits:'
const MARKED = /"\\u0000digits:([^"]*)"/g

/** JSON.stringify, which writes noted digits as they are. */
export function stringifyExact(value: unknown): string {
  const marked = (_key: string, part: unknown) => {
    const digits = Array.isArray(part) ? noted.get(part) : undefined
    return digits === undefined ? part : MARK + exactText(digits)
  }
  return JSON.stringify(value, marked).replace(MARKED, '$1')
}
