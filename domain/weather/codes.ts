import { keysOf } from '#domain/kernel/keys-of.ts'

/** A code must fit one byte of a packed record. */
const CODES = 256

/**
 * Returns the names of a vocabulary by code; undefined for unused codes.
 * @throws Error if two names share a code, or a code does not fit a byte
 */
export function namesByCode<Name extends string>(vocabulary: Readonly<Record<Name, { code: number }>>): (Name | undefined)[] {
  const names: (Name | undefined)[] = Array.from({ length: CODES })
  for (const name of keysOf(vocabulary)) {
    const { code } = vocabulary[name]
    if (!Number.isInteger(code) || code < 0 || code >= CODES) throw new Error(`the code of ${name} does not fit a byte: ${code}`)
    if (names[code] !== undefined) throw new Error(`${names[code]} and ${name} have the same code: ${code}`)
    names[code] = name
  }
  return names
}
