import type { App } from '#domain/app.ts'
import type { TerritoryKind } from '#domain/closed-sets.ts'
import { centreOf as centreText } from '#domain/evidence/distance-text.ts'
import { areaSqMiles, type Bounds, boundsOf, centreOf } from '#domain/geo/area.ts'
import { uniteCircles } from '#domain/geo/circles.ts'
import { readGeometry } from '#domain/geo/geometry.ts'
import type { Point } from '#domain/geo/measure.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { locate, locateInTime, namesCentre } from '#domain/places/locate.ts'
import { isPrecise } from '#domain/places/place.ts'
import { partsOf, type StoredDefinition } from '#domain/territories/definition.ts'
import { describeCircle, describePlaces, describePolygon } from '#domain/territories/describe.ts'
import type { AreaInput, Centre } from '#domain/territories/read-area.ts'

/** A territory's area and everything derived from it. */
export interface Measured {
  kind: TerritoryKind
  description: string
  definition: StoredDefinition
  /** GeoJSON as text: a drawn shape keeps every digit as sent. */
  geometry: string
  area_sq_miles: number
  centre: Point
  bounds: Bounds
}

type Measuring = Pick<App, 'db' | 'geocode' | 'clock' | 'log' | 'pool'>

/** The longest that a request waits for the address of its centre. */
const LOCATE_MS = 3_000

/** Measures the area of a territory; returns null and adds the fault if that is impossible. */
export function measure(app: Measuring, team_id: string, outline: AreaInput, faults: Faults): Promise<Measured | null> {
  if (outline.kind === 'polygon') return measurePolygon(team_id, outline.geometry, faults)
  if (outline.kind === 'radius') return measureRadius(app, outline, faults)
  return measurePlaces(app, outline, faults)
}

/** Rounds an area for display: square miles to two decimals, like every measure of the service. */
export function roundArea(area_sq_miles: number): number {
  return Number(area_sq_miles.toFixed(2))
}

async function measurePolygon(team_id: string, sent: unknown, faults: Faults): Promise<Measured | null> {
  const read = await readGeometry(sent, team_id)
  if ('refusal' in read) {
    faults.add('geometry', read.refusal)
    return null
  }
  const { geometry, text, area_sq_miles, centre, bounds } = read.shape
  const polygons = polygonsOf(geometry)
  const definition = { positions: polygons.flat(2).length, polygons: polygons.length, parts: partsOf(polygons) }
  return { kind: 'polygon', description: describePolygon(area_sq_miles), definition, geometry: text, area_sq_miles, centre, bounds }
}

async function measureRadius(
  app: Measuring,
  { centre, radius_miles }: AreaInput & { kind: 'radius' },
  faults: Faults,
): Promise<Measured | null> {
  const at = typeof centre === 'string' ? await locateCentre(app, centre, faults) : centre
  if (!at || radius_miles === null) return null
  const shape = circlesOf([at], radius_miles, faults)
  if (!shape) return null
  const { address, latitude, longitude, centre_of } = at
  const definition = { address, latitude, longitude, radius_miles, ...(centre_of && { centre_of }) }
  return { kind: 'radius', description: describeCircle(address ?? definition, radius_miles, centre_of), definition, ...shape }
}

/**
 * Locates the centre. No job looks it up again, so a geocoder that has not answered in time is a fault, unless the address is a town or a
 * ZIP code: the embedded tables have its centre too.
 */
async function locateCentre(app: Measuring, address: string, faults: Faults): Promise<Centre | null> {
  const named = namesCentre(address)
  const options = { timeout_ms: LOCATE_MS, point: null }
  const location = named ? await locate(app, address, options) : await locateInTime(app, address, options)
  if (location && 'place' in location) {
    const { place } = location
    const centre_of = named || isPrecise(place) ? undefined : centreText(place)
    return { address, latitude: place.latitude, longitude: place.longitude, ...(centre_of && { centre_of }) }
  }
  faults.add('address', location?.message ?? 'The address could not be located in time. Send it again, or send the latitude and longitude.')
  return null
}

async function measurePlaces(
  app: Measuring,
  { place_ids, radius_miles }: AreaInput & { kind: 'places' },
  faults: Faults,
): Promise<Measured | null> {
  const places = await readPlaces(app.pool, place_ids)
  const known = place_ids.map((id) => places.get(id))
  known.forEach((place, index) => {
    faults.unless(place !== undefined, `place_ids.${index}`, `There is no place with the id ${place_ids[index]}.`)
  })
  const found = known.filter((place) => place !== undefined)
  if (found.length < place_ids.length || radius_miles === null) return null
  const shape = circlesOf(found, radius_miles, faults)
  if (!shape) return null
  const names = found.map(({ name }) => name)
  return { kind: 'places', description: describePlaces(names, radius_miles), definition: { place_ids, names, radius_miles }, ...shape }
}

type NamedPlace = Point & { id: number; name: string }

async function readPlaces(pool: App['pool'], ids: number[]): Promise<Map<number, NamedPlace>> {
  const { rows } = await pool.query<NamedPlace>({
    name: 'territory.places',
    text: 'SELECT id, name, latitude, longitude FROM places WHERE id = ANY ($1::bigint[])',
    values: [ids],
  })
  return new Map(rows.map((place) => [place.id, place]))
}

function circlesOf(
  centres: Point[],
  radius_miles: number,
  faults: Faults,
): Pick<Measured, 'geometry' | 'area_sq_miles' | 'centre' | 'bounds'> | null {
  const polygons = uniteCircles(centres, radius_miles)
  if (!polygons) {
    faults.add('radius_miles', 'The circle reaches a pole or across longitude 180, where no territory can be drawn.')
    return null
  }
  const [only] = polygons
  const geometry = polygons.length === 1 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: polygons }
  const centre = centres.length === 1 && centres[0] ? pointOf(centres[0]) : centreOf(polygons)
  return { geometry: JSON.stringify(geometry), area_sq_miles: areaSqMiles(polygons), centre, bounds: boundsOf(polygons) }
}

const pointOf = ({ latitude, longitude }: Point): Point => ({ latitude, longitude })
