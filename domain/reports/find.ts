import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { gatherFaults, isUuid } from '#domain/check.ts'
import { containing } from '#domain/like.ts'
import { offsetOf, type PageOf, type Paging } from '#domain/page.ts'
import { noSuchReport, type ReportRow, readNamed, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import { type ReportStatus, type ReportView, reportStatuses } from '#domain/reports/view.ts'

export { listReportEvents, type ReportEventFilters } from '#domain/reports/find-events.ts'

type Reading = Pick<App, 'pool' | 'config'>
type Asker = Pick<Caller, 'team'>

/** Filters as sent, null or absent where not. */
export interface ReportFilters {
  status?: string | null
  /** Contained in the text sent or in the located address, in any case. */
  address?: string | null
  /** Id of a saved property. */
  property?: string | null
}

/** Letters of the address filter. */
const ADDRESS_FILTER_MAX = 100

/** @throws Refusal 404 for an unknown id, another team's and one that is no uuid alike */
export async function findReport({ pool, config }: Reading, { team }: Asker, id: string): Promise<ReportView> {
  const [row] = isUuid(id) ? await readNamed<ReportRow>(pool, 'report.one', ONE, [team.id, id]) : []
  if (!row) throw noSuchReport()
  return reportView(row, config.base_url)
}

/** The team's reports of these ids, in no order; those removed since are not among them. */
export async function findReports({ pool, config }: Reading, { team }: Asker, ids: string[]): Promise<ReportView[]> {
  if (ids.length === 0) return []
  const rows = await readNamed<ReportRow>(pool, 'report.some', SOME, [team.id, ids])
  return rows.map((row) => reportView(row, config.base_url))
}

/**
 * The team's reports, newest first.
 * @throws Refusal 422 for a status that is none, an address filter too long, a property that is not the team's
 */
export async function listReports(
  { pool, config }: Reading,
  { team }: Asker,
  filters: ReportFilters,
  paging: Paging,
): Promise<PageOf<ReportView>> {
  await checkFilters(pool, team.id, filters)
  const narrowing = [team.id, filters.status ?? null, filters.address ? containing(filters.address) : null, filters.property ?? null]
  const rows = await readNamed<ReportRow & { total: number }>(pool, 'report.page', PAGE, [...narrowing, paging.per_page, offsetOf(paging)])
  const total = rows[0]?.total ?? (paging.page === 1 ? 0 : await count(pool, narrowing))
  return { data: rows.map((row) => reportView(row, config.base_url)), total }
}

async function checkFilters(pool: App['pool'], team_id: string, { status, address, property }: ReportFilters): Promise<void> {
  const faults = gatherFaults()
  if (status != null)
    faults.unless(reportStatuses.includes(status as ReportStatus), 'status', `The status must be one of ${reportStatuses.join(', ')}.`)
  if (address != null)
    faults.unless(
      address.length >= 1 && address.length <= ADDRESS_FILTER_MAX,
      'address',
      `The address filter must have 1 to ${ADDRESS_FILTER_MAX} characters.`,
    )
  if (property != null)
    faults.unless(isUuid(property) && (await isHeld(pool, team_id, property)), 'property', 'There is no property with this id.')
  faults.refuse()
}

async function isHeld(pool: App['pool'], team_id: string, property_id: string): Promise<boolean> {
  return (
    (await readNamed(pool, 'report.property', 'SELECT FROM properties WHERE team_id = $1 AND id = $2', [team_id, property_id])).length > 0
  )
}

async function count(pool: App['pool'], narrowing: unknown[]): Promise<number> {
  const [row] = await readNamed<{ total: number }>(pool, 'report.count', COUNT, narrowing)
  return row?.total ?? 0
}

const NARROWED = `
  FROM reports r
 WHERE r.team_id = $1
   AND ($2::text IS NULL OR r.status = $2)
   AND ($3::text IS NULL OR r.query ILIKE $3 OR concat_ws(', ', r.street, r.city, concat_ws(' ', r.state, r.postal_code)) ILIKE $3)
   AND ($4::uuid IS NULL OR r.property_id = $4)`

const ONE = `SELECT ${reportColumns} FROM reports r WHERE r.team_id = $1 AND r.id = $2`
const SOME = `SELECT ${reportColumns} FROM reports r WHERE r.team_id = $1 AND r.id = ANY ($2::uuid[])`
const COUNT = `SELECT count(*)::int AS total ${NARROWED}`
const PAGE = `SELECT ${reportColumns}, (${COUNT}) AS total ${NARROWED} ORDER BY r.created_at DESC, r.id DESC LIMIT $5 OFFSET $6`
