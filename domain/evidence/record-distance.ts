import type { NearbyRecord } from '#domain/archive/record.ts'
import { distanceMiles, type Position } from '#domain/geo/measure.ts'
import { distanceToArea, distanceToPath } from '#domain/geo/shape.ts'

/** Returns the miles between the nearest parts of two records; infinite if one has no point, because its place is unknown. */
export function milesBetween(a: NearbyRecord, b: NearbyRecord): number {
  const [from, to] = [partsOf(a), partsOf(b)]
  return Math.min(...from.map((part) => milesTo(part, b, to)), ...to.map((part) => milesTo(part, a, from)))
}

/** Returns the miles from a point to the nearest part of a record. */
export function milesFrom(latitude: number, longitude: number, record: NearbyRecord): number {
  return milesTo([longitude, latitude], record, partsOf(record))
}

function milesTo([longitude, latitude]: Position, record: NearbyRecord, parts: Position[]): number {
  const [only] = parts
  if (only && parts.length === 1) return distanceMiles(latitude, longitude, only[1], only[0])
  const place = { latitude, longitude }
  return (record.precision === 'area' ? distanceToArea(place, parts) : distanceToPath(place, parts)).miles
}

/** Returns [longitude, latitude] of the corners of an area, both ends of a path, or the point. */
function partsOf(record: NearbyRecord): Position[] {
  const { precision, corners, latitude, longitude, end_latitude, end_longitude, shown_latitude, shown_longitude } = record
  if (precision === 'area' && corners && corners.length > 0) return corners
  if (precision === 'path' && latitude !== null && longitude !== null && end_latitude !== null && end_longitude !== null) {
    return [
      [longitude, latitude],
      [end_longitude, end_latitude],
    ]
  }
  return shown_latitude === null || shown_longitude === null ? [] : [[shown_longitude, shown_latitude]]
}
