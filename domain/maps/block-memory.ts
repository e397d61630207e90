import { BLOCK_SIDE, unpackHail } from '#domain/archive/radar/day-sizes.ts'
import { northWestOf } from '#domain/archive/radar/grid.ts'

/** Bytes of unpacked cells, and of what they were unpacked from, that a process keeps. */
const MEMORY_BYTES = 48 * 1024 * 1024

/** By the block and its packed bytes, so that what changed is not found; the longest unused first. */
const kept = new Map<string, Uint16Array>()
let bytes = 0

/** The cells of a block as `cellsOfBlock` answers them, unpacked once for all who ask soon after one another: they are not to be written to. */
export function rememberedCells(block: number, data: Buffer): Uint16Array {
  const key = `${block} ${data.toString('latin1')}`
  const held = kept.get(key)
  const cells = held ?? cellsOfBlock(block, data)
  kept.delete(key)
  kept.set(key, cells)
  if (!held) bytes += weightOf(key, cells)
  for (const [oldest, unused] of kept) {
    if (bytes <= MEMORY_BYTES) break
    kept.delete(oldest)
    bytes -= weightOf(oldest, unused)
  }
  return cells
}

const weightOf = (key: string, cells: Uint16Array) => key.length + cells.byteLength

/** The cells of a block that had hail: row and column in the grid, from the north-west, and tenths of a millimetre, three numbers each. */
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
