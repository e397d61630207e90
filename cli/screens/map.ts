export interface Cell {
  latitude: number
  longitude: number
  mesh_in: number
}

export interface Point {
  latitude: number
  longitude: number
}

export interface Bounds {
  south: number
  west: number
  north: number
  east: number
}

/** One character of the map. */
export interface Glyph {
  text: string
  /** Undefined means the terminal's own foreground colour, in bold unless it is `plain`. */
  colour: string | undefined
  /** Background colour, if any. */
  background?: string
  plain?: boolean
}

/** Lower bounds of hail size bands in inches. 1.00 is severe, 1.75 golf ball, 2.75 baseball. */
export const bands = [
  { from: 2.75, colour: 'magenta', mark: '@' },
  { from: 1.75, colour: 'red', mark: '#' },
  { from: 1, colour: 'yellow', mark: '+' },
  { from: 0.5, colour: 'green', mark: '-' },
  { from: 0, colour: 'blue', mark: '.' },
] as const

const bandOf = (mesh_in: number) => bands.find(({ from }) => mesh_in >= from) ?? bands[bands.length - 1]!

/** Columns and rows of dots in a braille character; a character is about twice as high as wide, so that the dots are square. */
const DOT_COLUMNS = 2
const DOT_ROWS = 4
/** Bits of a braille character by row and column of its eight dots. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
]
const BRAILLE = 0x2800
/** Degrees along a side of the radar mosaic's grid. */
const CELL_DEGREES = 0.01

/** The box around a place that a map of this size shows: centred on the place and undistorted. */
export function boxAround({ latitude, longitude }: Point, reach: number, width: number, height: number): Bounds {
  const halfWidth = (reach * width * DOT_COLUMNS) / (height * DOT_ROWS) / Math.cos((latitude * Math.PI) / 180)
  return { south: latitude - reach, north: latitude + reach, west: longitude - halfWidth, east: longitude + halfWidth }
}

/** Radar cells over a box, north up, as rows of characters: dots in braille, one mark each in ASCII. The largest hail within a character decides its colour and mark. */
export function mapOf(cells: readonly Cell[], box: Bounds, width: number, height: number, unicode: boolean): Glyph[][] {
  const bits = Array.from({ length: height }, () => new Array<number>(width).fill(0))
  const most = Array.from({ length: height }, () => new Array<number>(width).fill(0))
  const fill = (x: number, y: number, mesh_in: number) => {
    const [column, row] = [Math.floor(x / DOT_COLUMNS), Math.floor(y / DOT_ROWS)]
    if (row < 0 || row >= height || column < 0 || column >= width) return
    bits[row]![column]! |= DOTS[y % DOT_ROWS]![x % DOT_COLUMNS]!
    most[row]![column] = Math.max(most[row]![column]!, mesh_in)
  }
  for (const { latitude, longitude, mesh_in } of cells) {
    const [left, right] = [xIn(box, longitude - CELL_DEGREES / 2, width), xIn(box, longitude + CELL_DEGREES / 2, width)]
    const [top, bottom] = [yIn(box, latitude + CELL_DEGREES / 2, height), yIn(box, latitude - CELL_DEGREES / 2, height)]
    for (let y = Math.floor(top); y < Math.max(bottom, Math.floor(top) + 1); y++)
      for (let x = Math.floor(left); x < Math.max(right, Math.floor(left) + 1); x++) fill(x, y, mesh_in)
  }
  return bits.map((line, row) => line.map((bit, column) => glyphOf(bit, most[row]![column]!, unicode)))
}

function glyphOf(bit: number, mesh_in: number, unicode: boolean): Glyph {
  if (bit === 0) return { text: ' ', colour: undefined }
  const { colour, mark } = bandOf(mesh_in)
  return { text: unicode ? braille.text(bit) : mark, colour }
}

const xIn = ({ west, east }: Bounds, longitude: number, width: number) => ((longitude - west) / (east - west)) * width * DOT_COLUMNS
const yIn = ({ south, north }: Bounds, latitude: number, height: number) => ((north - latitude) / (north - south)) * height * DOT_ROWS

/** The dots of a map over a box, and the position of a place in fractions of a dot, to the right and down. */
export interface DotBox {
  across: number
  down: number
  x(longitude: number): number
  y(latitude: number): number
}

/**
 * The dots of braille characters over a box on the ground.
 * @param width in characters
 * @param height in lines
 */
export const dotsOver = (box: Bounds, width: number, height: number): DotBox => ({
  across: width * DOT_COLUMNS,
  down: height * DOT_ROWS,
  x: (longitude) => xIn(box, longitude, width),
  y: (latitude) => yIn(box, latitude, height),
})

/** The braille character of dots, and the bit of one of its eight. */
export const braille = {
  bit: (right: number, down: number) => DOTS[down]![right]!,
  text: (bits: number) => String.fromCharCode(BRAILLE + bits),
}

/** The character of a map that contains a place. For a place outside, the row or column is outside the map. */
export function characterAt(map: readonly Glyph[][], box: Bounds, { latitude, longitude }: Point): { row: number; column: number } {
  const [height, width] = [map.length, map[0]?.length ?? 0]
  return { row: Math.floor(yIn(box, latitude, height) / DOT_ROWS), column: Math.floor(xIn(box, longitude, width) / DOT_COLUMNS) }
}

/** Puts a mark on the map at each place inside it. */
export function pin(map: Glyph[][], box: Bounds, places: readonly Point[], mark: string): void {
  for (const place of places) {
    const { row, column } = characterAt(map, box, place)
    const line = map[row]
    if (line?.[column]) line[column] = { text: mark, colour: undefined }
  }
}

/** Merges neighbouring characters with the same style into one text. */
export function runsOf(line: readonly Glyph[]): Glyph[] {
  const runs: Glyph[] = []
  for (const glyph of line) {
    const last = runs.at(-1)
    if (last && last.colour === glyph.colour && last.background === glyph.background && last.plain === glyph.plain) last.text += glyph.text
    else runs.push({ ...glyph })
  }
  return runs
}
