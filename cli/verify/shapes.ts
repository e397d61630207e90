import type { Box, Matrix } from './geometry.ts'

type Point = [x: number, y: number]

/** A path's outline in points of the page: straight segments, each part open or closed as drawn. */
export type Outline = Point[][]

/** Segments per curve: for the curves of a circle the error is below a thousandth of its size. */
const CURVE_PIECES = 8

/** pdf.js's codes for the parts of a path. */
const MOVE = 0
const LINE = 1
const CURVE = 2
const QUADRATIC = 3

/** Unpacks a path from pdf.js: a code, its coordinates, the next code, and so on. */
export function outlineOf(path: ArrayLike<number>, [a, b, c, d, e, f]: Matrix): Outline {
  const parts: Outline = []
  let part: Point[] = []
  const at = (index: number): Point => {
    const [x, y] = [path[index] as number, path[index + 1] as number]
    return [a * x + c * y + e, b * x + d * y + f]
  }
  for (let index = 0; index < path.length; ) {
    const code = path[index++]
    const from = part.at(-1) ?? [0, 0]
    if (code === MOVE) {
      part = [at(index)]
      parts.push(part)
      index += 2
    } else if (code === LINE) {
      part.push(at(index))
      index += 2
    } else if (code === CURVE) {
      part.push(...curve([from, at(index), at(index + 2), at(index + 4)]))
      index += 6
    } else if (code === QUADRATIC) {
      part.push(...curve([from, at(index), at(index + 2)]))
      index += 4
    } else if (part[0]) part.push(part[0])
  }
  return parts
}

/** De Casteljau's algorithm: repeated interpolation between the control points. */
function curve(controls: Point[]): Point[] {
  return Array.from({ length: CURVE_PIECES }, (_, piece) => {
    const part = (piece + 1) / CURVE_PIECES
    let points = controls
    while (points.length > 1)
      points = points.slice(1).map(([x, y], index): Point => {
        const [x0, y0] = points[index] as Point
        return [x0 + (x - x0) * part, y0 + (y - y0) * part]
      })
    return points[0] as Point
  })
}

/** The checked points of a letter: a grid, so that strips and dots over it are detected too. */
const ACROSS = [0.2, 0.5, 0.8]
const UP = [0.2, 0.5, 0.8]

/** The points of a letter's box that are checked, in points of the page. */
export function pointsOf({ left, bottom, right, top }: Box): Point[] {
  return ACROSS.flatMap((x) => UP.map((y): Point => [left + x * (right - left), bottom + y * (top - bottom)]))
}

/** Whether a filled outline covers a point, by the non-zero or the even-odd rule; open parts are closed. */
export function fills(outline: Outline, [x, y]: Point, even_odd: boolean): boolean {
  let winding = 0
  let crossings = 0
  for (const part of outline)
    for (let index = 0; index < part.length; index++) {
      const [x1, y1] = part.at(index - 1) as Point
      const [x2, y2] = part[index] as Point
      if (y1 > y === y2 > y || x >= x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) continue
      crossings++
      winding += y2 > y1 ? 1 : -1
    }
  return even_odd ? crossings % 2 === 1 : winding !== 0
}

/** Whether a line of this width along an outline covers a point. */
export function strokes(outline: Outline, [x, y]: Point, width: number): boolean {
  return outline.some((part) =>
    part.some(([x2, y2], index) => {
      const [x1, y1] = part[Math.max(0, index - 1)] as Point
      const [run, rise] = [x2 - x1, y2 - y1]
      const along = Math.max(0, Math.min(1, ((x - x1) * run + (y - y1) * rise) / (run * run + rise * rise || 1)))
      return Math.hypot(x1 + along * run - x, y1 + along * rise - y) <= width / 2
    }),
  )
}
