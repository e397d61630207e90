import { localMoment } from '#domain/archive/local-moment.ts'
import { readPicture } from '#domain/archive/radar/picture.ts'

/**
 * A gridded radar field as a GRIB2 message contains it. Rows run north to south, columns west to east; cell (row, column)
 * is centred on (north - row * step, west + column * step).
 */
export interface Grid {
  discipline: number
  category: number
  parameter: number
  valid_at: Date
  rows: number
  columns: number
  /** Degrees: centres of the first row and the first column (west is negative). */
  north: number
  west: number
  /** Degrees between neighbours, both ways. */
  step: number
  /** Packed values X, row by row. */
  packed: Uint8Array | Uint16Array
  /** Returns the field's value of a packed value: (R + X * 2^E) / 10^D, GRIB2 regulation 92.9.4. */
  unpack(packed: number): number
}

/** The largest grid accepted: four times the agency's 7000 x 3500, so that a forged size cannot exhaust memory. */
const MAX_CELLS = 100_000_000
/** Values have one decimal in the field's unit; GRIB2 states angles in millionths of a degree. */
const MICRODEGREES = 1e6
const PNG_PACKING = 41
const LATITUDE_LONGITUDE_GRID = 0
const NORTH_TO_SOUTH_WEST_TO_EAST = 0
/** Offsets within a PNG file of the width and the height in its first chunk (IHDR). */
const PNG_WIDTH_AT = 16
const PNG_HEIGHT_AT = 20
const PNG_DEPTH_AT = 24

/** Returns the error for an unreadable message, with the reason in words. */
export function unreadable(reason: string): Error {
  return new Error(`not a readable radar grid: ${reason}`)
}

/**
 * Reads one GRIB2 message on a regular latitude/longitude grid in PNG packing (template 5.41), 8 or 16 bit: the format of
 * the agency's MRMS products. Sections are those of WMO-No. 306, FM 92 GRIB edition 2.
 * @throws Error naming the fault of the bytes; nothing larger than the stated grid is ever inflated.
 */
export async function readGrid(bytes: Buffer): Promise<Grid> {
  if (bytes.length < 16 || bytes.toString('latin1', 0, 4) !== 'GRIB') throw unreadable('the mark GRIB is missing')
  if (bytes[7] !== 2) throw unreadable(`edition ${bytes[7]} instead of 2`)
  const sections = sectionsOf(bytes)
  const { rows, columns, north, west, step } = readGridDefinition(section(sections, 3, 72))
  const product = section(sections, 4, 11)
  const { unpack } = readPacking(section(sections, 5, 21))
  return {
    discipline: bytes.readUInt8(6),
    category: product.readUInt8(9),
    parameter: product.readUInt8(10),
    valid_at: readTime(section(sections, 1, 21)),
    rows,
    columns,
    north,
    west,
    step,
    packed: await readPixels(section(sections, 7, 5).subarray(5), rows, columns),
    unpack,
  }
}

function sectionsOf(bytes: Buffer): Map<number, Buffer> {
  const sections = new Map<number, Buffer>()
  let at = 16
  while (at + 4 <= bytes.length && bytes.toString('latin1', at, at + 4) !== '7777') {
    if (at + 5 > bytes.length) throw unreadable('it ends inside a section')
    const length = bytes.readUInt32BE(at)
    if (length < 5 || at + length > bytes.length) throw unreadable('a section is longer than the file')
    const number = bytes.readUInt8(at + 4)
    if (sections.has(number)) throw unreadable('it holds more than one field')
    sections.set(number, bytes.subarray(at, at + length))
    at += length
  }
  if (bytes.toString('latin1', at, at + 4) !== '7777') throw unreadable('it ends before its end mark')
  if (bytes.toString('latin1', at + 4, at + 8) === 'GRIB') throw unreadable('it holds more than one message')
  return sections
}

function section(sections: Map<number, Buffer>, number: number, atLeast: number): Buffer {
  const found = sections.get(number)
  if (!found || found.length < atLeast) throw unreadable(`section ${number} is missing or cut`)
  return found
}

function readTime(s: Buffer): Date {
  const date = { year: s.readUInt16BE(12), month: s.readUInt8(14), day: s.readUInt8(15) }
  const at = localMoment({ ...date, hour: s.readUInt8(16), minute: s.readUInt8(17), second: s.readUInt8(18) }, 0)
  if (!at) throw unreadable('its reference time is not valid')
  return at
}

function readGridDefinition(s: Buffer) {
  if (s.readUInt16BE(12) !== LATITUDE_LONGITUDE_GRID) throw unreadable('the grid is not one of latitudes and longitudes')
  const columns = s.readUInt32BE(30)
  const rows = s.readUInt32BE(34)
  if (rows < 1 || columns < 1 || rows * columns > MAX_CELLS) throw unreadable(`a grid of ${columns} x ${rows} cells`)
  if (s.readUInt8(71) !== NORTH_TO_SOUTH_WEST_TO_EAST) throw unreadable('the rows do not run north to south')
  const degreesEast = s.readUInt32BE(50) / MICRODEGREES
  return {
    rows,
    columns,
    north: s.readInt32BE(46) / MICRODEGREES,
    west: degreesEast > 180 ? degreesEast - 360 : degreesEast,
    step: s.readUInt32BE(63) / MICRODEGREES,
  }
}

function readPacking(s: Buffer) {
  if (s.readUInt16BE(9) !== PNG_PACKING) throw unreadable(`packing template 5.${s.readUInt16BE(9)} instead of 5.${PNG_PACKING}`)
  const reference = s.readFloatBE(11)
  const scale = 2 ** signed16(s, 15)
  const decimals = 10 ** signed16(s, 17)
  const unpack = (packed: number) => (reference + packed * scale) / decimals
  // A field without numbers would read as no hail everywhere.
  if (![unpack(0), unpack(PACKED_MAX)].every(Number.isFinite) || unpack(0) >= unpack(PACKED_MAX))
    throw unreadable('its values are not numbers')
  return { unpack }
}

/** The largest packed value of a 16-bit picture. */
const PACKED_MAX = 65_535

/** GRIB2 writes negative numbers as a sign bit and a magnitude. */
function signed16(s: Buffer, at: number): number {
  const raw = s.readUInt16BE(at)
  return raw & 0x8000 ? -(raw & 0x7fff) : raw
}

async function readPixels(png: Buffer, rows: number, columns: number): Promise<Uint8Array | Uint16Array> {
  if (png.length <= PNG_DEPTH_AT || png.readUInt32BE(PNG_WIDTH_AT) !== columns || png.readUInt32BE(PNG_HEIGHT_AT) !== rows) {
    throw unreadable('its picture has another size than its grid')
  }
  const bits = png.readUInt8(PNG_DEPTH_AT)
  if (bits !== 8 && bits !== 16) throw unreadable(`its picture has ${bits} bits a cell`)
  const bounds = { cells: rows * columns, bytes: rows * (1 + (columns * bits) / 8) }
  return readPicture(png, bounds).catch((fault: Error) => {
    throw unreadable(`its picture ${fault.message}`)
  })
}
