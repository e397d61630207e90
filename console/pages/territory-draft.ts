import { type Box, parseCoordinates } from '../map/box.ts'
import { parseCorners, type Shape, ShapeFault, shapeOfCorners, shapeToSend } from '../map/shape.ts'

/** A part of a territory's definition: a circle around an address, a point or a named place. */
export interface DefinitionPart {
  place_id?: number
  name?: string
  address?: string | null
  latitude: number
  longitude: number
  radius_miles?: number
}

/** The service's measurement of a draft. */
export interface Quote {
  area_sq_miles: number
  allowed: boolean
  notice: string | null
  geometry: object
  bounds: { west: number; south: number; east: number; north: number }
}

/** The colours that a territory can have on maps, by the names that the API uses. */
export const swatches = { petrol: '#0F6E79', slate: '#4A5A6A', moss: '#5C7A3A', rust: '#A94F2D', plum: '#6E3B6E', sand: '#B8945A' } as const
export type Swatch = keyof typeof swatches
export const swatchNames = Object.keys(swatches) as Swatch[]

/** A territory while it is drawn: the fields of the form. */
export interface Draft {
  name: string
  kind: 'polygon' | 'radius' | 'places'
  status: 'watching' | 'paused' | 'archived'
  colour: Swatch
  notes: string
  /** For a polygon: "latitude, longitude" per line, an empty line between areas. */
  corners: string
  /** For a polygon with holes or heights, which corners cannot express: the shape as it was sent. */
  exactShape: Shape | null
  /** For a radius: an address, or coordinates. */
  centre: string
  places: { id: number; full_name: string }[]
  radius_miles: string
  /** The area that the map shows. */
  view: Box | null
}

export const NEW_TERRITORY: Draft = {
  name: '',
  kind: 'polygon',
  status: 'watching',
  colour: 'petrol',
  notes: '',
  corners: '',
  exactShape: null,
  centre: '',
  places: [],
  radius_miles: '5',
  view: null,
}

/** The location of a draft, as far as it is entered. */
export function draftLocation({ kind, corners, exactShape, centre, places, radius_miles }: Draft) {
  if (kind === 'polygon') return { shape: exactShape ?? shapeOf(corners) }
  const radius = radius_miles.trim() === '' ? null : Number(radius_miles)
  if (kind === 'places') return { shape: null, places: places.map(({ id }) => id), radius }
  const point = parseCoordinates(centre)
  return { shape: null, ...(point ?? { address: centre.trim() }), radius }
}

/** The location of a draft as variables of the API. */
export function locationToSend(draft: Draft) {
  const { shape, ...rest } = draftLocation(draft)
  return { kind: draft.kind, ...rest, ...(shape && { geometry: shapeToSend(shape) }) }
}

/** Whether the draft is complete enough to be measured. */
export function isComplete(draft: Draft): boolean {
  const { shape, radius } = { radius: 0, ...draftLocation(draft) }
  if (draft.kind === 'polygon') return shape !== null
  return Boolean(radius) && (draft.kind === 'places' ? draft.places.length > 0 : draft.centre.trim().length > 2)
}

/** What is wrong with the corners, as a message; null if nothing is. */
export function faultOfCorners(corners: string): string | null {
  try {
    parseCorners(corners)
    return null
  } catch (fault) {
    if (fault instanceof ShapeFault) return fault.message
    throw fault
  }
}

const shapeOf = (corners: string) => (faultOfCorners(corners) === null ? shapeOfCorners(corners) : null)
