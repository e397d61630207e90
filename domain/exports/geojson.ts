import type { Geometry, MultiPolygon, Polygon, Position } from 'geojson'
import type { Cell } from '#domain/kernel/csv.ts'

/** Returns a Feature of RFC 7946 as text. Its properties are the cells, keyed by column name. */
export function featureText(columns: readonly string[], cells: readonly Cell[], geometry: Geometry | null): string {
  const properties = Object.fromEntries(columns.map((column, place) => [column, cells[place]]))
  return JSON.stringify({ type: 'Feature', id: cells[0], geometry, properties })
}

/** Returns a point in degrees; null if no place is known. */
export function pointOf({ latitude, longitude }: { latitude: number | null; longitude: number | null }): Geometry | null {
  return latitude === null || longitude === null ? null : { type: 'Point', coordinates: [longitude, latitude] }
}

/** Returns the same shape with its outer rings counterclockwise and its holes clockwise (RFC 7946, 3.1.6). */
export function withRfc7946Winding(shape: Polygon | MultiPolygon): Polygon | MultiPolygon {
  return shape.type === 'Polygon'
    ? { type: 'Polygon', coordinates: shape.coordinates.map(woundRing) }
    : { type: 'MultiPolygon', coordinates: shape.coordinates.map((rings) => rings.map(woundRing)) }
}

function woundRing(ring: Position[], place: number): Position[] {
  const counterclockwise = place === 0
  return signedArea(ring) > 0 === counterclockwise ? ring : ring.toReversed()
}

/** Returns twice the area in square degrees, positive if the ring runs counterclockwise (the shoelace formula, from its first position). */
function signedArea(ring: Position[]): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? []
  let sum = 0
  for (let place = 1; place < ring.length; place++) {
    const [x1 = 0, y1 = 0] = ring[place - 1] ?? []
    const [x2 = 0, y2 = 0] = ring[place] ?? []
    sum += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
  }
  return sum
}
