import { Refusal } from '#domain/kernel/refusal.ts'
import { type Defined, definitionOf } from '#domain/territories/definition.ts'
import { roundArea } from '#domain/territories/measure.ts'
import { swatches, type TerritoryOutline, type TerritoryView } from '#domain/territories/view.ts'
import type { Territory } from '#generated/prisma/client.ts'

/** The places of a territory, in the order in which they were chosen. */
const PLACES = `
  CASE WHEN t.kind = 'places' THEN (
    SELECT jsonb_agg(jsonb_build_object('place_id', p.id, 'name', p.name, 'latitude', p.latitude, 'longitude', p.longitude) ORDER BY chosen.turn)
      FROM jsonb_array_elements_text(t.definition -> 'place_ids') WITH ORDINALITY AS chosen(id, turn)
      JOIN places p ON p.id = chosen.id::bigint) END`

/** The columns of a territory without its parts and its shape, which may be half a megabyte. */
export const outlineColumns = `
  t.id, t.name, t.kind, t.status, t.colour, t.notes, t.description, t.area_sq_miles, t.centre_latitude, t.centre_longitude,
  t.west, t.south, t.east, t.north, t.last_activity_on::text AS last_activity_on, t.created_at, t.updated_at`

/** The columns that a territory's view needs. */
export const territoryColumns = `${PLACES} AS places, t.definition, t.geometry, ${outlineColumns}`

/** The row of an outline as the pool reads it: dates are text. */
export interface OutlineRow extends Omit<Territory, 'team_id' | 'last_activity_on' | 'definition' | 'geometry'> {
  last_activity_on: string | null
}

/** A row as the pool reads it. */
export interface TerritoryRow extends OutlineRow, Pick<Territory, 'definition' | 'geometry'> {
  places: Defined['places']
}

/** A territory as the API shows it alone, with its definition and its shape. */
export function territoryView(row: TerritoryRow, base_url: string): TerritoryView {
  return { ...outlineView(row, base_url), definition: definitionOf(row), geometry: row.geometry }
}

/** A territory as lists of the API show it, without its shape. */
export function outlineView(row: OutlineRow, base_url: string): TerritoryOutline {
  const self = `${base_url}/api/v1/territories/${row.id}`
  return {
    id: row.id,
    object: 'territory',
    name: row.name,
    kind: row.kind,
    description: row.description,
    status: row.status,
    area_sq_miles: roundArea(row.area_sq_miles),
    color: swatches[row.colour],
    centre: { latitude: row.centre_latitude, longitude: row.centre_longitude },
    bounds: { west: row.west, south: row.south, east: row.east, north: row.north },
    notes: row.notes,
    last_activity_on: row.last_activity_on,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    links: { self, exposures: `${self}/exposures` },
  }
}

/** The same error for an unknown id, another team's id and a value that is not a uuid. */
export function noSuchTerritory(): Refusal {
  return new Refusal('not_found', 'There is no territory with this id.')
}
