import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLOCK_CELLS, packSizes, unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import { cellsOf, type Frame, frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
const files = ['MRMS_MESH_00.50_20240228-025239.grib2', 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2']
const skipped = existsSync(folder) ? '' : ' (skipped: real records not present)'

/** Sizes of a frame's block, one for each cell. */
function sizesOf({ block, data }: Frame['blocks'][number]): Uint16Array {
  const sizes = new Uint16Array(BLOCK_CELLS)
  for (const { row, column, size_mm } of cellsOf(block, data)) sizes[(row % 100) * 100 + (column % 100)] = Math.round(size_mm * 10)
  return sizes
}

/** Compares bytes: a matcher that names the first difference takes milliseconds for ten thousand numbers. */
const sameSizes = (one: Uint16Array, other: Uint16Array) => Buffer.from(one.buffer).equals(Buffer.from(other.buffer))

const block = fc
  .array(fc.tuple(fc.nat(BLOCK_CELLS - 1), fc.integer({ min: 1, max: 65_535 })), { maxLength: 400 })
  .map((cells) => cells.reduce((sizes, [index, size]) => sizes.fill(size, index, index + (size % 5)), new Uint16Array(BLOCK_CELLS)))

describe('the largest sizes of a block', () => {
  it('are unpacked as they were packed', () => {
    fc.assert(
      fc.property(block, (sizes) => {
        expect(sameSizes(unpackSizes(packSizes(sizes)), sizes)).toBe(true)
      }),
      { numRuns: 100 },
    )
    for (const all of [0, 1, 65_535])
      expect(unpackSizes(packSizes(new Uint16Array(BLOCK_CELLS).fill(all))).every((size) => size === all)).toBe(true)
  })

  it('can be read in the earlier format', () => {
    const pairs = Buffer.from(Uint16Array.from([0, 254, 9999, 508]).buffer)
    expect([...unpackSizes(pairs).entries()].filter(([, size]) => size > 0)).toEqual([
      [0, 254],
      [9999, 508],
    ])
  })

  it('are refused if the bytes are incomplete', () => {
    const packed = packSizes(new Uint16Array(BLOCK_CELLS).fill(254, 4000, 4100))
    for (let length = 1; length < packed.length; length++) expect(() => unpackSizes(packed.subarray(0, length))).toThrow()
    const later = Buffer.from(packed)
    later[2] = 3
    expect(() => unpackSizes(later)).toThrow('format 3')
    expect(() => unpackSizes(Buffer.from(Uint16Array.from([10_000, 254]).buffer))).toThrow('beyond the block')
  })

  it.skipIf(skipped)(`fit in 0.5 GB for six years of the largest real day${skipped}`, async () => {
    const taken: number[] = []
    for (const file of files) {
      const { blocks, cells } = await frameOf(await readGrid(readFileSync(path.join(folder, file))))
      const packed = blocks.map((one) => {
        const sizes = sizesOf(one)
        const bytes = packSizes(sizes)
        expect(sameSizes(unpackSizes(bytes), sizes)).toBe(true)
        return bytes.length
      })
      taken.push(packed.reduce((sum, bytes) => sum + bytes, 0))
      console.log(
        `${file}: ${cells} cells in ${taken.at(-1)} bytes, six years of such days in ${((Number(taken.at(-1)) * 2191) / 1e6).toFixed(0)} MB`,
      )
    }
    expect(Math.max(...taken) * 2191).toBeLessThan(0.5e9)
  })
})
