import type { MultiPolygon, Polygon } from 'geojson'
import { officeArea } from '#domain/archive/warnings/offices.ts'
import { areaSqMiles, type Bounds, boundsOf } from '#domain/geo/area.ts'
import { countyBoxes } from '#domain/geo/counties.ts'
import { cornersOf, crossesItself } from '#domain/geo/crossing.ts'
import { distanceMiles, type Position } from '#domain/geo/measure.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

/** What a message states about the place of its warning, apart from the polygon. */
export interface NamedAreas {
  office_id: string
  /** Counties that the message names, and those of its forecast zones if a table of zones is stored. */
  county_fips: readonly string[]
}

/** Positions of a polygon. An office draws at most 20 corners; the feed repeats up to about a hundred. */
const POSITIONS_MAX = 1_000
/** The smallest flood warnings are drawn around a few streets, about 0.5 square miles. */
const AREA_MIN_SQ_MILES = 0.01
/**
 * How far beyond the named counties a corner may be. Flood warnings name one county and follow their river, up to 42 miles
 * beyond it in observed feed data. A wrong digit in a degree is 50 to 69 miles.
 */
const BEYOND_MILES = 50
const MILES_PER_DEGREE = 69

/**
 * Returns why a warning's polygon cannot be correct, as a clause; null if nothing contradicts it. The polygon is compared
 * with the counties that its message names, or with the area of its office if none of the counties is known.
 */
export function polygonFault(shape: Polygon | MultiPolygon, named: NamedAreas): string | null {
  const polygons = polygonsOf(shape)
  const positions = polygons.flat(2)
  if (positions.length > POSITIONS_MAX) return `has ${positions.length} positions`
  if (polygons.flat().some((ring) => cornersOf(ring).length < 3)) return 'encloses no area'
  const { west, east } = boundsOf(polygons)
  if (east - west > 180) return 'lies on both sides of the 180th meridian'
  if (polygons.flat().some(crossesItself)) return 'crosses itself'
  if (areaSqMiles(polygons.map((rings) => rings.map(closed))) < AREA_MIN_SQ_MILES) return 'encloses no area'
  return farFrom(positions, named)
}

const closed = (ring: Position[]): Position[] => [...ring, present(ring[0])]

function farFrom(positions: Position[], { office_id, county_fips }: NamedAreas): string | null {
  const counties = countyBoxes(county_fips)
  if (counties.length > 0) return positions.every((at) => isNear(at, counties)) ? null : 'lies far from the counties that its message names'
  const area = officeArea(office_id)
  if (!area) return `cannot be compared: its message names no known county, and ${office_id} is not a known office`
  const within = ([longitude, latitude]: Position) => distanceMiles(area.latitude, area.longitude, latitude, longitude) <= area.reach_miles
  return positions.every(within) ? null : `lies far from the area of ${office_id}`
}

/** Whether a point is within the distance of one of the boxes, which are slightly larger than their counties. */
function isNear([longitude, latitude]: Position, boxes: Bounds[]): boolean {
  const rise = BEYOND_MILES / MILES_PER_DEGREE
  const run = rise / Math.max(Math.cos((latitude * Math.PI) / 180), 0.1)
  return boxes.some(
    ({ west, south, east, north }) =>
      latitude >= south - rise && latitude <= north + rise && longitude >= west - run && longitude <= east + run,
  )
}
