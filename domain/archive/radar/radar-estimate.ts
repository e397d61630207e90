import type { ArchiveRecord } from '#domain/archive/record.ts'
import type { Source } from '#domain/archive/sources/source.ts'
import { countyAt } from '#domain/geo/counties.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { severityOf } from '#domain/weather/severity-of.ts'

/** What a source of radar hail states about one estimate. The rest of its record follows from it. */
export type RadarEstimate = Pick<
  ArchiveRecord,
  'source' | 'source_key' | 'begins_at' | 'hail_size_in' | 'precision' | 'file_name' | 'description'
> & {
  latitude: number
  longitude: number
}

/** Returns a record of hail that radar estimated and nobody observed, with the URL by which its source cites it. */
export function radarEstimate(estimate: RadarEstimate, cite: Source['cite']): ArchiveRecord & { latitude: number; longitude: number } {
  const { source_key, begins_at, latitude, longitude, hail_size_in } = estimate
  const occurred_on = localDate(begins_at, timezoneAt(latitude, longitude))
  const county = countyAt(latitude, longitude)
  const magnitudes = { wind_speed_mph: null, wind_gust_mph: null, hail_size_in, tornado_ef_scale: null }
  return {
    ...estimate,
    ...magnitudes,
    type: 'hail',
    family: 'thunderstorm',
    severity: severityOf({ type: 'hail', ...magnitudes }),
    occurred_on,
    ends_at: null,
    time_unsure: false,
    end_latitude: null,
    end_longitude: null,
    corners: null,
    county: county?.name ?? null,
    county_fips: county?.fips ?? null,
    zone: null,
    state: county?.state ?? null,
    evidence_kind: 'radar',
    is_observed: false,
    qualifier: 'radar_estimated',
    preliminary: false,
    reporter: null,
    citation_url: cite({ source_key, occurred_on, begins_at }),
    caveats: [],
    compiled_on: null,
  }
}
