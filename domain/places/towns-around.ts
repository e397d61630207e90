import type { App } from '#domain/app.ts'
import { distanceMiles, type Point } from '#domain/geo/measure.ts'

/** A populated place, at its coordinates in GeoNames. */
export interface Town extends Point {
  name: string
}

/** Miles in one degree of latitude; a degree of longitude is shorter. */
const MILES_A_DEGREE = 69

/** Returns the towns within some miles of a point, nearest first. */
export async function townsAround({ pool }: Pick<App, 'pool'>, { latitude, longitude }: Point, miles: number): Promise<Town[]> {
  const north = miles / MILES_A_DEGREE
  const east = north / Math.cos((latitude * Math.PI) / 180)
  const box = [latitude - north, latitude + north, longitude - east, longitude + east]
  const { rows } = await pool.query<Town>({ name: 'places.around', text: AROUND, values: box })
  const distanceTo = (town: Town) => distanceMiles(latitude, longitude, town.latitude, town.longitude)
  return rows
    .filter((town) => distanceTo(town) <= miles)
    .sort((one, other) => distanceTo(one) - distanceTo(other) || (one.name < other.name ? -1 : 1))
}

const AROUND = 'SELECT name, latitude, longitude FROM places WHERE latitude BETWEEN $1 AND $2 AND longitude BETWEEN $3 AND $4'
