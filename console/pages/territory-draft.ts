import { type Box, readCoordinates } from '../map/box.ts'
import { readCorners, type Shape, ShapeFault, shapeOfCorners, shapeToSend } from '../map/shape.ts'

/** A part of a territory's definition: a circle around an address, a point or a named place. */
export interface Place {
  place_id?: number
  name?: string
  address?: string | null
  latitude: number
  longitude: number
  radius_miles?: number
}

/** What the service says that a draft would be. */
export interface Quote {
  area_sq_miles: number
  allowed: boolean
  notice: string | null
  geometry: object
  bounds: { west: number; south: number; east: number; north: number }
}

/** The colours that a territory may have on maps, by the names under which they are sent. */
export const swatches = { petrol: '#0F6E79', slate: '#4A5A6A', moss: '#5C7A3A', rust: '#A94F2D', plum: '#6E3B6E', sand: '#B8945A' } as const
export type Swatch = keyof typeof swatches
export const swatchNames = Object.keys(swatches) as Swatch[]

/** A territory while it is drawn: every field as it stands in the form. */
export interface Draft {
  name: string
  kind: 'polygon' | 'radius' | 'places'
  status: 'watching' | 'paused' | 'archived'
  colour: Swatch
  notes: string
  /** Of a polygon: latitude, longitude to a line, an empty line between areas. */
  corners: string
  /** Of a polygon with holes or heights, which corners do not say: kept as it was sent. */
  kept: Shape | null
  /** Of a radius: an address, or coordinates. */
  centre: string
  places: { id: number; full_name: string }[]
  radius_miles: string
  /** What the map looks at. */
  view: Box | null
}

export const NEW_TERRITORY: Draft = {
  name: '',
  kind: 'polygon',
  status: 'watching',
  colour: 'petrol',
  notes: '',
  corners: '',
  kept: null,
  centre: '',
  places: [],
  radius_miles: '5',
  view: null,
}

/** Where a draft lies, as far as it is said. */
export function draftPlace({ kind, corners, kept, centre, places, radius_miles }: Draft) {
  if (kind === 'polygon') return { shape: kept ?? shapeOf(corners) }
  const radius = radius_miles.trim() === '' ? null : Number(radius_miles)
  if (kind === 'places') return { shape: null, places: places.map(({ id }) => id), radius }
  const point = readCoordinates(centre)
  return { shape: null, ...(point ?? { address: centre.trim() }), radius }
}

/** What of a draft says where it lies, as the service takes it. */
export function placeToSend(draft: Draft) {
  const { shape, ...rest } = draftPlace(draft)
  return { kind: draft.kind, ...rest, ...(shape && { geometry: shapeToSend(shape) }) }
}

/** Whether it says enough to be measured. */
export function isComplete(draft: Draft): boolean {
  const { shape, radius } = { radius: 0, ...draftPlace(draft) }
  if (draft.kind === 'polygon') return shape !== null
  return Boolean(radius) && (draft.kind === 'places' ? draft.places.length > 0 : draft.centre.trim().length > 2)
}

/** What is wrong with the corners, in words; null where nothing is. */
export function faultOfCorners(corners: string): string | null {
  try {
    readCorners(corners)
    return null
  } catch (fault) {
    if (fault instanceof ShapeFault) return fault.message
    throw fault
  }
}

const shapeOf = (corners: string) => (faultOfCorners(corners) === null ? shapeOfCorners(corners) : null)
