import type { AddressMatch } from '#domain/engines/geocoder.ts'
import type { WrittenAddress } from '#domain/places/address.ts'
import { type City, citiesNamed } from '#domain/places/cities.ts'
import { fold } from '#domain/places/fold.ts'
import { type Zip, zipOf, zipsNamed } from '#domain/places/zips.ts'

/**
 * Finds an address with no network: the centre of its ZIP code, else of its town. Never a rooftop: each match says which.
 * Several matches are towns of one name.
 */
export function findEmbedded(written: WrittenAddress): AddressMatch[] {
  const { state, postal_code } = written
  const zip = postal_code ? zipOf(postal_code) : null
  if (zip) return state && zip.state !== state.code ? [] : [zipMatch(written, zip)]
  return written.city ? townMatches(written, written.city) : []
}

function zipMatch({ street, city }: WrittenAddress, zip: Zip): AddressMatch {
  const known = city ? citiesNamed(city, zip.state)[0] : undefined
  return {
    ...whereabouts(zip),
    street,
    city: known?.name ?? zip.city,
    postal_code: zip.zip,
    precision: 'zip',
  }
}

function townMatches({ street, postal_code, state }: WrittenAddress, city: string): AddressMatch[] {
  const towns = townsNamed(city, state?.code ?? null)
  if (towns.length > 0) return towns.map((town) => ({ ...whereabouts(town), street, city: town.name, postal_code, precision: 'city' }))
  const offices = state ? zipsNamed(city, state.code) : []
  return offices.map((zip) => ({ ...whereabouts(zip), street, city: zip.city, postal_code: postal_code ?? zip.zip, precision: 'zip' }))
}

/** "New York, NY" is New York City in GeoNames; the state keeps "Texas" from being Texas City. */
function townsNamed(city: string, state: string | null): City[] {
  const towns = citiesNamed(city, state)
  return towns.length > 0 || !state || fold(city).endsWith(' city') ? towns : citiesNamed(`${city} City`, state)
}

function whereabouts({
  state,
  latitude,
  longitude,
}: City | Zip): Pick<AddressMatch, 'state' | 'latitude' | 'longitude' | 'county_fips' | 'in_us'> {
  return { state, latitude, longitude, county_fips: null, in_us: true }
}
