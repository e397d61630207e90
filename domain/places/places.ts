import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { withLongSession } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'
import { countyNear } from '#domain/geo/counties.ts'
import { stateByCode, stateByName } from '#domain/geo/states.ts'
import { text } from '#domain/kernel/fields.ts'
import { readNew, required, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { type City, readCities } from '#domain/places/cities.ts'
import { foldTown } from '#domain/places/fold.ts'

/** A named place, as the contract shows it. */
export interface PlaceView {
  id: number
  object: 'place'
  name: string
  /** "Moore, OK"; with the county if a state has several places of the name: "Fairview (Erie), PA". */
  full_name: string
  state: string
  latitude: number
  longitude: number
}

/** Places of one search: more letters narrow it. */
export const PLACES_MAX = 20
/** One letter would match half the table; no name is longer than 100 letters. */
export const placeFilters = { search: required(text('The search', { min: 2, max: 100 })) }
/** Places in the pinned package: a table with fewer rows is seeded, or gets the rows of a newer package appended. */
export const PLACES_KNOWN = 17_618
/** Id of the advisory lock for seeding, an arbitrary constant: two processes that start at once seed one after the other. */
const SEED_LOCK = 7_252_001

/**
 * Returns at most PLACES_MAX places whose name equals the search, starts with it, or has a later word that starts with it, in that
 * order and then by name. "Moore, OK" and "Moore Oklahoma" search only in that state.
 * @throws Refusal validation_failed for a search that is too short or too long
 */
export async function searchPlaces({ pool }: Pick<App, 'pool'>, input: Sent<typeof placeFilters>): Promise<PlaceView[]> {
  const faults = gatherFaults()
  const { search } = readNew(placeFilters, input, faults)
  faults.refuse()
  const wanted = readSearch(search)
  if (wanted.every(({ name }) => name === '')) return []
  const { rows } = await pool.query<Omit<PlaceView, 'object'>>({
    name: 'places-search',
    // Folded names have only letters, digits and spaces: none is special in LIKE.
    text: `SELECT id, name, full_name, state, latitude, longitude
           FROM unnest($1::text[], $2::text[]) AS wanted(key, code)
           JOIN places ON (code IS NULL OR state = code) AND (search_key LIKE key || '%' OR search_key LIKE '% ' || key || '%')
           WHERE key <> ''
           GROUP BY places.id
           ORDER BY min(CASE WHEN search_key = key THEN 0 WHEN search_key LIKE key || '%' THEN 1 ELSE 2 END), search_key, state, id
           LIMIT ${PLACES_MAX}`,
    values: [wanted.map(({ name }) => name), wanted.map(({ state }) => state)],
  })
  return rows.map(({ id, ...place }) => ({ id, object: 'place', ...place }))
}

/**
 * Fills the table of places once; later starts find it full within a millisecond. Ids are assigned in the order of state
 * and name, are the same on every install, and never change; places of a newer package are appended.
 */
export async function seedPlaces(pool: pg.Pool): Promise<void> {
  if ((await countPlaces(pool)) >= PLACES_KNOWN) return
  await withLongSession(await sessionPool(pool).connect(), async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [SEED_LOCK])
    if ((await countPlaces(client)) < PLACES_KNOWN) await insertPlaces(client, readCities())
    await client.query('COMMIT')
  })
}

/** Returns what to search: the whole text as a name and, if it ends with a state, the part before it in that state. */
function readSearch(search: string): { name: string; state: string | null }[] {
  const comma = search.lastIndexOf(',')
  const stateAfterComma = comma < 0 ? null : stateNamed(search.slice(comma + 1))
  if (stateAfterComma) return [{ name: foldTown(search.slice(0, comma)), state: stateAfterComma }]
  const words = search.trim().split(/\s+/)
  const split = words.flatMap((_, index) => {
    const state = index === 0 ? null : stateNamed(words.slice(index).join(' '))
    return state ? [{ name: foldTown(words.slice(0, index).join(' ')), state }] : []
  })
  return [{ name: foldTown(search), state: null }, ...split]
}

function stateNamed(text: string): string | null {
  return (stateByCode(text.trim()) ?? stateByName(text))?.code ?? null
}

async function countPlaces(connection: Pick<pg.PoolClient, 'query'>): Promise<number> {
  const { rows } = await connection.query<{ count: number }>('SELECT count(*)::int AS count FROM places')
  return rows[0]?.count ?? 0
}

async function insertPlaces(client: pg.PoolClient, cities: City[]): Promise<void> {
  const nameCounts = new Map<string, number>()
  for (const { name, state } of cities) nameCounts.set(`${name}|${state}`, (nameCounts.get(`${name}|${state}`) ?? 0) + 1)
  const fullNames = cities.map((city) => fullNameOf(city, (nameCounts.get(`${city.name}|${city.state}`) ?? 0) > 1))
  await client.query(
    `INSERT INTO places (name, full_name, state, latitude, longitude, search_key)
     SELECT n.name, n.full_name, n.state, n.latitude, n.longitude, n.search_key FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::text[]) WITH ORDINALITY
       AS n(name, full_name, state, latitude, longitude, search_key, turn)
     ORDER BY turn
     ON CONFLICT (name, state, latitude, longitude) DO NOTHING`,
    [
      cities.map(({ name }) => name),
      fullNames,
      cities.map(({ state }) => state),
      cities.map(({ latitude }) => latitude),
      cities.map(({ longitude }) => longitude),
      cities.map(({ name }) => foldTown(name)),
    ],
  )
}

function fullNameOf({ name, state, latitude, longitude }: City, shared: boolean): string {
  const county = shared ? countyNear(latitude, longitude, 1)?.name : null
  return county ? `${name} (${county}), ${state}` : `${name}, ${state}`
}
