import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { watchStatuses } from '#domain/closed-sets.ts'
import type { Point } from '#domain/geo/measure.ts'
import { flag, oneOf, text } from '#domain/kernel/fields.ts'
import { optional, type ValuesOf } from '#domain/kernel/form.ts'
import { containsPatterns } from '#domain/kernel/like-pattern.ts'
import { keyAfter, type Listing, offsetOf, type PageOf, pagesByKey, readListing } from '#domain/kernel/pagination.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import {
  type ContactRow,
  contactsColumn,
  contactView,
  noSuchProperty,
  type PropertyRow,
  propertyColumns,
  propertyView,
  withContactsView,
} from '#domain/properties/property-rows.ts'
import type { ContactView, PropertyView, PropertyWithContactsView } from '#domain/properties/view.ts'

type Reading = Pick<App, 'pool' | 'config'>
type Requester = Pick<Caller, 'team'>

/** The filters of a property listing. */
export const propertyFilters = {
  status: optional(oneOf('The status', watchStatuses)),
  /** One of its tags, ignoring case. */
  tag: optional(text('The tag', { min: 1, max: 100 })),
  /** Text in the label, the address as sent or as located, or the reference, ignoring case. */
  search: optional(text('The search', { min: 1, max: 100 })),
}

/** The filters of the listing over GraphQL. The contract of REST has no `located`. */
export const propertyListFilters = {
  ...propertyFilters,
  /** False: not located, or not yet. Such a property is not watched. */
  located: optional(flag('Located')),
}

/** @throws Refusal 404, the same for an unknown id, another team's id and a value that is not a uuid */
export async function findProperty(app: Reading, { team }: Requester, id: string): Promise<PropertyWithContactsView> {
  const property = isUuid(id) ? await readCurrentProperty(app, team.id, id) : null
  if (!property) throw noSuchProperty()
  return property
}

/** Returns the current property with its contacts; null if it was removed. */
export async function readCurrentProperty(
  { pool, config }: Reading,
  team_id: string,
  id: string,
): Promise<PropertyWithContactsView | null> {
  const { rows } = await pool.query<PropertyRow & { contacts: ContactRow[] }>({ name: 'property.one', text: ONE, values: [team_id, id] })
  return rows[0] ? withContactsView(rows[0], config.base_url) : null
}

/** Returns the team's properties with these ids, in no particular order, without those that were removed. */
export async function findProperties(
  { pool, config }: Reading,
  { team }: { team: Pick<Requester['team'], 'id'> },
  ids: readonly string[],
): Promise<PropertyView[]> {
  if (ids.length === 0) return []
  const { rows } = await pool.query<PropertyRow>({ name: 'property.some', text: SOME, values: [team.id, ids] })
  return rows.map((row) => propertyView(row, config.base_url))
}

/**
 * Returns the team's properties, newest first.
 * @throws Refusal 422 with every invalid filter
 */
export async function listProperties(
  { pool, config }: Reading,
  { team }: Requester,
  input: Listing<typeof propertyListFilters>,
): Promise<PageOf<PropertyView>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(propertyListFilters, input, faults)
  faults.refuse()
  const filterValues = filterValuesOf(team.id, filters)
  const values = [...filterValues, paging.per_page, offsetOf(paging)]
  const { rows } = await pool.query<PropertyRow & { total: number }>({ name: 'property.page', text: PAGE, values })
  const total = rows[0]?.total ?? (paging.page === 1 ? 0 : await count(pool, 'property.count', COUNT, filterValues))
  return { data: rows.map((row) => propertyView(row, config.base_url)), total }
}

/** Yields every matching property in pages, newest first. The caller has checked the filters. */
export async function* everyProperty(
  { pool, config }: Reading,
  { team }: Requester,
  filters: ValuesOf<typeof propertyFilters>,
): AsyncGenerator<PropertyView[]> {
  const filterValues = filterValuesOf(team.id, filters)
  const pages = pagesByKey<PropertyRow>(
    async (last, size) =>
      (await pool.query<PropertyRow>({ name: 'property.every', text: EVERY, values: [...filterValues, ...keyAfter(last), size] })).rows,
  )
  for await (const rows of pages) yield rows.map((row) => propertyView(row, config.base_url))
}

type FilterValues = ValuesOf<typeof propertyFilters> & Partial<ValuesOf<typeof propertyListFilters>>

function filterValuesOf(team_id: string, { status, tag, search, located }: FilterValues): (string | string[] | boolean | null)[] {
  return [team_id, status ?? null, tag ?? null, search ? containsPatterns(search) : null, located ?? null]
}

/**
 * Returns the contacts of a property: the primary one first, then the oldest.
 * @throws Refusal 404; 422 for an invalid page
 */
export async function listContacts(
  { pool, config }: Reading,
  { team }: Requester,
  property_id: string,
  input: Listing<Record<never, never>>,
): Promise<PageOf<ContactView>> {
  if (!isUuid(property_id)) throw noSuchProperty()
  const owner = [team.id, property_id]
  const existing = await pool.query({ name: 'property.held', text: 'SELECT FROM properties WHERE team_id = $1 AND id = $2', values: owner })
  if (!existing.rowCount) throw noSuchProperty()
  const faults = gatherFaults()
  const { paging } = readListing({}, input, faults)
  faults.refuse()
  const values = [...owner, paging.per_page, offsetOf(paging)]
  const { rows } = await pool.query<ContactRow>({ name: 'contact.page', text: CONTACTS, values })
  return { data: rows.map((row) => contactView(row, config.base_url)), total: await count(pool, 'contact.count', CONTACT_COUNT, owner) }
}

/** Returns the contacts of the team's properties with these ids, in the same order; a property without contacts has no entry. */
export async function findContacts(
  { pool, config }: Reading,
  { team }: Requester,
  ids: readonly string[],
): Promise<Map<string, ContactView[]>> {
  const { rows } = await pool.query<ContactRow>({ name: 'contact.some', text: SOME_CONTACTS, values: [team.id, ids] })
  const found = new Map<string, ContactView[]>()
  for (const row of rows) found.set(row.property_id, [...(found.get(row.property_id) ?? []), contactView(row, config.base_url)])
  return found
}

/** Returns the coordinates with which the addresses of the team's properties were sent; a property without them has no entry. */
export async function findSentPoints({ pool }: Reading, { team }: Requester, ids: readonly string[]): Promise<Map<string, Point>> {
  const { rows } = await pool.query<Point & { id: string }>({ name: 'property.sent_points', text: SENT_POINTS, values: [team.id, ids] })
  return new Map(rows.map(({ id, latitude, longitude }) => [id, { latitude, longitude }]))
}

async function count(pool: App['pool'], name: string, text: string, values: unknown[]): Promise<number> {
  const { rows } = await pool.query<{ total: number }>({ name, text, values })
  return rows[0]?.total ?? 0
}

const FILTERED = `
  FROM properties p
 WHERE p.team_id = $1
   AND ($2::text IS NULL OR p.status = $2)
   AND ($3::text IS NULL OR EXISTS (SELECT FROM unnest(p.tags) AS tag WHERE lower(tag) = lower($3)))
   AND ($4::text[] IS NULL OR p.label ILIKE ANY ($4) OR p.query ILIKE ANY ($4) OR p.reference ILIKE ANY ($4)
        OR concat_ws(', ', p.street, p.city, concat_ws(' ', p.state, p.postal_code)) ILIKE ANY ($4))
   AND ($5::boolean IS NULL OR p.located = $5)`

const ONE = `SELECT ${propertyColumns}, ${contactsColumn} FROM properties p WHERE p.team_id = $1 AND p.id = $2`
const SOME = `SELECT ${propertyColumns} FROM properties p WHERE p.team_id = $1 AND p.id = ANY ($2::uuid[])`
const SENT_POINTS = `
  SELECT p.id, p.sent_latitude AS latitude, p.sent_longitude AS longitude
    FROM properties p WHERE p.team_id = $1 AND p.id = ANY ($2::uuid[]) AND p.sent_latitude IS NOT NULL`
const COUNT = `SELECT count(*)::int AS total ${FILTERED}`
const PAGE = `SELECT ${propertyColumns}, (${COUNT}) AS total ${FILTERED} ORDER BY p.created_at DESC, p.id DESC LIMIT $6 OFFSET $7`
const EVERY = `
  SELECT ${propertyColumns} ${FILTERED} AND (p.created_at, p.id) < ($6::timestamptz, $7::uuid)
   ORDER BY p.created_at DESC, p.id DESC LIMIT $8`
const CONTACTS = `SELECT c.* FROM contacts c WHERE c.team_id = $1 AND c.property_id = $2 ORDER BY c."primary" DESC, c.id LIMIT $3 OFFSET $4`
const CONTACT_COUNT = 'SELECT count(*)::int AS total FROM contacts WHERE team_id = $1 AND property_id = $2'
const SOME_CONTACTS = `
  SELECT c.* FROM contacts c WHERE c.team_id = $1 AND c.property_id = ANY ($2::uuid[]) ORDER BY c."primary" DESC, c.id`
