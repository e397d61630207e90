import { familyOf, hailTypes, type RecordType, severityOf, typeOfStormEvent, windTypes } from '#domain/archive/families.ts'
import type { ArchiveRecord, EvidenceKind, Precision, Qualifier, RecordSource } from '#domain/archive/record.ts'
import { momentOf, offsetOf } from '#domain/archive/storm-events/clock.ts'
import { decimalOf } from '#domain/archive/storm-events/tables.ts'
import { cleanText, titleCase } from '#domain/archive/text.ts'
import { MPH_PER_KNOT } from '#domain/archive/units.ts'
import { countyCentre, countyOf, countyShape } from '#domain/geo/counties.ts'
import type { Point, Position } from '#domain/geo/measure.ts'
import { pointInPolygon } from '#domain/geo/shape.ts'
import type { State } from '#domain/geo/states.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'

/** A row of Storm Events as text, whichever file it came in. Texts that the row leaves out are empty. */
export interface EventRow {
  event_id: string
  begin: LocalTime
  /** Null where the row gives none. */
  end: LocalTime | null
  zone: string
  /** Null for the sea and the lakes. */
  state: State | null
  /** C county, Z forecast zone, M marine zone. */
  area_type: string
  area_number: string
  area_name: string
  event_type: string
  source: string
  magnitude: string
  magnitude_type: string
  rating: string
  begin_latitude: string
  begin_longitude: string
  end_latitude: string
  end_longitude: string
  event_narrative: string
  episode_narrative: string
}

/** Local standard time as the row says it. */
export interface LocalTime {
  year: number
  month: number
  day: number
  /** Hours and minutes without padding. */
  hhmm: number
}

/** What the file gives to each of its records. */
export interface FileFacts {
  source: RecordSource
  file_name: string
  compiled_on: string | null
  cite(record: Pick<ArchiveRecord, 'source_key' | 'occurred_on' | 'begins_at'>): string
}

/** The record of a row, or the reason why it is none. */
export function recordOf(row: EventRow, file: FileFacts): ArchiveRecord | string {
  const { begin, state } = row
  const offset = offsetOf(row.zone, begin.year, state)
  if (!offset) return `CZ_TIMEZONE "${row.zone}" is not known`
  const begins_at = momentOf(begin.year, begin.month, begin.day, begin.hhmm, offset.hours)
  if (!begins_at) return 'the day or time of its beginning does not exist'
  const place = placeOf(row)
  if (typeof place === 'string') return place
  const named = typeOfStormEvent(row.event_type)
  const measured = measure(row, named.type)
  if (typeof measured === 'string') return measured

  const filed_on = dateText(begin)
  const occurred_on = localDate(begins_at, place.timezone ?? fixedZone(offset.hours))
  const notes = [
    named.mapped ? `Source type: ${row.event_type.trim()}.` : '',
    row.rating ? `Rated ${row.rating} by the source.` : '',
    occurred_on === filed_on ? '' : `Filed by the source under ${filed_on}, local standard time.`,
  ]
  const key = { source_key: `${begin.year}/${row.event_id}`, occurred_on, begins_at }
  return {
    source: file.source,
    ...key,
    type: named.type,
    family: familyOf(named.type),
    severity: severityOf({ type: named.type, ...measured.magnitudes }),
    ends_at: endOf(row, begins_at, offset.hours),
    time_unsure: offset.unsure,
    ...measured.magnitudes,
    latitude: place.latitude,
    longitude: place.longitude,
    end_latitude: place.end_latitude,
    end_longitude: place.end_longitude,
    corners: null,
    county: place.county,
    county_fips: place.county_fips,
    county_mismatch: place.county_mismatch,
    zone: place.zone,
    state: state?.code ?? null,
    precision: precisionOf(named.type, place),
    evidence_kind: evidenceOf(row),
    is_observed: true,
    qualifier: measured.qualifier,
    preliminary: false,
    reporter: row.source || null,
    file_name: file.file_name,
    citation_url: file.cite(key),
    description: [narrativeOf(row), ...notes].filter(Boolean).join(' '),
    compiled_on: file.compiled_on,
  }
}

/** A row may end before it begins (51 do in 1993 to 1995): then its end is not known. */
function endOf(row: EventRow, begins_at: Date, offset_hours: number): Date | null {
  if (!row.end) return null
  const ends_at = momentOf(row.end.year, row.end.month, row.end.day, row.end.hhmm, offset_hours)
  return ends_at && ends_at >= begins_at ? ends_at : null
}

function narrativeOf(row: EventRow): string {
  return cleanText(row.event_narrative) || cleanText(row.episode_narrative)
}

function dateText({ year, month, day }: LocalTime): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** A zone of a fixed offset, for what lies in no state: the sign of these names is turned round. */
function fixedZone(offset_hours: number): string {
  return `Etc/GMT${offset_hours > 0 ? '-' : '+'}${Math.abs(offset_hours)}`
}

// ---------------------------------------------------------------- where

interface EventPlace {
  latitude: number | null
  longitude: number | null
  end_latitude: number | null
  end_longitude: number | null
  county: string | null
  county_fips: string | null
  county_mismatch: boolean | null
  zone: string | null
  /** Of the point, else of the county's centre, else of the state; null for the sea. */
  timezone: string | null
}

function placeOf(row: EventRow): EventPlace | string {
  const begin = pointOf(row.begin_latitude, row.begin_longitude)
  const end = pointOf(row.end_latitude, row.end_longitude)
  if (begin === 'bad' || end === 'bad') return 'its coordinates are not on the Earth'
  const county = row.area_type === 'C' ? countyIn(row) : null
  if (row.area_type === 'C' && !county && !begin)
    return `the county ${row.area_number} of "${row.area_name}" has no state, and the row no point`
  return {
    latitude: begin?.latitude ?? null,
    longitude: begin?.longitude ?? null,
    end_latitude: begin && end ? end.latitude : null,
    end_longitude: begin && end ? end.longitude : null,
    county: county?.name ?? null,
    county_fips: county?.fips ?? null,
    county_mismatch: begin && county?.shape ? !county.shape.some((ring) => pointInPolygon(begin, [ring])) : null,
    zone: row.area_type === 'Z' && row.state ? `${row.state.code}Z${row.area_number.padStart(3, '0')}` : null,
    timezone: begin ? timezoneAt(begin.latitude, begin.longitude) : (county?.timezone ?? row.state?.timezone ?? null),
  }
}

/** Null where none is given: both texts empty, or both 0. */
function pointOf(latitude: string, longitude: string): Point | null | 'bad' {
  if (!Number(latitude) && !Number(longitude)) return null
  const point = { latitude: decimalOf(latitude), longitude: decimalOf(longitude) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : 'bad'
}

interface EventCounty {
  fips: string
  name: string
  timezone: string | null
  /** Its outer rings; null for a number that no county bears today. */
  shape: Position[][] | null
}

/** Every county once: a year's file names each some thirty times. */
const counties = new Map<string, EventCounty>()

function countyIn(row: EventRow): EventCounty | null {
  if (!row.state) return null
  const fips = row.state.fips + row.area_number.padStart(3, '0')
  let county = counties.get(fips)
  if (!county) {
    const centre = countyCentre(fips)
    // A county that has since been renamed or joined to another keeps the name it was filed under.
    county = {
      fips,
      name: countyOf(fips)?.name ?? titleCase(row.area_name),
      timezone: centre && timezoneAt(centre.latitude, centre.longitude),
      shape: countyShape(fips),
    }
    counties.set(fips, county)
  }
  return county
}

/** A tornado between two points is a path; floods become areas when their corners are known. */
function precisionOf(type: RecordType, place: EventPlace): Precision {
  if (place.latitude === null) return place.county_fips === null ? 'zone' : 'county'
  const moved = place.end_latitude !== null && (place.end_latitude !== place.latitude || place.end_longitude !== place.longitude)
  return type === 'tornado' && moved ? 'path' : 'point'
}

// ---------------------------------------------------------------- how much

interface Measured {
  magnitudes: { wind_speed_mph: number | null; wind_gust_mph: number | null; hail_size_in: number | null; tornado_ef_scale: number | null }
  qualifier: Qualifier | null
}

const nothing = { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: null, tornado_ef_scale: null }

/** MG and EG are gusts, MS and ES sustained wind, in knots; M measured, E estimated. */
const byMagnitudeType: Record<string, { key: 'wind_gust_mph' | 'wind_speed_mph'; qualifier: Qualifier }> = {
  MG: { key: 'wind_gust_mph', qualifier: 'measured' },
  EG: { key: 'wind_gust_mph', qualifier: 'estimated' },
  MS: { key: 'wind_speed_mph', qualifier: 'measured' },
  ES: { key: 'wind_speed_mph', qualifier: 'estimated' },
  '': { key: 'wind_gust_mph', qualifier: 'unknown' },
}

/** F2 and EF2 alike; U is a tornado whose strength could not be told. */
const RATING = /^E?F([0-5U])$/
const SURVEY = 'NWS STORM SURVEY'

function measure(row: EventRow, type: RecordType): Measured | string {
  // To 1995 a 0 stands for what is not known; nor is a wind or a stone of 0 a report in any later year.
  const stated = row.magnitude === '' ? 0 : decimalOf(row.magnitude)
  if (!(stated >= 0)) return `MAGNITUDE "${row.magnitude}" is not a size or a speed`
  const magnitude = stated || null
  if (hailTypes.includes(type)) return { magnitudes: { ...nothing, hail_size_in: magnitude }, qualifier: 'unknown' }
  if (type === 'tornado') return rate(row)
  const wind = byMagnitudeType[row.magnitude_type]
  if (!wind) return `MAGNITUDE_TYPE "${row.magnitude_type}" is not known`
  if (!windTypes.includes(type) && row.magnitude_type === '') return { magnitudes: nothing, qualifier: null }
  return { magnitudes: { ...nothing, [wind.key]: magnitude && Math.round(magnitude * MPH_PER_KNOT) }, qualifier: wind.qualifier }
}

function rate(row: EventRow): Measured | string {
  const rating = RATING.exec(row.rating)?.[1]
  if (row.rating && !rating) return `TOR_F_SCALE "${row.rating}" is not a rating`
  const scale = rating === undefined || rating === 'U' ? null : Number(rating)
  return { magnitudes: { ...nothing, tornado_ef_scale: scale }, qualifier: row.source.toUpperCase() === SURVEY ? 'surveyed' : 'estimated' }
}

/** Who measures by an instrument, in any case; later files spell them out. */
const INSTRUMENTS = /^(ASOS|AWOS|MESONET|COOP( OBSERVER| STATION)?|C-MAN( STATION)?|BUOY|OFFICIAL NWS (OBSERVATIONS|OBS\.))$/i

function evidenceOf(row: EventRow): EvidenceKind {
  return row.magnitude_type.startsWith('M') && INSTRUMENTS.test(row.source) ? 'instrument' : 'ground'
}
