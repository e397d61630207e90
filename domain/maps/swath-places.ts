import type pg from 'pg'
import { unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import { blocksWithin, CONUS, centreOf, placeInBlock } from '#domain/archive/radar/grid.ts'
import type { Position } from '#domain/geo/measure.ts'
import { containsPoint, intersectsArea, type PreparedShape, prepareShape } from '#domain/geo/prepared-shape.ts'
import { present } from '#domain/kernel/present.ts'
import { cellsOfBlock } from '#domain/maps/block-cache.ts'
import type { DayBlock } from '#domain/maps/day-blocks.ts'
import { type PropertyInSwath, propertiesInSwaths } from '#domain/maps/properties-in-swaths.ts'
import { isInSwath } from '#domain/maps/swaths.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** A team's watched places, prepared for comparison with swaths. */
export interface SwathWatch {
  /** Located properties by their block of the grid; `index` is their grid cell in the block. */
  properties: Map<number, { id: string; index: number }[]>
  territories: { id: string; shape: PreparedShape }[]
}

/** A watched place inside a swath: a property by the cell over it, a territory by the largest cell that overlaps its shape. */
export type PlaceInSwath = PropertyInSwath | (Omit<PropertyInSwath, 'subject'> & { subject: 'territory' })

type Queries = Pick<pg.ClientBase, 'query'>

/** Reads all watched places of a team, for queries about one day after another. */
export async function readSwathWatch(client: Queries, team_id: string): Promise<SwathWatch> {
  return { properties: await readProperties(client, team_id), territories: await readTerritories(client, team_id) }
}

async function readProperties(client: Queries, team_id: string): Promise<SwathWatch['properties']> {
  // Rows are read as arrays: for a hundred thousand properties, an object each takes as long as everything else together.
  const { rows } = await client.query<[id: string, latitude: number, longitude: number]>({
    name: 'swath_watch.properties',
    text: `SELECT id, latitude, longitude FROM properties WHERE team_id = $1 AND status = 'watching' AND located`,
    values: [team_id],
    rowMode: 'array',
  })
  const properties: SwathWatch['properties'] = new Map()
  for (const [id, latitude, longitude] of rows) {
    const place = placeInBlock(latitude, longitude)
    if (!place) continue
    const existing = properties.get(place.block)
    if (existing) existing.push({ id, index: place.index })
    else properties.set(place.block, [{ id, index: place.index }])
  }
  return properties
}

async function readTerritories(client: Queries, team_id: string): Promise<SwathWatch['territories']> {
  const { rows } = await client.query<{ id: string; geometry: string }>({
    name: 'swath_watch.territories',
    text: `SELECT id, geometry FROM territories WHERE team_id = $1 AND status = 'watching'`,
    values: [team_id],
  })
  return rows.map(({ id, geometry }) => ({ id, shape: prepareShape(geometry) }))
}

/** Returns the blocks of the grid in which a team watches anything. */
export function blocksOf({ properties, territories }: SwathWatch): number[] {
  return [...new Set([...properties.keys(), ...territories.flatMap(({ shape: { bounds } }) => blocksWithin(bounds))])]
}

/** Returns the watched places of a team that are in a swath of a day, the largest first. */
export async function findPlacesInSwaths(client: Queries, team_id: string, blocks: DayBlock[]): Promise<PlaceInSwath[]> {
  const properties = await propertiesInSwaths(client, team_id, blocks)
  return largestFirst([...properties, ...territoriesInSwaths(await readTerritories(client, team_id), blocks)])
}

/** Returns those of the places that are in a swath of a day, the largest first. */
export function placesInSwaths({ properties, territories }: SwathWatch, blocks: DayBlock[]): PlaceInSwath[] {
  const found = new Map<string, PlaceInSwath>()
  for (const { block, source, data } of blocks) {
    const here = properties.get(block)
    if (!here) continue
    const sizes = unpackSizes(data)
    for (const { id, index } of here) {
      const tenths = present(sizes[index])
      if (isInSwath(tenths) && tenths > (found.get(id)?.tenths ?? 0)) found.set(id, { subject: 'property', id, tenths, source })
    }
  }
  return largestFirst([...found.values(), ...territoriesInSwaths(territories, blocks)])
}

const largestFirst = (places: PlaceInSwath[]) => places.sort((one, other) => other.tenths - one.tenths || (one.id < other.id ? -1 : 1))

function territoriesInSwaths(territories: SwathWatch['territories'], blocks: DayBlock[]): PlaceInSwath[] {
  const cells = territories.length === 0 ? [] : cellsInSwaths(blocks)
  return territories.flatMap(({ id, shape }) => {
    const largest = cells.find((cell) => overlaps(shape, cell))
    return largest ? [{ subject: 'territory', id, tenths: largest.tenths, source: largest.source }] : []
  })
}

interface SwathCell {
  latitude: number
  longitude: number
  tenths: number
  source: RecordSource
}

/** Returns the cells of a day that are in any band, the largest first. */
function cellsInSwaths(blocks: DayBlock[]): SwathCell[] {
  const cells: SwathCell[] = []
  for (const { block, source, data } of blocks) {
    const numbers = cellsOfBlock(block, data)
    for (let at = 0; at < numbers.length; at += 3) {
      const tenths = present(numbers[at + 2])
      if (!isInSwath(tenths)) continue
      cells.push({ ...centreOf({ row: present(numbers[at]), column: present(numbers[at + 1]) }), tenths, source })
    }
  }
  return cells.sort((one, other) => other.tenths - one.tenths)
}

/** Whether a cell overlaps a shape. */
function overlaps(shape: PreparedShape, { latitude, longitude }: SwathCell): boolean {
  const half = CONUS.step / 2
  const { west, south, east, north } = shape.bounds
  if (longitude + half < west || longitude - half > east || latitude + half < south || latitude - half > north) return false
  if (containsPoint(shape, longitude, latitude)) return true
  const corners: Position[] = [
    [longitude - half, latitude - half],
    [longitude + half, latitude - half],
    [longitude + half, latitude + half],
    [longitude - half, latitude + half],
  ]
  return intersectsArea(shape, corners)
}
