import type { ByteSpan } from '#domain/archive/files/span.ts'
import type {
  ClosedSet,
  Confidence,
  FailureReason,
  PlacePrecision,
  Precision,
  Qualifier,
  Relevance,
  ReportStatus,
  TierId,
} from '#domain/closed-sets.ts'
import type { Inclusion } from '#domain/fingerprint-log/inclusion.ts'
import type { DayOfLossView, DayView } from '#domain/reports/day-of-loss/view.ts'
import type { Layout } from '#domain/reports/layout.ts'
import type { Family } from '#domain/weather/families.ts'
import type { Severity } from '#domain/weather/severities.ts'
import type { EvidenceKind } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** A report as every interface shows it: the contract's keys, moments as text that ends in Z, dates as YYYY-MM-DD. */
export interface ReportView {
  id: string
  object: 'report'
  status: ReportStatus
  address: {
    query: string
    street: string | null
    city: string | null
    state: string | null
    postal_code: string | null
    county: string | null
    latitude: number | null
    longitude: number | null
    precision: PlacePrecision | null
  }
  window: { start: string; end: string; radius_miles: number; narrowed_by_plan: boolean }
  /** The point in time that the report is compiled as of; null for the time of its generation. */
  as_of: string | null
  /** The date of loss, as sent, which the report covers first; null if none was sent. */
  date_of_loss: string | null
  /** Like `days`, null until the report is complete, and without a date of loss. */
  day_of_loss: DayOfLossView | null
  days: DayView[] | null
  property_id: string | null
  reference: string | null
  recipient: string | null
  event_count: number
  observation_count: number
  coverage: {
    complete: boolean
    provisional: boolean
    summary: string | null
    sources_searched: string[]
    /** Forecast-zone records of the window that could not be placed; null until the report is complete. */
    unplaced_zone_records: number | null
  }
  headline: string | null
  /** The sentence for a report that cites nothing; null if it cites something, and until the report is complete. */
  nothing_found: string | null
  findings: FindingView[] | null
  /** 64 hex digits; null until the report is complete. */
  fingerprint: string | null
  /** The version of the rules that the report was made by; null until the report is complete. */
  methodology_version: string | null
  failure_reason: FailureReason | null
  /** The failure as a sentence that names what is wrong. */
  failure_message: string | null
  plan_tier: TierId
  layout: Layout
  created_at: string
  generated_at: string | null
  pdf: { status: ClosedSet<'PdfStatus'> | null; rendered_at: string | null }
  links: { self: string; events: string | null; pdf: string | null }
}

/** The summary of all records of one family. */
export interface FindingView {
  family: Family
  family_label: string
  event_count: number
  peak_severity: Severity
  evidence_kinds: EvidenceKind[]
  evidence_labels: string[]
  /** Newest first. */
  dates: string[]
  most_recent: string
  /**
   * The largest size that a ground or instrument record states; radar's estimate only if no such record states one. Peaks come from
   * records with a place; from county and zone records only if the finding has no others.
   */
  peak_hail_in: number | null
  peak_wind_mph: number | null
  peak_tornado_ef: number | null
  /** The rating on the scale that the row states: F3 in 1991, EF3 from February 2007 on. */
  peak_tornado_rating: string | null
  /** Null if every record names a county or a zone instead of a place. */
  nearest_miles: number | null
  any_observed: boolean
  confidence: Confidence
  confidence_label: string
  statement: string
}

/** A record as it was when its report was published. */
export interface CitedRecordView {
  id: number
  object: 'weather_event'
  type: RecordType
  family: Family
  severity: Severity
  occurred_on: string
  begins_at: string
  ends_at: string | null
  measurements: {
    wind_speed_mph: number | null
    wind_gust_mph: number | null
    hail_size_in: number | null
    tornado_ef_scale: number | null
  }
  /** A tornado's rating on the scale that the row states: F3, EF3, EFU; null for other records. */
  tornado_rating: string | null
  location: {
    latitude: number | null
    longitude: number | null
    county: string | null
    state: string | null
    precision: Precision
    /** State and number of the forecast zone that the record names: NYZ010. Null for every other precision. */
    zone: string | null
    /** The zone's own name, if it was known when the report was published. */
    zone_name: string | null
  }
  relevance: { relevance: Relevance; distance_miles: number | null; bearing: string | null }
  provenance: {
    source: string
    source_label: string
    evidence_kind: EvidenceKind
    is_observed: boolean
    qualifier: Qualifier | null
    methodology: string
    citation_url: string
    /** Doubts about the record, as sentences; empty for most records. Not part of the evidence document. */
    caveats: string[]
    /** The agency's file that contains the record; null if it was read before files were registered. Not part of the evidence document. */
    file: CitedFileView | null
  }
  description: string
  /** True if the record is made up. */
  sample: boolean
}

/** A file of an agency, and the position of a cited record in it. */
export interface CitedFileView {
  /** SHA-256 of the file as fetched, lower-case hex. */
  sha256: string
  name: string
  /** Byte range in the file; for a gzip file, in its unpacked content. */
  span: ByteSpan
}

/** The data by which a report can be verified. */
export interface VerificationView {
  object: 'verification'
  report_id: string
  fingerprint: string
  /** Four groups of four upper-case hex digits. */
  short_fingerprint: string
  verify_url: string
  generated_at: string
  place: string
  window: { start: string; end: string; radius: number }
  /** The point in time that the report is compiled as of; null for the time of its generation. */
  as_of: string | null
  date_of_loss: string | null
  finding: string
  authoritative: boolean
  records: number
  observations: number
  sources_searched: number
  sources_found: number
  /** Its position in the fingerprint log; null until it has one, and for a report that is older than the log. */
  log: Inclusion | null
  links: { report: string }
}

export const batchRowStatuses = ['accepted', 'rejected', 'skipped'] as const
export type BatchRowStatus = (typeof batchRowStatuses)[number]

export interface ReportBatchView {
  object: 'report_batch'
  submitted: number
  accepted: number
  rejected: number
  skipped: number
  credits_spent: number
  credits_remaining: number
  out_of_credits: boolean
  results: ReportBatchRowView[]
}

export interface ReportBatchRowView {
  /** Position in the submitted list: 0, 1, 2 ... */
  index: number
  /** As sent; null if the row has none. */
  address: string | null
  status: BatchRowStatus
  message: string | null
  report: ReportView | null
}

/** The body of a 202 for a document that is still being rendered. */
export interface PdfPreparingView {
  object: 'pdf'
  status: 'preparing'
  /** Seconds. */
  retry_after: number
}

export interface DownloadView {
  object: 'download'
  url: string
  signed: boolean
  filename: string
  content_type: 'application/pdf'
  bytes: number
  expires_at: string
}

declare module '#domain/events/payloads.ts' {
  interface EventPayload {
    'report.completed': { data: [ReportView] }
    'report.failed': { data: [ReportView] }
    'report.pdf_ready': { data: [ReportView]; download: DownloadView | null }
  }
}
