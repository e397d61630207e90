import { present } from '#domain/kernel/present.ts'
/** Mean radius of the Earth in statute miles (6371.0088 km, IUGG): every distance of the service uses it. */
export const EARTH_RADIUS_MILES = 3958.7613

/** A point on the ground, degrees. */
export interface Point {
  latitude: number
  longitude: number
}

/** [longitude, latitude], degrees: GeoJSON's order. */
export type Position = [number, number]

const RADIANS = Math.PI / 180
/** About one metre: finer than any source of addresses or records. */
const COORDINATE_DECIMALS = 5
/** Directions clockwise from north. */
export const compassPoints = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW'] as const
const COMPASS_STEP = 360 / compassPoints.length

export type CompassPoint = (typeof compassPoints)[number]

/** Great-circle distance in miles, unrounded (haversine: exact at short range, where acos is not). */
export function distanceMiles(latitude_1: number, longitude_1: number, latitude_2: number, longitude_2: number): number {
  const rise = Math.sin(((latitude_2 - latitude_1) * RADIANS) / 2)
  const run = Math.sin(((longitude_2 - longitude_1) * RADIANS) / 2)
  const h = rise * rise + Math.cos(latitude_1 * RADIANS) * Math.cos(latitude_2 * RADIANS) * run * run
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Initial great-circle bearing from the first point to the second: degrees clockwise from north, 0 <= bearing < 360. */
export function bearingDegrees(latitude_1: number, longitude_1: number, latitude_2: number, longitude_2: number): number {
  const from = latitude_1 * RADIANS
  const to = latitude_2 * RADIANS
  const turn = (longitude_2 - longitude_1) * RADIANS
  const east = Math.sin(turn) * Math.cos(to)
  const north = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn)
  return normalizeDegrees(Math.atan2(east, north) / RADIANS)
}

/** The nearest of the 16 compass points: index floor((degrees + 11.25) / 22.5) mod 16. */
export function compassPoint(degrees: number): CompassPoint {
  const index = Math.floor((normalizeDegrees(degrees) + COMPASS_STEP / 2) / COMPASS_STEP) % compassPoints.length
  return present(compassPoints[index])
}

/** Rounds a coordinate to the 5 decimals that the service stores; never -0. */
export function roundCoordinate(degrees: number): number {
  return Number(degrees.toFixed(COORDINATE_DECIMALS)) + 0
}

/** Normalizes a longitude to -180 <= longitude < 180. */
export function wrapLongitude(longitude: number): number {
  return longitude >= -180 && longitude < 180 ? longitude : normalizeDegrees(longitude + 180) - 180
}

/** Normalizes degrees to 0 <= degrees < 360. */
function normalizeDegrees(degrees: number): number {
  return ((degrees % 360) + 360) % 360
}
