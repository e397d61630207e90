import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { present } from '#domain/kernel/present.ts'

/** Grid cells along a side of a block, and in all of it. */
export const BLOCK_SIDE = 100
export const BLOCK_CELLS = BLOCK_SIDE * BLOCK_SIDE

/** Changes with the layout of the bytes. Format 1 was pairs of index and size, two bytes each, without a mark. */
const FORMAT = 2
/** No index of format 1 is as high: what begins so names its format in the next byte. */
const MARK = 0xffff
const HEAD_BYTES = 3
/** The largest size that two bytes hold. */
const SIZE_MAX = 0xffff
/** A level more takes twice the time for a hundredth less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 16 } }

/**
 * Packs the largest sizes of a block for ever: the lengths of the runs without and with hail in turn, then of each cell with hail
 * how far it is from what its neighbours let expect. A real day of 231,856 cells takes 224 kB, so that six years fit 0.5 GB even
 * if every day were one of the largest.
 * @param sizes tenths of a millimetre by grid cell, row by row from the north-west; 0 is none
 */
export function packSizes(sizes: Uint16Array): Buffer {
  const runs: number[] = []
  const surprises: number[] = []
  let length = 0
  let isHail = false
  for (const [index, size] of sizes.entries()) {
    if (size > 0 !== isHail) {
      put(runs, length)
      length = 0
      isHail = !isHail
    }
    length++
    if (isHail) put(surprises, foldSign(size - expectedAt(sizes, index)))
  }
  put(runs, length)
  const head = Buffer.alloc(HEAD_BYTES, FORMAT)
  head.writeUInt16LE(MARK)
  return Buffer.concat([head, brotliCompressSync(Buffer.from([...runs, ...surprises]), BROTLI)])
}

/**
 * The sizes of a block as they were packed, in this format or the one before.
 * @throws Error where the bytes are not whole
 */
export function unpackSizes(bytes: Buffer): Uint16Array {
  if (bytes.length < HEAD_BYTES || bytes.readUInt16LE(0) !== MARK) return unpackPairs(bytes)
  if (bytes[2] !== FORMAT) throw spoilt(`format ${bytes[2]} is not known`)
  const next = numbersOf(brotliDecompressSync(bytes.subarray(HEAD_BYTES), { maxOutputLength: BYTES_MAX }))
  const runs: number[] = []
  for (let cells = 0; cells < BLOCK_CELLS; cells += present(runs.at(-1))) runs.push(next.take())
  const sizes = new Uint16Array(BLOCK_CELLS)
  let at = 0
  for (const [nth, length] of runs.entries()) {
    if (at + length > BLOCK_CELLS) throw spoilt('a run is longer than the block')
    if (nth % 2 === 0) at += length
    else for (const end = at + length; at < end; at++) sizes[at] = sizeOf(expectedAt(sizes, at) + unfoldSign(next.take()))
  }
  if (!next.isDone()) throw spoilt('more follows the last cell')
  return sizes
}

/** Three bytes of a size and of a run each, at most. */
const BYTES_MAX = BLOCK_CELLS * 6

/** What the neighbours above and to the left let expect, as in JPEG-LS (ITU-T T.87, A.3): hail grows and shrinks gradually. */
function expectedAt(sizes: Uint16Array, index: number): number {
  const isFirst = index % BLOCK_SIDE === 0
  const left = isFirst ? 0 : present(sizes[index - 1])
  const above = index < BLOCK_SIDE ? 0 : present(sizes[index - BLOCK_SIDE])
  const corner = isFirst || index < BLOCK_SIDE ? 0 : present(sizes[index - BLOCK_SIDE - 1])
  if (!left || !above || !corner) return left || above
  if (corner >= Math.max(left, above)) return Math.min(left, above)
  if (corner <= Math.min(left, above)) return Math.max(left, above)
  return left + above - corner
}

/** 0, -1, 1, -2 as 0, 1, 2, 3. */
const foldSign = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value)
const unfoldSign = (value: number) => (value % 2 ? -(value + 1) / 2 : value / 2)

function sizeOf(size: number): number {
  if (size < 1 || size > SIZE_MAX) throw spoilt('a size is none')
  return size
}

/** Base-128, low seven bits first. */
function put(bytes: number[], value: number): void {
  let left = value
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80)
  bytes.push(left)
}

function numbersOf(bytes: Buffer) {
  let at = 0
  const take = () => {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) break
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw spoilt('it ends inside a number')
  }
  return { take, isDone: () => at === bytes.length }
}

function unpackPairs(bytes: Buffer): Uint16Array {
  if (bytes.length % 4 !== 0) throw spoilt('it ends inside a pair')
  const sizes = new Uint16Array(BLOCK_CELLS)
  for (let at = 0; at < bytes.length; at += 4) {
    const index = bytes.readUInt16LE(at)
    if (index >= BLOCK_CELLS) throw spoilt('a cell lies beyond the block')
    sizes[index] = bytes.readUInt16LE(at + 2)
  }
  return sizes
}

const spoilt = (reason: string) => new Error(`not a readable day of a radar block: ${reason}`)
