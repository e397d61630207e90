import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { WatchSubject } from '#domain/closed-sets.ts'
import { checkFilters, type ExposureFilters, type ExposureListing, type exposureFilters } from '#domain/exposures/check-filters.ts'
import {
  type ExposureRow,
  exposureColumns,
  exposureTables,
  exposureView,
  inMicroseconds,
  noSuchExposure,
} from '#domain/exposures/exposure-rows.ts'
import { type PagePosition, positionText } from '#domain/exposures/page-position.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { INT4_MAX } from '#domain/kernel/int4.ts'
import { type Listing, offsetOf, type PageOf, type Paging, pagesByKey, pagingOf } from '#domain/kernel/pagination.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'

type Reading = Pick<App, 'pool' | 'config' | 'clock'>
type Requester = Pick<Caller, 'team'>

/** Limits a listing to one watched place. The caller has checked that the place is the team's. */
export interface AtPlace {
  property_id?: string
  territory_id?: string
}

/** @throws Refusal 404, the same for an unknown id, another team's id and a value that is not an id */
export async function findExposure({ pool, config, clock }: Reading, { team }: Requester, id: number): Promise<ExposureView> {
  if (!isExposureId(id)) throw noSuchExposure()
  const { rows } = await pool.query<ExposureRow>({ name: 'exposure.one', text: ONE, values: [team.id, id] })
  if (!rows[0]) throw noSuchExposure()
  return exposureView(rows[0], config.base_url, clock.now())
}

/** Returns those of the given exposures that the team has, in no particular order. */
export async function findExposures(
  { pool, config, clock }: Reading,
  { team }: Requester,
  ids: readonly number[],
): Promise<ExposureView[]> {
  const { rows } = await pool.query<ExposureRow>({ name: 'exposure.some', text: SOME, values: [team.id, ids] })
  const now = clock.now()
  return rows.map((row) => exposureView(row, config.base_url, now))
}

/** Whether a number can be the id of an exposure. */
export function isExposureId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= INT4_MAX
}

/**
 * Returns the storm days and warnings at the team's watched places, or at one of them, newest date first. With `since`, each page
 * also returns the position of the next one, so that a client that follows the links misses nothing, whatever is committed between
 * its requests.
 * @throws Refusal 422 with every filter that is at fault
 */
export async function listExposures(
  { pool, config, clock }: Reading,
  { team }: Requester,
  input: ExposureListing,
  place: AtPlace = {},
): Promise<PageOf<ExposureView>> {
  const faults = gatherFaults()
  const { filters, paging, after } = checkFilters(input, faults)
  faults.refuse()
  const filterValues = [team.id, ...valuesOf(filters), place.property_id ?? null, place.territory_id ?? null]
  const { rows, total } = after
    ? await pageAfter(pool, filterValues, paging, after)
    : await numberedPage(pool, filterValues, paging, filters.since != null)
  const now = clock.now()
  const last = rows.at(-1)
  return {
    data: rows.map((row) => exposureView(row, config.base_url, now)),
    total,
    after: last?.seen_through ? positionText({ seen_through: last.seen_through, date: last.date, id: last.id }) : null,
  }
}

/** A row, with the last change that the pages of one sync show; null without a sync. */
type PagedRow = ExposureRow & { total: number; seen_through: string | null }

async function numberedPage(
  pool: App['pool'],
  filterValues: unknown[],
  paging: Paging,
  synced: boolean,
): Promise<{ rows: PagedRow[]; total: number }> {
  const values = [...filterValues, paging.per_page, offsetOf(paging)]
  const statement = synced ? { name: 'exposure.synced_page', text: SYNCED_PAGE } : { name: 'exposure.page', text: PAGE }
  const { rows } = await pool.query<PagedRow>({ ...statement, values })
  return { rows, total: rows[0]?.total ?? (paging.page === 1 ? 0 : await count(pool, filterValues)) }
}

/** The total counts the earlier pages as read, and the rest as it is now: the last page has no link to another. */
async function pageAfter(
  pool: App['pool'],
  filterValues: unknown[],
  paging: Paging,
  { seen_through, date, id }: PagePosition,
): Promise<{ rows: PagedRow[]; total: number }> {
  const values = [...filterValues, seen_through, date, id, paging.per_page]
  const { rows } = await pool.query<PagedRow>({ name: 'exposure.page_after', text: PAGE_AFTER, values })
  return { rows: rows.map((row) => ({ ...row, seen_through })), total: offsetOf(paging) + (rows[0]?.total ?? 0) }
}

/** The most ids that one response returns. */
export const IDS_MAX = 50_000

/**
 * Returns the ids of all matching exposures, in the order of the listing, so that many can be moved without reading each one.
 * @throws Refusal 422 with every filter that is at fault
 */
export async function listExposureIds(
  { pool }: Pick<Reading, 'pool'>,
  { team }: Requester,
  input: Listing<typeof exposureFilters>,
): Promise<number[]> {
  const faults = gatherFaults()
  const { filters } = checkFilters(input, faults)
  faults.refuse()
  const values = [team.id, ...valuesOf(filters), null, null, IDS_MAX]
  const { rows } = await pool.query<{ id: number }>({ name: 'exposure.ids', text: IDS, values })
  return rows.map(({ id }) => id)
}

/** An exposure with the coordinates of its place: a property's geocoded point, or a territory's centre. */
export interface PlacedExposure {
  exposure: ExposureView
  latitude: number | null
  longitude: number | null
}

/**
 * Yields every matching exposure in pages, newest date first. With `since`, changes after the first page are left out, so that the
 * largest `last_seen_at` can be the next `since`. The caller has checked the filters.
 */
export async function* everyExposure(
  { pool, config, clock }: Reading,
  { team }: Requester,
  filters: ExposureFilters,
): AsyncGenerator<PlacedExposure[]> {
  const filterValues = [team.id, ...valuesOf(filters), null, null]
  const seen_through = filters.since == null ? null : ((await latestChange(pool, filterValues)) ?? filters.since)
  const pages = pagesByKey<ExposureRow & Omit<PlacedExposure, 'exposure'>>(async (last, size) => {
    const values = [...filterValues, last?.date ?? 'infinity', last?.id ?? INT4_MAX, size, seen_through ?? 'infinity']
    return (await pool.query({ name: 'exposure.every', text: EVERY, values })).rows
  })
  for await (const rows of pages) {
    const now = clock.now()
    yield rows.map((row) => ({
      exposure: exposureView(row, config.base_url, now),
      latitude: row.latitude,
      longitude: row.longitude,
    }))
  }
}

/** Returns the newest exposures at each of the team's given places, by place id; a place without exposures has no entry. */
export async function listExposuresAtPlaces(
  { pool, config, clock }: Reading,
  { team }: Requester,
  subject: WatchSubject,
  ids: readonly string[],
  size: Parameters<typeof pagingOf>[0],
): Promise<Map<string, ExposureView[]>> {
  const values = [team.id, ids, pagingOf(size).per_page]
  const { rows } = await pool.query<ExposureRow>({ name: `exposure.at_${subject}`, text: AT_PLACES[subject], values })
  const now = clock.now()
  return groupBy(
    rows.map((row) => exposureView(row, config.base_url, now)),
    (exposure) => exposure.subject.id,
  )
}

const valuesOf = ({ since, from, to, kind, open, subject, min_measured_in }: ExposureFilters) =>
  [since, from, to, kind, open, subject, min_measured_in].map((value) => value ?? null)

async function count(pool: App['pool'], values: unknown[]): Promise<number> {
  const { rows } = await pool.query<{ total: number }>({ name: 'exposure.count', text: COUNT, values })
  return rows[0]?.total ?? 0
}

/** The moment of the latest change of the matching exposures, in microseconds; null if none matches. */
async function latestChange(pool: App['pool'], values: unknown[]): Promise<string | null> {
  const { rows } = await pool.query<{ moment: string | null }>({ name: 'exposure.latest', text: LATEST, values })
  return rows[0]?.moment ?? null
}

const FILTERED = `
 WHERE e.team_id = $1
   AND ($2::timestamptz IS NULL OR e.last_seen_at > $2)
   AND ($3::date IS NULL OR e.date >= $3)
   AND ($4::date IS NULL OR e.date <= $4)
   AND ($5::text IS NULL OR e.kind = $5)
   AND ($6::boolean IS NULL OR (e.acknowledged_at IS NULL AND e.dismissed_at IS NULL) = $6)
   AND ($7::text IS NULL OR (e.property_id IS NOT NULL) = ($7 = 'property'))
   AND ($8::float8 IS NULL OR e.largest_measured_in >= $8)
   AND ($9::uuid IS NULL OR e.property_id = $9)
   AND ($10::uuid IS NULL OR e.territory_id = $10)`

const ONE = `SELECT ${exposureColumns} FROM ${exposureTables} WHERE e.team_id = $1 AND e.id = $2`
const SOME = `SELECT ${exposureColumns} FROM ${exposureTables} WHERE e.team_id = $1 AND e.id = ANY ($2::int[])`
const COUNT = `SELECT count(*)::int AS total FROM exposures e ${FILTERED}`
const PAGE = `
  SELECT ${exposureColumns}, (${COUNT}) AS total FROM ${exposureTables} ${FILTERED}
   ORDER BY e.date DESC, e.id DESC LIMIT $11 OFFSET $12`

const LATEST = `SELECT ${inMicroseconds('max(e.last_seen_at)')} AS moment FROM exposures e ${FILTERED}`
/** Every change up to the largest moment of the matching rows is in the snapshot of the statement: the team's clock is locked until the commit. */
const SYNCED_PAGE = `
  SELECT ${exposureColumns}, (${COUNT}) AS total, (${LATEST}) AS seen_through
    FROM ${exposureTables} ${FILTERED}
   ORDER BY e.date DESC, e.id DESC LIMIT $11 OFFSET $12`

const REST = `${FILTERED} AND e.last_seen_at <= $11::timestamptz AND (e.date, e.id) < ($12::date, $13::int)`
const PAGE_AFTER = `
  SELECT ${exposureColumns}, (SELECT count(*)::int FROM exposures e ${REST}) AS total FROM ${exposureTables} ${REST}
   ORDER BY e.date DESC, e.id DESC LIMIT $14`

const IDS = `SELECT e.id FROM exposures e ${FILTERED} ORDER BY e.date DESC, e.id DESC LIMIT $11`

const EVERY = `
  SELECT ${exposureColumns}, coalesce(p.latitude, t.centre_latitude) AS latitude, coalesce(p.longitude, t.centre_longitude) AS longitude
    FROM ${exposureTables} ${FILTERED} AND (e.date, e.id) < ($11::date, $12::int) AND e.last_seen_at <= $14::timestamptz
   ORDER BY e.date DESC, e.id DESC LIMIT $13`

const atPlaces = (column: string) => `
  SELECT newest.* FROM unnest($2::uuid[]) AS requested(place_id)
   CROSS JOIN LATERAL (SELECT ${exposureColumns} FROM ${exposureTables} WHERE e.team_id = $1 AND e.${column} = requested.place_id
                        ORDER BY e.date DESC, e.id DESC LIMIT $3) newest
   ORDER BY newest.date DESC, newest.id DESC`
const AT_PLACES: Record<WatchSubject, string> = { property: atPlaces('property_id'), territory: atPlaces('territory_id') }
