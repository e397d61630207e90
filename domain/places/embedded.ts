import type { AddressMatch } from '#domain/engines/geocoders/answer.ts'
import type { WrittenAddress } from '#domain/places/address.ts'
import { type City, citiesNamed } from '#domain/places/cities.ts'
import { APART_MILES } from '#domain/places/conflict.ts'
import { nearestTo, townsNamed } from '#domain/places/towns.ts'
import { type Zip, zipOf, zipsAt, zipsNamed } from '#domain/places/zips.ts'

/**
 * Finds an address without network access: the centre of its ZIP code, else of its town, as each match states; never a rooftop.
 * Several matches are towns with the same name.
 */
export function findEmbedded(written: WrittenAddress): AddressMatch[] {
  const zip = written.postal_code ? zipOf(written.postal_code) : null
  if (zip) return [zipsAt(zip).length > 1 ? sharedZipMatch(written, zip) : zipMatch(written, zip)]
  return written.city ? townMatches(written, written.city) : []
}

function zipMatch({ street, city }: WrittenAddress, zip: Zip): AddressMatch {
  const known = city ? citiesNamed(city, zip.state)[0] : undefined
  return { ...positionOf(zip), street, city: known?.name ?? zip.city, postal_code: zip.zip, precision: 'zip' }
}

/**
 * Locates a ZIP code without its own centre by its town: the written town if it is near, else the post office's, else a town
 * that shares the point. The result is the town's own centre, not the point that its ZIP codes share.
 */
function sharedZipMatch({ street, city }: WrittenAddress, zip: Zip): AddressMatch {
  const sharing = zipsAt(zip).map((other) => other.city)
  const near = [[city ?? zip.city], [zip.city], sharing]
    .map((names) =>
      nearestTo(
        zip,
        names.flatMap((name) => townsNamed(name, zip.state)),
      ),
    )
    .find((found) => found && found.miles <= APART_MILES)
  const town = near?.centre
  return { ...positionOf(town ?? zip), street, city: town?.name ?? zip.city, postal_code: zip.zip, precision: 'city' }
}

function townMatches({ street, postal_code, state }: WrittenAddress, city: string): AddressMatch[] {
  const towns = townsNamed(city, state?.code ?? null)
  if (towns.length > 0) return towns.map((town) => ({ ...positionOf(town), street, city: town.name, postal_code, precision: 'city' }))
  const offices = state ? zipsNamed(city, state.code) : []
  return offices.map((zip) => ({
    ...positionOf(zip),
    street,
    city: zip.city,
    postal_code: postal_code ?? zip.zip,
    precision: zipsAt(zip).length > 1 ? 'city' : 'zip',
  }))
}

function positionOf({
  state,
  latitude,
  longitude,
}: City | Zip): Pick<AddressMatch, 'state' | 'latitude' | 'longitude' | 'county_fips' | 'in_us'> {
  return { state, latitude, longitude, county_fips: null, in_us: true }
}
