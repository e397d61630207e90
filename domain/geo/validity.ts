import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Polygon } from '#domain/geo/shape.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'

/** A shape of 10,000 positions, drawn to be slow, takes half a second of a free processor. */
const CHECK_MS = 5_000
/** Checks at once: more would take the processor from the answers that others wait for. */
const CHECKS_MAX = 2
const HEAP_MB = 64

const limited = concurrencyLimit(CHECKS_MAX)

/** What is handed to the worker: every ring's longitudes and latitudes in turn, and where rings and polygons end. */
interface FlatPolygons {
  coordinates: Float64Array
  /** Positions before the end of each ring. */
  ring_ends: Int32Array
  /** Rings before the end of each polygon. */
  polygon_ends: Int32Array
}

/**
 * Why polygons are not valid, as a sentence; null where they are. A ring meets itself nowhere, rings neither
 * cross nor share a stretch, holes lie within their polygon and polygons outside one another (OGC Simple Features 6.1.11);
 * two rings may touch in single points. Sought in a worker thread, within bounded time.
 */
export async function findInvalidity(polygons: Polygon[]): Promise<string | null> {
  return limited('geometry', () => check(flatten(polygons)))
}

function check(flat: FlatPolygons): Promise<string | null> {
  // Plain JavaScript, found by name from the source and from the bundle alike: a thread loads it as it is, whatever the process was started with.
  const worker = new Worker(createRequire(import.meta.url).resolve('#domain/geo/validity-worker.mjs'), {
    workerData: flat,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  return new Promise<string | null>((resolve, reject) => {
    const late = setTimeout(() => resolve('The geometry is too intricate to be checked.'), CHECK_MS)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(late)
      reject(new Error('the check of a geometry ended without an answer'))
    })
  }).finally(() => worker.terminate())
}

function flatten(polygons: Polygon[]): FlatPolygons {
  const rings = polygons.flat()
  const ends = (lengths: number[]) => {
    let end = 0
    return Int32Array.from(lengths, (length) => {
      end += length
      return end
    })
  }
  return {
    coordinates: Float64Array.from(rings.flat(2)),
    ring_ends: ends(rings.map((ring) => ring.length)),
    polygon_ends: ends(polygons.map((polygon) => polygon.length)),
  }
}
