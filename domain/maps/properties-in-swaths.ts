import type pg from 'pg'
import { BLOCK_SIDE } from '#domain/archive/radar/day-sizes.ts'
import { northWestOf } from '#domain/archive/radar/grid.ts'
import { gridCellNumber, gridCellOf, STRIP_ROWS } from '#domain/archive/radar/grid-cell-number.ts'
import { present } from '#domain/kernel/present.ts'
import { cachedCells } from '#domain/maps/block-cache.ts'
import type { DayBlock } from '#domain/maps/day-blocks.ts'
import { isInSwath } from '#domain/maps/swaths.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** A watched property inside a swath, by the cell over it. */
export interface PropertyInSwath {
  subject: 'property'
  id: string
  /** The largest radar estimate there, tenths of a millimetre. */
  tenths: number
  source: RecordSource
}

/**
 * Returns a team's watched properties that are in a swath of a day. Only properties in and close to the swaths are read, through an index
 * on the grid cell of each property.
 */
export async function propertiesInSwaths(
  client: Pick<pg.ClientBase, 'query'>,
  team_id: string,
  blocks: DayBlock[],
): Promise<PropertyInSwath[]> {
  const stretches = blocks.flatMap(stretchesOf)
  if (stretches.length === 0) return []
  const { rows } = await client.query<[id: string, number: number, nth: number]>({
    name: 'properties_in_swaths',
    text: IN_STRETCHES,
    values: [team_id, stretches.map(({ first }) => first), stretches.map(({ last }) => last)],
    rowMode: 'array',
  })
  const found = new Map<string, PropertyInSwath>()
  for (const [id, number, nth] of rows) {
    const { cells, source } = present(stretches[nth - 1])
    const tenths = sizeIn(cells, gridCellOf(number))
    if (!isInSwath(tenths)) continue
    const current = found.get(id)
    // The rows are unordered: of two sources with the same size, the first by name is cited.
    if (!current || tenths > current.tenths || (tenths === current.tenths && source < current.source))
      found.set(id, { subject: 'property', id, tenths, source })
  }
  return [...found.values()]
}

const IN_STRETCHES = `
  SELECT p.id, p.grid_cell, s.nth::int
    FROM unnest($2::int[], $3::int[]) WITH ORDINALITY AS s (first, last, nth)
    JOIN properties p ON p.team_id = $1 AND p.status = 'watching' AND p.located AND p.grid_cell BETWEEN s.first AND s.last`

/** Numbers of the first and the last cell of a stretch. */
interface Bounds {
  first: number
  last: number
}

/** Adjacent columns of a strip of the grid, each with at least one cell in a swath. */
interface Stretch extends Bounds {
  /** All cells of its block, as returned by `cachedCells`. */
  cells: Uint16Array
  source: RecordSource
}

const STRIPS = BLOCK_SIDE / STRIP_ROWS
/** Whether a column of a strip of the current block has a cell in a swath. */
const inSwath = new Uint8Array(STRIPS * BLOCK_SIDE)

/** Keyed by the cells that they were computed from, for as long as those are cached. */
const boundsCache = new WeakMap<Uint16Array, Bounds[]>()

function stretchesOf({ block, source, data }: DayBlock): Stretch[] {
  const cells = cachedCells(block, data)
  const bounds = boundsCache.get(cells) ?? boundsOf(block, cells)
  boundsCache.set(cells, bounds)
  return bounds.map((one) => ({ ...one, cells, source }))
}

function boundsOf(block: number, cells: Uint16Array): Bounds[] {
  const { row, column } = northWestOf(block)
  inSwath.fill(0)
  for (let at = 0; at < cells.length; at += 3) {
    if (!isInSwath(present(cells[at + 2]))) continue
    const strip = Math.floor((present(cells[at]) - row) / STRIP_ROWS)
    inSwath[strip * BLOCK_SIDE + present(cells[at + 1]) - column] = 1
  }
  const bounds: Bounds[] = []
  for (let strip = 0; strip < STRIPS; strip++) {
    const top = row + strip * STRIP_ROWS
    for (let west = 0; west < BLOCK_SIDE; west++) {
      if (!inSwath[strip * BLOCK_SIDE + west]) continue
      let east = west
      while (east + 1 < BLOCK_SIDE && inSwath[strip * BLOCK_SIDE + east + 1]) east++
      const first = gridCellNumber({ row: top, column: column + west })
      bounds.push({ first, last: gridCellNumber({ row: top + STRIP_ROWS - 1, column: column + east }) })
      west = east
    }
  }
  return bounds
}

/** Returns the tenths of a millimetre of a cell, 0 without hail. Uses binary search: cells are sorted by row and column. */
function sizeIn(cells: Uint16Array, { row, column }: { row: number; column: number }): number {
  let [from, to] = [0, cells.length / 3]
  while (from < to) {
    const middle = (from + to) >> 1
    const before = present(cells[middle * 3]) - row || present(cells[middle * 3 + 1]) - column
    if (before === 0) return present(cells[middle * 3 + 2])
    if (before < 0) from = middle + 1
    else to = middle
  }
  return 0
}
