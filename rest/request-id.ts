import { randomBytes } from 'node:crypto'

/** Crockford's base 32, without letters that look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 48 bits of milliseconds. */
const TIME_DIGITS = 10
/** 80 random bits. */
const RANDOM_DIGITS = 16

/** Creates a ULID: 26 characters that sort by time of creation. */
export function requestId(now = Date.now()): string {
  let time = ''
  for (let rest = now, digit = 0; digit < TIME_DIGITS; digit += 1, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  let random = ''
  // 256 is a multiple of 32, so all letters are equally likely.
  for (const byte of randomBytes(RANDOM_DIGITS)) random += ALPHABET[byte % 32]
  return time + random
}
