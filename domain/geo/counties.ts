import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Flatbush from 'flatbush'
import type { FeatureCollection, Polygon as GeoPolygon, MultiPolygon } from 'geojson'
import { feature } from 'topojson-client'
import { type Bounds, boundsOf } from '#domain/geo/area.ts'
import { EARTH_RADIUS_MILES, type Point, type Position } from '#domain/geo/measure.ts'
import { circleIntersectsPolygon, distanceToArea, type Polygon, pointInPolygon, polygonsOf } from '#domain/geo/shape.ts'
import { stateByFips } from '#domain/geo/states.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'

export interface County {
  /** Five digits. */
  fips: string
  /** Without "County": Tarrant. */
  name: string
  /** Two-letter code. */
  state: string
}

/** The county that contains a point; null outside the United States and its territories. */
export function countyAt(latitude: number, longitude: number): County | null {
  const { index, parts } = atlas()
  const found = index.search(longitude, latitude, longitude, latitude, (part) =>
    pointInPolygon({ latitude, longitude }, present(parts[part]).polygon),
  )
  return found[0] === undefined ? null : present(parts[found[0]]).county
}

/**
 * The county that contains a point, or else the nearest one within the distance: the boundaries are coarse, so a pier or a barrier
 * island may be outside them.
 * @param state two-letter code of the state that the county must be in; any state by default
 */
export function countyNear(latitude: number, longitude: number, miles: number, state: string | null = null): County | null {
  const over = countyAt(latitude, longitude)
  if (over && (state === null || over.state === state)) return over
  const place = { latitude, longitude }
  const distances = partsWithinRadius(place, miles)
    .filter(({ county }) => state === null || county.state === state)
    .map(({ county, polygon }) => ({ county, away: distanceToArea(place, present(polygon[0])).miles }))
  return distances.sort((one, other) => one.away - other.away)[0]?.county ?? null
}

/** The counties whose bounds meet a box, in degrees: all that are in it, and some beside it. */
export function countiesNearBox({ west, south, east, north }: Bounds): County[] {
  const { index, parts } = atlas()
  return index.search(west, south, east, north).map((part) => present(parts[part]).county)
}

/** The county with a FIPS code, five digits; null if unknown. */
export function countyOf(fips: string): County | null {
  return partsOf(fips)[0]?.county ?? null
}

/** Every county of a state, given its two-letter code. */
export function countiesOf(state: string): County[] {
  return [...atlas().byFips.values()].flatMap(([part]) => (part && part.county.state === state ? [part.county] : []))
}

/** Miles from a point to the nearest of some counties, 0 inside one of them; null if all are unknown. */
export function milesOutside(point: Point, fips: string[]): number | null {
  const rings = fips.flatMap((each) => partsOf(each).map(({ polygon }) => present(polygon[0])))
  return rings.length === 0 ? null : Math.min(...rings.map((ring) => distanceToArea(point, ring).miles))
}

/** Sorted FIPS codes of the counties that a circle touches, measured in the azimuthal equidistant plane of its centre. */
export function countiesWithinRadius(latitude: number, longitude: number, radius_miles: number): string[] {
  return [...new Set(partsWithinRadius({ latitude, longitude }, radius_miles).map(({ county }) => county.fips))].sort()
}

/** Sorted two-letter codes of the states that a circle touches. */
export function statesWithinRadius(latitude: number, longitude: number, radius_miles: number): string[] {
  return [...new Set(partsWithinRadius({ latitude, longitude }, radius_miles).map(({ county }) => county.state))].sort()
}

/** Centroid of a county's largest part; null for an unknown FIPS code. */
export function countyCentre(fips: string): Point | null {
  const centres = partsOf(fips)
    .map(({ polygon }) => centreOf(present(polygon[0])))
    .sort((one, other) => other.area - one.area)
  return centres[0] ? { latitude: centres[0].latitude, longitude: centres[0].longitude } : null
}

/** Every county with the centroid of its largest part. */
export function countyCentres(): (County & Point)[] {
  const largest = new Map<string, County & Point & { area: number }>()
  for (const { county, polygon } of atlas().parts) {
    const centre = centreOf(present(polygon[0]))
    if (centre.area > (largest.get(county.fips)?.area ?? 0)) largest.set(county.fips, { ...county, ...centre })
  }
  return [...largest.values()]
}

/** Outer rings of a county, [longitude, latitude] in degrees; null for an unknown FIPS code. */
export function countyShape(fips: string): Position[][] | null {
  const rings = partsOf(fips).map(({ polygon }) => present(polygon[0]))
  return rings.length > 0 ? rings : null
}

/** The bounding box of each part of some counties, degrees; unknown FIPS codes have none. */
export function countyBoxes(fips: readonly string[]): Bounds[] {
  return fips.flatMap((one) => partsOf(one).map(({ bounds }) => bounds))
}

/** One polygon of a county. */
interface Part {
  county: County
  polygon: Polygon
  bounds: Bounds
}

interface Atlas {
  /** Bounding boxes of `parts`, by index. */
  index: Flatbush
  parts: Part[]
  byFips: Map<string, Part[]>
}

function partsOf(fips: string): Part[] {
  return atlas().byFips.get(fips) ?? []
}

type Topology = Parameters<typeof feature>[0]
type CountyFeatures = FeatureCollection<GeoPolygon | MultiPolygon, { name: string }>

let opened: Atlas | undefined

/**
 * The Census Bureau's cartographic county boundaries, 1:10 million (us-atlas): loaded at first use, in some 100 ms,
 * and kept as plain polygons.
 */
function atlas(): Atlas {
  if (opened) return opened
  const file = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json')
  const topology: Topology = JSON.parse(readFileSync(file, 'utf8'))
  const counties = feature(topology, 'counties') as unknown as CountyFeatures
  const parts = counties.features.flatMap(({ id, properties, geometry }) => {
    const fips = String(id)
    const county = { fips, name: properties.name, state: stateByFips(fips.slice(0, 2))?.code ?? '' }
    return polygonsOf(geometry).map((polygon) => ({ county, polygon, bounds: boundsOf([polygon]) }))
  })
  const index = new Flatbush(parts.length)
  for (const { bounds } of parts) index.add(bounds.west, bounds.south, bounds.east, bounds.north)
  index.finish()
  opened = { index, parts, byFips: groupBy(parts, ({ county }) => county.fips) }
  return opened
}

function partsWithinRadius(centre: Point, radius_miles: number): Part[] {
  const { index, parts } = atlas()
  const [south, north, half] = boxAround(centre.latitude, radius_miles)
  const found = new Set<number>()
  // The boundaries are cut at the antimeridian: search from the other side too, for a circle that crosses it.
  for (const turn of [-360, 0, 360]) {
    const longitude = centre.longitude + turn
    for (const part of index.search(longitude - half, south, longitude + half, north)) found.add(part)
  }
  return [...found].map((part) => present(parts[part])).filter(({ polygon }) => circleIntersectsPolygon(centre, radius_miles, polygon))
}

const RADIANS = Math.PI / 180

/** South, north and half the width, in degrees, of the box around a circle. */
function boxAround(latitude: number, radius_miles: number): [south: number, north: number, half: number] {
  const reach = radius_miles / EARTH_RADIUS_MILES
  const south = latitude - reach / RADIANS
  const north = latitude + reach / RADIANS
  if (south <= -90 || north >= 90) return [south, north, 180]
  return [south, north, Math.asin(Math.min(1, Math.sin(reach) / Math.cos(latitude * RADIANS))) / RADIANS]
}

/**
 * Centroid of a ring in the plane of longitude and latitude, with its unsigned area in square degrees. For a ring without area, such
 * as the smallest city at this scale, it is the mean of the corners.
 */
function centreOf(ring: Position[]): Point & { area: number } {
  const [x0, y0] = present(ring[0])
  let doubled = 0
  let x = 0
  let y = 0
  for (let index = 0; index < ring.length; index++) {
    const [ax, ay] = present(ring[index])
    const [bx, by] = present(ring[(index + 1) % ring.length])
    const cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
    doubled += cross
    x += (ax + bx - 2 * x0) * cross
    y += (ay + by - 2 * y0) * cross
  }
  if (doubled === 0) return { longitude: mean(ring.map(([x]) => x)), latitude: mean(ring.map(([, y]) => y)), area: 0 }
  return { longitude: x0 + x / (3 * doubled), latitude: y0 + y / (3 * doubled), area: Math.abs(doubled) / 2 }
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
