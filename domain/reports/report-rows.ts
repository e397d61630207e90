import { type UnplacedZones, unplacedRecords } from '#domain/archive/coverage/window-coverage.ts'
import type { TierId } from '#domain/closed-sets.ts'
import type { RawTx } from '#domain/engines/database.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import type { DayOfLossView, DayView } from '#domain/reports/day-of-loss/view.ts'
import type { FindingView, ReportView } from '#domain/reports/view.ts'
import { failureSentences } from '#domain/reports/wording/failure-sentences.ts'
import { nothingFound } from '#domain/reports/wording/statement.ts'
import { Prisma } from '#generated/prisma/client.ts'

/** The columns of a report's view. Dates arrive as text, moments as Dates. */
export const reportColumns = `
  r.id, r.status, r.query, r.street, r.city, r.state, r.postal_code, r.county, r.latitude, r.longitude, r.precision,
  r.window_start, r.window_end, r.radius_miles, r.narrowed_by_plan, r.as_of, r.date_of_loss, r.day_of_loss, r.days, r.property_id, r.reference, r.recipient,
  r.event_count, r.observation_count, r.coverage_complete, r.coverage_provisional, r.coverage_summary, r.sources_searched, r.unplaced_zones,
  r.headline, r.fingerprint, r.methodology_version, r.failure_reason, r.failure_message, r.plan_tier, r.layout, r.pdf_status, r.pdf_rendered_at, r.created_at, r.generated_at,
  (SELECT json_agg(json_build_object(
            'family', f.family, 'family_label', f.family_label, 'event_count', f.event_count, 'peak_severity', f.peak_severity,
            'evidence_kinds', f.evidence_kinds, 'evidence_labels', f.evidence_labels, 'dates', f.dates, 'most_recent', f.most_recent,
            'peak_hail_in', f.peak_hail_in, 'peak_wind_mph', f.peak_wind_mph, 'peak_tornado_ef', f.peak_tornado_ef, 'peak_tornado_rating', f.peak_tornado_rating,
            'nearest_miles', f.nearest_miles, 'any_observed', f.any_observed, 'confidence', f.confidence,
            'confidence_label', f.confidence_label, 'statement', f.statement) ORDER BY f.position)
     FROM findings f WHERE f.report_id = r.id) AS findings`

export interface ReportRow {
  id: string
  status: ReportView['status']
  query: string
  street: string | null
  city: string | null
  state: string | null
  postal_code: string | null
  county: string | null
  latitude: number | null
  longitude: number | null
  precision: ReportView['address']['precision']
  window_start: string
  window_end: string
  radius_miles: number
  narrowed_by_plan: boolean
  as_of: Date | null
  date_of_loss: string | null
  day_of_loss: DayOfLossView | null
  days: DayView[] | null
  property_id: string | null
  reference: string | null
  recipient: string | null
  event_count: number
  observation_count: number
  coverage_complete: boolean
  coverage_provisional: boolean
  coverage_summary: string | null
  sources_searched: string[] | null
  unplaced_zones: UnplacedZones[]
  headline: string | null
  fingerprint: string | null
  methodology_version: string
  failure_reason: ReportView['failure_reason']
  failure_message: string | null
  plan_tier: TierId
  layout: ReportView['layout']
  pdf_status: ReportView['pdf']['status']
  pdf_rendered_at: Date | null
  created_at: Date
  generated_at: Date | null
  findings: FindingView[] | null
}

/** Reads a report within the transaction that wrote it. */
export async function readReport(tx: Pick<RawTx, '$queryRaw'>, id: string): Promise<ReportRow> {
  const [row] = await tx.$queryRaw<ReportRow[]>`SELECT ${Prisma.raw(reportColumns)} FROM reports r WHERE r.id = ${id}::uuid`
  if (!row) throw new Error('a report that was just written cannot be found')
  return row
}

/** A report as the API shows it: what is not earned yet is null. */
export function reportView(row: ReportRow, base_url: string): ReportView {
  const complete = row.status === 'complete'
  const self = `${base_url}/api/v1/reports/${row.id}`
  const address = addressOf(row)
  const { sources_searched, unplaced_zones } = row
  const window = { start: row.window_start, end: row.window_end, radius_miles: row.radius_miles, narrowed_by_plan: row.narrowed_by_plan }
  return {
    id: row.id,
    object: 'report',
    status: row.status,
    address,
    window,
    as_of: row.as_of?.toISOString() ?? null,
    date_of_loss: row.date_of_loss,
    day_of_loss: row.day_of_loss && dayOfLossView(row.day_of_loss),
    days: row.days?.map(dayView) ?? null,
    property_id: row.property_id,
    reference: row.reference,
    recipient: row.recipient,
    event_count: row.event_count,
    observation_count: row.observation_count,
    coverage: coverageOf(row),
    headline: row.headline,
    nothing_found:
      complete && row.event_count === 0
        ? nothingFound({ place: address, window, sources: sources_searched ?? [], provisional: row.coverage_provisional, unplaced_zones })
        : null,
    findings: complete ? (row.findings ?? []) : null,
    fingerprint: row.fingerprint,
    methodology_version: complete ? row.methodology_version : null,
    failure_reason: row.failure_reason,
    failure_message: row.failure_message ?? (row.failure_reason && failureSentences[row.failure_reason]),
    plan_tier: row.plan_tier,
    layout: layoutView(row.layout),
    created_at: row.created_at.toISOString(),
    generated_at: row.generated_at && isoSeconds(row.generated_at),
    pdf: { status: row.pdf_status, rendered_at: row.pdf_rendered_at?.toISOString() ?? null },
    links: { self, events: complete ? `${self}/events` : null, pdf: complete ? `${self}/pdf` : null },
  }
}

/** Puts the keys in the contract's order; the column's type (jsonb) does not preserve it. */
function layoutView({ sections, imagery, elements, map }: ReportView['layout']): ReportView['layout'] {
  return { sections, imagery, elements, map: map && { base: map.base, layers: map.layers } }
}

/** Puts the keys in the contract's order, like `layoutView`. */
function dayView({ date, hail, wind, tornado, warnings, records, relation }: DayView): DayView {
  return {
    date,
    hail: { ground_in: hail.ground_in, radar_in: hail.radar_in, nearest_miles: hail.nearest_miles },
    wind: { ground_mph: wind.ground_mph, instrument_mph: wind.instrument_mph, nearest_miles: wind.nearest_miles },
    tornado: { rating: tornado.rating, nearest_miles: tornado.nearest_miles },
    warnings,
    records,
    relation,
  }
}

function dayOfLossView({ date, statement, rings, warnings }: DayOfLossView): DayOfLossView {
  return {
    date,
    statement,
    rings: rings.map(({ radius_miles, records, near_records, strongest }) => ({
      radius_miles,
      records,
      near_records,
      strongest: strongest.map((record) => ({
        relation: record.relation,
        hazard: record.hazard,
        channel: record.channel,
        occurred_on: record.occurred_on,
        hail_size_in: record.hail_size_in,
        wind_mph: record.wind_mph,
        tornado_rating: record.tornado_rating,
        distance_miles: record.distance_miles,
        bearing: record.bearing,
        citation_url: record.citation_url,
      })),
    })),
    warnings: warnings.map(({ relation, event, office_name, from, until, citation_url }) => ({
      relation,
      event,
      office_name,
      from,
      until,
      citation_url,
    })),
  }
}

/** Picks the address, as sent and as located, from a row with more columns. */
export function addressOf(row: ReportView['address']): ReportView['address'] {
  const { query, street, city, state, postal_code, county, latitude, longitude, precision } = row
  return { query, street, city, state, postal_code, county, latitude, longitude, precision }
}

function coverageOf(row: ReportRow): ReportView['coverage'] {
  return {
    complete: row.coverage_complete,
    provisional: row.coverage_provisional,
    summary: row.coverage_summary,
    sources_searched: row.sources_searched ?? [],
    unplaced_zone_records: row.status === 'complete' ? unplacedRecords(row.unplaced_zones) : null,
  }
}

/** The same refusal for an unknown id, another team's id and an id that is not a UUID. */
export function noSuchReport(): Refusal {
  return new Refusal('not_found', 'There is no report with this id.')
}
