import { localDate } from '#domain/geo/zones.ts'
import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'

/** "hail", "thunderstorm wind": the type as a reader writes it. */
export const typeName = (type: string) => type.replaceAll('_', ' ')

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** What a record measures, with how the value came about: the three are never mixed. */
export function measureOf({ measurements, provenance, type }: CitedRecordView): string {
  const { hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale } = measurements
  const parts = [
    hail_size_in === null ? null : `${hail_size_in.toFixed(2)} in`,
    wind_gust_mph === null ? null : `gust ${wind_gust_mph} mph`,
    wind_speed_mph === null ? null : `sustained ${wind_speed_mph} mph`,
    tornado_ef_scale === null ? null : `EF${tornado_ef_scale}`,
  ].filter((part) => part !== null)
  if (parts.length === 0) return type === 'tornado' ? 'not rated' : ''
  return `${parts.join(', ')} (${qualifierOf(provenance)})`
}

function qualifierOf({ qualifier }: CitedRecordView['provenance']): string {
  if (qualifier === 'radar_estimated') return 'estimated by radar'
  if (qualifier === 'surveyed') return 'survey'
  if (qualifier === 'unknown' || qualifier === null) return 'measured or estimated: not stated'
  return qualifier
}

/** "0.84 mi NNE", or whose area the record names. */
export function whereOf({ relevance, location }: CitedRecordView): string {
  if (relevance.distance_miles === null)
    return `${location.precision}: ${[location.county, location.state].filter(Boolean).join(', ') || 'not stated'}`
  return `${relevance.distance_miles.toFixed(2)} mi${relevance.bearing ? ` ${relevance.bearing}` : ''}`
}

/** Local clock time with its zone, then UTC. */
export function timesOf(iso: string, timezone: string): { local: string; utc: string } {
  const at = new Date(iso)
  const zoned = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...options }).format(at)
  const clock = zoned({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
  return { local: `${localDate(at, timezone)}, ${clock}`, utc: `${iso.slice(0, 16).replace('T', ' ')} UTC` }
}

/** The located address on one line, or as it was sent. */
export function placeOf({ street, city, state, postal_code, query }: ReportView['address']): string {
  return [street, city, [state, postal_code].filter(Boolean).join(' ')].filter(Boolean).join(', ') || query
}

/** Of two radii or distances the plain number: 5, 2.5. */
export const miles = (value: number) => `${Number(value.toFixed(2))} mi`
