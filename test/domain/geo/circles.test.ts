import { describe, expect, it } from 'vitest'
import { areaSqMiles } from '#domain/geo/area.ts'
import { uniteCircles } from '#domain/geo/circles.ts'
import { readGeometry } from '#domain/geo/geometry.ts'
import { distanceMiles, type Point } from '#domain/geo/measure.ts'
import { type Polygon, pointInPolygon } from '#domain/geo/shape.ts'

const moore = { latitude: 35.339, longitude: -97.486 }
const at = (latitude: number, longitude: number): Point => ({ latitude, longitude })
const unite = (centres: Point[], radius: number): Polygon[] => uniteCircles(centres, radius) as Polygon[]
const isInside = (point: Point, polygons: Polygon[]) => polygons.some((polygon) => pointInPolygon(point, polygon))
const readable = (polygons: Polygon[]) => readGeometry({ type: 'MultiPolygon', coordinates: polygons }, 'a team')

describe('the union of circles', () => {
  it('of one circle has its area, its corners at its radius, and a ring that closes counterclockwise', async () => {
    const polygons = unite([moore], 5)
    expect(polygons).toHaveLength(1)
    const [ring = []] = polygons[0] ?? []
    for (const [longitude, latitude] of ring) expect(distanceMiles(35.339, -97.486, latitude, longitude)).toBeCloseTo(5, 2)
    expect(ring[0]).toEqual(ring.at(-1))
    expect(areaSqMiles(polygons)).toBeCloseTo(Math.PI * 25, 0)
    expect(await readable(polygons)).toHaveProperty('shape')
  })

  it('has two parts for separate circles, and one for overlapping or equal circles', () => {
    expect(unite([moore, at(35.6, -97.486)], 5)).toHaveLength(2)
    expect(unite([moore, at(35.4, -97.486)], 5)).toHaveLength(1)
    expect(areaSqMiles(unite([moore, moore], 5))).toBe(areaSqMiles(unite([moore], 5)))
  })

  it('around an empty middle leaves a hole, and keeps an island in it', async () => {
    const around = Array.from({ length: 12 }, (_, index) => {
      const turn = (index / 12) * 2 * Math.PI
      return at(35 + 0.5 * Math.cos(turn), -97 + (0.5 * Math.sin(turn)) / Math.cos((35 * Math.PI) / 180))
    })
    const ring = unite(around, 12)
    expect(ring.map((polygon) => polygon.length)).toEqual([2])
    expect(isInside(at(35, -97), ring)).toBe(false)
    expect(isInside(at(35.5, -97), ring)).toBe(true)
    const island = unite([...around, at(35, -97)], 12)
    expect(island.map((polygon) => polygon.length).sort()).toEqual([1, 2])
    expect(isInside(at(35, -97), island)).toBe(true)
    expect(await readable(island)).toHaveProperty('shape')
  })

  it('contains exactly the points within the radius of a centre', async () => {
    let seed = 7
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    for (let round = 0; round < 40; round++) {
      const radius = 0.5 + random() * 30
      const centres = Array.from({ length: 1 + Math.floor(random() * 50) }, () => at(33 + random() * 3, -98 + random() * 3))
      const polygons = unite(centres, radius)
      for (let index = 0; index < 100; index++) {
        const point = at(32.5 + random() * 4, -98.5 + random() * 4)
        const nearest = Math.min(
          ...centres.map((centre) => distanceMiles(centre.latitude, centre.longitude, point.latitude, point.longitude)),
        )
        // Points between the circle and its polygon are not compared.
        if (Math.abs(nearest - radius) < radius * 0.0005 + 0.002) continue
        expect(isInside(point, polygons), `round ${round}: ${nearest} of ${radius}`).toBe(nearest < radius)
      }
      expect(await readable(polygons), `round ${round}`).toHaveProperty('shape')
    }
  })

  it('is null if a circle leaves the map', () => {
    expect(uniteCircles([at(52, 179.9)], 10)).toBeNull()
    expect(uniteCircles([at(89.9, 0)], 10)).toBeNull()
    expect(uniteCircles([at(52, 179)], 10)).not.toBeNull()
  })
})
