import type { Point } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'
import { pointText } from '#domain/places/coordinates.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Text as searches and keys compare it: lower case, accents folded, every run of other signs one space. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Folded name of a town, its abbreviated first words spelt out: "St. Louis", "Saint Louis" and "SAINT LOUIS" are one. */
export function foldTown(name: string): string {
  return fold(name).replace(/\b(st|ste|ft|mt)(?= \S)/g, (short) => present(SPELT_OUT[short]))
}

const SPELT_OUT: Record<string, string> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' }

/** Natural key of an address that is not located yet: its folded text. */
export function foldAddress(text: string): string {
  return fold(text)
}

/** Natural key of a place that has coordinates and no street. */
export function pointKey(point: Point): string {
  return `@${pointText(point)}`
}

/** What makes an address the same address once it is located: street, city, state and ZIP, folded. */
export function addressKey({ street, city, state, postal_code }: Pick<LocatedPlace, 'street' | 'city' | 'state' | 'postal_code'>): string {
  return [fold(street ?? ''), foldTown(city ?? ''), fold(state ?? ''), fold(postal_code ?? '')].join('|')
}
