import type { Geometry } from 'geojson'
import type { TransactionView } from '#domain/account/account.ts'
import { pointOf, withRfc7946Winding } from '#domain/exports/geojson.ts'
import type { PlacedExposure } from '#domain/exposures/find.ts'
import type { WarningView } from '#domain/exposures/view.ts'
import type { DeliveryView } from '#domain/integrations/view.ts'
import type { Cell } from '#domain/kernel/csv.ts'
import type { PropertyView } from '#domain/properties/view.ts'
import type { CitedFileView, CitedRecordView, ReportView } from '#domain/reports/view.ts'
import type { ExportedTerritory } from '#domain/territories/find.ts'

/** The value of each column, by its name: the contract's key, prefixed with its parent object's key where the name alone would be ambiguous. */
export type Columns<View> = Record<string, (view: View) => Cell>

const addressColumns: Columns<{ address: Pick<ReportView['address'], 'query' | 'street' | 'city' | 'state' | 'postal_code' | 'county'> }> =
  {
    address: ({ address }) => address.query,
    street: ({ address }) => address.street,
    city: ({ address }) => address.city,
    state: ({ address }) => address.state,
    postal_code: ({ address }) => address.postal_code,
    county: ({ address }) => address.county,
  }

export const reportExportColumns: Columns<ReportView> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  ...addressColumns,
  latitude: ({ address }) => address.latitude,
  longitude: ({ address }) => address.longitude,
  precision: ({ address }) => address.precision,
  window_start: ({ window }) => window.start,
  window_end: ({ window }) => window.end,
  radius_miles: ({ window }) => window.radius_miles,
  narrowed_by_plan: ({ window }) => window.narrowed_by_plan,
  as_of: ({ as_of }) => as_of,
  date_of_loss: ({ date_of_loss }) => date_of_loss,
  property_id: ({ property_id }) => property_id,
  reference: ({ reference }) => reference,
  recipient: ({ recipient }) => recipient,
  event_count: ({ event_count }) => event_count,
  observation_count: ({ observation_count }) => observation_count,
  coverage_complete: ({ coverage }) => coverage.complete,
  coverage_provisional: ({ coverage }) => coverage.provisional,
  coverage_summary: ({ coverage }) => coverage.summary,
  sources_searched: ({ coverage }) => coverage.sources_searched,
  unplaced_zone_records: ({ coverage }) => coverage.unplaced_zone_records,
  headline: ({ headline }) => headline,
  nothing_found: ({ nothing_found }) => nothing_found,
  day_of_loss_statement: ({ day_of_loss }) => day_of_loss?.statement ?? null,
  fingerprint: ({ fingerprint }) => fingerprint,
  methodology_version: ({ methodology_version }) => methodology_version,
  failure_reason: ({ failure_reason }) => failure_reason,
  failure_message: ({ failure_message }) => failure_message,
  plan_tier: ({ plan_tier }) => plan_tier,
  created_at: ({ created_at }) => created_at,
  generated_at: ({ generated_at }) => generated_at,
  pdf_status: ({ pdf }) => pdf.status,
  pdf_rendered_at: ({ pdf }) => pdf.rendered_at,
  url: ({ links }) => links.self,
}

const ofFile =
  (cell: (file: CitedFileView) => Cell) =>
  ({ provenance }: CitedRecordView): Cell =>
    provenance.file && cell(provenance.file)

export const eventExportColumns: Columns<CitedRecordView> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  family: ({ family }) => family,
  severity: ({ severity }) => severity,
  occurred_on: ({ occurred_on }) => occurred_on,
  begins_at: ({ begins_at }) => begins_at,
  ends_at: ({ ends_at }) => ends_at,
  kind: kindOf,
  hail_size_in: ({ measurements }) => measurements.hail_size_in,
  wind_gust_mph: ({ measurements }) => measurements.wind_gust_mph,
  wind_speed_mph: ({ measurements }) => measurements.wind_speed_mph,
  tornado_ef_scale: ({ measurements }) => measurements.tornado_ef_scale,
  tornado_rating: ({ tornado_rating }) => tornado_rating,
  latitude: ({ location }) => location.latitude,
  longitude: ({ location }) => location.longitude,
  county: ({ location }) => location.county,
  state: ({ location }) => location.state,
  precision: ({ location }) => location.precision,
  zone: ({ location }) => location.zone,
  zone_name: ({ location }) => location.zone_name,
  relevance: ({ relevance }) => relevance.relevance,
  distance_miles: ({ relevance }) => relevance.distance_miles,
  bearing: ({ relevance }) => relevance.bearing,
  source: ({ provenance }) => provenance.source,
  source_label: ({ provenance }) => provenance.source_label,
  evidence_kind: ({ provenance }) => provenance.evidence_kind,
  is_observed: ({ provenance }) => provenance.is_observed,
  qualifier: ({ provenance }) => provenance.qualifier,
  methodology: ({ provenance }) => provenance.methodology,
  citation_url: ({ provenance }) => provenance.citation_url,
  caveats: ({ provenance }) => provenance.caveats,
  file_sha256: ofFile((file) => file.sha256),
  file_name: ofFile((file) => file.name),
  file_span_start_bytes: ofFile((file) => file.span.start),
  file_span_length_bytes: ofFile((file) => file.span.length),
  description: ({ description }) => description,
  sample: ({ sample }) => sample,
}

/** How the figure was obtained: by radar, by an instrument or survey, by a person's estimate, or unknown if the source does not say. Null without a figure. */
function kindOf({ measurements, tornado_rating, provenance }: CitedRecordView): 'radar' | 'measured' | 'estimated' | 'unknown' | null {
  const { evidence_kind, qualifier } = provenance
  if (tornado_rating === null && Object.values(measurements).every((figure) => figure === null)) return null
  if (evidence_kind === 'radar') return 'radar'
  if (evidence_kind === 'instrument' || qualifier === 'measured' || qualifier === 'surveyed') return 'measured'
  return qualifier === 'estimated' || qualifier === 'unknown' ? qualifier : null
}

const ofWarning =
  (cell: (warning: WarningView) => Cell) =>
  ({ exposure }: PlacedExposure): Cell =>
    exposure.warning && cell(exposure.warning)

export const exposureExportColumns: Columns<PlacedExposure> = {
  id: ({ exposure }) => exposure.id,
  kind: ({ exposure }) => exposure.kind,
  date: ({ exposure }) => exposure.date,
  subject: ({ exposure }) => exposure.subject.object,
  subject_id: ({ exposure }) => exposure.subject.id,
  subject_name: ({ exposure }) => exposure.subject.name,
  subject_precision: ({ exposure }) => exposure.subject.precision,
  latitude: ({ latitude }) => latitude,
  longitude: ({ longitude }) => longitude,
  headline: ({ exposure }) => exposure.headline,
  reports: ({ exposure }) => exposure.reports,
  sources: ({ exposure }) => exposure.sources,
  hail: ({ exposure }) => exposure.families.hail,
  wind: ({ exposure }) => exposure.families.wind,
  tornado: ({ exposure }) => exposure.families.tornado,
  other: ({ exposure }) => exposure.families.other,
  largest_measured_in: ({ exposure }) => exposure.largest_measured_in,
  largest_detected_in: ({ exposure }) => exposure.largest_detected_in,
  max_gust_mph: ({ exposure }) => exposure.max_gust_mph,
  nearest_miles: ({ exposure }) => exposure.nearest_miles,
  observed: ({ exposure }) => exposure.observed,
  provisional: ({ exposure }) => exposure.provisional,
  evidence: ({ exposure }) => exposure.evidence,
  record_ids: ({ exposure }) => exposure.record_ids,
  warning_identifier: ofWarning((warning) => warning.identifier),
  warning_event: ofWarning((warning) => warning.event),
  warning_status: ofWarning((warning) => warning.status),
  warning_issued_at: ofWarning((warning) => warning.issued_at),
  warning_expires_at: ofWarning((warning) => warning.expires_at),
  warning_ends_at: ofWarning((warning) => warning.ends_at),
  warning_cancelled_at: ofWarning((warning) => warning.cancelled_at),
  warning_in_force: ofWarning((warning) => warning.in_force),
  warning_max_hail_in: ofWarning((warning) => warning.threats.max_hail_in),
  warning_max_gust_mph: ofWarning((warning) => warning.threats.max_gust_mph),
  warning_citation_url: ofWarning((warning) => warning.citation_url),
  first_seen_at: ({ exposure }) => exposure.first_seen_at,
  last_seen_at: ({ exposure }) => exposure.last_seen_at,
  notified_at: ({ exposure }) => exposure.notified_at,
  acknowledged_at: ({ exposure }) => exposure.acknowledged_at,
  dismissed_at: ({ exposure }) => exposure.dismissed_at,
  report_id: ({ exposure }) => exposure.report_id,
  sample: ({ exposure }) => exposure.sample,
  url: ({ exposure }) => exposure.links.self,
}

export const propertyExportColumns: Columns<PropertyView> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  label: ({ label }) => label,
  reference: ({ reference }) => reference,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  ...addressColumns,
  county_fips: ({ address }) => address.county_fips,
  latitude: ({ address }) => address.latitude,
  longitude: ({ address }) => address.longitude,
  located: ({ address }) => address.located,
  precision: ({ address }) => address.precision,
  failure_reason: ({ address }) => address.failure_reason,
  failure_message: ({ address }) => address.failure_message,
  watch_radius_miles: ({ watch_radius_miles }) => watch_radius_miles,
  tags: ({ tags }) => tags,
  notes: ({ notes }) => notes,
  last_activity_on: ({ last_activity_on }) => last_activity_on,
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
  url: ({ links }) => links.self,
}

export const territoryExportColumns: Columns<ExportedTerritory> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  description: ({ description }) => description,
  status: ({ status }) => status,
  area_sq_miles: ({ area_sq_miles }) => area_sq_miles,
  color: ({ color }) => color,
  centre_latitude: ({ centre }) => centre.latitude,
  centre_longitude: ({ centre }) => centre.longitude,
  west: ({ bounds }) => bounds.west,
  south: ({ bounds }) => bounds.south,
  east: ({ bounds }) => bounds.east,
  north: ({ bounds }) => bounds.north,
  notes: ({ notes }) => notes,
  last_activity_on: ({ last_activity_on }) => last_activity_on,
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
  url: ({ links }) => links.self,
}

export const deliveryExportColumns: Columns<DeliveryView> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  channel: ({ channel }) => channel,
  status: ({ status }) => status,
  status_label: ({ status_label }) => status_label,
  subject: ({ subject }) => subject,
  address_hint: ({ address_hint }) => address_hint,
  attempts: ({ attempts }) => attempts,
  response_code: ({ response_code }) => response_code,
  failure_reason: ({ failure_reason }) => failure_reason,
  exposure_ids: ({ exposure_ids }) => exposure_ids,
  sent_at: ({ sent_at }) => sent_at,
  failed_at: ({ failed_at }) => failed_at,
  created_at: ({ created_at }) => created_at,
  integration_id: ({ integration_id }) => integration_id,
}

export const transactionExportColumns: Columns<TransactionView> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  amount: ({ amount }) => amount,
  balance_after: ({ balance_after }) => balance_after,
  description: ({ description }) => description,
  note: ({ note }) => note,
  report_id: ({ report_id }) => report_id,
  created_at: ({ created_at }) => created_at,
}

/** The geometry of a row, for exports whose rows have a place. */
export const placeOf = {
  report: ({ address }: ReportView): Geometry | null => pointOf(address),
  event: ({ location }: CitedRecordView): Geometry | null => pointOf(location),
  exposure: (placed: PlacedExposure): Geometry | null => pointOf(placed),
  property: ({ address }: PropertyView): Geometry | null => pointOf(address),
  territory: ({ geometry }: ExportedTerritory): Geometry | null => (geometry === null ? null : withRfc7946Winding(JSON.parse(geometry))),
}
