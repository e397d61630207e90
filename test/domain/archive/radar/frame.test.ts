import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cellsOf, type Frame, type FrameCell, frameOf, inches } from '#domain/archive/radar/frame.ts'
import { wasCovered } from '#domain/archive/radar/frame-coverage.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import { blocksWithin, centreOf, gridCellAt } from '#domain/archive/radar/grid.ts'
import { gridsIn, namedGrid } from '#domain/archive/sources/mesh-bucket.ts'

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
const present = existsSync(folder)
const moment = () => readFileSync(path.join(folder, 'MRMS_MESH_00.50_20240228-025239.grib2'))
const read = async (bytes: Buffer) => frameOf(await readGrid(bytes))
const fullDay = () => readFileSync(path.join(folder, 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2'))

it('a grid name with an impossible date has no time', () => {
  expect(namedGrid('MRMS_MESH_00.50_20240229-025239.grib2')?.valid_at).toEqual(new Date('2024-02-29T02:52:39Z'))
  expect(namedGrid('MRMS_MESH_00.50_20240230-025239.grib2')?.valid_at).toBeNull()
  expect(gridsIn('MRMS_MESH_00.50_20240230-025239.grib2.gz MRMS_MESH_00.50_20240228-025239.grib2.gz', '/').map(({ name }) => name)).toEqual(
    ['MRMS_MESH_00.50_20240228-025239.grib2.gz'],
  )
})

describe.skipIf(!present)(`the agency's own grids${present ? '' : ' (skipped: real records not present)'}`, () => {
  it('reads the 8-bit field of one moment', async () => {
    const frame = await read(moment())
    expect(frame).toMatchObject({ product: 'mesh', valid_at: new Date('2024-02-28T02:52:39Z'), cells: 1943, peak_mm: 20.8 })
  })

  it('reads the 16-bit field of a day, with its largest cell in place', async () => {
    const frame = await read(fullDay())
    expect(frame).toMatchObject({ product: 'mesh_max_1440min', valid_at: new Date('2024-02-28T10:00:00Z'), cells: 231_856, peak_mm: 82.8 })
    const cells = everyCell(frame)
    expect(cells).toHaveLength(231_856)
    expect(cells.filter((cell) => cell.size_mm >= 25.4)).toHaveLength(819)
    const largest = cells.filter((cell) => cell.size_mm === 82.8)
    expect(largest.map(centreOf)).toEqual([{ latitude: 44.795, longitude: -75.215 }])
    expect(inches(82.8)).toBe(3.26)
  })

  it('keeps "covered, no hail" apart from "no coverage"', async () => {
    const { coverage } = await read(moment())
    expect(wasCovered(coverage, 32.8, -96.8)).toBe(true)
    expect(wasCovered(coverage, 21, -129)).toBe(false)
    expect(wasCovered(coverage, 60, -150)).toBe(false)
  })

  it('stores a frame in under 10 kB', async () => {
    const frame = await read(moment())
    const bytes = frame.blocks.reduce((sum, block) => sum + block.data.length, frame.coverage.length)
    expect(bytes).toBeLessThan(10_000)
  })

  it('refuses truncated, foreign and forged messages with a reason', async () => {
    const bytes = moment()
    await expect(readGrid(bytes.subarray(0, 1000))).rejects.toThrow('a section is longer than the file')
    await expect(readGrid(Buffer.from('<html>not a grid</html>'))).rejects.toThrow('the mark GRIB is missing')
    const wide = Buffer.from(bytes)
    wide.writeUInt32BE(4_000_000_000, 16 + 21 + 30)
    await expect(readGrid(wide)).rejects.toThrow(/a grid of 4000000000/)
    const dated = Buffer.from(bytes)
    dated.writeUInt8(13, 16 + 14)
    await expect(readGrid(dated)).rejects.toThrow('its reference time is not valid')
    // The packing is in section 5, after section 4.
    const packing = 16 + 21 + 72 + bytes.readUInt32BE(16 + 21 + 72)
    for (const [bytesOfNumber, at] of [
      ['7fc00000', 11],
      ['7f800000', 11],
      ['7fff', 15],
      ['ffff', 15],
      ['7fff', 17],
      ['ffff', 17],
    ] as const) {
      const numberless = Buffer.from(bytes)
      numberless.set(Buffer.from(bytesOfNumber, 'hex'), packing + at)
      const read = readGrid(numberless).then(({ rows }) => rows)
      await expect(read, `${bytesOfNumber} at ${at}`).rejects.toThrow('its values are not numbers')
    }
    // Several grids in one file, and several fields in one message, as wgrib2 writes them: no grid may be dropped silently.
    await expect(readGrid(Buffer.concat([bytes, bytes]))).rejects.toThrow('it holds more than one message')
    const fields = Buffer.concat([bytes.subarray(0, -4), bytes.subarray(16 + 21 + 72)])
    await expect(readGrid(fields)).rejects.toThrow('it holds more than one field')
    const bomb = withPicture(bytes, deflateSync(Buffer.alloc(60_000_000)))
    await expect(readGrid(bomb)).rejects.toThrow('does not unpack to its stated size')
  })

  it('lets other work run while it reads', async () => {
    let ticks = 0
    let reading = true
    const others = () => {
      ticks++
      if (reading) setImmediate(others)
    }
    setImmediate(others)
    await read(fullDay())
    reading = false
    expect(ticks).toBeGreaterThan(100)
  })
})

describe('blocks of the grid', () => {
  it('cover a box of degrees, edges included', () => {
    expect(blocksWithin({ south: 32.2, west: -97.5, north: 33.1, east: -96.5 })).toHaveLength(4)
  })

  it('map a point to its cell', () => {
    const cell = gridCellAt(44.795, -75.215)
    expect(centreOf(cell)).toEqual({ latitude: 44.795, longitude: -75.215 })
  })
})

function everyCell(frame: Frame): FrameCell[] {
  return frame.blocks.flatMap(({ block, data }) => cellsOf(block, data))
}

/** Returns the same message with another image stream in its picture. */
function withPicture(bytes: Buffer, idat: Buffer): Buffer {
  const seventhAt = bytes.indexOf(Buffer.from([0x89, 0x50, 0x4e, 0x47])) - 5
  const header = bytes.subarray(seventhAt + 5, seventhAt + 5 + 33)
  const chunk = Buffer.concat([
    length(idat.length),
    Buffer.from('IDAT'),
    idat,
    Buffer.alloc(4),
    length(0),
    Buffer.from('IEND'),
    Buffer.alloc(4),
  ])
  const picture = Buffer.concat([header, chunk])
  return Buffer.concat([bytes.subarray(0, seventhAt), length(picture.length + 5), Buffer.from([7]), picture, Buffer.from('7777')])
}

function length(bytes: number): Buffer {
  const four = Buffer.alloc(4)
  four.writeUInt32BE(bytes)
  return four
}
