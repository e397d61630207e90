import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { reportStatuses } from '#domain/closed-sets.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import { idOf, oneOf, text } from '#domain/kernel/fields.ts'
import { optional, type ValuesOf } from '#domain/kernel/form.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { containsPatterns } from '#domain/kernel/like-pattern.ts'
import { keyAfter, type Listing, type PageOf, pageClause, pagesByKey, pagingOf, readListing } from '#domain/kernel/pagination.ts'
import { present } from '#domain/kernel/present.ts'
import { type Faults, gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import { noSuchReport, type ReportRow, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import type { ReportView } from '#domain/reports/view.ts'

export { listReportEvents, reportEventFilters } from '#domain/reports/find-events.ts'

type Reading = Pick<App, 'pool' | 'config'>
type Requester = Pick<Caller, 'team'>

/** Filters for the team's reports. */
export const reportFilters = {
  status: optional(oneOf('The status', reportStatuses)),
  /** Text contained in the address as sent or as located, case-insensitive. */
  address: optional(text('The address', { min: 1, max: 100 })),
  /** Id of a saved property. */
  property: optional(idOf('property')),
}

/** @throws Refusal 404, the same for an unknown id, another team's id and an id that is not a UUID */
export async function findReport({ pool, config }: Reading, { team }: Requester, id: string): Promise<ReportView> {
  const [row] = isUuid(id) ? await readNamed<ReportRow>(pool, 'report.one', ONE, [team.id, id]) : []
  if (!row) throw noSuchReport()
  return reportView(row, config.base_url)
}

/** Returns the team's reports with these ids, in no order. Leaves out reports that were removed since. */
export async function findReports({ pool, config }: Reading, { team }: Requester, ids: string[]): Promise<ReportView[]> {
  if (ids.length === 0) return []
  const rows = await readNamed<ReportRow>(pool, 'report.some', SOME, [team.id, ids])
  return rows.map((row) => reportView(row, config.base_url))
}

/**
 * Returns the team's reports, newest first.
 * @throws Refusal 422 with every invalid filter
 */
export async function listReports(
  { pool, config }: Reading,
  { team }: Requester,
  input: Listing<typeof reportFilters>,
): Promise<PageOf<ReportView>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(reportFilters, input, faults)
  await checkReportFilters({ pool }, { team }, filters, faults)
  faults.refuse()
  const { name, fromClause, values } = buildFilter(team.id, filters)
  const count = `SELECT count(*)::int AS total ${fromClause}`
  const slice = pageClause(paging, values)
  const page = `SELECT ${reportColumns}, (${count}) AS total ${fromClause} ORDER BY r.created_at DESC, r.id DESC ${slice.text}`
  const rows = await readNamed<ReportRow & { total: number }>(pool, `report.page.${name}.${slice.name}`, page, slice.values)
  const total = rows[0]?.total ?? (paging.page === 1 ? 0 : await readTotal(pool, `report.count.${name}`, count, values))
  return { data: rows.map((row) => reportView(row, config.base_url)), total }
}

/** Notes a fault if the property does not belong to the team. */
export async function checkReportFilters(
  { pool }: Pick<App, 'pool'>,
  { team }: Requester,
  { property }: ValuesOf<typeof reportFilters>,
  faults: Faults,
): Promise<void> {
  if (property) faults.unless(await hasProperty(pool, team.id, property), 'property', 'There is no property with this id.')
}

/** Yields every report that matches the filters, newest first, a page at a time. The caller has checked the filters. */
export async function* everyReport(
  { pool, config }: Reading,
  { team }: Requester,
  filters: ValuesOf<typeof reportFilters>,
): AsyncGenerator<ReportView[]> {
  const { name, fromClause, values } = buildFilter(team.id, filters)
  const [at, id, limit] = [1, 2, 3].map((offset) => `$${values.length + offset}`)
  const text = `SELECT ${reportColumns} ${fromClause} AND (r.created_at, r.id) < (${at}::timestamptz, ${id}::uuid)
                 ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`
  const pages = pagesByKey<ReportRow>((last, size) => readNamed(pool, `report.every.${name}`, text, [...values, ...keyAfter(last), size]))
  for await (const rows of pages) yield rows.map((row) => reportView(row, config.base_url))
}

/** Returns the newest reports of each of some properties of the team, keyed by property id. Leaves out properties without a report. */
export async function listReportsOfProperties(
  { pool, config }: Reading,
  { team }: Requester,
  ids: readonly string[],
  size: Parameters<typeof pagingOf>[0],
): Promise<Map<string, ReportView[]>> {
  const values = [team.id, ids, pagingOf(size).per_page]
  const rows = await readNamed<ReportRow>(pool, 'report.of_properties', OF_PROPERTIES, values)
  return groupBy(
    rows.map((row) => reportView(row, config.base_url)),
    ({ property_id }) => present(property_id),
  )
}

async function hasProperty(pool: App['pool'], team_id: string, property_id: string): Promise<boolean> {
  return (
    (await readNamed(pool, 'report.property', 'SELECT FROM properties WHERE team_id = $1 AND id = $2', [team_id, property_id])).length > 0
  )
}

async function readTotal(pool: App['pool'], name: string, text: string, values: unknown[]): Promise<number> {
  const [row] = await readNamed<{ total: number }>(pool, name, text, values)
  return row?.total ?? 0
}

const ADDRESS = "concat_ws(', ', r.street, r.city, concat_ws(' ', r.state, r.postal_code))"

/** Adds only the requested conditions to the statement: without any, an index alone suffices to count the rows. */
function buildFilter(team_id: string, { status, address, property }: ValuesOf<typeof reportFilters>) {
  const conditions = [
    { name: 'status', value: status, where: (n: number) => `r.status = $${n}` },
    {
      name: 'address',
      value: address && containsPatterns(address),
      where: (n: number) => `(r.query ILIKE ANY ($${n}) OR ${ADDRESS} ILIKE ANY ($${n}))`,
    },
    { name: 'property', value: property, where: (n: number) => `r.property_id = $${n}::uuid` },
  ].filter(({ value }) => value != null)
  return {
    name: ['all', ...conditions.map(({ name }) => name)].join('.'),
    fromClause: `FROM reports r WHERE ${['r.team_id = $1', ...conditions.map(({ where }, index) => where(index + 2))].join(' AND ')}`,
    values: [team_id, ...conditions.map(({ value }) => value)],
  }
}

const ONE = `SELECT ${reportColumns} FROM reports r WHERE r.team_id = $1 AND r.id = $2`
const SOME = `SELECT ${reportColumns} FROM reports r WHERE r.team_id = $1 AND r.id = ANY ($2::uuid[])`
const OF_PROPERTIES = `
  SELECT newest.* FROM unnest($2::uuid[]) AS requested(property_id)
   CROSS JOIN LATERAL (SELECT ${reportColumns} FROM reports r WHERE r.team_id = $1 AND r.property_id = requested.property_id
                        ORDER BY r.created_at DESC, r.id DESC LIMIT $3) newest
   ORDER BY newest.created_at DESC, newest.id DESC`
