import { countyNear, statesWithinRadius } from '#domain/geo/counties.ts'
import type { Point } from '#domain/geo/measure.ts'
import { stateByName } from '#domain/geo/states.ts'
import type { WrittenAddress } from '#domain/places/address.ts'
import type { City } from '#domain/places/cities.ts'
import { foldTown } from '#domain/places/fold.ts'
import { centresNamed, nearestTo, townsNamed } from '#domain/places/towns.ts'
import { type Zip, zipOf } from '#domain/places/zips.ts'

/** Miles: if an address's town, ZIP code and point are further apart, they are not the same place. */
export const APART_MILES = 30
/** Miles: the state borders are coarse, and streets run along them. */
const BORDER_MILES = 5
/** Miles: a ZIP code's centre may be over water. */
const OFFSHORE_MILES = 10

/** The parts of an address, besides its street, that state its location. */
type Named = Pick<WrittenAddress, 'city' | 'state' | 'postal_code'>

/**
 * Returns a sentence that says why the parts of a written address conflict: "The address names Houston, TX, but ZIP 75201
 * is Dallas, TX, 225 mi away." Null if they agree, or if one of them is unknown.
 */
export function conflictWithin({ city, state, postal_code }: Named): string | null {
  const zip = postal_code ? zipOf(postal_code) : null
  if (!zip) return null
  const but = `but ZIP ${zip.zip} is ${zip.city}, ${zip.state}`
  if (state && state.code !== zip.state) return `The address names ${state.name}, ${but}.`
  if (!city || foldTown(city) === foldTown(zip.city)) return null
  const town = farTown(city, state?.code ?? null, zip, ({ miles }) => miles > APART_MILES)
  return town && `The address names ${townText(city, town.centre.state)}, ${but}, ${inMiles(town.miles)} away.`
}

/** A point found or sent for an address. */
export interface PlacedPoint extends Point {
  /** Source of the point, as used after "but" in a sentence: "the geocoder's match". */
  by: string
  city: string | null
  state: string | null
  postal_code: string | null
}

/**
 * Returns a sentence that says why a point does not fit an address; null if it may fit. The largest counties and ZIP codes extend
 * further than the distance between towns, so distance does not count within the county of the named town or ZIP code.
 */
export function conflictWithPoint(written: Named, point: PlacedPoint): string | null {
  const { city, state, postal_code } = written
  const county = countyNear(point.latitude, point.longitude, OFFSHORE_MILES)
  const but = `but ${point.by} lies in ${county ? `the county of ${county.name}, ${county.state}` : 'no county of the United States'}`
  const borders = () => statesWithinRadius(point.latitude, point.longitude, BORDER_MILES)
  if (state && point.state !== state.code && !borders().includes(state.code)) return `The address names ${state.name}, ${but}.`
  const far = ({ miles, centre }: Distant) =>
    miles > APART_MILES && countyNear(centre.latitude, centre.longitude, OFFSHORE_MILES)?.fips !== county?.fips
  const zip = postal_code && point.postal_code !== postal_code ? zipOf(postal_code) : null
  const toZip = zip && nearestTo(point, [zip])
  if (toZip && far(toZip)) return `The address names ${zipText(toZip.centre)}, ${but}, ${inMiles(toZip.miles)} away.`
  const same = city && (foldTown(city) === foldTown(point.city ?? '') || (!state && isStateOf(city, point)))
  const named = same ? null : city
  const town = named && farTown(named, state?.code ?? null, point, far)
  return town ? `The address names ${townText(named, town.centre.state)}, ${but}, ${inMiles(town.miles)} away.` : null
}

/** Whether a town's name is that of the point's state: "100 Main St, Washington" may be in either. */
function isStateOf(name: string, { state }: PlacedPoint): boolean {
  return state !== null && stateByName(name)?.code === state
}

type Distant = NonNullable<ReturnType<typeof nearestTo<City | Zip>>>

/** Returns a town's centre if every known centre of it is far from a point; the town's own is preferred over its post offices'. */
function farTown(name: string, state: string | null, point: Point, far: (distant: Distant) => boolean): Distant | null {
  const nearest = nearestTo(point, centresNamed(name, state))
  return nearest && far(nearest) ? (nearestTo(point, townsNamed(name, state)) ?? nearest) : null
}

const townText = (city: string, state: string) => `${city}, ${state}`
const zipText = ({ zip, city, state }: Zip) => `ZIP ${zip} (${city}, ${state})`
const inMiles = (miles: number) => `${Math.round(miles)} mi`
