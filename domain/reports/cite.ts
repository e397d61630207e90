import type { NearbyRecord } from '#domain/archive/record.ts'
import { sourceLabel, sourceOf } from '#domain/archive/sources/index.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { bearingOf } from '#domain/evidence/distance-text.ts'
import { relevanceOf } from '#domain/evidence/relevance.ts'
import { hundredths } from '#domain/evidence/rounding.ts'
import { roundCoordinate } from '#domain/geo/measure.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/** Returns a record as a report cites it, with every number rounded as the fingerprint requires. */
export function cite(record: NearbyRecord): CitedRecordView {
  return {
    id: record.id,
    object: 'weather_event',
    type: record.type,
    family: record.family,
    severity: record.severity,
    occurred_on: record.occurred_on,
    begins_at: isoSeconds(record.begins_at),
    ends_at: record.ends_at && isoSeconds(record.ends_at),
    measurements: {
      wind_speed_mph: hundredths(record.wind_speed_mph),
      wind_gust_mph: hundredths(record.wind_gust_mph),
      hail_size_in: hundredths(record.hail_size_in),
      tornado_ef_scale: hundredths(record.tornado_ef_scale),
    },
    tornado_rating: tornadoRating(record),
    location: {
      latitude: coordinate(record.shown_latitude),
      longitude: coordinate(record.shown_longitude),
      county: record.county,
      state: record.state,
      precision: record.precision,
      zone: record.precision === 'zone' ? record.zone : null,
      zone_name: record.precision === 'zone' ? (record.zone_name ?? null) : null,
    },
    relevance: { relevance: relevanceOf(record), distance_miles: hundredths(record.distance_miles), bearing: bearingOf(record) },
    provenance: {
      source: record.source,
      source_label: sourceLabel(record),
      evidence_kind: record.evidence_kind,
      is_observed: record.is_observed,
      qualifier: record.qualifier,
      methodology: sourceOf(record).methodology,
      citation_url: record.citation_url,
      caveats: record.caveats,
      file: null,
    },
    description: record.description,
    sample: record.source === 'sample',
  }
}

function coordinate(degrees: number | null): number | null {
  return degrees === null ? null : roundCoordinate(degrees)
}
