import type { MultiPolygon, Polygon } from 'geojson'
import { areaSqMiles, type Bounds, boundsOf, centreOf } from '#domain/geo/area.ts'
import { parseGeometry } from '#domain/geo/geometry-parse.ts'
import type { Point } from '#domain/geo/measure.ts'
import { findInvalidity } from '#domain/geo/validity.ts'

/** A shape as drawn, with values derived from it. */
export interface Shape {
  /** Polygon or MultiPolygon with every coordinate as sent. */
  geometry: Polygon | MultiPolygon
  /** The geometry as JSON, as it is stored and shown. */
  text: string
  area_sq_miles: number
  centre: Point
  bounds: Bounds
}

/**
 * Reads a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one (RFC 7946). Nothing is repaired: a shape is refused, with a
 * sentence that says why, if it is open, out of range, crosses itself or the antimeridian, or has more than 10,000 positions or
 * 100 polygons. Limits are checked before anything is computed; crossings are searched off the event loop.
 */
export async function readGeometry(input: unknown): Promise<{ shape: Shape } | { refusal: string }> {
  const parsed = parseGeometry(input)
  if (typeof parsed === 'string') return { refusal: parsed }
  const refusal = await findInvalidity(parsed.polygons)
  if (refusal) return { refusal }
  const { geometry, polygons } = parsed
  return {
    shape: {
      geometry,
      text: JSON.stringify(geometry),
      area_sq_miles: areaSqMiles(polygons),
      centre: centreOf(polygons),
      bounds: boundsOf(polygons),
    },
  }
}
