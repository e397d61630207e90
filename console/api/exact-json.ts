/**
 * JSON whose coordinates keep their digits as written. JSON.parse reads the nearest double: "-97.5000" and "-97.500000000000001" both
 * become "-97.5", but programs compare a drawn shape to the last digit.
 */

/** A number as it was written, or a list of numbers or lists. */
export type Digits = string | Digits[]

const recordedDigits = new WeakMap<object, Digits>()

/** Returns a shape that is sent digit for digit. */
export function exactShape(type: string, coordinates: Digits): { type: string; coordinates: unknown[] } {
  const list: unknown[] = []
  recordedDigits.set(list, coordinates)
  return { type, coordinates: list }
}

/** Returns the digits of a list from `parseExact` or `exactShape`; null for any other value. */
export const digitsOf = (list: unknown): Digits | null =>
  typeof list === 'object' && list !== null ? (recordedDigits.get(list) ?? null) : null

/** Digits as JSON. */
export const exactText = (digits: Digits): string => (typeof digits === 'string' ? digits : `[${digits.map(exactText).join(',')}]`)

/** Digits as numbers, for a map. */
export const numbersOf = (digits: Digits): unknown => (typeof digits === 'string' ? Number(digits) : digits.map(numbersOf))

/**
 * JSON.parse that also records the digits of every list named `coordinates`.
 * @throws SyntaxError if the text is not JSON
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (COORDINATES.test(text)) recordDigits(value, JSON.parse(text.replace(TOKENS, asText)))
  return value
}

/** The key, plain or with escaped letters. */
const COORDINATES = /"coordinates"|\\u/
/** A string, which is kept, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const asText = (token: string) => (token.startsWith('"') ? token : `"${token}"`)

/** Walks both parses of the same text in parallel. */
function recordDigits(value: unknown, digits: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const written = (digits as Record<string, unknown>)[key]
    if (key === 'coordinates' && Array.isArray(part)) recordedDigits.set(part, written as Digits)
    else recordDigits(part, written)
  }
}

/** Prefix of a text that stands for digits. No text that a person types starts with it. */
const MARK = '\u0000digits:'
const MARKED = /"\\u0000digits:([^"]*)"/g

/** JSON.stringify that writes recorded digits as they were written. */
export function stringifyExact(value: unknown): string {
  const marked = (_key: string, part: unknown) => {
    const digits = Array.isArray(part) ? recordedDigits.get(part) : undefined
    return digits === undefined ? part : MARK + exactText(digits)
  }
  return JSON.stringify(value, marked).replace(MARKED, '$1')
}
