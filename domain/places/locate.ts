import type { App } from '#domain/app.ts'
import type { AddressMatch } from '#domain/engines/geocoder.ts'
import { type County, countyNear, countyOf } from '#domain/geo/counties.ts'
import { distanceMiles, roundCoordinate } from '#domain/geo/measure.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { readAddress, tidyCase, type WrittenAddress } from '#domain/places/address.ts'
import { findEmbedded } from '#domain/places/embedded.ts'
import { foldAddress } from '#domain/places/fold.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { findAddressPoints } from '#domain/places/points.ts'

export const locationFailures = ['address_not_found', 'address_ambiguous', 'outside_coverage'] as const
export type LocationFailure = (typeof locationFailures)[number]
export type Location = { place: LocatedPlace } | { failure: LocationFailure }

/** A provider's usual answer takes half a second; a report waits no longer than this for it. */
const PROVIDER_MS = 5_000
/** Two matches further apart are two addresses. */
const AMBIGUOUS_MILES = 1
/** How far off the drawn county boundaries a match may lie and still be American: piers, barrier islands, ZIP centres over water. */
const OFFSHORE_MILES = 10

/**
 * Locates an address written on one line: among the imported address points, in the cache, by the configured provider,
 * and by the embedded tables where there is none or it fails. What the provider finds is cached; the embedded
 * tables are as near as the cache, and would answer for a provider that is back.
 */
export async function locate(
  app: Pick<App, 'db' | 'geocode' | 'clock' | 'log' | 'pool'>,
  query: string,
  options: { timeout_ms?: number } = {},
): Promise<Location> {
  const written = readAddress(query)
  if (written.abroad) return { failure: 'outside_coverage' }
  const [points, cached] = await Promise.all([findAddressPoints(app.pool, written), readCache(app, query)])
  if (points.length > 0) return choose(points)
  if (cached) return { place: cached }
  const found = await askProvider(app, query, written, options.timeout_ms ?? PROVIDER_MS)
  if (!found) return choose(findEmbedded(written))
  const location = choose(found.map((match) => inTidyCase(match, written)))
  if ('place' in location) await writeCache(app, query, location.place)
  return location
}

/** What the provider answers, empty where it knows no such address; null where there is none to ask, or it fails. */
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
      'the geocoder failed; the embedded tables answer',
    )
    return null
  }
}

/** One place out of the matches that are as exact as the best one. */
function choose(matches: AddressMatch[]): Location {
  const [best] = matches
  if (!best) return { failure: 'address_not_found' }
  if (!best.in_us) return { failure: 'outside_coverage' }
  const rivals = matches.filter((match) => match.in_us && match.precision === best.precision)
  const apart = rivals.some((rival) => distanceMiles(best.latitude, best.longitude, rival.latitude, rival.longitude) > AMBIGUOUS_MILES)
  return apart ? { failure: 'address_ambiguous' } : settle(best)
}

/** Rounds first: whatever is read off the map is read at the coordinates that the place will bear. */
function settle(match: AddressMatch): Location {
  const latitude = roundCoordinate(match.latitude)
  const longitude = roundCoordinate(match.longitude)
  const county = countyFor(match, latitude, longitude)
  if (!county) return { failure: 'outside_coverage' }
  return {
    place: {
      street: match.street,
      city: match.city,
      state: match.state ?? county.state,
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

/** The provider's county where the map knows it, else the map's own. */
function countyFor({ county_fips }: AddressMatch, latitude: number, longitude: number): County | null {
  return (county_fips && countyOf(county_fips)) || countyNear(latitude, longitude, OFFSHORE_MILES)
}

/** A provider's match as the embedded tables would write it: their capitals, and the unit that providers leave out. */
function inTidyCase(match: AddressMatch, { street, building }: WrittenAddress): AddressMatch {
  const unit = street && building ? street.slice(building.length) : ''
  return { ...match, street: match.street && tidyCase(match.street) + unit, city: match.city && tidyCase(match.city) }
}

async function readCache({ geocode, pool }: Pick<App, 'geocode' | 'pool'>, query: string): Promise<LocatedPlace | null> {
  if (!geocode.provider) return null
  const { rows } = await pool.query<{ answer: LocatedPlace }>({
    name: 'geocode-answer',
    text: 'SELECT answer FROM geocode_answers WHERE provider = $1 AND query_key = $2',
    values: [geocode.provider, foldAddress(query)],
  })
  return rows[0]?.answer ?? null
}

async function writeCache(
  { geocode, pool, clock }: Pick<App, 'geocode' | 'pool' | 'clock'>,
  query: string,
  place: LocatedPlace,
): Promise<void> {
  await pool.query(
    `INSERT INTO geocode_answers (provider, query_key, answer, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (provider, query_key) DO UPDATE SET answer = EXCLUDED.answer, created_at = EXCLUDED.created_at`,
    [geocode.provider, foldAddress(query), JSON.stringify(place), clock.now()],
  )
}
