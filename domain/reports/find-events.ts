import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import { checkDays, date, flag, number, oneOf } from '#domain/kernel/fields.ts'
import { optional, type ValuesOf } from '#domain/kernel/form.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { type Listing, offsetOf, type PageOf, type Paging, pagesByKey, readListing } from '#domain/kernel/pagination.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import { noSuchReport } from '#domain/reports/report-rows.ts'
import type { CitedFileView, CitedRecordView } from '#domain/reports/view.ts'
import { families } from '#domain/weather/families.ts'
import { recordTypes } from '#domain/weather/types.ts'

/** Filters for the records of a report. Dates and measures are inclusive. */
export const reportEventFilters = {
  type: optional(oneOf('The type', recordTypes, () => 'There is no record type of this name.')),
  family: optional(oneOf('The family', families)),
  from: optional(date('The first day')),
  to: optional(date('The last day')),
  /** Excludes records without a size. */
  min_hail_in: optional(number('The smallest hail', { min: 0, unit: 'inches' })),
  /** Excludes records without a gust. */
  min_gust_mph: optional(number('The weakest gust', { min: 0, unit: 'miles an hour' })),
  /** True: only ground and instrument records. False: only radar estimates. */
  observed: optional(flag('Observed')),
}

type ReportEventFilters = ValuesOf<typeof reportEventFilters>

/**
 * Returns the records that a report cites, as they were when it was published: newest first, empty until the report is complete.
 * @throws Refusal 404 if the report does not belong to the team; 422 for an invalid filter
 */
export async function listReportEvents(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Caller, 'team'>,
  id: string,
  input: Listing<typeof reportEventFilters>,
): Promise<PageOf<CitedRecordView>> {
  if (!isUuid(id)) throw noSuchReport()
  const faults = gatherFaults()
  const { filters, paging } = readListing(reportEventFilters, input, faults)
  checkDays(filters, faults)
  const rows = Object.keys(faults.found).length > 0 ? [] : await readPage(pool, team.id, id, filters, paging)
  const [first] = rows
  if (first) return { data: rows.map(citedView), total: first.total }
  await requireReport({ pool }, { team }, id)
  faults.refuse()
  return { data: [], total: paging.page === 1 ? 0 : await count(pool, team.id, id, filters) }
}

/** @throws Refusal 404 if the report does not belong to the team, or if the id is not a UUID */
export async function requireReport({ pool }: Pick<App, 'pool'>, { team }: Pick<Caller, 'team'>, id: unknown): Promise<void> {
  if (typeof id !== 'string' || !isUuid(id)) throw noSuchReport()
  const [report] = await readNamed(pool, 'report.held', 'SELECT FROM reports WHERE team_id = $1 AND id = $2', [team.id, id])
  if (!report) throw noSuchReport()
}

/** Yields every record of a report that matches the filters, newest first, a page at a time. The caller has checked the report and filters. */
export async function* everyReportEvent(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Caller, 'team'>,
  id: string,
  filters: ReportEventFilters,
): AsyncGenerator<CitedRecordView[]> {
  const values = filterValues(team.id, id, filters)
  const pages = pagesByKey<CitedRow & { position: number }>((last, size) =>
    readNamed(pool, 'report.events.every', EVERY, [...values, last?.position ?? BEFORE_THE_FIRST, size]),
  )
  for await (const rows of pages) yield rows.map(citedView)
}

/** Positions count from 0. */
const BEFORE_THE_FIRST = -1

/**
 * Does the same for many reports in one statement, keyed by report id. Leaves out reports that do not belong to the team.
 * @throws Refusal 422 for an invalid filter
 */
export async function listEventsOfReports(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Caller, 'team'>,
  ids: readonly string[],
  input: Listing<typeof reportEventFilters>,
): Promise<Map<string, PageOf<CitedRecordView>>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(reportEventFilters, input, faults)
  checkDays(filters, faults)
  faults.refuse()
  const values = [...filterValues(team.id, ids, filters), paging.per_page, offsetOf(paging)]
  const rows = await readNamed<(CitedRow | NoCitedRow) & { report_id: string; total: number }>(pool, 'report.events.many', PAGES, values)
  const pages = new Map<string, PageOf<CitedRecordView>>()
  for (const { report_id, total, ...row } of rows) {
    const page = pages.get(report_id) ?? { data: [], total }
    pages.set(report_id, page)
    if (row.record_id !== null) page.data.push(citedView(row))
  }
  return pages
}

/** The row of a report whose page is empty. */
type NoCitedRow = { record_id: null }

function readPage(
  pool: App['pool'],
  team_id: string,
  id: string,
  filters: ReportEventFilters,
  paging: Paging,
): Promise<(CitedRow & { total: number })[]> {
  return readNamed<CitedRow & { total: number }>(pool, 'report.events', PAGE, [
    ...filterValues(team_id, id, filters),
    paging.per_page,
    offsetOf(paging),
  ])
}

async function count(pool: App['pool'], team_id: string, id: string, filters: ReportEventFilters): Promise<number> {
  const [row] = await readNamed<{ total: number }>(pool, 'report.events.count', COUNT, filterValues(team_id, id, filters))
  return row?.total ?? 0
}

function filterValues(
  team_id: string,
  id: string | readonly string[],
  { type, family, from, to, min_hail_in, min_gust_mph, observed }: ReportEventFilters,
): unknown[] {
  return [team_id, id, type ?? null, family ?? null, from ?? null, to ?? null, min_hail_in ?? null, min_gust_mph ?? null, observed ?? null]
}

const filteredFrom = (report: string) => `
  FROM report_records e
 WHERE e.report_id = ${report} AND e.team_id = $1
   AND ($3::text IS NULL OR e.type = $3)
   AND ($4::text IS NULL OR e.family = $4)
   AND ($5::date IS NULL OR e.occurred_on >= $5)
   AND ($6::date IS NULL OR e.occurred_on <= $6)
   AND ($7::float8 IS NULL OR e.hail_size_in >= $7)
   AND ($8::float8 IS NULL OR e.wind_gust_mph >= $8)
   AND ($9::bool IS NULL OR e.is_observed = $9)`
const FILTERED = filteredFrom('$2')
const COUNT = `SELECT count(*)::int AS total ${FILTERED}`
/** The columns of a cited record's view. Dates arrive as text, moments as Dates. */
export const citedColumns = `
  e.record_id, e.type, e.family, e.severity, e.occurred_on, e.begins_at, e.ends_at, e.wind_speed_mph, e.wind_gust_mph, e.hail_size_in,
  e.tornado_ef_scale, e.latitude, e.longitude, e.county, e.state, e.precision, e.zone, e.zone_name, e.relevance, e.distance_miles, e.bearing, e.source,
  e.source_label, e.evidence_kind, e.is_observed, e.qualifier, e.methodology, e.citation_url, e.caveats, e.description,
  e.file_sha256, e.file_name, e.span_start::float8 AS span_start, e.span_length`
const PAGE = `SELECT ${citedColumns}, (${COUNT}) AS total ${FILTERED} ORDER BY e.position LIMIT $10 OFFSET $11`
const EVERY = `SELECT ${citedColumns}, e.position ${FILTERED} AND e.position > $10 ORDER BY e.position LIMIT $11`
const PAGES = `
  SELECT r.id AS report_id, counted.total, cited.*
    FROM reports r
   CROSS JOIN LATERAL (SELECT count(*)::int AS total ${filteredFrom('r.id')}) counted
    LEFT JOIN LATERAL (SELECT ${citedColumns}, e.position ${filteredFrom('r.id')} ORDER BY e.position LIMIT $10 OFFSET $11) cited ON true
   WHERE r.team_id = $1 AND r.id = ANY ($2::uuid[])
   ORDER BY r.id, cited.position`

/** A row of report_records, with the columns of `citedColumns`. */
export type CitedRow = Pick<CitedRecordView, 'type' | 'family' | 'severity' | 'occurred_on' | 'description'> &
  CitedRecordView['measurements'] &
  CitedRecordView['location'] &
  CitedRecordView['relevance'] &
  Omit<CitedRecordView['provenance'], 'file'> & {
    record_id: number
    begins_at: Date
    ends_at: Date | null
    /** All four are set, or none. */
    file_sha256: string | null
    file_name: string | null
    span_start: number | null
    span_length: number | null
  }

/** A cited record as the API shows it. */
export function citedView(row: CitedRow): CitedRecordView {
  const { wind_speed_mph, wind_gust_mph, hail_size_in, tornado_ef_scale, latitude, longitude, county, state, precision, zone, zone_name } =
    row
  const {
    relevance,
    distance_miles,
    bearing,
    source,
    source_label,
    evidence_kind,
    is_observed,
    qualifier,
    methodology,
    citation_url,
    caveats,
  } = row
  return {
    id: row.record_id,
    object: 'weather_event',
    type: row.type,
    family: row.family,
    severity: row.severity,
    occurred_on: row.occurred_on,
    begins_at: isoSeconds(row.begins_at),
    ends_at: row.ends_at && isoSeconds(row.ends_at),
    measurements: { wind_speed_mph, wind_gust_mph, hail_size_in, tornado_ef_scale },
    tornado_rating: tornadoRating(row),
    location: { latitude, longitude, county, state, precision, zone, zone_name },
    relevance: { relevance, distance_miles, bearing },
    provenance: { source, source_label, evidence_kind, is_observed, qualifier, methodology, citation_url, caveats, file: citedFile(row) },
    description: row.description,
    sample: source === 'sample',
  }
}

function citedFile({ file_sha256: sha256, file_name: name, span_start: start, span_length: length }: CitedRow): CitedFileView | null {
  return sha256 !== null && name !== null && start !== null && length !== null ? { sha256, name, span: { start, length } } : null
}
