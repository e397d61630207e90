import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { WatchSubject } from '#domain/closed-sets.ts'
import { checkFilters, type ExposureFilters, type exposureFilters } from '#domain/exposures/check-filters.ts'
import { type ExposureRow, exposureColumns, exposureTables, exposureView, noSuchExposure } from '#domain/exposures/exposure-rows.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { INT4_MAX } from '#domain/kernel/int4.ts'
import { type Listing, offsetOf, type PageOf, pagesByKey, pagingOf } from '#domain/kernel/pagination.ts'
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
 * Returns the storm days and warnings at the team's watched places, or at one of them, newest date first.
 * @throws Refusal 422 with every filter that is at fault
 */
export async function listExposures(
  { pool, config, clock }: Reading,
  { team }: Requester,
  input: Listing<typeof exposureFilters>,
  place: AtPlace = {},
): Promise<PageOf<ExposureView>> {
  const faults = gatherFaults()
  const { filters, paging } = checkFilters(input, faults)
  faults.refuse()
  const filterValues = [team.id, ...valuesOf(filters), place.property_id ?? null, place.territory_id ?? null]
  const values = [...filterValues, paging.per_page, offsetOf(paging)]
  const { rows } = await pool.query<ExposureRow & { total: number }>({ name: 'exposure.page', text: PAGE, values })
  const total = rows[0]?.total ?? (paging.page === 1 ? 0 : await count(pool, filterValues))
  const now = clock.now()
  return { data: rows.map((row) => exposureView(row, config.base_url, now)), total }
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

/** Yields every matching exposure in pages, newest date first. The caller has checked the filters. */
export async function* everyExposure(
  { pool, config, clock }: Reading,
  { team }: Requester,
  filters: ExposureFilters,
): AsyncGenerator<PlacedExposure[]> {
  const filterValues = [team.id, ...valuesOf(filters), null, null]
  const pages = pagesByKey<ExposureRow & Omit<PlacedExposure, 'exposure'>>(async (last, size) => {
    const values = [...filterValues, last?.date ?? 'infinity', last?.id ?? INT4_MAX, size]
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

const IDS = `SELECT e.id FROM exposures e ${FILTERED} ORDER BY e.date DESC, e.id DESC LIMIT $11`

const EVERY = `
  SELECT ${exposureColumns}, coalesce(p.latitude, t.centre_latitude) AS latitude, coalesce(p.longitude, t.centre_longitude) AS longitude
    FROM ${exposureTables} ${FILTERED} AND (e.date, e.id) < ($11::date, $12::int)
   ORDER BY e.date DESC, e.id DESC LIMIT $13`

const atPlaces = (column: string) => `
  SELECT newest.* FROM unnest($2::uuid[]) AS asked(place_id)
   CROSS JOIN LATERAL (SELECT ${exposureColumns} FROM ${exposureTables} WHERE e.team_id = $1 AND e.${column} = asked.place_id
                        ORDER BY e.date DESC, e.id DESC LIMIT $3) newest
   ORDER BY newest.date DESC, newest.id DESC`
const AT_PLACES: Record<WatchSubject, string> = { property: atPlaces('property_id'), territory: atPlaces('territory_id') }
