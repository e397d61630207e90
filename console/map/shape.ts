import type { MultiPolygon, Polygon, Position } from 'geojson'
import { type Digits, digitsOf, exactShape, exactText, numbersOf, parseExact } from '../api/exact-json.ts'

/** The shape of a territory. Its positions are texts, so that no digit is lost. */
export interface Shape {
  type: 'Polygon' | 'MultiPolygon'
  coordinates: Digits
}

/** An error with a message for the person. */
export class ShapeFault extends Error {}

type Feature = { type?: unknown; geometry?: unknown; features?: unknown; coordinates?: unknown }

/**
 * Reads the shape in a GeoJSON file: a Polygon or MultiPolygon, a Feature with one, or a collection with one such feature.
 * @throws ShapeFault with a message for the person
 */
export function readShapeFile(text: string): Shape {
  const read = parseText(text)
  const [found, ...more] = shapesIn(read)
  if (!found) throw new ShapeFault('The file contains no Polygon or MultiPolygon.')
  if (more.length > 0)
    throw new ShapeFault(
      `The file contains ${more.length + 1} shapes, but a territory has one. Join them in a MultiPolygon, or load them one by one.`,
    )
  return found
}

function parseText(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    throw new ShapeFault('The file is not JSON.')
  }
}

function shapesIn(read: unknown): Shape[] {
  if (typeof read !== 'object' || read === null) return []
  const { type, geometry, features, coordinates }: Feature = read
  if (type === 'FeatureCollection' && Array.isArray(features)) return features.flatMap(shapesIn)
  if (type === 'Feature') return shapesIn(geometry)
  const digits = digitsOf(coordinates)
  if ((type !== 'Polygon' && type !== 'MultiPolygon') || !digits) return []
  if (!arePositions(coordinates, type === 'Polygon' ? 2 : 3))
    throw new ShapeFault(`The coordinates of the ${type} are not lists of numbers.`)
  return [{ type, coordinates: digits }]
}

/** @param depth number of lists around each position, which is a list of two numbers or more */
function arePositions(list: unknown, depth: number): boolean {
  if (!Array.isArray(list)) return false
  if (depth > 0) return list.every((part) => arePositions(part, depth - 1))
  return list.length > 1 && list.every((part) => typeof part === 'number')
}

/** Reads the shape in a response of the service. */
export function shapeOfGeometry(geometry: object): Shape {
  const [shape] = shapesIn(geometry)
  if (!shape) throw new ShapeFault('The service sent no shape.')
  return shape
}

/** The text of a GeoJSON file that has the digits exactly as they were sent. */
export const shapeFileText = ({ type, coordinates }: Shape) => `{"type":"${type}","coordinates":${exactText(coordinates)}}\n`

/** The shape as a variable of a document, sent digit for digit. */
export const shapeToSend = ({ type, coordinates }: Shape): object => exactShape(type, coordinates)

/** The shape with numbers, for display. */
export function numericGeometry({ type, coordinates }: Shape): Polygon | MultiPolygon {
  return { type, coordinates: numbersOf(coordinates) } as Polygon | MultiPolygon
}

type Ring = [string, string, ...string[]][]

/** Returns polygons of rings of positions, for either type. */
export function polygonsOf({ type, coordinates }: Shape): Ring[][] {
  return (type === 'Polygon' ? [coordinates] : coordinates) as Ring[][]
}

/**
 * Whether a list of corners can express the shape digit for digit, so that the map can edit it: each area is one closed ring of
 * longitudes and latitudes.
 */
export function isPlain(shape: Shape): boolean {
  return polygonsOf(shape).every((rings) => rings.length === 1 && isPlainRing(rings[0] ?? []))
}

function isPlainRing(ring: Ring): boolean {
  const [first, last] = [ring[0], ring.at(-1)]
  const isClosed = ring.length > 3 && first?.join() === last?.join()
  return isClosed && ring.every((position) => position.length === 2 && position.every((digits) => PLAIN.test(digits)))
}

/** The corners, one "latitude, longitude" per line, with an empty line between areas. The last corner of a ring, its first, is left out. */
export function cornersOf(shape: Shape): string {
  return polygonsOf(shape)
    .map(([ring = []]) =>
      ring
        .slice(0, -1)
        .map(([east, north]) => `${north}, ${east}`)
        .join('\n'),
    )
    .join('\n\n')
}

/** A number as JSON writes it: the digits are sent unchanged. */
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?'
const PLAIN = new RegExp(`^${NUMBER}$`)
const CORNER = new RegExp(`^\\s*(${NUMBER})\\s*[,;\\s]\\s*(${NUMBER})\\s*$`)

/** Parses typed corners: longitude and latitude of each, area by area. */
export function parseCorners(text: string): [string, string][][] {
  const areas: [string, string][][] = [[]]
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') {
      if (areas.at(-1)?.length) areas.push([])
      continue
    }
    const [, north, east] = CORNER.exec(line) ?? []
    if (north === undefined || east === undefined)
      throw new ShapeFault(`Line ${at + 1} is not a corner. Enter latitude, longitude, for example 33.15, -96.82.`)
    areas.at(-1)?.push([east, north])
  }
  return areas.filter((area) => area.length > 0)
}

/** Returns the shape of typed corners; null while an area has fewer than three. */
export function shapeOfCorners(text: string): Shape | null {
  const areas = parseCorners(text)
  if (areas.length === 0 || areas.some((area) => area.length < 3)) return null
  const polygons = areas.map((area) => [[...area, area[0] ?? []]])
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] as Digits }
    : { type: 'MultiPolygon', coordinates: polygons as Digits }
}

/** Decimals that the map keeps. */
export const MAP_DECIMALS = 9
/** Decimals of a corner that a person sets: about a tenth of a metre. */
const SET_DECIMALS = 6

const round = (value: number, decimals: number) => Number(value.toFixed(decimals))
const keyOf = ([east = 0, north = 0]: Position) => `${round(east, MAP_DECIMALS)},${round(north, MAP_DECIMALS)}`

/** The rings of a shape in the form that the map edits. */
export const editableRings = (shape: Shape): Position[][] =>
  polygonsOf(shape).map(([ring = []]) =>
    ring.map(([east, north]) => [round(Number(east), MAP_DECIMALS), round(Number(north), MAP_DECIMALS)]),
  )

/** The corners of rings after an edit on the map. A corner that was not moved keeps its digits. */
export function cornersOfRings(rings: Position[][], before: Shape | null): string {
  const kept = new Map(
    (before ? polygonsOf(before) : []).flat(2).map(([east, north]) => [keyOf([Number(east), Number(north)]), { east, north }]),
  )
  const corner = (position: Position) => {
    const { east, north } = kept.get(keyOf(position)) ?? {
      east: String(round(position[0] ?? 0, SET_DECIMALS)),
      north: String(round(position[1] ?? 0, SET_DECIMALS)),
    }
    return `${north}, ${east}`
  }
  return rings.map((ring) => ring.slice(0, -1).map(corner).join('\n')).join('\n\n')
}
