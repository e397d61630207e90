import { type Bounds, braille, type DotBox, dotsOver, type Glyph } from './map.ts'

type Position = [longitude: number, latitude: number]

/** A band of a day's swaths, as the service returns it. */
export interface Swath {
  geometry: { coordinates: Position[][][] }
  properties: { from_in: number; to_in: number | null; source: string }
}

/**
 * The bands of swaths: lower bound in inches, colour on the service's own maps, contrasting foreground colour, and mark
 * in ASCII.
 */
export const swathBands = [
  { from: 0.75, colour: '#ab8ddb', foreground: '#000000', mark: '.' },
  { from: 1, colour: '#8f66cc', foreground: '#000000', mark: ':' },
  { from: 1.25, colour: '#8155c1', foreground: '#000000', mark: '-' },
  { from: 1.5, colour: '#7343b5', foreground: '#ffffff', mark: '=' },
  { from: 1.75, colour: '#6637a5', foreground: '#ffffff', mark: '+' },
  { from: 2, colour: '#582b94', foreground: '#ffffff', mark: '*' },
  { from: 2.5, colour: '#4b2182', foreground: '#ffffff', mark: '%' },
  { from: 2.75, colour: '#3d1770', foreground: '#ffffff', mark: '@' },
] as const

/** The order in which the dots of a character are set, row by row. Larger hail sets more of them. */
const DOT_ORDER = [
  [0, 4],
  [6, 2],
  [1, 5],
  [7, 3],
] as const
/** Dots of a character that a swath must cover to colour its background. With fewer, the dots have the terminal's own colour. */
const HALF = 4

/**
 * Swaths over a box, north up: braille hatching on the colour of the band, denser for larger hail; one mark each in ASCII.
 * The largest hail within a character decides its colour and mark.
 */
export function swathMap(swaths: readonly Swath[], box: Bounds, width: number, height: number, unicode: boolean): Glyph[][] {
  const dots = dotsOver(box, width, height)
  const bands = new Uint8Array(dots.across * dots.down)
  for (const { geometry, properties } of swaths) {
    const band = swathBands.findLastIndex(({ from }) => properties.from_in >= from) + 1
    for (const rings of geometry.coordinates) fill(bands, dots, rings, band)
  }
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => glyphAt(bands, dots, row, column, unicode)),
  )
}

/** The hatching of a band, by its index. */
export const swathMark = (nth: number) =>
  braille.text(
    DOT_ORDER.flatMap((order, down) => order.map((rank, right) => (rank <= nth ? braille.bit(right, down) : 0))).reduce(
      (bits, bit) => bits | bit,
    ),
  )

function glyphAt(bands: Uint8Array, { across }: DotBox, row: number, column: number, unicode: boolean): Glyph {
  let [bits, covered, most] = [0, 0, 0]
  for (const [down, order] of DOT_ORDER.entries()) {
    for (const [right, rank] of order.entries()) {
      const band = bands[(row * DOT_ORDER.length + down) * across + column * order.length + right] ?? 0
      if (band > 0) covered++
      if (rank < band) bits |= braille.bit(right, down)
      most = Math.max(most, band)
    }
  }
  const band = swathBands[most - 1]
  if (!band) return { text: ' ', colour: undefined }
  // Shows a swath that is narrower than its hatching.
  const text = unicode ? braille.text(bits || braille.bit(0, 0)) : band.mark
  return covered < HALF ? { text, colour: undefined } : { text, colour: band.foreground, background: band.colour }
}

/** Sets the dots whose centres are inside the rings, by counting crossings of a line from the west; if there is none, sets the dot in the middle. */
function fill(bands: Uint8Array, { across, down, x, y }: DotBox, rings: Position[][], band: number): void {
  const corners = rings.map((ring) => ring.map(([longitude, latitude]) => [x(longitude), y(latitude)] as const))
  let isDrawn = false
  const set = (column: number, row: number) => {
    isDrawn = true
    if (column < 0 || column >= across || row < 0 || row >= down) return
    bands[row * across + column] = Math.max(bands[row * across + column] ?? 0, band)
  }
  const [outer = []] = corners
  const [west, east] = rangeOf(outer.map(([right]) => right))
  const [north, south] = rangeOf(outer.map(([, below]) => below))
  for (let row = Math.max(0, Math.floor(north)); row < Math.min(down, Math.ceil(south)); row++) {
    const crossings = corners.flatMap((ring) => crossingsOf(ring, row + 0.5)).sort((one, other) => one - other)
    for (let nth = 0; nth + 1 < crossings.length; nth += 2) {
      const [from, to] = [crossings[nth]!, crossings[nth + 1]!]
      for (let column = Math.ceil(from - 0.5); column < to - 0.5; column++) set(column, row)
    }
  }
  // The swath is smaller than a dot, and not just cut by the edge of the map.
  if (!isDrawn) set(Math.floor((west + east) / 2), Math.floor((north + south) / 2))
}

/** A loop, because a ring of a nationwide day has too many corners for the arguments of one call. */
function rangeOf(values: number[]): [least: number, most: number] {
  return values.reduce<[number, number]>(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity])
}

function crossingsOf(ring: readonly (readonly [number, number])[], at: number): number[] {
  return ring.slice(1).flatMap(([toX, toY], nth) => {
    const [fromX, fromY] = ring[nth]!
    return fromY < at === toY < at ? [] : [fromX + ((at - fromY) / (toY - fromY)) * (toX - fromX)]
  })
}
