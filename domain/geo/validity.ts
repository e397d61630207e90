import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Polygon } from '#domain/geo/shape.ts'
import { fairConcurrencyLimit } from '#domain/kernel/concurrency-limit.ts'

/** A shape with 10,000 positions, designed to be slow, takes half a second on an idle CPU. */
const CHECK_MS = 5_000
/** Checks at once: more would take CPU time from other requests. */
const CHECKS_MAX = 2
/** Shapes of one team that may wait, half of what one token may send in a minute: each is in memory meanwhile. */
const WAITING_MAX = 60
const HEAP_MB = 64

const limited = fairConcurrencyLimit({ max: CHECKS_MAX, waiting_max: WAITING_MAX })

/** Input of the worker: the longitudes and latitudes of all rings, and where rings and polygons end. */
interface FlatPolygons {
  coordinates: Float64Array
  /** Positions before the end of each ring. */
  ring_ends: Int32Array
  /** Rings before the end of each polygon. */
  polygon_ends: Int32Array
}

/**
 * Returns a sentence that says why polygons are invalid; null if they are valid. A ring must not touch itself, rings must not cross
 * or share an edge, holes must be inside their polygon, and polygons must not overlap (OGC Simple Features 6.1.11); two rings may
 * touch in single points. Runs in a worker thread with a time limit, and teams take turns.
 * @throws Refusal `rate_limited` if too many shapes of the team are waiting
 */
export async function findInvalidity(polygons: Polygon[], team_id: string): Promise<string | null> {
  return limited(team_id, () => check(flatten(polygons)))
}

function check(flat: FlatPolygons): Promise<string | null> {
  // Plain JavaScript, which a thread can load whatever flags the process was started with. The name resolves in source and bundle.
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
      reject(new Error('the check of a geometry ended without a result'))
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
