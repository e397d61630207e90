import type { Point } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'
import { pointText } from '#domain/places/coordinates.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Normalizes text for searches and keys: lower case, accents removed, every run of other characters one space. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Folds a town's name and expands abbreviations: "St. Louis", "Saint Louis" and "SAINT LOUIS" become the same. */
export function foldTown(name: string): string {
  return fold(name).replace(/\b(st|ste|ft|mt)(?= \S)/g, (short) => present(ABBREVIATIONS[short]))
}

const ABBREVIATIONS: Record<string, string> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' }

/** Natural key of an address before it is located: its folded text. */
export function foldAddress(text: string): string {
  return fold(text)
}

/** Natural key of a place with coordinates and no street. */
export function pointKey(point: Point): string {
  return `@${pointText(point)}`
}

/** Natural key of a located address: street, city, state and ZIP, folded. */
export function addressKey({ street, city, state, postal_code }: Pick<LocatedPlace, 'street' | 'city' | 'state' | 'postal_code'>): string {
  return [fold(street ?? ''), foldTown(city ?? ''), fold(state ?? ''), fold(postal_code ?? '')].join('|')
}
