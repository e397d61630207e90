import { type County, countyAt, countyNear } from '#domain/geo/counties.ts'
import { distanceMiles, type Point } from '#domain/geo/measure.ts'
import { isAmericanZone, zoneInTable } from '#domain/geo/zone-table.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { readAddress, type WrittenAddress } from '#domain/places/address.ts'
import { conflictWithin, conflictWithPoint } from '#domain/places/conflict.ts'
import { pointText, roundPoint, type WrittenPoint } from '#domain/places/coordinates.ts'
import { findEmbedded } from '#domain/places/embedded.ts'
import { type Location, notLocated } from '#domain/places/location.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { nearestTo } from '#domain/places/towns.ts'

/** Miles: a pier or a barrier island may be this far outside the coarse county boundaries. */
const OFFSHORE_MILES = 10
/** Miles: coordinates further apart are two points. */
const SAME_POINT_MILES = 1

/**
 * Locates coordinates: those sent with an address, else those that are the address. The point determines the place with its
 * county, state and time zone. An address sent with it provides the street, the town and the ZIP code, and must not name
 * another place.
 * @param written the coordinates in the address, if it is coordinates
 */
export function locatePoint(query: string, written: WrittenPoint | null, sent: Point | null): Location {
  if (written && 'fault' in written) return notLocated('address_not_found', written.fault)
  const point = sent ? roundPoint(sent) : written?.point
  if (!point) throw new Error('there are no coordinates to locate')
  const county = americanCounty(point)
  if (!county) return notLocated('outside_coverage', outsideUsText(point))
  if (!written) return locatePointWithAddress(readAddress(query), point, county)
  const apart = distanceMiles(point.latitude, point.longitude, written.point.latitude, written.point.longitude)
  return apart > SAME_POINT_MILES
    ? notLocated('address_ambiguous', twoPointsText(written.point, point, apart))
    : locationAt(point, county, NO_LABEL)
}

type Label = Pick<LocatedPlace, 'street' | 'city' | 'postal_code'>

const NO_LABEL: Label = { street: null, city: null, postal_code: null }

/** Locates a point sent with an address; the address must be consistent and fit the point. */
function locatePointWithAddress(written: WrittenAddress, point: Point, county: County): Location {
  const by = `the point ${pointText(point)} sent with it`
  const conflict = written.outside_us
    ? `The address names a place outside the United States, but ${by} lies in the county of ${county.name}, ${county.state}.`
    : (conflictWithin(written) ?? conflictWithPoint(written, { ...point, by, city: null, state: county.state, postal_code: null }))
  if (conflict) return notLocated('address_ambiguous', conflict)
  const known = nearestTo(point, findEmbedded(written))?.centre
  return locationAt(point, county, {
    street: written.street,
    city: known?.city ?? null,
    postal_code: known?.postal_code ?? written.postal_code,
  })
}

function locationAt({ latitude, longitude }: Point, county: County, label: Label): Location {
  const { name, fips: county_fips, state } = county
  const timezone = timezoneAt(latitude, longitude)
  return { place: { ...label, state, county: name, county_fips, latitude, longitude, precision: 'point', timezone } }
}

/** The county of a point, or the nearest one if the point is offshore. A point across a border is in another country's time zone. */
function americanCounty({ latitude, longitude }: Point): County | null {
  const county = countyAt(latitude, longitude)
  if (county || !isAmericanZone(zoneInTable(latitude, longitude))) return county
  return countyNear(latitude, longitude, OFFSHORE_MILES)
}

function outsideUsText(point: Point): string {
  const west = { ...point, longitude: -point.longitude }
  const hint = americanCounty(west) ? ` Western longitudes are negative: ${pointText(west)}.` : ''
  return `The point ${pointText(point)} lies outside the United States and its territories.${hint}`
}

function twoPointsText(written: Point, sent: Point, apart: number): string {
  return `The address is the point ${pointText(written)}, but the point ${pointText(sent)} was sent with it, ${Math.round(apart)} mi away.`
}
