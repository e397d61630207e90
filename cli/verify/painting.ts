import { type Box, boxOf, IDENTITY, isEmpty, type Matrix, overlap, through } from './geometry.ts'
import { fills, type Outline, outlineOf, pointsOf, strokes } from './shapes.ts'

/** What a page paints, in its order: the list of operators that pdf.js makes of it. */
export interface Operators {
  fnArray: number[]
  // biome-ignore lint/suspicious/noExplicitAny: each operator has arguments of its own
  argsArray: any[]
}

/** One letter, or what stands for several, where a reader sees it. */
export interface Letter {
  text: string
  box: Box
  /** Of the text's own size, in points. */
  size: number
}

/** The letters that a reader sees, what on the page hides or disguises any, and what else is drawn. */
export interface Painting {
  letters: Letter[]
  pictures: Box[]
  /** Shapes that are more than lines and frames. */
  drawings: Box[]
  faults: string[]
}

/** Follows a page's operators as a renderer would, as far as it takes to find which letters can be seen. */
export function readPainting(operators: Operators, names: Record<string, number>, page: Box): Painting {
  const nameOf = namer(names)
  const canvas: Canvas = { letters: [], pictures: [], drawings: [], faults: new Set(), page, nameOf }
  let state: State = { ...BLANK, clip: page }
  const saved: State[] = []
  operators.fnArray.forEach((code, at) => {
    const name = nameOf(code)
    const given = operators.argsArray[at] ?? []
    if (name === 'save' || name === 'beginGroup') saved.push({ ...state })
    else if (name === 'restore' || name === 'endGroup') state = saved.pop() ?? state
    else if (name === 'paintFormXObjectBegin') {
      saved.push({ ...state })
      if (given[0]) state.matrix = through(given[0], state.matrix)
    } else if (name === 'paintFormXObjectEnd') state = saved.pop() ?? state
    else follow(name, given, state, canvas)
  })
  return { ...canvas, faults: [...canvas.faults] }
}

const namer = (names: Record<string, number>) => {
  const known = new Map(Object.entries(names).map(([name, code]) => [code, name]))
  return (code: number) => known.get(code) ?? 'unknown'
}

interface Canvas {
  letters: Letter[]
  pictures: Box[]
  drawings: Box[]
  faults: Set<string>
  page: Box
  /** The name of an operator. */
  nameOf: (code: number) => string
}

interface State {
  matrix: Matrix
  clip: Box
  clips_next: boolean
  color: string
  opacity: number
  line_width: number
  font_size: number
  rendering: number
  text: Matrix
  line: Matrix
  leading: number
  letter_spacing: number
  word_spacing: number
  scale: number
  rise: number
}

const BLANK: State = {
  matrix: IDENTITY,
  clip: { left: 0, bottom: 0, right: 0, top: 0 },
  clips_next: false,
  color: '#000000',
  opacity: 1,
  line_width: 1,
  font_size: 0,
  rendering: 0,
  text: IDENTITY,
  line: IDENTITY,
  leading: 0,
  letter_spacing: 0,
  word_spacing: 0,
  scale: 1,
  rise: 0,
}

// biome-ignore lint/suspicious/noExplicitAny: each operator has arguments of its own
function follow(name: string, given: any, state: State, canvas: Canvas): void {
  const step = steps[name]
  if (step) step(state, given, canvas)
  else if (PAINTS.test(name)) paintPicture(canvas, canvas.page)
}

/** Whatever else puts colour on the page, such as a shading, may cover all of it. */
const PAINTS = /^(paint|shading|rawFill|beginAnnotation|solidColor)/

// biome-ignore lint/suspicious/noExplicitAny: each operator has arguments of its own
const steps: Record<string, (state: State, given: any, canvas: Canvas) => void> = {
  transform: (state, given) => {
    state.matrix = through(given, state.matrix)
  },
  setGState: (state, [entries]) => {
    for (const [key, value] of entries) {
      if (key === 'ca') state.opacity = value
      if (key === 'LW') state.line_width = value
      if (key === 'Font') state.font_size = value[1]
    }
  },
  setLineWidth: (state, [width]) => {
    state.line_width = width
  },
  setFillRGBColor: (state, [color]) => {
    state.color = color
  },
  // A pattern or no colour at all: letters of it are not taken for readable.
  setFillColorN: (state) => {
    state.color = NO_COLOR
  },
  setFillTransparent: (state) => {
    state.color = NO_COLOR
  },
  clip: (state) => {
    state.clips_next = true
  },
  eoClip: (state) => {
    state.clips_next = true
  },
  constructPath: paintPath,
  paintImageXObject: paintUnitSquare,
  paintInlineImageXObject: paintUnitSquare,
  paintImageMaskXObject: paintUnitSquare,
  beginMarkedContentProps: (_state, [tag], canvas) => {
    if (tag === 'OC') canvas.faults.add('a part can be switched off and on')
  },
  beginText: (state) => {
    state.text = IDENTITY
    state.line = IDENTITY
  },
  setFont: (state, [, size]) => {
    state.font_size = size
  },
  setTextMatrix: (state, [matrix]) => {
    state.text = Array.from(matrix as ArrayLike<number>) as Matrix
    state.line = state.text
  },
  moveText: (state, [x, y]) => moveLine(state, x, y),
  setLeadingMoveText: (state, [x, y]) => {
    state.leading = -y
    moveLine(state, x, y)
  },
  setLeading: (state, [leading]) => {
    state.leading = -leading
  },
  nextLine: (state) => moveLine(state, 0, -state.leading),
  setCharSpacing: (state, [spacing]) => {
    state.letter_spacing = spacing
  },
  setWordSpacing: (state, [spacing]) => {
    state.word_spacing = spacing
  },
  setHScale: (state, [percent]) => {
    state.scale = percent / 100
  },
  setTextRise: (state, [rise]) => {
    state.rise = rise
  },
  setTextRenderingMode: (state, [mode]) => {
    state.rendering = mode
  },
  showText: (state, [glyphs], canvas) => showText(state, glyphs, canvas),
}

const NO_COLOR = 'none'

function moveLine(state: State, x: number, y: number): void {
  state.line = through([1, 0, 0, 1, x, y], state.line)
  state.text = state.line
}

/** A size of letters, of which 1000 units are one em. */
const UNITS = 1000
/** Of an em: the part between a letter's foot and the top of a small one, which every letter fills. */
const BODY_TOP = 0.45
/** Points: below this nobody reads. The smallest on a document's map are 5. */
const READABLE_SIZE = 3

interface Glyph {
  unicode: string
  width: number
  isSpace: boolean
}

function showText(state: State, glyphs: (Glyph | number)[], canvas: Canvas): void {
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      advance(state, (-glyph / UNITS) * state.font_size)
      continue
    }
    const width = (glyph.width / UNITS) * state.font_size
    const matrix = through(state.text, state.matrix)
    const box = boxOf(0, state.rise, width * state.scale, state.rise + BODY_TOP * state.font_size, matrix)
    const size = Math.abs(state.font_size) * Math.hypot(matrix[2], matrix[3])
    if (isReadable(state, box, size)) canvas.letters.push({ text: glyph.unicode, box, size })
    advance(state, width + state.letter_spacing + (glyph.isSpace ? state.word_spacing : 0))
  }
}

function advance(state: State, by: number): void {
  state.text = through([1, 0, 0, 1, by * state.scale, 0], state.text)
}

/** Modes 0 and 2 fill letters; the others leave outlines, nothing, or a hole to paint through. */
const FILLED = [0, 2]
/** Of 1: paper is white, and every ink of a document is darker than this. */
const LUMINANCE_MAX = 0.6

function isReadable({ rendering, color, opacity, clip }: State, box: Box, size: number): boolean {
  const visible = overlap(box, clip)
  const is_inside = !isEmpty(visible) && (visible.right - visible.left) * 2 > box.right - box.left
  return FILLED.includes(rendering) && opacity > 0.5 && luminanceOf(color) < LUMINANCE_MAX && size > READABLE_SIZE && is_inside
}

/** Relative luminance by the weights of ITU-R BT.709, near enough without gamma. */
function luminanceOf(color: string): number {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(color) ?? []
  if (red === undefined) return 1
  const [r, g, b] = [red, green, blue].map((hex) => Number.parseInt(hex as string, 16) / 255) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** What becomes of a path, by pdf.js's names: how it is filled, and whether a line is drawn along it. */
const PATHS: Record<string, { fill?: 'non-zero' | 'even-odd'; stroke?: true }> = {
  stroke: { stroke: true },
  closeStroke: { stroke: true },
  fill: { fill: 'non-zero' },
  eoFill: { fill: 'even-odd' },
  fillStroke: { fill: 'non-zero', stroke: true },
  eoFillStroke: { fill: 'even-odd', stroke: true },
  closeFillStroke: { fill: 'non-zero', stroke: true },
  closeEOFillStroke: { fill: 'even-odd', stroke: true },
}

function paintPath(
  state: State,
  [operator, [path], bounds]: [number, [ArrayLike<number> | null], ArrayLike<number> | null],
  canvas: Canvas,
) {
  const { clips_next } = state
  state.clips_next = false
  if (!bounds || !path) return
  const [left, bottom, right, top] = Array.from(bounds) as [number, number, number, number]
  const box = boxOf(left, bottom, right, top, state.matrix)
  const { fill, stroke } = PATHS[canvas.nameOf(operator)] ?? {}
  const width = stroke ? state.line_width * Math.sqrt(Math.abs(state.matrix[0] * state.matrix[3] - state.matrix[1] * state.matrix[2])) : 0
  if (fill || stroke) {
    const outline = outlineOf(path, state.matrix)
    if (isDrawing(outline, box)) canvas.drawings.push(box)
    const covers = (point: [number, number]) =>
      (fill !== undefined && fills(outline, point, fill === 'even-odd')) || (stroke === true && strokes(outline, point, width))
    cover(canvas, overlap(wider(box, width / 2), state.clip), covers, 'a shape')
  }
  if (clips_next) state.clip = overlap(state.clip, box)
}

const wider = ({ left, bottom, right, top }: Box, by: number): Box => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
})

function paintUnitSquare(state: State, _given: unknown, canvas: Canvas): void {
  paintPicture(canvas, overlap(boxOf(0, 0, 1, 1, state.matrix), state.clip))
}

function paintPicture(canvas: Canvas, box: Box): void {
  canvas.pictures.push(box)
  cover(canvas, box, () => true, 'a picture')
}

/** Points: the dots of a list are smaller, every letter that could be drawn is larger. */
const DRAWING_MIN = 4.5

/** Lines and frames run along the page's edges. */
function isDrawing(outline: Outline, { left, bottom, right, top }: Box): boolean {
  if (right - left < DRAWING_MIN && top - bottom < DRAWING_MIN) return false
  return outline.some((part) =>
    part.some(([x, y], index) => {
      const [x0, y0] = part[Math.max(0, index - 1)] as [number, number]
      return Math.abs(x - x0) > STRAIGHT && Math.abs(y - y0) > STRAIGHT
    }),
  )
}

/** Points by which a straight line may be off. */
const STRAIGHT = 0.05

/** Points: the labels of a map are smaller than all other texts, and paths of storms may cross them. */
const TEXT_SIZE_MIN = 6.8

/** What something is painted over cannot be read, whatever the file says of it. */
function cover(canvas: Canvas, by: Box, covers: (point: [number, number]) => boolean, what: string): void {
  if (isEmpty(by)) return
  canvas.letters = canvas.letters.filter(({ box, text, size }) => {
    if (text.trim() === '' || isEmpty(overlap(box, by))) return true
    const hidden = pointsOf(box).some((point) => isIn(point, by) && covers(point))
    if (hidden && size >= TEXT_SIZE_MIN) canvas.faults.add(`${what} is painted over text`)
    return !hidden
  })
}

const isIn = ([x, y]: [number, number], { left, bottom, right, top }: Box) => x >= left && x <= right && y >= bottom && y <= top
