import { BLOCK_SIDE, unpackHail } from '#domain/archive/radar/day-sizes.ts'
import { northWestOf } from '#domain/archive/radar/grid.ts'

/** Bytes that a process caches: unpacked cells and the packed data they came from. */
const MEMORY_BYTES = 48 * 1024 * 1024

/** Keyed by the block and its packed bytes, so that changed data is not found; the least recently used first. */
const cache = new Map<string, Uint16Array>()
let bytes = 0

/** Returns the cells of a block like `cellsOfBlock`, cached after the first call. The result is shared: do not modify it. */
export function cachedCells(block: number, data: Buffer): Uint16Array {
  const key = `${block} ${data.toString('latin1')}`
  const cached = cache.get(key)
  const cells = cached ?? cellsOfBlock(block, data)
  cache.delete(key)
  cache.set(key, cells)
  if (!cached) bytes += weightOf(key, cells)
  for (const [oldest, unused] of cache) {
    if (bytes <= MEMORY_BYTES) break
    cache.delete(oldest)
    bytes -= weightOf(oldest, unused)
  }
  return cells
}

const weightOf = (key: string, cells: Uint16Array) => key.length + cells.byteLength

/** Returns the cells of a block that had hail: row and column in the grid, from the north-west, and tenths of a millimetre, three numbers each. */
export function cellsOfBlock(block: number, data: Buffer): Uint16Array {
  const { row, column } = northWestOf(block)
  const { indexes, sizes } = unpackHail(data)
  const cells = new Uint16Array(sizes.length * 3)
  for (let nth = 0, to = 0; nth < sizes.length; nth++) {
    const index = indexes[nth] ?? 0
    const down = Math.floor(index / BLOCK_SIDE)
    cells[to++] = row + down
    cells[to++] = column + index - down * BLOCK_SIDE
    cells[to++] = sizes[nth] ?? 0
  }
  return cells
}
