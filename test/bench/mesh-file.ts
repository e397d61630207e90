import { encode } from 'fast-png'
import type { FrameCell } from '#domain/archive/radar/frame.ts'
import { CONUS } from '#domain/archive/radar/grid.ts'
import type { Random } from './random.ts'

/** Packed values: tenths of a millimetre above R = -30, as the agency writes its field; -1 is "covered, no hail". */
const REFERENCE = -30
const NO_HAIL = 20
const TENTHS = 10
const STORM_SIDE = 40
const MICRODEGREES = 1e6

/** A made-up hail-size grid of one moment as a GRIB2 message, with about the given number of hail cells in storms. */
export function meshFile(cells: number, random: Random): Buffer {
  const hail: FrameCell[] = []
  while (hail.length < cells) {
    const row = random.integer(0, CONUS.rows - STORM_SIDE - 1)
    const column = random.integer(0, CONUS.columns - STORM_SIDE - 1)
    for (let down = 0; down < STORM_SIDE; down++)
      for (let right = 0; right < STORM_SIDE; right++)
        hail.push({ row: row + down, column: column + right, size_mm: random.integer(1, 800) / TENTHS })
  }
  return gridOf(hail, new Date('2026-05-28T20:00:00Z'))
}

/** A made-up grid of these cells, without hail elsewhere, in 16-bit PNG packing. */
export function gridOf(hail: FrameCell[], valid_at: Date): Buffer {
  const packed = new Uint16Array(CONUS.rows * CONUS.columns).fill(NO_HAIL)
  for (const { row, column, size_mm } of hail) packed[row * CONUS.columns + column] = Math.round(size_mm * TENTHS) - REFERENCE
  const picture = Buffer.from(encode({ width: CONUS.columns, height: CONUS.rows, data: packed, depth: 16, channels: 1 }))
  const body = Buffer.concat([
    identification(valid_at),
    grid(),
    product(),
    packing(),
    section(6, Buffer.from([255])),
    section(7, picture),
    Buffer.from('7777'),
  ])
  const head = Buffer.from([0x47, 0x52, 0x49, 0x42, 0, 0, 209, 2, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(head.length + body.length, 12)
  return Buffer.concat([head, body])
}

function section(number: number, content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(5 + content.length)
  head[4] = number
  return Buffer.concat([head, content])
}

function identification(at: Date): Buffer {
  const year = at.getUTCFullYear()
  const clock = [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
  return section(1, Buffer.from([0, 161, 0, 0, 2, 1, 0, year >> 8, year & 0xff, ...clock, 0, 0]))
}

function grid(): Buffer {
  const s = Buffer.alloc(67)
  const at = (octet: number) => octet - 6
  s.writeUInt32BE(CONUS.rows * CONUS.columns, at(7))
  s[at(15)] = 1
  s.writeUInt32BE(6_367_470, at(17))
  s.writeUInt32BE(CONUS.columns, at(31))
  s.writeUInt32BE(CONUS.rows, at(35))
  const west = 360 + CONUS.west
  s.writeUInt32BE(Math.round(CONUS.north * MICRODEGREES), at(47))
  s.writeUInt32BE(Math.round(west * MICRODEGREES), at(51))
  s[at(55)] = 48
  s.writeUInt32BE(Math.round((CONUS.north - (CONUS.rows - 1) * CONUS.step) * MICRODEGREES), at(56))
  s.writeUInt32BE(Math.round((west + (CONUS.columns - 1) * CONUS.step) * MICRODEGREES), at(60))
  s.writeUInt32BE(Math.round(CONUS.step * MICRODEGREES), at(64))
  s.writeUInt32BE(Math.round(CONUS.step * MICRODEGREES), at(68))
  return section(3, s)
}

/** Maximum estimated size of hail at one moment. */
function product(): Buffer {
  const s = Buffer.alloc(29)
  s[4] = 3
  s[5] = 28
  return section(4, s)
}

function packing(): Buffer {
  const s = Buffer.alloc(16)
  s.writeUInt32BE(CONUS.rows * CONUS.columns, 0)
  s.writeUInt16BE(41, 4)
  s.writeFloatBE(REFERENCE, 6)
  s.writeUInt16BE(1, 12)
  s[14] = 16
  return section(5, s)
}
