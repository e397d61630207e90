import type pg from 'pg'
import type { WatchSubject } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { centreOf } from '#domain/evidence/distance-text.ts'
import type { Point } from '#domain/geo/measure.ts'
import { type PreparedShape, prepareShape } from '#domain/geo/prepared-shape.ts'
import { isPrecise, type LocatedPlace } from '#domain/places/place.ts'
import type { Plan } from '#domain/plans/plans.ts'

/** A watched place, as detection uses it. */
export type WatchedPlace = {
  id: string
  name: string
  /** Changes when the place moves or its reach changes. */
  extent: string
} & (
  | (Point & {
      subject: 'property'
      radius_miles: number
      /** "the centre of ZIP 75034" if the point is that centre and not the building; null if the location is more exact. */
      centre: string | null
    })
  | { subject: 'territory'; shape: PreparedShape }
)

/** Prepared shapes, by the territory's extent, so that a shape used day after day is parsed once. */
export type ShapeCache = Map<string, PreparedShape>

/** Maximum shapes in memory: about 20 MB of the largest. */
const SHAPES_MAX = 50

/**
 * Returns the watched places among these ids, by id. A watch radius above the plan's counts as the plan's.
 * @param shapeCache kept by the caller across calls
 */
export async function watchedPlaces(
  pool: Pick<pg.ClientBase, 'query'>,
  team_id: string,
  ids: { subject: WatchSubject; subject_id: string }[],
  plan: Pick<Plan, 'watch_radius_miles'>,
  shapeCache: ShapeCache = new Map(),
): Promise<Map<string, WatchedPlace>> {
  const of = (subject: WatchSubject) => [...new Set(ids.filter((one) => one.subject === subject).map(({ subject_id }) => subject_id))]
  const places = new Map<string, WatchedPlace>()
  const [properties, territories] = [of('property'), of('territory')]
  if (properties.length > 0) {
    const { rows } = await pool.query<PropertyPlace>({ name: 'watched.properties', text: PROPERTIES, values: [team_id, properties] })
    for (const row of rows) places.set(row.id, propertyPlace(row, plan))
  }
  if (territories.length > 0) {
    const { rows } = await pool.query<TerritoryPlace>({ name: 'watched.territories', text: TERRITORIES, values: [team_id, territories] })
    for (const { id, name, geometry, extent } of rows)
      places.set(id, { id, name, extent, subject: 'territory', shape: cachedShape(shapeCache, extent, geometry) })
  }
  return places
}

interface PropertyPlace extends Pick<LocatedPlace, 'latitude' | 'longitude' | 'precision' | 'postal_code' | 'city' | 'state'> {
  id: string
  name: string
  extent: string
  watch_radius_miles: number
}

function propertyPlace(
  { id, name, extent, latitude, longitude, watch_radius_miles, ...located }: PropertyPlace,
  plan: Pick<Plan, 'watch_radius_miles'>,
): WatchedPlace {
  const radius_miles = Math.min(watch_radius_miles, plan.watch_radius_miles)
  return { id, name, extent, subject: 'property', latitude, longitude, radius_miles, centre: isPrecise(located) ? null : centreOf(located) }
}

interface TerritoryPlace {
  id: string
  name: string
  geometry: string
  extent: string
}

const PROPERTY_EXTENT = `concat_ws(' ', latitude, longitude, watch_radius_miles)`
const TERRITORY_EXTENT = 'md5(geometry)'

const PROPERTIES = `
  SELECT id, coalesce(label, street, query) AS name, latitude, longitude, precision, postal_code, city, state, watch_radius_miles,
         ${PROPERTY_EXTENT} AS extent
    FROM properties WHERE team_id = $1 AND id = ANY ($2::uuid[]) AND status = 'watching' AND located`
const TERRITORIES = `
  SELECT id, name, geometry, ${TERRITORY_EXTENT} AS extent
    FROM territories WHERE team_id = $1 AND id = ANY ($2::uuid[]) AND status = 'watching'`

function cachedShape(shapeCache: ShapeCache, extent: string, geometry: string): PreparedShape {
  const known = shapeCache.get(extent)
  if (known) return known
  const shape = prepareShape(geometry)
  const oldest = shapeCache.keys().next().value
  if (shapeCache.size >= SHAPES_MAX && oldest !== undefined) shapeCache.delete(oldest)
  shapeCache.set(extent, shape)
  return shape
}

/**
 * Locks places against changes of their watch, and against removal, until the transaction ends. Returns the ids of those that
 * are still watched as they were read.
 */
export async function lockUnchangedPlaces(tx: Pick<Tx, '$queryRawUnsafe'>, team_id: string, places: WatchedPlace[]): Promise<Set<string>> {
  const idsOf = (subject: WatchSubject) => [...new Set(places.flatMap((place) => (place.subject === subject ? [place.id] : [])))]
  const rows = [
    ...(await tx.$queryRawUnsafe<WatchedExtent[]>(lockStatement('properties', PROPERTY_EXTENT), team_id, idsOf('property'))),
    ...(await tx.$queryRawUnsafe<WatchedExtent[]>(lockStatement('territories', TERRITORY_EXTENT), team_id, idsOf('territory'))),
  ]
  const extents = new Map(rows.map(({ id, extent }) => [id, extent]))
  return new Set(places.filter(({ id, extent }) => extents.get(id) === extent).map(({ id }) => id))
}

type WatchedExtent = Pick<WatchedPlace, 'id' | 'extent'>

/** The lock waits for a change under way, which locks its row FOR UPDATE, and then reads the row as changed. */
const lockStatement = (table: string, extent: string) => `
  SELECT id, ${extent} AS extent FROM ${table}
   WHERE team_id = $1::uuid AND id = ANY ($2::uuid[]) AND status = 'watching' ORDER BY id FOR KEY SHARE`
