import type { TerritoryKind } from '#domain/closed-sets.ts'
import { polygonsOf, type Polygon as Rings } from '#domain/geo/shape.ts'
import type { CirclePart, DefinitionPart, DrawnPart, PlacePart } from '#domain/territories/view.ts'

/** The stored definition of a territory, from which a change starts. Older polygons have no parts. */
export type StoredDefinition = StoredDrawing | StoredCircle | StoredPlaces

interface StoredCircle extends CirclePart {
  /** "the centre of ZIP 75034" if the address was located to that centre only. */
  centre_of?: string
}

interface StoredDrawing {
  positions: number
  polygons: number
  parts?: DrawnPart[]
}

interface StoredPlaces {
  place_ids: number[]
  names: string[]
  radius_miles: number
}

/** The definition, shape and places of a row; the places are in their order. */
export interface Defined {
  kind: TerritoryKind
  definition: unknown
  geometry: string
  places: Omit<PlacePart, 'radius_miles'>[] | null
}

/** Returns the parts that make up the area, one object each, as the contract lists them. */
export function definitionOf({ kind, definition, geometry, places }: Defined): DefinitionPart[] {
  return shown[kind](definition as never, geometry, places ?? [])
}

const shown: {
  polygon(definition: StoredDrawing, geometry: string): DrawnPart[]
  radius(definition: CirclePart): CirclePart[]
  places(definition: StoredPlaces, geometry: string, places: Omit<PlacePart, 'radius_miles'>[]): PlacePart[]
} = {
  polygon: ({ parts }, geometry) => parts ?? partsOf(polygonsOf(JSON.parse(geometry))),
  radius: ({ address, latitude, longitude, radius_miles }) => [{ address, latitude, longitude, radius_miles }],
  places: ({ radius_miles }, _geometry, places) =>
    places.map(({ place_id, name, latitude, longitude }) => ({ place_id, name, latitude, longitude, radius_miles })),
}

/** Returns the numbers of positions and holes of each polygon of a drawing. */
export function partsOf(polygons: readonly Rings[]): DrawnPart[] {
  return polygons.map((rings) => ({ positions: rings.reduce((sum, ring) => sum + ring.length, 0), holes: rings.length - 1 }))
}
