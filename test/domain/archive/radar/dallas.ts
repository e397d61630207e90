import type { LocatedPlace } from '#domain/places/place.ts'

export const dallas: LocatedPlace = {
  street: '100 Main Street',
  city: 'Dallas',
  state: 'TX',
  postal_code: '75201',
  county: 'Dallas',
  county_fips: '48113',
  latitude: 32.781,
  longitude: -96.797,
  precision: 'point',
  timezone: 'America/Chicago',
}
export const may28 = { start: '2026-05-28', end: '2026-05-28', radius_miles: 5 }
