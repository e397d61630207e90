/**
 * JSON whose coordinates keep the digits as sent. JSON.parse reads a number as the nearest double: "-97.5000" and
 * "-97.500000000000001" both come back as "-97.5". A watched shape is stored and shown as it was sent. So the parser records
 * the digits of every list named `coordinates` beside the value, and JSON texts go into a response unchanged.
 */

/** Lists of numbers, each number as it was written. */
export type Digits = string | Digits[]

const noted = new WeakMap<object, () => Digits>()

/** Records how the numbers of a list were written. @param digits called once the text of the list is needed */
export function noteDigits(list: object, digits: () => Digits): void {
  noted.set(list, digits)
}

/** Returns a list of numbers as JSON: digit for digit as sent, if the digits were recorded. */
export function exactText(list: object): string {
  const digits = noted.get(list)
  return digits === undefined ? JSON.stringify(list) : written(digits())
}

function written(digits: Digits): string {
  return typeof digits === 'string' ? digits : `[${digits.map(written).join(',')}]`
}

/**
 * Parses JSON and records the digits of all coordinates. Throws if the text is not JSON. The digits are read once the first list of the text
 * needs them, which takes twice as long as parsing: a shape with too many positions is refused before that.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // A key may be written with escapes.
  if (/"coordinates"|\\u/.test(text)) noteWithin(value, readOnce(text))
  return value
}

/** Returns a function that parses a JSON text with every number as a string, at its first call. */
function readOnce(text: string): () => unknown {
  let digits: unknown
  return () => {
    digits ??= JSON.parse(text.replace(TOKENS, asDigits))
    return digits
  }
}

/** A string, which stays as it is, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const asDigits = (token: string) => (token.startsWith('"') ? token : `"${token}"`)

/** @param digits returns the same part of the text with its digits */
function noteWithin(value: unknown, digits: () => unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const partDigits = () => (digits() as Record<string, unknown>)[key]
    if (key === 'coordinates' && Array.isArray(part)) noteDigits(part, partDigits as () => Digits)
    else noteWithin(part, partDigits)
  }
}

/** Prefix of a text that already is JSON. No other text of the service starts like this: none contains a NUL. */
const MARK = '\u0000json:'
/** The number that stands for a marked text in JSON. */
const MARKED = /"\\u0000json:(\d+)"/g

/** Marks a JSON text so that it can stand for its value in the input of `stringifyMarked`. */
export function markJson(text: string): string {
  return MARK + text
}

/**
 * Returns a value as JSON with every marked text inserted unchanged. The texts, which may be 50 MB together, are copied only once: numbers
 * stand for them until the rest is JSON.
 */
export function stringifyMarked(value: unknown): string {
  const texts: string[] = []
  const number = (_key: string, part: unknown) =>
    typeof part === 'string' && part.startsWith(MARK) ? `${MARK}${texts.push(part.slice(MARK.length)) - 1}` : part
  const json = JSON.stringify(value, number)
  return texts.length > 0 ? json.replace(MARKED, (mark, index: string) => texts[Number(index)] ?? mark) : json
}
