import type { Swatch, TerritoryKind, WatchStatus } from '#domain/closed-sets.ts'
import type { Bounds } from '#domain/geo/area.ts'
import type { Point } from '#domain/geo/measure.ts'

/** The colours of the swatches, by name. */
export const swatches = {
  petrol: '#0F6E79',
  slate: '#4A5A6A',
  moss: '#5C7A3A',
  rust: '#A94F2D',
  plum: '#6E3B6E',
  sand: '#B8945A',
} as const satisfies Record<Swatch, string>

/** A polygon of a drawing. */
export interface DrawnPart {
  positions: number
  holes: number
}

/** A circle around an address, or around a point if only that was sent. */
export interface CirclePart {
  address: string | null
  latitude: number
  longitude: number
  radius_miles: number
}

/** A circle around a named place. */
export interface PlacePart {
  place_id: number
  name: string
  latitude: number
  longitude: number
  radius_miles: number
}

/** One of the parts that make up the area; all parts of a territory are of the same kind. */
export type DefinitionPart = DrawnPart | CirclePart | PlacePart

/** A territory as every interface shows it: the contract's keys. The contract spells the input `colour` and the output `color`. */
export interface TerritoryView {
  id: string
  object: 'territory'
  name: string
  kind: TerritoryKind
  description: string
  definition: DefinitionPart[]
  status: WatchStatus
  area_sq_miles: number
  color: string
  /** GeoJSON as text: a drawn shape keeps every digit as sent. */
  geometry: string
  centre: Point
  bounds: Bounds
  notes: string | null
  last_activity_on: string | null
  created_at: string
  updated_at: string
  links: { self: string; exposures: string }
}

/** A territory without its parts and its shape. */
export type TerritoryOutline = Omit<TerritoryView, 'definition' | 'geometry'>

/** A measured territory that is not saved. */
export interface TerritoryQuoteView {
  object: 'territory_quote'
  kind: TerritoryKind
  /** GeoJSON as text. */
  geometry: string
  centre: Point
  bounds: Bounds
  area_sq_miles: number
  /** Whether the plan allows it. */
  allowed: boolean
  /** Why it is not allowed; null if it is. */
  notice: string | null
}
