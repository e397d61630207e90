import { randomFillSync } from 'node:crypto'

/** Crockford's base 32, without letters that look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 48 bits of milliseconds. */
const TIME_DIGITS = 10
/** 80 random bits. */
const RANDOM_DIGITS = 16

/** Random bytes for 256 ids: drawn for each id, they took a tenth of the time in which a small request is answered. */
const randomBytes = Buffer.alloc(256 * RANDOM_DIGITS)
let used = randomBytes.length

/** Creates a ULID: 26 characters that sort by time of creation. */
export function requestId(now = Date.now()): string {
  let time = ''
  for (let rest = now, digit = 0; digit < TIME_DIGITS; digit += 1, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  let random = ''
  // 256 is a multiple of 32, so all letters are equally likely.
  for (const byte of nextRandomBytes()) random += ALPHABET[byte % 32]
  return time + random
}

function nextRandomBytes(): Buffer {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes)
    used = 0
  }
  used += RANDOM_DIGITS
  return randomBytes.subarray(used - RANDOM_DIGITS, used)
}
