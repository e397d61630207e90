/** A number with fewer digits could as well be a house number, a year or a size. */
export const PHONE_DIGITS_MIN = 7
/** Digits of a number with its area code. A shorter number may be the end of somebody else's. */
export const FULL_PHONE_DIGITS = 10

/**
 * Returns the digits of each telephone number in a field, at most the last ten: with or without the country code, a number is
 * the same. What follows a word or a sign such as "x", "ext." or "#" is an extension, or another number if it is long enough.
 */
export function phoneNumbersIn(phone: string): string[] {
  const numbers = phone
    .split(/[\p{L}#;,&|]+/u)
    .flatMap(splitAtSlash)
    .map(digitsOf)
    .filter(isSearchablePhone)
  return numbers.length > 0 ? numbers : [digitsOf(phone)]
}

/** "214-555-1234 / 972-555-9876" and "+1 214 555 1234 +1 972 555 9876" are two numbers; "214/555-1234" is one. */
function splitAtSlash(text: string): string[] {
  const parts = text.split(/\/|(?=\+)/)
  const lengths = parts.map((part) => digitsOf(part).length)
  return Math.max(...lengths) === FULL_PHONE_DIGITS || Math.min(...lengths) >= PHONE_DIGITS_MIN ? parts : [text]
}

const digitsOf = (text: string) => text.replace(/\D/g, '').slice(-FULL_PHONE_DIGITS)

/** Whether there are enough digits to search for as a telephone number. */
export const isSearchablePhone = (digits: string) => digits.length >= PHONE_DIGITS_MIN
