import { randomBytes } from 'node:crypto'

/** Crockford's base 32: no letter that reads as another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 48 bits of milliseconds. */
const TIME_DIGITS = 10
/** 80 random bits. */
const RANDOM_DIGITS = 16

/** A ULID: 26 characters that sort by the moment they were made. */
export function requestId(now = Date.now()): string {
  let time = ''
  for (let rest = now, digit = 0; digit < TIME_DIGITS; digit += 1, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  let chance = ''
  // 256 is a multiple of 32, so that every letter is as likely.
  for (const byte of randomBytes(RANDOM_DIGITS)) chance += ALPHABET[byte % 32]
  return time + chance
}
