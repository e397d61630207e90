import type { ExposureKind } from '#domain/closed-sets.ts'
import type { ExposureView, WarningPeriod, WarningView } from '#domain/exposures/view.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import type { Exposure } from '#generated/prisma/client.ts'

/** A timestamp in microseconds, as text: the driver's Date would cut it to milliseconds. */
export const inMicroseconds = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** The columns that an exposure's view needs, selected from `exposureTables`. */
export const exposureColumns = `
  e.id, e.kind, e.date::text AS date, e.property_id, e.territory_id, e.warning, e.headline, e.reports, e.sources, e.hail, e.wind, e.tornado, e.other,
  e.largest_measured_in, e.largest_detected_in, e.max_gust_mph, e.nearest_miles, e.observed, e.provisional, e.evidence, e.record_ids,
  ${inMicroseconds('e.first_seen_at')} AS first_seen_at, ${inMicroseconds('e.last_seen_at')} AS last_seen_at,
  e.notified_at, e.acknowledged_at, e.dismissed_at, e.report_id, e.sample,
  coalesce(p.label, p.street, p.query, t.name) AS subject_name, p.precision AS subject_precision`

/** Exposures joined with their places, so that the current name of the place is shown. */
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
  | 'escalated_at'
  | 'first_seen_at'
  | 'last_seen_at'
>

/** A row as the pool reads it: dates and microsecond timestamps are text. */
export interface ExposureRow extends Shown {
  kind: ExposureKind
  date: string
  warning: ExposureWarning | null
  evidence: ExposureView['evidence']
  first_seen_at: string
  last_seen_at: string
  subject_name: string
  subject_precision: ExposureView['subject']['precision']
}

/** @param now the moment at which a warning's `in_force` is evaluated */
export function exposureView(row: ExposureRow, base_url: string, now: Date): ExposureView {
  const api = `${base_url}/api/v1`
  const subject = row.property_id ? ({ id: row.property_id, object: 'property' } as const) : territoryOf(row)
  const collection = subject.object === 'property' ? 'properties' : 'territories'
  return {
    id: row.id,
    object: 'exposure',
    kind: row.kind,
    date: row.date,
    subject: { ...subject, name: row.subject_name, precision: row.subject_precision },
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
      subject: `${api}/${collection}/${subject.id}`,
      report: row.report_id && `${api}/reports/${row.report_id}`,
    },
    sample: row.sample,
  }
}

/** The same error for an unknown id, another team's id and a value that is not an id. */
export function noSuchExposure(): Refusal {
  return new Refusal('not_found', 'There is no exposure with this id.')
}

function territoryOf({ territory_id }: ExposureRow): { id: string; object: 'territory' } {
  if (!territory_id) throw new Error('an exposure has no place')
  return { id: territory_id, object: 'territory' }
}

/**
 * A warning as an exposure stores it, without the fields that depend on the clock. Warnings stored before messages were kept
 * have no periods.
 */
export type ExposureWarning = Omit<WarningView, 'in_force' | 'periods'> & { periods?: WarningPeriod[] }

/** Returns the keys in the contract's order, which jsonb does not keep, with the fields that depend on the clock. */
function warningView(warning: ExposureWarning, now: Date): WarningView {
  const { threats, office } = warning
  return {
    object: warning.object,
    identifier: warning.identifier,
    event: warning.event,
    headline: warning.headline,
    status: warning.status,
    message_type: warning.message_type,
    severity: warning.severity,
    certainty: warning.certainty,
    urgency: warning.urgency,
    issued_at: warning.issued_at,
    onset_at: warning.onset_at,
    expires_at: warning.expires_at,
    ends_at: warning.ends_at,
    in_force: isInForce(warning, now),
    cancelled_at: warning.cancelled_at,
    office: { id: office.id, name: office.name },
    vtec: warning.vtec,
    phenomenon: warning.phenomenon,
    significance: warning.significance,
    tracking_number: warning.tracking_number,
    threats: {
      max_hail_in: threats.max_hail_in,
      hail_basis: threats.hail_basis,
      max_gust_mph: threats.max_gust_mph,
      wind_basis: threats.wind_basis,
      tornado: threats.tornado,
      flash_flood: threats.flash_flood,
      damage: threats.damage,
    },
    area: warning.area,
    instruction: warning.instruction,
    geometry: warning.geometry,
    geometry_basis: warning.geometry_basis,
    citation_url: warning.citation_url,
    periods: periodsOf(warning).map(({ from, until }) => ({ from, until })),
  }
}

/** Whether the place is under the warning at the given moment. */
export function isInForce(times: Times, now: Date): boolean {
  return periodsOf(times).some(({ from, until }) => Date.parse(from) <= now.getTime() && now.getTime() < Date.parse(until))
}

type Times = Pick<ExposureWarning, 'issued_at' | 'ends_at' | 'expires_at' | 'cancelled_at' | 'periods'>

/**
 * Returns the periods of a warning. Without stored periods: from its issue until the event ended or was cancelled or, if it has
 * no end, until its message expired.
 */
export function periodsOf({ periods, issued_at, ends_at, expires_at, cancelled_at }: Times): WarningPeriod[] {
  if (periods) return periods
  const until = cancelled_at ?? ends_at ?? expires_at
  return until !== null && until > issued_at ? [{ from: issued_at, until }] : []
}
