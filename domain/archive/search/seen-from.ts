import { HALF_CELL } from '#domain/archive/radar/grid.ts'
import type { NearbyRecord, StoredRecord } from '#domain/archive/record.ts'
import { endpointsOf } from '#domain/archive/search/index-entry.ts'
import { bearingDegrees, distanceMiles, type Point, type Position } from '#domain/geo/measure.ts'
import { distanceToArea, distanceToPath } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

/** Returns stored records as seen from a place, without those beyond the radius. County and zone records have no distance. */
export function seenFrom(place: Point, radius_miles: number, records: StoredRecord[]): NearbyRecord[] {
  return records
    .map((record) => nearby(place, record))
    .filter(({ distance_miles }) => distance_miles === null || distance_miles <= radius_miles)
}

function nearby(place: Point, record: StoredRecord): NearbyRecord {
  const ends = endpointsOf(record)
  const begin = ends[0]
  if (!begin) return { ...record, distance_miles: null, bearing_degrees: null, shown_latitude: null, shown_longitude: null }
  if (record.precision === 'path') return shown(record, distanceToPath(place, ends), begin)
  if (record.precision === 'area') return shown(record, distanceToArea(place, record.corners ?? ends), begin)
  const [nearest] = ends.map((position) => ({ position, ...fromPoint(place, position) })).sort((one, other) => one.miles - other.miles)
  // A radar cell that contains the place is at distance 0.
  const over =
    record.precision === 'grid' && Math.abs(begin[0] - place.longitude) <= HALF_CELL && Math.abs(begin[1] - place.latitude) <= HALF_CELL
  return shown(record, over ? { miles: 0, bearing_degrees: 0 } : present(nearest), present(nearest).position)
}

interface Nearest {
  position: Position
  miles: number
  bearing_degrees: number
}

function fromPoint({ latitude, longitude }: Point, [east, north]: Position) {
  return { miles: distanceMiles(latitude, longitude, north, east), bearing_degrees: bearingDegrees(latitude, longitude, north, east) }
}

function shown(record: StoredRecord, { miles, bearing_degrees }: Omit<Nearest, 'position'>, [longitude, latitude]: Position): NearbyRecord {
  return { ...record, distance_miles: miles, bearing_degrees, shown_latitude: latitude, shown_longitude: longitude }
}
