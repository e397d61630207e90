import type { ExposureKind, ExposureView, WarningView } from '#domain/exposures/view.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Exposure } from '#generated/prisma/client.ts'

/** A moment in microseconds, as text: a driver's date would cut it to milliseconds. */
export const inMicroseconds = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** What an exposure's view is made of, read through `exposureTables`. */
export const exposureColumns = `
  e.id, e.kind, e.date::text AS date, e.property_id, e.territory_id, e.warning, e.headline, e.reports, e.sources, e.hail, e.wind, e.tornado, e.other,
  e.largest_measured_in, e.largest_detected_in, e.max_gust_mph, e.nearest_miles, e.observed, e.provisional, e.evidence, e.record_ids,
  ${inMicroseconds('e.first_seen_at')} AS first_seen_at, ${inMicroseconds('e.last_seen_at')} AS last_seen_at,
  e.notified_at, e.acknowledged_at, e.dismissed_at, e.report_id, e.sample,
  coalesce(p.label, p.street, p.query, t.name) AS subject_name`

/** An exposure with the place that it is about, whose name is shown as it is now. */
export const exposureTables = `
  exposures e LEFT JOIN properties p ON p.team_id = e.team_id AND p.id = e.property_id
              LEFT JOIN territories t ON t.team_id = e.team_id AND t.id = e.territory_id`

type Shown = Omit<
  Exposure,
  | 'team_id'
  | 'kind'
  | 'date'
  | 'warning'
  | 'warning_key'
  | 'evidence'
  | 'withdrawn'
  | 'posted_band_in'
  | 'posted_tornado'
  | 'first_seen_at'
  | 'last_seen_at'
>

/** A row as the pool reads it: days and microseconds are text. */
export interface ExposureRow extends Shown {
  kind: ExposureKind
  date: string
  warning: Omit<WarningView, 'in_force'> | null
  evidence: ExposureView['evidence']
  first_seen_at: string
  last_seen_at: string
  subject_name: string
}

/** @param now what `in_force` of a warning is judged at */
export function exposureView(row: ExposureRow, base_url: string, now: Date): ExposureView {
  const api = `${base_url}/api/v1`
  const subject = row.property_id ? ({ id: row.property_id, object: 'property' } as const) : territoryOf(row)
  const shelf = subject.object === 'property' ? 'properties' : 'territories'
  return {
    id: row.id,
    object: 'exposure',
    kind: row.kind,
    date: row.date,
    subject: { ...subject, name: row.subject_name },
    headline: row.headline,
    reports: row.reports,
    sources: row.sources,
    families: { hail: row.hail, wind: row.wind, tornado: row.tornado, other: row.other },
    largest_measured_in: row.largest_measured_in,
    largest_detected_in: row.largest_detected_in,
    max_gust_mph: row.max_gust_mph,
    nearest_miles: row.nearest_miles,
    observed: row.observed,
    provisional: row.provisional,
    evidence: row.evidence,
    record_ids: row.record_ids,
    warning: row.warning && warningView(row.warning, now),
    first_seen_at: row.first_seen_at,
    last_seen_at: row.last_seen_at,
    notified_at: row.notified_at?.toISOString() ?? null,
    acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
    dismissed_at: row.dismissed_at?.toISOString() ?? null,
    report_id: row.report_id,
    links: {
      self: `${api}/exposures/${row.id}`,
      subject: `${api}/${shelf}/${subject.id}`,
      report: row.report_id && `${api}/reports/${row.report_id}`,
    },
    sample: row.sample,
  }
}

/** The same for an unknown id, another team's and one that is no number. */
export function noSuchExposure(): Refusal {
  return new Refusal('not_found', 'There is no exposure with this id.')
}

function territoryOf({ territory_id }: ExposureRow): { id: string; object: 'territory' } {
  if (!territory_id) throw new Error('an exposure is about no place')
  return { id: territory_id, object: 'territory' }
}

/** The keys in the contract's order, with what the clock alone decides. */
function warningView(kept: Omit<WarningView, 'in_force'>, now: Date): WarningView {
  const { object, identifier, event, headline, status, message_type, severity, certainty, urgency, ...rest } = kept
  const { issued_at, onset_at, expires_at, ends_at, ...after } = rest
  const named = { object, identifier, event, headline, status, message_type, severity, certainty, urgency }
  return { ...named, issued_at, onset_at, expires_at, ends_at, in_force: isInForce(kept, now), ...after }
}

/** From its issue until its event ends, unless it was cancelled; one without an end is in force until its message expires. */
export function isInForce(warning: Pick<WarningView, 'issued_at' | 'ends_at' | 'expires_at' | 'cancelled_at'>, now: Date): boolean {
  const until = warning.ends_at ?? warning.expires_at
  return (
    warning.cancelled_at === null && until !== null && Date.parse(warning.issued_at) <= now.getTime() && now.getTime() < Date.parse(until)
  )
}
