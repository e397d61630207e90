import type pg from 'pg'
import type { WatchSubject } from '#domain/closed-sets.ts'
import { centreOf } from '#domain/evidence/distance-text.ts'
import type { Point } from '#domain/geo/measure.ts'
import { type PreparedShape, prepareShape } from '#domain/geo/prepared-shape.ts'
import { isPrecise, type LocatedPlace } from '#domain/places/place.ts'
import type { Plan } from '#domain/plans/plans.ts'

/** A watched place, as detection uses it. */
export type WatchedPlace = { id: string; name: string } & (
  | (Point & {
      subject: 'property'
      radius_miles: number
      /** "the centre of ZIP 75034" if the point is that centre and not the building; null if the location is more exact. */
      centre: string | null
    })
  | { subject: 'territory'; shape: PreparedShape }
)

/** Prepared shapes, by a hash of the territory's geometry, so that a shape used day after day is parsed once. */
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
    for (const { id, name, geometry, drawn } of rows)
      places.set(id, { id, name, subject: 'territory', shape: cachedShape(shapeCache, drawn, geometry) })
  }
  return places
}

interface PropertyPlace extends Pick<LocatedPlace, 'latitude' | 'longitude' | 'precision' | 'postal_code' | 'city' | 'state'> {
  id: string
  name: string
  watch_radius_miles: number
}

function propertyPlace(
  { id, name, latitude, longitude, watch_radius_miles, ...located }: PropertyPlace,
  plan: Pick<Plan, 'watch_radius_miles'>,
): WatchedPlace {
  const radius_miles = Math.min(watch_radius_miles, plan.watch_radius_miles)
  return { id, name, subject: 'property', latitude, longitude, radius_miles, centre: isPrecise(located) ? null : centreOf(located) }
}

interface TerritoryPlace {
  id: string
  name: string
  geometry: string
  /** Changes when the shape may have changed. */
  drawn: string
}

const PROPERTIES = `
  SELECT id, coalesce(label, street, query) AS name, latitude, longitude, precision, postal_code, city, state, watch_radius_miles
    FROM properties WHERE team_id = $1 AND id = ANY ($2::uuid[]) AND status = 'watching' AND located`
const TERRITORIES = `
  SELECT id, name, geometry, md5(geometry) AS drawn
    FROM territories WHERE team_id = $1 AND id = ANY ($2::uuid[]) AND status = 'watching'`

function cachedShape(shapeCache: ShapeCache, drawn: string, geometry: string): PreparedShape {
  const known = shapeCache.get(drawn)
  if (known) return known
  const shape = prepareShape(geometry)
  const oldest = shapeCache.keys().next().value
  if (shapeCache.size >= SHAPES_MAX && oldest !== undefined) shapeCache.delete(oldest)
  shapeCache.set(drawn, shape)
  return shape
}
