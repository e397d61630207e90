import type { LocatedPlace } from '#domain/places/place.ts'

/** A place for a search: latitude and longitude, the only parts that a search reads. */
export const placeAt = ([latitude, longitude]: readonly [number, number]): LocatedPlace => ({
  street: null,
  city: null,
  state: null,
  postal_code: null,
  county: null,
  county_fips: null,
  latitude,
  longitude,
  precision: 'point',
  timezone: 'America/Chicago',
})
