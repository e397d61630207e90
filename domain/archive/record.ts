import type { Spanned } from '#domain/archive/files/span.ts'
import type { Precision, Qualifier } from '#domain/closed-sets.ts'
import type { Position } from '#domain/geo/measure.ts'
import type { Family } from '#domain/weather/families.ts'
import type { Severity } from '#domain/weather/severities.ts'
import type { EvidenceKind, RecordSource } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/**
 * One fact of the archive, as a source states it, in the contract's units: what a source's parser yields and
 * archive_records stores. Dates are YYYY-MM-DD, times are Dates in whole seconds.
 */
export interface ArchiveRecord extends Spanned {
  source: RecordSource
  source_key: string
  type: RecordType
  family: Family
  severity: Severity
  occurred_on: string
  begins_at: Date
  ends_at: Date | null
  time_unsure: boolean
  wind_speed_mph: number | null
  wind_gust_mph: number | null
  hail_size_in: number | null
  /** 0..5; null for EFU and unknown. */
  tornado_ef_scale: number | null
  /** The width of a tornado's path, in yards as the source states it: the greatest, before 1994 the mean. */
  tornado_width_yd?: number | null
  /** The begin point of a path or an area; null for county and zone records. */
  latitude: number | null
  longitude: number | null
  end_latitude: number | null
  end_longitude: number | null
  corners: Position[] | null
  county: string | null
  county_fips: string | null
  /** Its point is outside the county that the source names. Both are kept as stated. */
  county_mismatch?: boolean | null
  zone: string | null
  state: string | null
  precision: Precision
  evidence_kind: EvidenceKind
  is_observed: boolean
  qualifier: Qualifier | null
  preliminary: boolean
  reporter: string | null
  file_name: string | null
  citation_url: string
  description: string
  /** Doubts about the record, in sentences: see plausibility.ts. */
  caveats: string[]
  /** YYYY-MM-DD */
  compiled_on: string | null
  /** When the product with the record was sent, if several products may state the same record: the newest one wins. */
  issued_at?: Date | null
}

/** A record as the archive stores it. */
export interface StoredRecord extends ArchiveRecord {
  id: number
  /** False if it was imported before plausibility checks existed. It then has no caveats because it was never checked. */
  judged?: boolean
}

/** A stored record as seen from one place, before supersession and relevance. */
export interface NearbyRecord extends StoredRecord {
  /** Unrounded great-circle miles; null for county and zone records. */
  distance_miles: number | null
  /** Degrees clockwise from north, from the place to the nearest part of the record; null when distance_miles is. */
  bearing_degrees: number | null
  /** The point to show: for wind, hail and rain with two points, the nearer end. */
  shown_latitude: number | null
  shown_longitude: number | null
  /** The forecast zone's own name, if the zone table has it: Northern Erie. */
  zone_name?: string | null
}

export interface SearchWindow {
  /** YYYY-MM-DD, both included; a record is in the window if its own local date is. */
  start: string
  end: string
  radius_miles: number
}
