import type { Position } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'

/** Square degrees: far below the smallest triangle of positions with five decimals, far above the rounding errors of doubles. */
const FLAT = 1e-12

/**
 * Whether a ring crosses itself, so that its inside is ambiguous. A ring that only touches itself, in a corner or along an
 * edge, does not cross. It compares every pair of edges, so it is meant for rings of some hundred positions.
 * @param ring closed or open, [longitude, latitude]
 */
export function crossesItself(ring: readonly Position[]): boolean {
  const corners = cornersOf(ring)
  const count = corners.length
  for (let one = 0; one < count; one++)
    for (let other = one + 1; other < count; other++) {
      if (edgesCross(corners, one, other)) return true
      if (passesThrough(corners, one, other) || passesThrough(corners, other, one)) return true
      if (samePosition(present(corners[one]), present(corners[other])) && cornersCross(corners, one, other)) return true
    }
  return false
}

/** The corners of a ring, without its closing position and without repeated positions. */
export function cornersOf(ring: readonly Position[]): Position[] {
  const corners = ring.filter((position, place) => place === 0 || !samePosition(position, present(ring[place - 1])))
  if (corners.length > 1 && samePosition(present(corners[0]), present(corners.at(-1)))) corners.pop()
  return corners
}

const samePosition = (one: Position, other: Position) => one[0] === other[0] && one[1] === other[1]

const at = (corners: readonly Position[], place: number) => present(corners[(place + corners.length) % corners.length])

/** Twice the signed area of a triangle: positive if `to` is left of the line from `from` to `by`. */
function turn(from: Position, by: Position, to: Position): number {
  const area = (by[0] - from[0]) * (to[1] - from[1]) - (by[1] - from[1]) * (to[0] - from[0])
  return Math.abs(area) < FLAT ? 0 : area
}

/** Whether two edges cross: the ends of each are on both sides of the other. */
function edgesCross(corners: readonly Position[], one: number, other: number): boolean {
  const [a, b, c, d] = [at(corners, one), at(corners, one + 1), at(corners, other), at(corners, other + 1)]
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
}

/** Whether the ring crosses an edge exactly at one of its own corners. */
function passesThrough(corners: readonly Position[], corner: number, edge: number): boolean {
  const [from, to, here] = [at(corners, edge), at(corners, edge + 1), at(corners, corner)]
  if (turn(from, to, here) !== 0 || samePosition(here, from) || samePosition(here, to) || !isBetween(from, here, to)) return false
  return turn(from, to, at(corners, corner - 1)) * turn(from, to, at(corners, corner + 1)) < 0
}

function isBetween(from: Position, here: Position, to: Position): boolean {
  return (here[0] - from[0]) * (to[0] - here[0]) >= 0 && (here[1] - from[1]) * (to[1] - here[1]) >= 0
}

/** Whether the ring crosses itself where two corners share a position: the edges of one corner are on both sides of the other's. */
function cornersCross(corners: readonly Position[], one: number, other: number): boolean {
  const here = at(corners, one)
  const inside = (position: Position) => isInAngle(at(corners, one - 1), here, at(corners, one + 1), position)
  const [before, after] = [inside(at(corners, other - 1)), inside(at(corners, other + 1))]
  return before !== null && after !== null && before !== after
}

/** Whether a direction is in the angle swept counterclockwise from `to` to `from`; null if it is on the edge of the angle. */
function isInAngle(from: Position, here: Position, to: Position, position: Position): boolean | null {
  const angle = ([x, y]: Position) => Math.atan2(y - here[1], x - here[0])
  const swept = (direction: number) => (direction - angle(to) + 4 * Math.PI) % (2 * Math.PI)
  const [full, part] = [swept(angle(from)), swept(angle(position))]
  if (part < SAME_WAY || part > 2 * Math.PI - SAME_WAY || Math.abs(part - full) < SAME_WAY) return null
  return part < full
}

/** Radians: directions closer than this count as the same. */
const SAME_WAY = 1e-9
