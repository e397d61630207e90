import type { Period } from '#domain/archive/warnings/reach.ts'
import { milesText } from '#domain/evidence/distance-text.ts'
import { localTime } from '#domain/geo/local-time.ts'
import { utcText } from '#domain/kernel/utc-text.ts'
import type { Composition } from '#domain/reports/compose.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/** "2017-05-22 to 2019-06-17, in part as it came in": when the files of a source were compiled. */
export function compiledText({ compiled_on, compiled_to, undated }: Composition['vintages'][number]): string {
  if (compiled_on === null) return 'as it came in'
  return `${compiled_to ? `${compiled_on} to ${compiled_to}` : compiled_on}${undated ? ', in part as it came in' : ''}`
}

/** A record's measurement, and how the value was obtained. */
export interface Measurement {
  /** Empty if the record states no value. */
  value: string
  qualifier: string
}

/** Prints what a record measures, such as "1.75 in" or "gust 60 mph", and by whose account. */
export function measurementOf({ measurements, tornado_rating, provenance, type }: CitedRecordView): Measurement {
  const { hail_size_in, wind_gust_mph, wind_speed_mph } = measurements
  // Rows before 1996 do not say whether their wind was a gust.
  const gust = provenance.qualifier === 'unknown' ? '' : 'gust '
  const parts = [
    hail_size_in === null ? null : `${hail_size_in.toFixed(2)} in`,
    wind_gust_mph === null ? null : `${gust}${wind_gust_mph} mph`,
    wind_speed_mph === null ? null : `sustained ${wind_speed_mph} mph`,
    tornado_rating,
  ].filter((part) => part !== null)
  if (parts.length === 0) return { value: type === 'tornado' ? 'not rated' : '', qualifier: '' }
  return { value: parts.join(', '), qualifier: qualifierOf(provenance) }
}

/** "1.75 in (measured)": measured values, estimates and radar estimates are never mixed. */
export function measurementText(record: CitedRecordView): string {
  const { value, qualifier } = measurementOf(record)
  return qualifier ? `${value} (${qualifier})` : value
}

function qualifierOf({ qualifier }: CitedRecordView['provenance']): string {
  if (qualifier === 'radar_estimated') return 'estimated by radar'
  if (qualifier === 'surveyed') return 'survey'
  if (qualifier === 'unknown' || qualifier === null) return 'measured or estimated: not stated'
  return qualifier
}

/** "0.84 mi NNE", "0.8 mi NNE" from a centre, or the area that the record names. */
export function whereOf({ relevance, location }: CitedRecordView, precise: boolean): string {
  if (relevance.distance_miles === null) return `${location.precision}: ${areaOf(location) || 'not stated'}`
  return `${milesText(relevance.distance_miles, precise)}${relevance.bearing ? ` ${relevance.bearing}` : ''}`
}

/** "Collin, TX", "Northern Erie (NYZ010), NY". */
export function areaOf({ county, state, zone, zone_name }: CitedRecordView['location']): string {
  const named = zone && zone_name ? `${zone_name} (${zone})` : zone
  return [county ?? named, state].filter(Boolean).join(', ')
}

/** Local clock time with its zone, then UTC. */
export function timesOf(iso: string, timezone: string): { local: string; utc: string } {
  const at = new Date(iso)
  return { local: localTime(at, timezone), utc: utcText(at) }
}

/** When a document's report was made, and the zone of its times. */
interface Making {
  report: { as_of: string | null; generated_at: string }
  timezone: string
}

/**
 * "2024-04-26, 4:59 PM CDT to 5:18 PM CDT": includes the second date if it differs. An end after the report was made is only what the
 * warning stated then: it may be cancelled or continued.
 */
export function periodText({ from, until }: Period, { report, timezone }: Making): string {
  const made_at = new Date(report.as_of ?? report.generated_at)
  const [start, end] = [localTime(from, timezone), localTime(until, timezone)]
  const day = start.slice(0, 'YYYY-MM-DD, '.length)
  const yet_to_come = until > made_at ? ' (as stated; later than this report)' : ''
  return `${start} to ${end.startsWith(day) ? end.slice(day.length) : end}${yet_to_come}`
}

/** Formats a radius or a distance with the decimals it has: 5, 2.5. */
export const miles = (value: number) => `${Number(value.toFixed(2))} mi`
