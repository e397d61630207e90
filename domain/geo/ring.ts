/**
 * Whether a point of the plane is inside a ring, by counting the edges to its east (even-odd rule).
 * The ring may be open or closed; for several rings, the caller combines the results with exclusive or.
 */
export function insideRing(x: number, y: number, ring: readonly (readonly [number, number])[]): boolean {
  let inside = false
  let last = ring[ring.length - 1]
  for (const corner of ring) {
    if (last && corner[1] > y !== last[1] > y) {
      const crossing = corner[0] + ((y - corner[1]) / (last[1] - corner[1])) * (last[0] - corner[0])
      if (x < crossing) inside = !inside
    }
    last = corner
  }
  return inside
}
