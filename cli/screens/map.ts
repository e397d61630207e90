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
  colour: string | undefined
}

/** Bands of hail size: from this many inches on. 1.00 is severe, 1.75 golf ball, 2.75 baseball. */
export const bands = [
  { from: 2.75, colour: 'magenta', mark: '@' },
  { from: 1.75, colour: 'red', mark: '#' },
  { from: 1, colour: 'yellow', mark: '+' },
  { from: 0.5, colour: 'green', mark: '-' },
  { from: 0, colour: 'blue', mark: '.' },
] as const

const bandOf = (mesh_in: number) => bands.find(({ from }) => mesh_in >= from) ?? bands[bands.length - 1]!

/** Columns and rows of dots in a braille character; a character is about twice as high as wide, so that the dots are square. */
const ACROSS = 2
const DOWN = 4
/** Bits of a braille character by row and column of its eight dots. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
]
const BRAILLE = 0x2800
/** Degrees along a side of the radar mosaic's grid. */
const CELL = 0.01

/** The box around a place that a map of this size shows, as many degrees up as down, undistorted. */
export function boxAround({ latitude, longitude }: Point, reach: number, width: number, height: number): Bounds {
  const aside = (reach * width * ACROSS) / (height * DOWN) / Math.cos((latitude * Math.PI) / 180)
  return { south: latitude - reach, north: latitude + reach, west: longitude - aside, east: longitude + aside }
}

/** Radar cells over a box, north up, as rows of characters: dots in braille, one mark each in ASCII. The largest hail within decides colour and mark. */
export function mapOf(cells: readonly Cell[], box: Bounds, width: number, height: number, unicode: boolean): Glyph[][] {
  const bits = Array.from({ length: height }, () => new Array<number>(width).fill(0))
  const most = Array.from({ length: height }, () => new Array<number>(width).fill(0))
  const fill = (x: number, y: number, mesh_in: number) => {
    const [column, row] = [Math.floor(x / ACROSS), Math.floor(y / DOWN)]
    if (row < 0 || row >= height || column < 0 || column >= width) return
    bits[row]![column]! |= DOTS[y % DOWN]![x % ACROSS]!
    most[row]![column] = Math.max(most[row]![column]!, mesh_in)
  }
  for (const { latitude, longitude, mesh_in } of cells) {
    const [left, right] = [xIn(box, longitude - CELL / 2, width), xIn(box, longitude + CELL / 2, width)]
    const [top, bottom] = [yIn(box, latitude + CELL / 2, height), yIn(box, latitude - CELL / 2, height)]
    for (let y = Math.floor(top); y < Math.max(bottom, Math.floor(top) + 1); y++)
      for (let x = Math.floor(left); x < Math.max(right, Math.floor(left) + 1); x++) fill(x, y, mesh_in)
  }
  return bits.map((line, row) => line.map((bit, column) => glyphOf(bit, most[row]![column]!, unicode)))
}

function glyphOf(bit: number, mesh_in: number, unicode: boolean): Glyph {
  if (bit === 0) return { text: ' ', colour: undefined }
  const { colour, mark } = bandOf(mesh_in)
  return { text: unicode ? String.fromCharCode(BRAILLE + bit) : mark, colour }
}

const xIn = ({ west, east }: Bounds, longitude: number, width: number) => ((longitude - west) / (east - west)) * width * ACROSS
const yIn = ({ south, north }: Bounds, latitude: number, height: number) => ((north - latitude) / (north - south)) * height * DOWN

/** Puts a mark on the map at each place within it. */
export function pin(map: Glyph[][], box: Bounds, places: readonly Point[], mark: string): void {
  const [height, width] = [map.length, map[0]?.length ?? 0]
  for (const { latitude, longitude } of places) {
    const row = map[Math.floor(yIn(box, latitude, height) / DOWN)]
    const column = Math.floor(xIn(box, longitude, width) / ACROSS)
    if (row?.[column]) row[column] = { text: mark, colour: undefined }
  }
}

/** Neighbours of one colour as one text. */
export function runsOf(line: readonly Glyph[]): Glyph[] {
  const runs: Glyph[] = []
  for (const { text, colour } of line) {
    const last = runs.at(-1)
    if (last && last.colour === colour) last.text += text
    else runs.push({ text, colour })
  }
  return runs
}
