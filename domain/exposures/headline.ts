import { severityRank } from '#domain/archive/families.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { type exposureFamilies, exposureFamilyOf } from '#domain/exposures/enters.ts'
import type { WatchedPlace } from '#domain/exposures/places.ts'
import { compassPoint } from '#domain/geo/measure.ts'

/** Miles under which a record is at the place: the tenth that is shown would be 0.0. */
const AT_MILES = 0.05

/**
 * What an exposure says first: "Hail up to 1.75 in reported 0.8 mi NNE of HQ on 2025-05-28". The most severe of what was
 * reported leads; radar only where nobody reported anything, and then as the estimate that it is.
 */
export function headlineOf(place: WatchedPlace, date: string, records: NearbyRecord[]): string {
  const lead = leadOf(records)
  const text = `${whatOf(lead)} ${whereOf(place, lead)} on ${date}`
  return lead.source === 'sample' ? `Sample, made up: ${text}` : text
}

/** What is said where the source no longer holds what an exposure was made of. */
export function withdrawnHeadline(name: string, date: string): string {
  return `No record near ${name} on ${date} is held any more`
}

/** Tornadoes before hail before wind, where two records are as severe as each other. */
const telling = ['tornado', 'hail', 'wind', 'other'] satisfies (typeof exposureFamilies)[number][]

function leadOf(records: NearbyRecord[]): NearbyRecord {
  const reported = records.filter(({ evidence_kind }) => evidence_kind !== 'radar')
  const [lead] = (reported.length > 0 ? reported : records).toSorted(moreTelling)
  if (!lead) throw new Error('an exposure has no record')
  return lead
}

function moreTelling(one: NearbyRecord, other: NearbyRecord): number {
  const rank = (record: NearbyRecord) => telling.indexOf(exposureFamilyOf(record.type))
  return (
    severityRank(other.severity) - severityRank(one.severity) ||
    rank(one) - rank(other) ||
    magnitudeOf(other) - magnitudeOf(one) ||
    (one.distance_miles ?? 0) - (other.distance_miles ?? 0) ||
    (`${one.source} ${one.source_key}` < `${other.source} ${other.source_key}` ? -1 : 1)
  )
}

function magnitudeOf({ hail_size_in, tornado_ef_scale, wind_gust_mph, wind_speed_mph }: NearbyRecord): number {
  return hail_size_in ?? tornado_ef_scale ?? wind_gust_mph ?? wind_speed_mph ?? 0
}

function whatOf(record: NearbyRecord): string {
  const { evidence_kind, hail_size_in, tornado_ef_scale, wind_gust_mph, wind_speed_mph } = record
  if (evidence_kind === 'radar') return `Radar estimated hail up to ${inchesText(hail_size_in)}`
  const name = capitalised(record.type.replace(/^marine_/, '').replaceAll('_', ' '))
  const said = evidence_kind === 'instrument' ? 'measured' : 'reported'
  switch (exposureFamilyOf(record.type)) {
    case 'hail':
      return `Hail up to ${inchesText(hail_size_in)} ${said}`
    case 'tornado':
      return `${name}${tornado_ef_scale === null ? '' : ` (EF${tornado_ef_scale})`} ${said}`
    case 'wind': {
      const mph = wind_gust_mph ?? wind_speed_mph
      return `${name}${mph === null ? '' : ` up to ${Math.round(mph)} mph`} ${said}`
    }
    case 'other':
      return `${name} ${said}`
  }
}

function whereOf(place: WatchedPlace, { evidence_kind, distance_miles, bearing_degrees }: NearbyRecord): string {
  if (place.subject === 'territory') return `in ${place.name}`
  if (distance_miles === null || distance_miles < AT_MILES) return `${evidence_kind === 'radar' ? 'over' : 'at'} ${place.name}`
  return `${distance_miles.toFixed(1)} mi ${compassPoint(bearing_degrees ?? 0)} of ${place.name}`
}

const inchesText = (inches: number | null) => `${(inches ?? 0).toFixed(2)} in`
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
