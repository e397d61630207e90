import type { LocatedPlace } from '#domain/places/place.ts'

/** A place that is searched around: latitude and longitude, and nothing else that a search reads. */
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
