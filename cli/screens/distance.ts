import type { Schemas } from '../service.ts'

/** 0.80 mi from a building or its street, 0.8 mi from the centre of a ZIP or city, as in reports. */
export function distanceText(miles: number, precision: Schemas['PlacePrecision'] | null): string {
  return `${miles.toFixed(precision === 'zip' || precision === 'city' ? 1 : 2)} mi`
}
