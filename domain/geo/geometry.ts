import type { MultiPolygon, Polygon } from 'geojson'
import { areaSqMiles, type Bounds, boundsOf, centreOf } from '#domain/geo/area.ts'
import { parseGeometry } from '#domain/geo/geometry-parse.ts'
import type { Point } from '#domain/geo/measure.ts'
import { findInvalidity } from '#domain/geo/validity.ts'
import { exactText } from '#domain/kernel/exact-json.ts'

/** A shape as drawn, with values derived from it. */
export interface Shape {
  /** Polygon or MultiPolygon with every coordinate as sent. */
  geometry: Polygon | MultiPolygon
  /** The geometry as JSON, digit for digit as sent, as it is stored and shown. */
  text: string
  area_sq_miles: number
  centre: Point
  bounds: Bounds
}

/** Characters of one number: a double has at most 24, and 32 leave room for digits that no double has. */
const NUMBER_MAX = 32
/** Characters of the stored JSON: 10,000 positions in doubles take 400,000. A page of a listing shows a hundred shapes. */
const TEXT_MAX = 512 * 1024

/**
 * Reads a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one (RFC 7946). Nothing is repaired: a shape is refused, with a
 * sentence that says why, if it is open, out of range, encloses no area, crosses itself or the antimeridian, has more than 10,000
 * positions or 100 polygons, or is written with too many digits. Limits are checked before anything is computed; crossings are
 * searched off the event loop.
 * @throws Refusal `rate_limited` if too many shapes of the team are waiting
 */
export async function readGeometry(input: unknown, team_id: string): Promise<{ shape: Shape } | { refusal: string }> {
  const parsed = parseGeometry(input)
  if (typeof parsed === 'string') return { refusal: parsed }
  const { geometry, polygons } = parsed
  const text = `{"type":"${geometry.type}","coordinates":${exactText(geometry.coordinates)}}`
  const refusal = findExcess(text) ?? (await findInvalidity(polygons, team_id))
  if (refusal) return { refusal }
  const centre = centreOf(polygons)
  // The area of a tiny or thin polygon may be too small for a double; its centre is then no point, or one anywhere.
  if (Number.isNaN(centre.latitude) || polygons.some((polygon) => !(areaSqMiles([polygon]) > 0)))
    return { refusal: 'A polygon encloses no area.' }
  return { shape: { geometry, text, area_sq_miles: areaSqMiles(polygons), centre, bounds: boundsOf(polygons) } }
}

const LONG_NUMBER = new RegExp(`[\\d.eE+-]{${NUMBER_MAX + 1}}`)

/** Says which limit on its digits a geometry exceeds: every digit is stored and returned in each listing. */
function findExcess(text: string): string | null {
  if (LONG_NUMBER.test(text)) return `A number of the geometry has more than ${NUMBER_MAX} characters.`
  if (text.length > TEXT_MAX)
    return `The geometry has more than ${TEXT_MAX.toLocaleString('en')} characters: send fewer digits or positions.`
  return null
}
