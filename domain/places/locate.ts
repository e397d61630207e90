import type { App } from '#domain/app.ts'
import type { AddressMatch } from '#domain/engines/geocoders/answer.ts'
import { HttpFailure } from '#domain/engines/http.ts'
import { type County, countiesWithinRadius, countyNear, countyOf } from '#domain/geo/counties.ts'
import { distanceMiles, type Point } from '#domain/geo/measure.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { readAddress, tidyCase, type WrittenAddress } from '#domain/places/address.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { conflictWithin, conflictWithPoint } from '#domain/places/conflict.ts'
import { pointText, readCoordinates, roundPoint } from '#domain/places/coordinates.ts'
import { findEmbedded } from '#domain/places/embedded.ts'
import { readCache, writeCache } from '#domain/places/geocode-cache.ts'
import { locatePoint } from '#domain/places/locate-point.ts'
import { type Location, notLocated } from '#domain/places/location.ts'
import { isPrecise } from '#domain/places/place.ts'
import { findAddressPoints } from '#domain/places/points.ts'
import { townsNamed } from '#domain/places/towns.ts'
import { zipOf } from '#domain/places/zips.ts'

/** Timeout of the provider, whose response usually takes half a second. */
const PROVIDER_MS = 5_000
/** Matches further apart are different addresses. */
const AMBIGUOUS_MILES = 1
/** A match may be this far outside the coarse county boundaries: piers, barrier islands, ZIP centres over water. */
const OFFSHORE_MILES = 10

/**
 * Locates an address written on one line: by coordinates if they are sent with it or are the address itself; else in the
 * imported address points, in the cache, by the configured provider, and in the embedded tables if there is no provider or
 * it fails. Only the provider's buildings and streets are cached: the embedded tables are as fast as the cache, and a cached
 * centre of a town would hide a provider that is available again or has learned the street. A result in another place than the
 * address names is rejected.
 * @param fresh whether the provider is asked even if its answer is cached; then the cache is used only if it fails
 */
export async function locate(
  app: Pick<App, 'db' | 'geocode' | 'clock' | 'log' | 'pool'>,
  query: string,
  { timeout_ms = PROVIDER_MS, point = null, fresh = false }: { timeout_ms?: number; point?: Point | null; fresh?: boolean } = {},
): Promise<Location> {
  const coordinates = readCoordinates(query)
  if (point || coordinates) return locatePoint(query, coordinates, point)
  const written = readAddress(query)
  if (written.outside_us) return notLocated('outside_coverage')
  const conflict = conflictWithin(written)
  if (conflict) return notLocated('address_ambiguous', conflict)
  const [points, cached] = await Promise.all([findAddressPoints(app.pool, written), readCache(app, query)])
  const fitting = points.filter((match) => !conflictWithPoint(written, { ...match, by: 'the address point', postal_code: null }))
  if (fitting.length > 0) return choose(fitting)
  if (cached.place && !fresh) return { place: cached.place }
  const found = (await askProvider(app, query, written, timeout_ms))?.filter(({ in_us }) => in_us || !namesUs(written))
  if (!found && cached.place) return { place: cached.place }
  const matches = found?.filter((match) => isSameHouse(written, match) && isWithinZip(written, match)) ?? []
  // A street without the house number, or the town, is less useful than the centre of the ZIP code, whose extent is known.
  if (!found || (found.length > 0 && matches.length === 0)) return choose(findEmbedded(written))
  const location = chooseFitting(
    written,
    matches.map((match) => inTidyCase(match, written)),
  )
  if ('place' in location && isPrecise(location.place)) await writeCache(app, query, location.place, cached.forgotten)
  return location
}

/**
 * As locate, for a caller that looks the address up again later if it must. Returns null if the provider did not answer in time: it may
 * know the building, of which the embedded tables know only the ZIP code or the town.
 */
export async function locateInTime(
  app: Parameters<typeof locate>[0],
  query: string,
  options: { timeout_ms: number; point: Point | null },
): Promise<Location | null> {
  let late = false
  const find: typeof app.geocode.find = async (text, timeout_ms) => {
    try {
      return await app.geocode.find(text, timeout_ms)
    } catch (fault) {
      late = fault instanceof HttpFailure && fault.reason === 'timed_out'
      throw fault
    }
  }
  const location = await locate({ ...app, geocode: { ...app.geocode, find } }, query, options)
  return late ? null : location
}

/** Whether an address is a ZIP code or a known town, and nothing in it: their centre is then what it names. */
export function namesCentre(query: string): boolean {
  const { street, city, state } = readAddress(query)
  return street === null && (city === null || townsNamed(city, state?.code ?? null).length > 0)
}

/** Returns the provider's matches, empty if it finds none; null if there is no provider for the address, or it fails. */
async function askProvider(
  { geocode, log }: Pick<App, 'geocode' | 'log'>,
  query: string,
  { numbered }: WrittenAddress,
  timeout_ms: number,
): Promise<AddressMatch[] | null> {
  if (!geocode.provider || (geocode.streets_only && !numbered)) return null
  try {
    return await geocode.find(query.trim(), timeout_ms)
  } catch (fault) {
    log.warn(
      { provider: geocode.provider, reason: fault instanceof Error ? fault.message : 'unknown' },
      'the geocoder failed; the embedded tables are used unless the address is looked up again',
    )
    return null
  }
}

/** Whether an address names a state or a known ZIP code: providers search the whole world, where other codes have five digits too. */
function namesUs({ state, postal_code }: WrittenAddress): boolean {
  return state !== null || (postal_code !== null && zipOf(postal_code) !== null)
}

/** Compares the digits of house numbers: "10-20" equals "1020". A match of a ZIP code or a town has no house number. */
function isSameHouse({ numbered, building }: WrittenAddress, match: AddressMatch): boolean {
  if (!numbered || !isPrecise(match)) return true
  const numberOf = (text: string | null) => text?.split(' ', 1)[0]?.replace(/\D/g, '')
  return numberOf(match.street) === numberOf(building)
}

/** Whether a match is no larger than the ZIP code, if that is known. A town's centre may be 25 miles from it. */
function isWithinZip({ postal_code }: WrittenAddress, match: AddressMatch): boolean {
  if (isPrecise(match) || !postal_code || !zipOf(postal_code)) return true
  return match.precision === 'zip' && match.postal_code === postal_code
}

/** Chooses one place from the matches that fit the address. */
function chooseFitting(written: WrittenAddress, matches: AddressMatch[]): Location {
  const candidates = matches.map((match) => ({
    match,
    conflict: match.in_us ? conflictWithPoint(written, { ...match, by: "the geocoder's match" }) : null,
  }))
  const fitting = candidates.filter(({ conflict }) => conflict === null).map(({ match }) => match)
  const [first] = candidates
  return fitting.length === 0 && first?.conflict ? notLocated('address_ambiguous', first.conflict) : choose(fitting)
}

/** Chooses one place from the matches that are as precise as the best one. Of those abroad, only the best one counts. */
function choose(matches: AddressMatch[]): Location {
  const [best] = matches
  if (!best) return notLocated('address_not_found')
  const rivals = matches.filter((match) => match === best || (match.in_us && match.precision === best.precision))
  const place = rivals.find(({ in_us }) => in_us)
  if (!place) return notLocated('outside_coverage')
  const apart = rivals.some((rival) => distanceMiles(best.latitude, best.longitude, rival.latitude, rival.longitude) > AMBIGUOUS_MILES)
  return apart ? notLocated('address_ambiguous', severalPlacesText(rivals)) : locationOf(place)
}

/** Places that the sentence lists; the others are only counted. */
const NAMED = 3

function severalPlacesText(matches: AddressMatch[]): string {
  const lines = [...new Set(matches.map(addressLine))]
  const names = lines.length > 1 ? lines : matches.map((match) => `${addressLine(match)} at ${pointText(match)}`)
  const more = names.length > NAMED ? [`and ${names.length - NAMED} more`] : []
  return `The address fits several places: ${[...names.slice(0, NAMED), ...more].join('; ')}.`
}

/** Rounds the coordinates first, so that county and time zone are those of the stored point. */
function locationOf(match: AddressMatch): Location {
  const { latitude, longitude } = roundPoint(match)
  const county = countyFor(match, latitude, longitude)
  if (!county) return notLocated('outside_coverage')
  return {
    place: {
      street: match.street,
      city: match.city,
      state: county.state,
      postal_code: match.postal_code,
      county: county.name,
      county_fips: county.fips,
      latitude,
      longitude,
      precision: match.precision,
      timezone: timezoneAt(latitude, longitude),
    },
  }
}

/** Returns the provider's county if it is near, else the map's county in the match's state. Null if none is near. */
function countyFor({ county_fips, state }: AddressMatch, latitude: number, longitude: number): County | null {
  const near = county_fips && countiesWithinRadius(latitude, longitude, OFFSHORE_MILES).includes(county_fips)
  return (near && countyOf(county_fips)) || countyNear(latitude, longitude, OFFSHORE_MILES, state)
}

/**
 * Writes a provider's match like the embedded tables: with their capitalization, the unit that providers omit, and the street as
 * written if the match is only a ZIP code or a town: without it, all addresses of a town would be one.
 */
function inTidyCase(match: AddressMatch, { street, building }: WrittenAddress): AddressMatch {
  const unit = street && building ? street.slice(building.length) : ''
  return { ...match, street: match.street ? tidyCase(match.street) + unit : street, city: match.city && tidyCase(match.city) }
}
