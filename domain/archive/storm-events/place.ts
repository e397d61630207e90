import { decimalOf } from '#domain/archive/files/decimal.ts'
import { titleCase } from '#domain/archive/files/text.ts'
import { countyCaveat, isFarFromCounties, pathCaveat, pointCaveat } from '#domain/archive/plausibility.ts'
import type { EventRow } from '#domain/archive/storm-events/row.ts'
import type { Precision } from '#domain/closed-sets.ts'
import { type County, countyCentre, countyOf, countyShape } from '#domain/geo/counties.ts'
import { countiesNamed } from '#domain/geo/county-names.ts'
import { distanceMiles, type Point, type Position } from '#domain/geo/measure.ts'
import { pointInPolygon } from '#domain/geo/shape.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { present } from '#domain/kernel/present.ts'
import { type RecordType, weatherType } from '#domain/weather/types.ts'

/** Where an event was, as far as its row is credible. */
export interface EventPlace {
  latitude: number | null
  longitude: number | null
  /** Null if the row gives none, or a suspect one. */
  end_latitude: number | null
  end_longitude: number | null
  county: string | null
  county_fips: string | null
  county_mismatch: boolean | null
  zone: string | null
  precision: Precision
  /** Time zone of the point, else of the county's centre; null for a forecast zone. */
  timezone: string | null
  caveats: string[]
}

/** Returns the place of a row, or the reason why it has none. */
export function placeOf(row: EventRow, type: RecordType): EventPlace | string {
  const begin = pointOf(row.begin_latitude, row.begin_longitude)
  const end = pointOf(row.end_latitude, row.end_longitude)
  if (begin === 'bad' || end === 'bad') return 'its coordinates are not on the Earth'
  const stated_length = row.path_length === '' ? null : decimalOf(row.path_length)
  if (stated_length !== null && !(stated_length >= 0)) return `TOR_LENGTH "${row.path_length}" is not a length`
  if (row.area_type === 'C' && !row.state && !begin)
    return `the county ${row.area_number} of "${row.area_name}" has no state, and the row no point`
  const county = countyIn(row)
  const place = placeWithoutPoint(row, county)
  const named = county?.named ?? []
  if (begin && isFarFromCounties(begin, named)) return withoutPoint(place, begin, named)
  return begin ? withPoints(place, { type, begin, end, stated_length }, county) : place
}

/** Returns the place that a row states without a point. */
function placeWithoutPoint(row: EventRow, county: EventCounty | null): EventPlace {
  return {
    latitude: null,
    longitude: null,
    end_latitude: null,
    end_longitude: null,
    county: county?.name ?? null,
    county_fips: county?.fips ?? null,
    county_mismatch: null,
    zone: zoneIn(row),
    // A county missing from the map cannot be searched, like a zone without a table.
    precision: county?.shape ? 'county' : 'zone',
    timezone: county?.timezone ?? null,
    caveats: county?.caveat ? [county.caveat] : [],
  }
}

/** Drops a point on another side of the Earth: nobody would find the record there, and it would get the wrong time zone. */
function withoutPoint(place: EventPlace, point: Point, counties: County[]): EventPlace {
  return { ...place, caveats: [...place.caveats, present(pointCaveat(point, counties, 'The point', 'only the county is used'))] }
}

interface Points {
  type: RecordType
  begin: Point
  end: Point | null
  stated_length: number | null
}

/** Adds the points of a row, as far as they agree with the counties it names and the length it states. */
function withPoints(place: EventPlace, { type, begin, end, stated_length }: Points, county: EventCounty | null): EventPlace {
  const mismatch = county?.shape ? !county.shape.some((ring) => pointInPolygon(begin, [ring])) : null
  const moved = end && (begin.latitude !== end.latitude || begin.longitude !== end.longitude)
  const end_caveat = moved ? endCaveat(type, begin, end, stated_length, county?.named ?? []) : null
  const new_caveats = [mismatch === false ? null : pointCaveat(begin, county?.named ?? []), end_caveat]
  return {
    ...place,
    ...begin,
    end_latitude: end && !end_caveat ? end.latitude : null,
    end_longitude: end && !end_caveat ? end.longitude : null,
    county_mismatch: mismatch,
    precision: weatherType(type).extent === 'path' && moved && !end_caveat ? 'path' : 'point',
    timezone: timezoneAt(begin.latitude, begin.longitude),
    caveats: [...place.caveats, ...new_caveats.filter((caveat) => caveat !== null)],
  }
}

/** Returns null if no point is given: both texts empty, or both 0. Anything that is not a number is bad. */
function pointOf(latitude: string, longitude: string): Point | null | 'bad' {
  if (Number(latitude) === 0 && Number(longitude) === 0) return null
  const point = { latitude: decimalOf(latitude), longitude: decimalOf(longitude) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : 'bad'
}

/** Checks a tornado's second point by the length of its path, and any other second point by the county. */
function endCaveat(type: RecordType, begin: Point, end: Point, stated_length: number | null, counties: County[]): string | null {
  if (weatherType(type).extent === 'path')
    return pathCaveat(distanceMiles(begin.latitude, begin.longitude, end.latitude, end.longitude), stated_length)
  return pointCaveat(end, counties, 'The second point', 'only the first is used')
}

// ---------------------------------------------------------------- counties and zones

/** "FLZ001", "FLZ001 - 023", "FLZ001>023" */
const ZONES = /^[A-Z]{2}Z\d{3}\b/

/** Rows of 1993 to 1995 give forecast zones as a county without a number, sometimes several in one text. */
function zoneNamed({ area_number, area_name }: EventRow): string | null {
  return Number(area_number) === 0 ? (ZONES.exec(area_name)?.[0] ?? null) : null
}

/** Returns state and number of a row's single zone; null if it names several. */
function zoneIn(row: EventRow): string | null {
  if (row.area_type === 'Z') return row.state && `${row.state.code}Z${row.area_number.padStart(3, '0')}`
  const zone = row.area_type === 'C' ? zoneNamed(row) : null
  return row.area_name === zone ? zone : null
}

/** The county of a row, with what its name adds to its number. */
interface EventCounty extends County {
  timezone: string | null
  /** Its outer rings; null for a number that no county has today. */
  shape: Position[][] | null
  /** The county itself if it is on the map, and others that the row also names: "BLOUNT AND LOUDON". */
  named: County[]
  caveat: string | null
}

/** Each number and name is looked up once: a year's file has each about thirty times. */
const counties = new Map<string, EventCounty>()
/** There are about 3,300 counties, and files of the 1990s have other spellings for a tenth of them. */
const COUNTIES_MAX = 10_000

/** Returns the county of a row's number; null if the row is about a forecast zone or the sea. */
function countyIn(row: EventRow): EventCounty | null {
  if (row.area_type !== 'C' || !row.state || zoneNamed(row)) return null
  const fips = row.state.fips + row.area_number.padStart(3, '0')
  const key = `${fips} ${row.area_name}`
  const known = counties.get(key)
  if (known) return known
  if (counties.size >= COUNTIES_MAX) counties.clear()
  const county = readCounty(fips, row.state.code, row.area_name)
  counties.set(key, county)
  return county
}

function readCounty(fips: string, state: string, area_name: string): EventCounty {
  const centre = countyCentre(fips)
  // A county that was renamed or merged since keeps the name it was filed under.
  const county: County = { fips, name: countyOf(fips)?.name ?? titleCase(area_name), state }
  const shape = countyShape(fips)
  const others = countiesNamed(state, area_name)
  return {
    ...county,
    timezone: centre && timezoneAt(centre.latitude, centre.longitude),
    shape,
    named: [...(shape ? [county] : []), ...others.filter((other) => other.fips !== fips)],
    caveat: shape && countyCaveat(county, others),
  }
}
