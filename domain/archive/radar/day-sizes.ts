import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { present } from '#domain/kernel/present.ts'

/** Grid cells along a side of a block, and in the whole block. */
export const BLOCK_SIDE = 100
export const BLOCK_CELLS = BLOCK_SIDE * BLOCK_SIDE

/** Changes with the layout of the bytes. Format 1 had pairs of index and size, two bytes each, without a mark. */
const FORMAT = 2
/** No index of format 1 is as high. Bytes that begin with it name their format in the next byte. */
const MARK = 0xffff
const HEAD_BYTES = 3
/** The largest size that fits two bytes. */
const SIZE_MAX = 0xffff
/** The next quality level takes twice the time for one percent fewer bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 16 } }

/**
 * Packs the largest sizes of a block for permanent storage: the lengths of alternating runs without and with hail, then,
 * for each cell with hail, the difference from the value that its neighbours predict. A real day of 231,856 cells takes 224
 * kB, so six years fit in 0.5 GB even if every day were one of the largest.
 * @param sizes tenths of a millimetre by grid cell, row by row from the north-west; 0 means no hail
 */
export function packSizes(sizes: Uint16Array): Buffer {
  const runs: number[] = []
  const residuals: number[] = []
  let length = 0
  let isHail = false
  for (const [index, size] of sizes.entries()) {
    if (size > 0 !== isHail) {
      put(runs, length)
      length = 0
      isHail = !isHail
    }
    length++
    if (isHail) put(residuals, foldSign(size - expectedAt(sizes, index)))
  }
  put(runs, length)
  const head = Buffer.alloc(HEAD_BYTES, FORMAT)
  head.writeUInt16LE(MARK)
  return Buffer.concat([head, brotliCompressSync(Buffer.from([...runs, ...residuals]), BROTLI)])
}

/**
 * Unpacks the sizes of a block, in this format or the one before.
 * @throws Error if the bytes are damaged
 */
export function unpackSizes(bytes: Buffer): Uint16Array {
  const sizes = new Uint16Array(BLOCK_CELLS)
  unpackInto(bytes, sizes)
  return sizes
}

/** The cells of a block that have hail: the index of each in the block, row by row from the north-west, and its size. */
export interface HailCells {
  indexes: Uint16Array
  sizes: Uint16Array
}

/** Buffer for one block at a time: allocating one for each block would take as long as the rest. */
const scratch = new Uint16Array(BLOCK_CELLS)

/**
 * Unpacks only the cells with hail of a block, in order.
 * @throws Error if the bytes are damaged
 */
export function unpackHail(bytes: Buffer): HailCells {
  scratch.fill(0)
  const indexes = unpackInto(bytes, scratch)
  const sizes = new Uint16Array(indexes.length)
  for (let nth = 0; nth < indexes.length; nth++) sizes[nth] = scratch[indexes[nth] ?? 0] ?? 0
  return { indexes, sizes }
}

/** @param sizes all zero on entry; @returns the indexes that have hail afterwards */
function unpackInto(bytes: Buffer, sizes: Uint16Array): Uint16Array {
  if (bytes.length < HEAD_BYTES || bytes.readUInt16LE(0) !== MARK) return unpackPairs(bytes, sizes)
  if (bytes[2] !== FORMAT) throw corruptBlock(`format ${bytes[2]} is not known`)
  const numbers = numbersOf(brotliDecompressSync(bytes.subarray(HEAD_BYTES), { maxOutputLength: BYTES_MAX }))
  const runs = runsIn(numbers)
  const indexes = new Uint16Array(numbers.length - runs)
  let cells = 0
  let at = 0
  for (let nth = 0; nth < runs; nth++) {
    const end = at + present(numbers[nth])
    if (end > BLOCK_CELLS) throw corruptBlock('a run is longer than the block')
    if (nth % 2 === 0) at = end
    else
      for (; at < end; at++) {
        sizes[at] = sizeOf(expectedAt(sizes, at) + unfoldSign(numbers[runs + cells] ?? Number.NaN))
        indexes[cells++] = at
      }
  }
  if (cells !== indexes.length) throw corruptBlock('more follows the last cell')
  return indexes
}

/** Returns how many of the numbers are runs: those that fill the block. */
function runsIn(numbers: Uint32Array): number {
  let cells = 0
  for (const [nth, length] of numbers.entries()) {
    cells += length
    if (cells >= BLOCK_CELLS) return nth + 1
  }
  throw corruptBlock('it ends inside a block')
}

/** At most three bytes for a size and three for a run. */
const BYTES_MAX = BLOCK_CELLS * 6

/**
 * Returns the value that the neighbours above and to the left predict, as in JPEG-LS (ITU-T T.87, A.3): hail grows and
 * shrinks gradually.
 */
function expectedAt(sizes: Uint16Array, index: number): number {
  const isFirst = index % BLOCK_SIDE === 0
  const left = isFirst ? 0 : (sizes[index - 1] ?? 0)
  const isTop = index < BLOCK_SIDE
  const above = isTop ? 0 : (sizes[index - BLOCK_SIDE] ?? 0)
  const corner = isFirst || isTop ? 0 : (sizes[index - BLOCK_SIDE - 1] ?? 0)
  if (!left || !above || !corner) return left || above
  if (corner >= Math.max(left, above)) return Math.min(left, above)
  if (corner <= Math.min(left, above)) return Math.max(left, above)
  return left + above - corner
}

/** Maps 0, -1, 1, -2 to 0, 1, 2, 3. */
const foldSign = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value)
const unfoldSign = (value: number) => (value % 2 ? -(value + 1) / 2 : value / 2)

function sizeOf(size: number): number {
  if (!(size >= 1 && size <= SIZE_MAX)) throw corruptBlock('a size is not valid')
  return size
}

/** Base-128, low seven bits first. */
function put(bytes: number[], value: number): void {
  let left = value
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80)
  bytes.push(left)
}

/** Reads numbers of at most 28 bits, each ending with a byte below 128. */
function numbersOf(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(bytes.length)
  let count = 0
  let value = 0
  let shift = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    value |= (byte & 0x7f) << shift
    shift = byte < 0x80 ? 0 : shift + 7
    if (shift >= 28) throw corruptBlock('a number is too long')
    if (shift > 0) continue
    numbers[count++] = value
    value = 0
  }
  if (shift > 0) throw corruptBlock('it ends inside a number')
  return numbers.subarray(0, count)
}

function unpackPairs(bytes: Buffer, sizes: Uint16Array): Uint16Array {
  if (bytes.length % 4 !== 0) throw corruptBlock('it ends inside a pair')
  for (let at = 0; at < bytes.length; at += 4) {
    const index = bytes.readUInt16LE(at)
    if (index >= BLOCK_CELLS) throw corruptBlock('a cell lies beyond the block')
    sizes[index] = bytes.readUInt16LE(at + 2)
  }
  return Uint16Array.from([...sizes.keys()].filter((index) => present(sizes[index]) > 0))
}

const corruptBlock = (reason: string) => new Error(`not a readable day of a radar block: ${reason}`)
