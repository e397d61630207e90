import { BLANK, type Canvas, type Letter, type State } from './canvas.ts'
import { type Box, boxOf, IDENTITY, isEmpty, type Matrix, overlap, through } from './geometry.ts'
import { paintPath, paintPicture, paintUnitSquare } from './paint-shapes.ts'

/** The painting operators of a page in order, as pdf.js returns them. */
export interface Operators {
  fnArray: number[]
  // biome-ignore lint/suspicious/noExplicitAny: each operator has its own arguments
  argsArray: any[]
}

/** The letters that a reader sees, the pictures and drawings, and faults: what hides or disguises letters. */
export interface Painting {
  letters: Letter[]
  pictures: Box[]
  /** Shapes other than lines and frames. */
  drawings: Box[]
  faults: string[]
}

/** Follows a page's operators as a renderer would, as far as needed to find the visible letters. */
export function readPainting(operators: Operators, names: Record<string, number>, page: Box): Painting {
  const nameOf = namer(names)
  const canvas: Canvas = { letters: [], pictures: [], drawings: [], faults: new Set(), page, nameOf }
  let state: State = { ...BLANK, clip: page }
  const saved: State[] = []
  operators.fnArray.forEach((code, at) => {
    const name = nameOf(code)
    const args = operators.argsArray[at] ?? []
    if (name === 'save' || name === 'beginGroup') saved.push({ ...state })
    else if (name === 'restore' || name === 'endGroup') state = saved.pop() ?? state
    else if (name === 'paintFormXObjectBegin') {
      saved.push({ ...state })
      if (args[0]) state.matrix = through(args[0], state.matrix)
    } else if (name === 'paintFormXObjectEnd') state = saved.pop() ?? state
    else applyOperator(name, args, state, canvas)
  })
  return { ...canvas, faults: [...canvas.faults] }
}

const namer = (names: Record<string, number>) => {
  const known = new Map(Object.entries(names).map(([name, code]) => [code, name]))
  return (code: number) => known.get(code) ?? 'unknown'
}

// biome-ignore lint/suspicious/noExplicitAny: each operator has its own arguments
function applyOperator(name: string, args: any, state: State, canvas: Canvas): void {
  const step = steps[name]
  if (step) step(state, args, canvas)
  else if (PAINTS.test(name)) paintPicture(canvas, canvas.page)
}

/** Other operators that paint, such as a shading: each counts as covering the whole page. */
const PAINTS = /^(paint|shading|rawFill|beginAnnotation|solidColor)/

// biome-ignore lint/suspicious/noExplicitAny: each operator has its own arguments
const steps: Record<string, (state: State, args: any, canvas: Canvas) => void> = {
  transform: (state, args) => {
    state.matrix = through(args, state.matrix)
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
  // A pattern, or no colour at all: such letters do not count as readable.
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
    if (tag === 'OC') canvas.faults.add('a layer can be switched on and off')
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

/** Glyph widths are in units of which 1000 are one em. */
const UNITS_PER_EM = 1000
/** As a share of an em: from the baseline to the top of a small letter, the part that every letter fills. */
const BODY_TOP = 0.45
/** Points: smaller letters cannot be read. The smallest on a document's map are 5. */
const READABLE_SIZE = 3

interface Glyph {
  unicode: string
  width: number
  isSpace: boolean
}

function showText(state: State, glyphs: (Glyph | number)[], canvas: Canvas): void {
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      advance(state, (-glyph / UNITS_PER_EM) * state.font_size)
      continue
    }
    const width = (glyph.width / UNITS_PER_EM) * state.font_size
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
/** Relative luminance, of 1: paper is white, and all text of a document is darker than this. */
const LUMINANCE_MAX = 0.6

function isReadable({ rendering, color, opacity, clip }: State, box: Box, size: number): boolean {
  const visible = overlap(box, clip)
  const is_inside = !isEmpty(visible) && (visible.right - visible.left) * 2 > box.right - box.left
  return FILLED.includes(rendering) && opacity > 0.5 && luminanceOf(color) < LUMINANCE_MAX && size > READABLE_SIZE && is_inside
}

/** Relative luminance by the weights of ITU-R BT.709; close enough without gamma. */
function luminanceOf(color: string): number {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(color) ?? []
  if (red === undefined) return 1
  const [r, g, b] = [red, green, blue].map((hex) => Number.parseInt(hex as string, 16) / 255) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
