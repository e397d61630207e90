/** Checks of what a URL may contain. The router reads a value that is written like a number as one: `?search=75034`. */

const numberIn = (value: unknown) => (typeof value === 'number' || (typeof value === 'string' && value.trim()) ? Number(value) : Number.NaN)

/** The largest integer that the service accepts (GraphQL Int). */
const INT_MAX = 2 ** 31 - 1

/** Any text but an empty one. */
export const text = (value: unknown) => (value !== '' && ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined)

/** A whole number above 0 of an address; undefined for anything else. */
export const positiveInteger = (value: unknown) => {
  const number = numberIn(value)
  return Number.isInteger(number) && number > 0 && number <= INT_MAX ? number : undefined
}

/** The number of a page; undefined for the first. */
export const page = (value: unknown) => {
  const number = positiveInteger(value)
  return number === 1 ? undefined : number
}

/** A number that is not negative, as a text. */
export const amount = (value: unknown) => {
  const number = numberIn(value)
  return Number.isFinite(number) && number >= 0 ? String(value) : undefined
}

/** The value of an address if it is one of these names; undefined for anything else. */
export const oneOf = (names: readonly string[], value: unknown) => names.find((name) => name === value)

/** A valid calendar date; a URL that was typed by hand may contain an invalid one. */
export const date = (value: unknown) => {
  const time = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value ? undefined : value
}
