// Runs in a worker thread: takes the FlatPolygons of validity.ts and posts a sentence, or null if they are valid.
import { parentPort, workerData } from 'node:worker_threads'

const CROSSING = 'The geometry crosses, touches or overlaps itself.'
const BACKWARDS = 'The geometry doubles back on itself.'
const FLAT = 'A ring encloses no area.'
const HOLE_OUTSIDE = 'A hole does not lie within its polygon.'
const HOLES_OVERLAP = 'Two holes overlap.'
const OVERLAP = 'Two of its polygons overlap.'

/** Ring -> its bounding box. */
const boxes = new WeakMap()

parentPort?.postMessage(findInvalidity(unflatten(workerData)))

/** Polygons of rings of positions, without the closing position and without repeated positions. */
function unflatten({ coordinates, ring_ends, polygon_ends }) {
  const rings = Array.from(ring_ends, (end, index) => {
    const ring = []
    for (let at = index === 0 ? 0 : ring_ends[index - 1]; at < end; at++) {
      const position = [coordinates[2 * at], coordinates[2 * at + 1]]
      if (!same(position, ring.at(-1))) ring.push(position)
    }
    if (ring.length > 1 && same(ring[0], ring.at(-1))) ring.pop()
    return ring
  })
  return Array.from(polygon_ends, (end, index) => rings.slice(index === 0 ? 0 : polygon_ends[index - 1], end))
}

function findInvalidity(polygons) {
  const rings = polygons.flat()
  if (rings.some((ring) => ring.length < 3)) return FLAT
  return findBackwards(rings) ?? findCrossing(rings) ?? findMisplaced(polygons)
}

/** A corner at which a ring runs back along the edge before it. */
function findBackwards(rings) {
  for (const ring of rings) {
    for (let index = 0; index < ring.length; index++) {
      const [before, at, after] = [ring.at(index - 1), ring[index], ring[(index + 1) % ring.length]]
      const ahead = (before[0] - at[0]) * (after[0] - at[0]) + (before[1] - at[1]) * (after[1] - at[1])
      if (side(before, at, after) === 0 && ahead > 0) return BACKWARDS
    }
  }
  return null
}

/**
 * Finds two edges of one ring that touch outside a common corner, or two edges of different rings that cross or overlap.
 * Sweeps the edges by their western ends. If all edges overlap in longitude, it compares every pair: 50 million comparisons
 * of numbers at the limit of positions, a third of a second.
 */
function findCrossing(rings) {
  const edges = rings.flatMap((ring, owner) =>
    ring.map((from, place) => ({ from, to: ring[(place + 1) % ring.length], owner, place, count: ring.length })),
  )
  edges.sort((one, other) => westOf(one) - westOf(other))
  const west = Float64Array.from(edges, westOf)
  const east = Float64Array.from(edges, ({ from, to }) => Math.max(from[0], to[0]))
  const south = Float64Array.from(edges, ({ from, to }) => Math.min(from[1], to[1]))
  const north = Float64Array.from(edges, ({ from, to }) => Math.max(from[1], to[1]))
  for (let one = 0; one < edges.length; one++) {
    for (let other = one + 1; other < edges.length && west[other] <= east[one]; other++) {
      if (south[other] <= north[one] && south[one] <= north[other] && collide(edges[one], edges[other])) return CROSSING
    }
  }
  return null
}

function westOf({ from, to }) {
  return Math.min(from[0], to[0])
}

function collide(one, other) {
  if (one.owner !== other.owner) return cross(one.from, one.to, other.from, other.to)
  const apart = Math.abs(other.place - one.place)
  const neighbours = apart === 1 || apart === one.count - 1
  return !neighbours && intersects(one.from, one.to, other.from, other.to)
}

/** Whether two edges cross in their interior or overlap; touching in one point does not count. */
function cross(a, b, c, d) {
  const c1 = side(a, b, c)
  const d1 = side(a, b, d)
  if (c1 === 0 && d1 === 0) return overlap(a, b, c, d)
  return c1 * d1 < 0 && side(c, d, a) * side(c, d, b) < 0
}

/** Whether two edges share a point, given that their bounding boxes do. */
function intersects(a, b, c, d) {
  return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0
}

/** Whether two collinear edges share more than a point. */
function overlap(a, b, c, d) {
  const axis = Math.abs(b[0] - a[0]) >= Math.abs(b[1] - a[1]) ? 0 : 1
  const start = Math.max(Math.min(a[axis], b[axis]), Math.min(c[axis], d[axis]))
  const end = Math.min(Math.max(a[axis], b[axis]), Math.max(c[axis], d[axis]))
  return start < end
}

/** Finds rings that are wrongly inside or outside one another. Their edges do not cross except perhaps at corners. */
function findMisplaced(polygons) {
  for (const [outer, ...holes] of polygons) {
    for (const [index, hole] of holes.entries()) {
      if (locateRing(hole, outer) !== 'inside') return HOLE_OUTSIDE
      if (holes.some((other, place) => place !== index && locateRing(hole, other) !== 'outside')) return HOLES_OVERLAP
    }
  }
  for (const [index, [outer]] of polygons.entries()) {
    for (const [place, [other, ...holes]] of polygons.entries()) {
      if (place === index) continue
      const where = locateRing(outer, other)
      if (where !== 'outside' && !holes.some((hole) => locateRing(outer, hole) === 'inside')) return OVERLAP
    }
  }
  return null
}

/** Whether a ring's corners and the middles of its edges are inside another ring, outside, or both. Points on an edge do not count. */
function locateRing(ring, other) {
  if (!boxesOverlap(boxOf(ring), boxOf(other))) return 'outside'
  let [inside, outside] = [false, false]
  for (let index = 0; index < ring.length && !(inside && outside); index++) {
    const next = ring[(index + 1) % ring.length]
    for (const point of [ring[index], [(ring[index][0] + next[0]) / 2, (ring[index][1] + next[1]) / 2]]) {
      const place = locatePoint(point, other)
      if (place > 0) inside = true
      if (place < 0) outside = true
    }
  }
  if (inside && outside) return 'both'
  return outside ? 'outside' : 'inside'
}

/** 1 inside a ring, -1 outside, 0 on its edge. */
function locatePoint([x, y], ring) {
  let inside = -1
  let last = ring.at(-1)
  for (const corner of ring) {
    const between =
      Math.min(last[0], corner[0]) <= x &&
      x <= Math.max(last[0], corner[0]) &&
      Math.min(last[1], corner[1]) <= y &&
      y <= Math.max(last[1], corner[1])
    if (between && side(last, corner, [x, y]) === 0) return 0
    if (corner[1] > y !== last[1] > y && x < corner[0] + ((y - corner[1]) / (last[1] - corner[1])) * (last[0] - corner[0])) inside = -inside
    last = corner
  }
  return inside
}

function boxOf(ring) {
  let box = boxes.get(ring)
  if (!box) {
    box = [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x, y] of ring) box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)]
    boxes.set(ring, box)
  }
  return box
}

function boxesOverlap(one, other) {
  return one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3]
}

/** The side of the line from a to b on which a point is: positive to the left, 0 on it. */
function side(a, b, point) {
  return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
}

function same(one, other) {
  return other !== undefined && one[0] === other[0] && one[1] === other[1]
}
