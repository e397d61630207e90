import type { Threats } from '#domain/archive/warnings/warning.ts'
import type {
  capCertainties,
  capSeverities,
  capUrgencies,
  ExposureKind,
  geometryBases,
  PlacePrecision,
  WatchSubject,
} from '#domain/closed-sets.ts'
import type { EvidenceKind } from '#domain/weather/sources.ts'

/** A storm day or a warning at one watched place, as every interface shows it: the contract's keys, dates as YYYY-MM-DD. */
export interface ExposureView {
  id: number
  object: 'exposure'
  kind: ExposureKind
  date: string
  /** `precision` is that of a property's location; null for a territory. */
  subject: { id: string; object: WatchSubject; name: string; precision: PlacePrecision | null }
  headline: string
  /** Ground and instrument records. */
  reports: number
  /** Distinct sources of all records. */
  sources: number
  families: { hail: number; wind: number; tornado: number; other: number }
  /** Inches: the largest hail that a person or an instrument reported. */
  largest_measured_in: number | null
  /** Inches: the largest hail that radar estimated aloft. */
  largest_detected_in: number | null
  max_gust_mph: number | null
  nearest_miles: number | null
  observed: boolean
  provisional: boolean
  evidence: EvidenceKind[]
  record_ids: number[]
  /** Null for a record. */
  warning: WarningView | null
  /** Values of the team's exposure clock, in microseconds: the `since` filter compares with `last_seen_at`. */
  first_seen_at: string
  last_seen_at: string
  notified_at: string | null
  acknowledged_at: string | null
  dismissed_at: string | null
  report_id: string | null
  links: { self: string; subject: string; report: string | null }
  /** True if its records are made up. */
  sample: boolean
}

/** An official warning as of the newest message about the place. */
export interface WarningView {
  object: 'warning'
  identifier: string
  event: string
  headline: string | null
  status: string
  message_type: string
  severity: (typeof capSeverities)[number]
  certainty: (typeof capCertainties)[number]
  urgency: (typeof capUrgencies)[number]
  issued_at: string
  onset_at: string | null
  /** End of the message. */
  expires_at: string | null
  /** End of the event. */
  ends_at: string | null
  /** Whether the place is under it now. */
  in_force: boolean
  cancelled_at: string | null
  office: { id: string; name: string }
  vtec: string
  phenomenon: string
  significance: string
  tracking_number: number
  threats: Threats
  area: string | null
  instruction: string | null
  /** GeoJSON Polygon or MultiPolygon; null if counties define the area. */
  geometry: object | null
  /** storm: the polygon of the message. zone: the shapes of its counties. */
  geometry_basis: (typeof geometryBases)[number]
  citation_url: string
  /** When the place was under it: while the area of one of its messages was over the place. */
  periods: WarningPeriod[]
}

export interface WarningPeriod {
  from: string
  /** Exclusive. */
  until: string
}
