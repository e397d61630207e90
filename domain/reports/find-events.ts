import type { App } from '#domain/app.ts'
import { type Family, families, type RecordType, recordTypes } from '#domain/archive/families.ts'
import type { Caller } from '#domain/caller.ts'
import { gatherFaults, isDate, isUuid } from '#domain/check.ts'
import { offsetOf, type PageOf, type Paging } from '#domain/page.ts'
import { noSuchReport, readNamed } from '#domain/reports/report-rows.ts'
import { wholeSeconds } from '#domain/reports/rounding.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/** Filters as sent, null or absent where not. Dates and measures are inclusive. */
export interface ReportEventFilters {
  type?: string | null
  family?: string | null
  from?: string | null
  to?: string | null
  /** Records without a size drop out. */
  min_hail_in?: number | null
  /** Records without a gust drop out. */
  min_gust_mph?: number | null
  /** True: ground and instrument records only; false: radar's estimates only. */
  observed?: boolean | null
}

/**
 * The records that a report cites, as they stood when it was published: newest first, empty until it is complete.
 * @throws Refusal 404 for a report that is not the team's; 422 for a filter that cannot be meant
 */
export async function listReportEvents(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Caller, 'team'>,
  id: string,
  filters: ReportEventFilters,
  paging: Paging,
): Promise<PageOf<CitedRecordView>> {
  if (!isUuid(id)) throw noSuchReport()
  const faults = faultsOf(filters)
  const rows = Object.keys(faults.found).length > 0 ? [] : await readPage(pool, team.id, id, filters, paging)
  const [first] = rows
  if (first) return { data: rows.map(citedView), total: first.total }
  const [report] = await readNamed(pool, 'report.held', 'SELECT FROM reports WHERE team_id = $1 AND id = $2', [team.id, id])
  if (!report) throw noSuchReport()
  faults.refuse()
  return { data: [], total: paging.page === 1 ? 0 : await count(pool, team.id, id, filters) }
}

function faultsOf({ type, family, from, to, min_hail_in, min_gust_mph }: ReportEventFilters) {
  const faults = gatherFaults()
  if (type != null) faults.unless(recordTypes.includes(type as RecordType), 'type', 'There is no record type of this name.')
  if (family != null) faults.unless(families.includes(family as Family), 'family', `The family must be one of ${families.join(', ')}.`)
  const days = [checkDay(from, 'from'), checkDay(to, 'to')]
  if (from && to && days.every(Boolean)) faults.unless(from <= to, 'to', 'The last date must be on or after the first.')
  checkMeasure(min_hail_in, 'min_hail_in')
  checkMeasure(min_gust_mph, 'min_gust_mph')
  return faults

  function checkDay(date: string | null | undefined, field: string): boolean {
    return date == null || faults.unless(isDate(date), field, 'The date must be a day, YYYY-MM-DD.')
  }
  function checkMeasure(least: number | null | undefined, field: string): void {
    if (least != null) faults.unless(Number.isFinite(least) && least >= 0, field, 'The least measure must be a number, 0 or more.')
  }
}

function readPage(
  pool: App['pool'],
  team_id: string,
  id: string,
  filters: ReportEventFilters,
  paging: Paging,
): Promise<(CitedRow & { total: number })[]> {
  return readNamed<CitedRow & { total: number }>(pool, 'report.events', PAGE, [
    ...narrowing(team_id, id, filters),
    paging.per_page,
    offsetOf(paging),
  ])
}

async function count(pool: App['pool'], team_id: string, id: string, filters: ReportEventFilters): Promise<number> {
  const [row] = await readNamed<{ total: number }>(pool, 'report.events.count', COUNT, narrowing(team_id, id, filters))
  return row?.total ?? 0
}

function narrowing(
  team_id: string,
  id: string,
  { type, family, from, to, min_hail_in, min_gust_mph, observed }: ReportEventFilters,
): unknown[] {
  return [team_id, id, type ?? null, family ?? null, from ?? null, to ?? null, min_hail_in ?? null, min_gust_mph ?? null, observed ?? null]
}

const NARROWED = `
  FROM report_records e
 WHERE e.report_id = $2 AND e.team_id = $1
   AND ($3::text IS NULL OR e.type = $3)
   AND ($4::text IS NULL OR e.family = $4)
   AND ($5::date IS NULL OR e.occurred_on >= $5)
   AND ($6::date IS NULL OR e.occurred_on <= $6)
   AND ($7::float8 IS NULL OR e.hail_size_in >= $7)
   AND ($8::float8 IS NULL OR e.wind_gust_mph >= $8)
   AND ($9::bool IS NULL OR e.is_observed = $9)`
const COUNT = `SELECT count(*)::int AS total ${NARROWED}`
/** What a cited record's view is made of; dates arrive as text, moments as Dates. */
export const citedColumns = `
  e.record_id, e.type, e.family, e.severity, e.occurred_on, e.begins_at, e.ends_at, e.wind_speed_mph, e.wind_gust_mph, e.hail_size_in,
  e.tornado_ef_scale, e.latitude, e.longitude, e.county, e.state, e.precision, e.relevance, e.distance_miles, e.bearing, e.source,
  e.source_label, e.evidence_kind, e.is_observed, e.qualifier, e.methodology, e.citation_url, e.description`
const PAGE = `SELECT ${citedColumns}, (${COUNT}) AS total ${NARROWED} ORDER BY e.position LIMIT $10 OFFSET $11`

/** A row of report_records. */
export type CitedRow = Pick<CitedRecordView, 'type' | 'family' | 'severity' | 'occurred_on' | 'description'> &
  CitedRecordView['measurements'] &
  CitedRecordView['location'] &
  CitedRecordView['relevance'] &
  CitedRecordView['provenance'] & { record_id: number; begins_at: Date; ends_at: Date | null }

export function citedView(row: CitedRow): CitedRecordView {
  const { wind_speed_mph, wind_gust_mph, hail_size_in, tornado_ef_scale, latitude, longitude, county, state, precision } = row
  const { relevance, distance_miles, bearing, source, source_label, evidence_kind, is_observed, qualifier, methodology, citation_url } = row
  return {
    id: row.record_id,
    object: 'weather_event',
    type: row.type,
    family: row.family,
    severity: row.severity,
    occurred_on: row.occurred_on,
    begins_at: wholeSeconds(row.begins_at),
    ends_at: row.ends_at && wholeSeconds(row.ends_at),
    measurements: { wind_speed_mph, wind_gust_mph, hail_size_in, tornado_ef_scale },
    location: { latitude, longitude, county, state, precision },
    relevance: { relevance, distance_miles, bearing },
    provenance: { source, source_label, evidence_kind, is_observed, qualifier, methodology, citation_url },
    description: row.description,
    sample: source === 'sample',
  }
}
