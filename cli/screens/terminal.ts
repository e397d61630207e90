type Environment = Record<string, string | undefined>

/** Whether the terminal's locale draws more than ASCII. */
export function drawsUnicode(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return /utf-?8/i.test(locale) && env.TERM !== 'dumb'
}

/** Marks that the screens are drawn with. */
export const marksOf = (unicode: boolean) =>
  unicode
    ? { cursor: '❯', chosen: '●', rule: '─', between: '│', bars: '▁▂▃▄▅▆▇█', dot: '·', warn: '▲' }
    : { cursor: '>', chosen: '*', rule: '-', between: '|', bars: '.:-=+*#@', dot: '.', warn: '!' }

export type Marks = ReturnType<typeof marksOf>

/** A bar a value, the largest the highest. */
export function sparkline(values: readonly number[], bars: string): string {
  const most = Math.max(...values, 1)
  return values.map((value) => (value === 0 ? ' ' : bars[Math.min(bars.length - 1, Math.ceil((value / most) * bars.length) - 1)])).join('')
}

export interface Cell {
  latitude: number
  longitude: number
  mesh_in: number
}

export interface Bounds {
  south: number
  west: number
  north: number
  east: number
}

/** One character of the map: the largest hail within it, in inches, decides its colour. */
export interface Glyph {
  text: string
  mesh_in: number
}

/** Bits of a braille character by row and column of its eight dots. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
]
const BRAILLE = 0x2800

/** Radar cells over a box, north up, as rows of characters: eight dots each in braille, one mark each in ASCII. */
export function mapOf(cells: readonly Cell[], box: Bounds, width: number, height: number, unicode: boolean): Glyph[][] {
  const bits = Array.from({ length: height }, () => new Array<number>(width).fill(0))
  const most = Array.from({ length: height }, () => new Array<number>(width).fill(0))
  for (const { latitude, longitude, mesh_in } of cells) {
    const x = Math.floor(((longitude - box.west) / (box.east - box.west)) * width * 2)
    const y = Math.floor(((box.north - latitude) / (box.north - box.south)) * height * 4)
    const [column, row] = [x >> 1, y >> 2]
    if (row < 0 || row >= height || column < 0 || column >= width) continue
    bits[row]![column]! |= DOTS[y & 3]![x & 1]!
    most[row]![column] = Math.max(most[row]![column]!, mesh_in)
  }
  return bits.map((line, row) =>
    line.map((bit, column) => {
      const mesh_in = most[row]![column]!
      return { mesh_in, text: bit === 0 ? ' ' : unicode ? String.fromCharCode(BRAILLE + bit) : (bandOf(mesh_in)?.mark ?? '.') }
    }),
  )
}

/** Bands of hail size: from this many inches on. 1.00 is severe, 1.75 golf ball, 2.75 baseball. */
export const bands = [
  { from: 2.75, colour: 'magenta', mark: '@' },
  { from: 1.75, colour: 'red', mark: '#' },
  { from: 1, colour: 'yellow', mark: '+' },
  { from: 0.5, colour: 'green', mark: '-' },
  { from: 0, colour: 'blue', mark: '.' },
] as const

export const bandOf = (mesh_in: number) => bands.find(({ from }) => mesh_in >= from)
