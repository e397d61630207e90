import type { NearbyRecord } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { milesText } from '#domain/evidence/distance-text.ts'
import { leadRecord } from '#domain/evidence/lead-record.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import { compassPoint } from '#domain/geo/measure.ts'
import { capitalize } from '#domain/kernel/text.ts'
import type { WatchedPlace } from '#domain/watches/watched-places.ts'
import { exposureFamilyOf, weatherType } from '#domain/weather/types.ts'

/** Miles below which a record is "at" the place: rounded to a tenth, the distance would be 0.0. */
const AT_MILES = 0.05

/**
 * Returns the headline of an exposure: "Hail up to 1.75 in reported 0.8 mi NNE of HQ on 2025-05-28"; or "... near the centre of
 * ZIP 75034 (HQ), 0.8 mi NNE, on 2025-05-28" if only that centre of HQ is known. The most severe report leads. Radar leads only
 * if nobody reported anything, and is then called an estimate.
 */
export function exposureHeadline(place: WatchedPlace, date: string, records: NearbyRecord[]): string {
  const lead = requireLead(records)
  const text = `${describeRecord(lead)} ${describePlace(place, lead)} on ${date}`
  return lead.source === 'sample' ? `Sample, made up: ${text}` : text
}

/**
 * Returns the headline of an exposure whose records the source has withdrawn, or that are in doubt. Weaker records may be left, which
 * make no storm day.
 */
export function withdrawnHeadline(place: WatchedPlace, date: string, suspect_count: number, event?: string): string {
  const name = placeName(place)
  if (suspect_count > 0)
    return `The archive has only ${suspect_count === 1 ? 'a doubtful record' : 'doubtful records'} near ${name} on ${date}`
  return event
    ? `The archive no longer has any ${event} over ${name} on ${date}`
    : `The archive no longer has any record near ${name} on ${date} that makes a storm day`
}

function requireLead(records: NearbyRecord[]): NearbyRecord {
  const lead = leadRecord(records)
  if (!lead) throw new Error('an exposure has no record')
  return lead
}

function describeRecord(record: NearbyRecord): string {
  const { evidence_kind, hail_size_in, wind_gust_mph, wind_speed_mph } = record
  if (evidence_kind === 'radar') return `Radar estimated hail up to ${inchesText(hail_size_in)}`
  const name = capitalize(weatherType(record.type).label.replace(/^marine /, ''))
  const verb = evidence_kind === 'instrument' ? 'measured' : 'reported'
  switch (exposureFamilyOf(record.type)) {
    case 'hail':
      return `Hail up to ${inchesText(hail_size_in)} ${verb}`
    case 'tornado': {
      const rating = tornadoRating(record)
      return `${name}${rating === null ? '' : ` (${rating})`} ${verb}`
    }
    case 'wind': {
      const mph = wind_gust_mph ?? wind_speed_mph
      return `${name}${mph === null ? '' : ` up to ${formatNumber(mph)} mph`} ${verb}`
    }
    case 'other':
      return `${name} ${verb}`
  }
}

function describePlace(place: WatchedPlace, { evidence_kind, distance_miles, bearing_degrees }: NearbyRecord): string {
  if (place.subject === 'territory') return `in ${place.name}`
  const distance =
    distance_miles === null || distance_miles < AT_MILES
      ? null
      : `${milesText(distance_miles, false)} ${compassPoint(bearing_degrees ?? 0)}`
  if (place.centre) return `near ${placeName(place)}${distance ? `, ${distance},` : ''}`
  if (distance === null) return `${evidence_kind === 'radar' ? 'over' : 'at'} ${place.name}`
  return `${distance} of ${place.name}`
}

/** The fields of a watched place that its name depends on. */
export type NamedPlace = { name: string } & ({ subject: 'property'; centre: string | null } | { subject: 'territory' })

/** Returns the name of a place in a headline: "HQ", or "the centre of ZIP 75034 (HQ)" if only that centre is known. */
export function placeName(place: NamedPlace): string {
  return place.subject === 'property' && place.centre ? `${place.centre} (${place.name})` : place.name
}

const inchesText = (inches: number | null) => `${(inches ?? 0).toFixed(2)} in`
