import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { watchStatuses } from '#domain/closed-sets.ts'
import { oneOf } from '#domain/kernel/fields.ts'
import { optional, type ValuesOf } from '#domain/kernel/form.ts'
import { keyAfter, type Listing, offsetOf, type PageOf, pagesByKey, readListing } from '#domain/kernel/pagination.ts'
import type { CheckResponseSize } from '#domain/kernel/response-size.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import {
  noSuchTerritory,
  type OutlineRow,
  outlineColumns,
  outlineView,
  type TerritoryRow,
  territoryColumns,
  territoryView,
} from '#domain/territories/territory-rows.ts'
import type { TerritoryOutline, TerritoryView } from '#domain/territories/view.ts'

type Reading = Pick<App, 'pool' | 'config'>
type Requester = Pick<Caller, 'team'>

/** The filters of a territory listing. */
export const territoryFilters = { status: optional(oneOf('The status', watchStatuses)) }

/** @throws Refusal 404, the same for an unknown id, another team's id and a value that is not a uuid */
export async function findTerritory({ pool, config }: Reading, { team }: Requester, id: string): Promise<TerritoryView> {
  if (!isUuid(id)) throw noSuchTerritory()
  const { rows } = await pool.query<TerritoryRow>({ name: 'territory.one', text: ONE, values: [team.id, id] })
  if (!rows[0]) throw noSuchTerritory()
  return territoryView(rows[0], config.base_url)
}

/** Returns the team's territories with these ids, in no particular order, without those that were removed. */
export async function findTerritories({ pool, config }: Reading, { team }: Requester, ids: readonly string[]): Promise<TerritoryView[]> {
  const { rows } = await pool.query<TerritoryRow>({ name: 'territory.some', text: SOME, values: [team.id, ids] })
  return rows.map((row) => territoryView(row, config.base_url))
}

/**
 * Returns the team's territories, newest first. Their shapes may be 50 MiB together, so their size is checked before they are read.
 * @throws Refusal 422 with every invalid filter, and what `checkResponseSize` refuses
 */
export async function listTerritories(
  { pool, config }: Reading,
  { team }: Requester,
  input: Listing<typeof territoryFilters>,
  checkResponseSize?: CheckResponseSize,
): Promise<PageOf<TerritoryView>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(territoryFilters, input, faults)
  faults.refuse()
  const filterValues = [team.id, filters.status ?? null]
  const values = [...filterValues, paging.per_page, offsetOf(paging)]
  await checkResponseSize?.(async () => {
    const { rows } = await pool.query<{ bytes: number }>({ name: 'territory.page_size', text: PAGE_SIZE, values })
    return rows[0]?.bytes ?? 0
  })
  const { rows } = await pool.query<TerritoryRow & { total: number }>({ name: 'territory.page', text: PAGE, values })
  const total = rows[0]?.total ?? (paging.page === 1 ? 0 : await count(pool, filterValues))
  return { data: rows.map((row) => territoryView(row, config.base_url)), total }
}

/** A territory as an export reads it. */
export interface ExportedTerritory extends TerritoryOutline {
  /** GeoJSON as text; null if shapes were not requested. */
  geometry: string | null
}

/**
 * Territories of a page with their shapes, which are a megabyte of text at most: a client that reads slowly keeps a page or two in memory.
 */
const SHAPES_PAGE_SIZE = 2

/** Yields every matching territory in pages, newest first. The caller has checked the filters. */
export async function* everyTerritory(
  { pool, config }: Reading,
  { team }: Requester,
  { status }: ValuesOf<typeof territoryFilters>,
  with_shapes: boolean,
): AsyncGenerator<ExportedTerritory[]> {
  const pages = pagesByKey<OutlineRow & Pick<ExportedTerritory, 'geometry'>>(
    async (last, size) => {
      const values = [team.id, status ?? null, ...keyAfter(last), size, with_shapes]
      return (await pool.query({ name: 'territory.every', text: EVERY, values })).rows
    },
    with_shapes ? SHAPES_PAGE_SIZE : undefined,
  )
  for await (const rows of pages) yield rows.map((row) => ({ ...outlineView(row, config.base_url), geometry: row.geometry }))
}

async function count(pool: App['pool'], values: unknown[]): Promise<number> {
  const { rows } = await pool.query<{ total: number }>({ name: 'territory.count', text: COUNT, values })
  return rows[0]?.total ?? 0
}

const FILTERED = 'FROM territories t WHERE t.team_id = $1 AND ($2::text IS NULL OR t.status = $2)'
const ONE = `SELECT ${territoryColumns} FROM territories t WHERE t.team_id = $1 AND t.id = $2`
const SOME = `SELECT ${territoryColumns} FROM territories t WHERE t.team_id = $1 AND t.id = ANY ($2::uuid[])`
const COUNT = `SELECT count(*)::int AS total ${FILTERED}`
const OF_PAGE = `${FILTERED} ORDER BY t.created_at DESC, t.id DESC LIMIT $3 OFFSET $4`
const PAGE = `SELECT ${territoryColumns}, (${COUNT}) AS total ${OF_PAGE}`
/** PostgreSQL knows the length of a long text without reading it. */
const PAGE_SIZE = `SELECT coalesce(sum(octet_length(geometry)), 0)::int AS bytes FROM (SELECT t.geometry ${OF_PAGE}) page`
const EVERY = `
  SELECT ${outlineColumns}, CASE WHEN $6 THEN t.geometry END AS geometry ${FILTERED} AND (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
   ORDER BY t.created_at DESC, t.id DESC LIMIT $5`
