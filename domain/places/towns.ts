import { distanceMiles, type Point } from '#domain/geo/measure.ts'
import { type City, citiesNamed } from '#domain/places/cities.ts'
import { fold } from '#domain/places/fold.ts'
import { type Zip, zipsNamed } from '#domain/places/zips.ts'

/**
 * Returns the towns with a name, in one state or in all. "New York, NY" is New York City in GeoNames; this is tried only with
 * a state, so that "Texas" does not become Texas City.
 */
export function townsNamed(name: string, state: string | null): City[] {
  const towns = citiesNamed(name, state)
  return towns.length > 0 || !state || fold(name).endsWith(' city') ? towns : citiesNamed(`${name} City`, state)
}

/** Returns every centre with a town's name: of the towns, and of the ZIP codes whose post office has the name. */
export function centresNamed(name: string, state: string | null): (City | Zip)[] {
  return [...townsNamed(name, state), ...zipsNamed(name, state)]
}

/** Returns the centre nearest to a point with its distance; null if there are none. */
export function nearestTo<Centre extends Point>(point: Point, centres: Centre[]): { centre: Centre; miles: number } | null {
  const distances = centres.map((centre) => ({
    centre,
    miles: distanceMiles(point.latitude, point.longitude, centre.latitude, centre.longitude),
  }))
  return distances.sort((one, other) => one.miles - other.miles)[0] ?? null
}
