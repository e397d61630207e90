import type { Canvas, State } from './canvas.ts'
import { type Box, boxOf, isEmpty, overlap } from './geometry.ts'
import { fills, type Outline, outlineOf, pointsOf, strokes } from './shapes.ts'

/** Path operators by pdf.js's names: how the path is filled, and whether a line is drawn along it. */
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

/** Paints a path of a page, or clips what follows by it. */
export function paintPath(
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

/** Paints a picture: the unit square under the current matrix. */
export function paintUnitSquare(state: State, _args: unknown, canvas: Canvas): void {
  paintPicture(canvas, overlap(boxOf(0, 0, 1, 1, state.matrix), state.clip))
}

/** Notes a picture and what it covers. */
export function paintPicture(canvas: Canvas, box: Box): void {
  canvas.pictures.push(box)
  cover(canvas, box, () => true, 'a picture')
}

/** Points: larger than the bullets of a list, smaller than any letter that a shape could draw. */
const DRAWING_MIN = 4.5

/** Whether a shape is more than a line or frame parallel to the page's edges. */
function isDrawing(outline: Outline, { left, bottom, right, top }: Box): boolean {
  if (right - left < DRAWING_MIN && top - bottom < DRAWING_MIN) return false
  return outline.some((part) =>
    part.some(([x, y], index) => {
      const [x0, y0] = part[Math.max(0, index - 1)] as [number, number]
      return Math.abs(x - x0) > STRAIGHT && Math.abs(y - y0) > STRAIGHT
    }),
  )
}

/** Tolerance of a straight line, in points. */
const STRAIGHT = 0.05

/** Points: only the labels of a map are smaller, and paths of storms may cross them. */
const TEXT_SIZE_MIN = 6.8

/** Removes the letters that something is painted over: a reader cannot see them. */
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
