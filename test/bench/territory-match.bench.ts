import assert from 'node:assert'
import { booleanPointInPolygon, point } from '@turf/turf'
import Flatbush from 'flatbush'
import type { Feature, Polygon } from 'geojson'
import { containsPoint, type PreparedShape, prepareShape } from '#domain/geo/prepared-shape.ts'
import type { Bed, Reach } from './frame.ts'

export const claim = 'Whether a record lies in a drawn territory costs a fraction of what a general library takes'

/** Points; the territories are 2,000 of 2,000 corners, or a tenth of both. */
export const sizes = { small: [100, 1_000], full: [1_000, 10_000] } as const
const TERRITORIES = { small: 200, full: 2_000 } as const
const CORNERS = { small: 200, full: 2_000 } as const

interface Stage {
  shapes: PreparedShape[]
  features: Feature<Polygon>[]
  /** A point with the territories whose boxes contain it: both arms get the same question. */
  candidates: { longitude: number; latitude: number; of: number[] }[]
}

export async function setup({ random, run, size }: Bed): Promise<Stage> {
  const features = Array.from({ length: TERRITORIES[run] }, (): Feature<Polygon> => {
    const [longitude, latitude, reach] = [random.between(-105, -80), random.between(28, 48), random.between(0.2, 1.5)]
    const ring = Array.from({ length: CORNERS[run] }, (_, corner) => {
      const angle = (corner / CORNERS[run]) * 2 * Math.PI
      const away = reach * random.between(0.7, 1)
      return [longitude + away * Math.cos(angle), latitude + away * Math.sin(angle)]
    })
    return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0] as number[]]] } }
  })
  const shapes = features.map(({ geometry }) => prepareShape(geometry))
  const boxes = new Flatbush(shapes.length)
  for (const { bounds } of shapes) boxes.add(bounds.west, bounds.south, bounds.east, bounds.north)
  boxes.finish()
  const candidates = Array.from({ length: size }, () => {
    const [longitude, latitude] = [random.between(-106, -79), random.between(27, 49)]
    return { longitude, latitude, of: boxes.search(longitude, latitude, longitude, latitude) }
  })
  return { shapes, features, candidates }
}

function countInside({ shapes, candidates }: Stage): number {
  let inside = 0
  for (const { longitude, latitude, of } of candidates)
    for (const place of of) if (containsPoint(shapes[place] as PreparedShape, longitude, latitude)) inside++
  return inside
}

function countInsideByPeer({ features, candidates }: Stage): number {
  let inside = 0
  for (const { longitude, latitude, of } of candidates)
    for (const place of of) if (booleanPointInPolygon(point([longitude, latitude]), features[place] as Feature<Polygon>)) inside++
  return inside
}

/** A detection's work on shapes that it has not seen: it prepares them first. */
function countInsideFromText(stage: Stage): number {
  return countInside({ ...stage, shapes: stage.features.map(({ geometry }) => prepareShape(geometry)) })
}

export const arms = [
  { name: 'shapes made ready', run: async (stage: Stage) => void countInside(stage) },
  { name: 'shapes made ready anew', run: async (stage: Stage) => void countInsideFromText(stage) },
  { name: '@turf', peer: true, run: async (stage: Stage) => void countInsideByPeer(stage) },
]

export const reach: Reach[] = [{ arm: 'shapes made ready', peer: '@turf', ratio_at_most: 0.4 }]

export async function check(stage: Stage): Promise<void> {
  assert(countInside(stage) > 0, 'no point lies in any territory')
  assert.strictEqual(countInside(stage), countInsideByPeer(stage))
}
