import type { Point } from '#domain/geo/measure.ts'

/** The most names in a description; further ones are only counted. */
const NAMED = 2

/** "Polygon, 40.1 sq mi" */
export function describePolygon(area_sq_miles: number): string {
  return `Polygon, ${area_sq_miles.toFixed(1)} sq mi`
}

/**
 * "5 mi around Moore, OK", with the address as it was sent, or around a point if only that is known; "5 mi around the centre of ZIP 75034
 * (1 Main St, Frisco, TX 75034)" if the address is located to that centre only.
 */
export function describeCircle(around: string | Point, radius_miles: number, centre_of?: string): string {
  const text = typeof around === 'string' ? around : `${around.latitude.toFixed(5)}, ${around.longitude.toFixed(5)}`
  return `${radius_miles} mi around ${centre_of ? `${centre_of} (${text})` : text}`
}

/** "Moore, Norman and 3 more, 3 mi each" */
export function describePlaces(names: string[], radius_miles: number): string {
  const [first, second] = names
  const more = names.length - NAMED
  if (more > 0) return `${names.slice(0, NAMED).join(', ')} and ${more} more, ${radius_miles} mi each`
  return second === undefined ? `${first}, ${radius_miles} mi` : `${first} and ${second}, ${radius_miles} mi each`
}
