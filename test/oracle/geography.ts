import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { area, centerOfMass, polygon } from '@turf/turf'
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'

/** [longitude, latitude], degrees. */
export type Spot = readonly [number, number]
type Flat = readonly [number, number]

const EARTH_RADIUS_MILES = 3958.7613
const radians = (degrees: number) => (degrees * Math.PI) / 180

const hav = (angle: number) => Math.sin(angle / 2) ** 2

/** Great-circle miles, by the spherical law of haversines. */
export function milesBetween([lon_a, lat_a]: Spot, [lon_b, lat_b]: Spot): number {
  const h = hav(radians(lat_b - lat_a)) + Math.cos(radians(lat_a)) * Math.cos(radians(lat_b)) * hav(radians(lon_b - lon_a))
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Radians clockwise from north. */
function bearing([lon_a, lat_a]: Spot, [lon_b, lat_b]: Spot): number {
  const [a, b, turn] = [radians(lat_a), radians(lat_b), radians(lon_b - lon_a)]
  return Math.atan2(Math.sin(turn) * Math.cos(b), Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn))
}

/** Returns the point that is so many miles away in a direction (radians). */
export function travel([lon, lat]: Spot, direction: number, miles: number): Spot {
  const arc = miles / EARTH_RADIUS_MILES
  const from = radians(lat)
  const to = Math.asin(Math.sin(from) * Math.cos(arc) + Math.cos(from) * Math.sin(arc) * Math.cos(direction))
  const turn = Math.atan2(Math.sin(direction) * Math.sin(arc) * Math.cos(from), Math.cos(arc) - Math.sin(from) * Math.sin(to))
  return [lon + (turn * 180) / Math.PI, (to * 180) / Math.PI]
}

/** In the azimuthal equidistant projection around a place: at its true distance, in its true direction. */
function flatten(place: Spot, spot: Spot): Flat {
  const [miles, direction] = [milesBetween(place, spot), bearing(place, spot)]
  return [miles * Math.sin(direction), miles * Math.cos(direction)]
}

/** The distance of the nearest part, and its direction, one of 16. */
export interface Nearness {
  miles: number
  toward: string
  /** The point itself, if it is a single point. */
  at?: Spot
}

/** A single point, on the sphere. */
export function nearPoint(place: Spot, spot: Spot): Nearness {
  return { miles: milesBetween(place, spot), toward: compass(bearing(place, spot)), at: spot }
}

/** The nearest part of a line of straight pieces in the place's projection. */
export function nearLine(place: Spot, line: readonly Spot[]): Nearness {
  return nearest(line.map((spot) => flatten(place, spot)))
}

/** An area given by its corners in order: the distance from inside is 0. */
export function nearArea(place: Spot, corners: readonly Spot[]): Nearness {
  const ring = corners.map((spot) => flatten(place, spot))
  return ring.length >= 3 && holds([ring], [0, 0]) ? { miles: 0, toward: 'N' } : nearest([...ring, ring[0] as Flat])
}

function nearest(line: readonly Flat[]): Nearness {
  const feet = line.slice(1).flatMap((to, at) => footOn(line[at] as Flat, to))
  const reached = [...line, ...feet].map(([x, y]) => ({ miles: Math.hypot(x, y), x, y }))
  const { miles, x, y } = reached.reduce((best, next) => (next.miles < best.miles ? next : best))
  return { miles, toward: compass(Math.atan2(x, y)) }
}

/** The foot of the perpendicular from the origin to a piece, if it is on the piece. */
function footOn([ax, ay]: Flat, [bx, by]: Flat): Flat[] {
  const [dx, dy] = [bx - ax, by - ay]
  const along = -(ax * dx + ay * dy)
  const lengthSquared = dx * dx + dy * dy
  return along > 0 && along < lengthSquared ? [[ax + (dx * along) / lengthSquared, ay + (dy * along) / lengthSquared]] : []
}

const POINTS = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW']

function compass(direction: number): string {
  const degrees = ((direction * 180) / Math.PI + 360) % 360
  return POINTS[Math.floor((degrees + 11.25) / 22.5) % 16] as string
}

/** Even-odd rule over all rings: a hole counts as outside. */
function holds(rings: readonly (readonly Flat[])[], [x, y]: Flat): boolean {
  let inside = false
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at++) {
      const [ax, ay] = ring[at] as Flat
      const [bx, by] = ring[(at + 1) % ring.length] as Flat
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside
    }
  }
  return inside
}

/** Islands do not move a county's centre. */
function largestPart(shape: Feature<Polygon | MultiPolygon>): Feature<Polygon> {
  const { geometry } = shape
  if (geometry.type === 'Polygon') return shape as Feature<Polygon>
  const parts = geometry.coordinates.map((coordinates) => polygon(coordinates))
  return parts.reduce((largest, next) => (area(next) > area(largest) ? next : largest))
}

interface County {
  fips: string
  name: string
  polygons: Spot[][][]
  centre: Spot
  west: number
  south: number
  east: number
  north: number
}

let atlas: Map<string, County> | undefined

function counties(): Map<string, County> {
  atlas ??= new Map(readAtlas().map((county) => [county.fips, county]))
  return atlas
}

function readAtlas(): County[] {
  const topology = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('us-atlas/counties-10m.json'), 'utf8')) as Parameters<
    typeof feature
  >[0]
  const shapes = feature(topology, topology.objects.counties as Parameters<typeof feature>[1]) as unknown as FeatureCollection<
    Polygon | MultiPolygon
  >
  return shapes.features.map((shape: Feature<Polygon | MultiPolygon>) => {
    const polygons = (shape.geometry.type === 'Polygon'
      ? [shape.geometry.coordinates]
      : shape.geometry.coordinates) as unknown as Spot[][][]
    const spots = polygons.flat(2)
    const [lons, lats] = [spots.map(([lon]) => lon), spots.map(([, lat]) => lat)]
    return {
      fips: String(shape.id).padStart(5, '0'),
      name: String(shape.properties?.name),
      polygons,
      centre: centerOfMass(largestPart(shape)).geometry.coordinates as unknown as Spot,
      west: Math.min(...lons),
      east: Math.max(...lons),
      south: Math.min(...lats),
      north: Math.max(...lats),
    }
  })
}

export function countyCentre(fips: string): Spot | null {
  return counties().get(fips)?.centre ?? null
}

/** Null for a number that no county of the map has. */
export function countyName(fips: string): string | null {
  return counties().get(fips)?.name ?? null
}

const called = new Map<string, Map<string, string[]>>()

/** Numbers of a state's counties by the letters of their names. */
function namesOf(state_fips: string): Map<string, string[]> {
  let names = called.get(state_fips)
  if (!names) {
    names = new Map()
    for (const { fips, name } of counties().values()) {
      if (fips.startsWith(state_fips)) names.set(letters(name), [...(names.get(letters(name)) ?? []), fips])
    }
    called.set(state_fips, names)
  }
  return names
}

const letters = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/^saint /, 'st')
    .replace(/[^a-z]/g, '')

/** Numbers of the counties of a state (two digits) that a text names: one, or several with commas and AND between them. */
export function countiesCalled(state_fips: string, text: string): string[] {
  const names = namesOf(state_fips)
  const bare = text.trim().replace(/( City)?( \(C\)| Co\.| County| Parish)?$/i, '')
  const exact = names.get(letters(text.trim())) ?? names.get(letters(bare))
  return exact ?? text.split(/,|;|\/|&| AND /i).flatMap((part) => names.get(letters(part.trim())) ?? [])
}

/** Miles from a spot to the nearest of the counties, 0 inside one; null if the map has none of them. */
export function distanceOutside(spot: Spot, fips: readonly string[]): number | null {
  const outlines = fips.flatMap(
    (each) =>
      counties()
        .get(each)
        ?.polygons.map(([ring]) => ring as Spot[]) ?? [],
  )
  return outlines.length === 0 ? null : Math.min(...outlines.map((ring) => nearArea(spot, ring).miles))
}

export function countyHolding(place: Spot): string | null {
  for (const county of counties().values()) {
    const [lon, lat] = place
    if (lon < county.west || lon > county.east || lat < county.south || lat > county.north) continue
    if (county.polygons.some((rings) => holds(rings, place))) return county.fips
  }
  return null
}

/** Every county that the circle around a place meets. */
export function countiesWithin(place: Spot, radius_miles: number): Set<string> {
  return new Set(
    [...counties().values()]
      .filter((county) => boundsIntersect(county, place, radius_miles) && intersects(county, place, radius_miles))
      .map(({ fips }) => fips),
  )
}

/** Miles in a degree of latitude, rounded down, so that bounds drawn with it are never too small. */
const MILES_A_DEGREE = 69

function boundsIntersect(county: County, [lon, lat]: Spot, radius_miles: number): boolean {
  const tall = radius_miles / MILES_A_DEGREE
  const wide = tall / Math.cos(radians(Math.min(89, Math.abs(lat) + tall)))
  return lat + tall >= county.south && lat - tall <= county.north && lon + wide >= county.west && lon - wide <= county.east
}

function intersects(county: County, place: Spot, radius_miles: number): boolean {
  return county.polygons.some((polygon) => {
    const rings = polygon.map((ring) => ring.map((spot) => flatten(place, spot)))
    return holds(rings, [0, 0]) || rings.some((ring) => nearest([...ring, ring[0] as Flat]).miles <= radius_miles)
  })
}

/** Postal codes by the first two digits of a county's number (FIPS 5-2). */
const POSTAL: Record<string, string> = Object.fromEntries(
  (
    '01 AL 02 AK 04 AZ 05 AR 06 CA 08 CO 09 CT 10 DE 11 DC 12 FL 13 GA 15 HI 16 ID 17 IL 18 IN 19 IA 20 KS 21 KY 22 LA 23 ME 24 MD 25 MA 26 MI ' +
    '27 MN 28 MS 29 MO 30 MT 31 NE 32 NV 33 NH 34 NJ 35 NM 36 NY 37 NC 38 ND 39 OH 40 OK 41 OR 42 PA 44 RI 45 SC 46 SD 47 TN 48 TX 49 UT 50 VT ' +
    '51 VA 53 WA 54 WV 55 WI 56 WY 72 PR'
  )
    .match(/\d\d \w\w/g)
    ?.map((pair) => pair.split(' ') as [string, string]) ?? [],
)

export const stateOfCounty = (fips: string): string | null => POSTAL[fips.slice(0, 2)] ?? islands[fips.slice(0, 2)] ?? null

/** The numbers and centres of the counties of a state. */
export function countiesIn(state: string): { fips: string; centre: Spot }[] {
  return [...counties().values()].filter(({ fips }) => stateOfCounty(fips) === state)
}

/** The files have their own numbers for the territories. */
const territories: Record<string, string> = { 'PUERTO RICO': '72', 'VIRGIN ISLANDS': '78', GUAM: '66', 'AMERICAN SAMOA': '60' }

/** Two digits of the state of a row; null for seas and lakes. */
export function stateNumber(row: Record<string, string>): string | null {
  const number = territories[row.STATE as string] ?? row.STATE_FIPS?.padStart(2, '0') ?? ''
  return number in POSTAL || number in islands ? number : null
}

const islands: Record<string, string> = { '60': 'AS', '66': 'GU', '69': 'MP', '78': 'VI' }

/** The postal code of the state of a row; null for seas and lakes. */
export function stateCode(row: Record<string, string>): string | null {
  const number = stateNumber(row)
  return number === null ? null : (POSTAL[number] ?? islands[number] ?? null)
}

/** The postal code of the state that contains a place; null at sea and abroad. */
export function stateHolding(place: Spot): string | null {
  return POSTAL[countyHolding(place)?.slice(0, 2) ?? ''] ?? null
}
