/** An affine transformation in PDF notation: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number]

/** A rectangle in points of the page, y upwards. */
export interface Box {
  left: number
  bottom: number
  right: number
  top: number
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** Returns the transformation that applies `inner` first, then `outer`. */
export function through(inner: ArrayLike<number>, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = Array.from(inner) as Matrix
  const [A, B, C, D, E, F] = outer
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

/** Returns the bounding box of a transformed rectangle. */
export function boxOf(left: number, bottom: number, right: number, top: number, [a, b, c, d, e, f]: Matrix): Box {
  const corners = [
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top],
  ] as const
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

/** The area that two boxes share; an empty box if they share none. */
export function overlap(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  }
}

/** Whether a box has no area. */
export const isEmpty = ({ left, bottom, right, top }: Box) => right <= left || top <= bottom
