import type { LocatedPlace } from '#domain/places/place.ts'

/** A place beside the airport whose observations the tests use. */
export const dallas: LocatedPlace = {
  street: '1 Main Street',
  city: 'Dallas',
  state: 'TX',
  postal_code: '75201',
  county: 'Dallas',
  county_fips: '48113',
  latitude: 32.9,
  longitude: -97.0,
  precision: 'point',
  timezone: 'America/Chicago',
}
