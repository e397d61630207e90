import { keysOf } from '#domain/kernel/keys-of.ts'

/** Codes fit a byte of a packed record. */
const CODES = 256

/**
 * The names of a vocabulary by their codes; undefined for a code that no name has.
 * @throws Error for two names with one code, or a code that is no byte
 */
export function namesByCode<Name extends string>(vocabulary: Readonly<Record<Name, { code: number }>>): (Name | undefined)[] {
  const names: (Name | undefined)[] = Array.from({ length: CODES })
  for (const name of keysOf(vocabulary)) {
    const { code } = vocabulary[name]
    if (!Number.isInteger(code) || code < 0 || code >= CODES) throw new Error(`the code of ${name} is no byte: ${code}`)
    if (names[code] !== undefined) throw new Error(`${names[code]} and ${name} have one code: ${code}`)
    names[code] = name
  }
  return names
}
