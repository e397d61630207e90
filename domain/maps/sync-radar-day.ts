import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#domain/app.ts'
import { markRead, validatorsOf, wasRead } from '#domain/archive/feeds/feed-states.ts'
import type { ImportSummary } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { deleteOldFrames } from '#domain/archive/radar/frames.ts'
import { conditionalGet } from '#domain/archive/sources/feed.ts'
import { mesh } from '#domain/archive/sources/mesh.ts'
import { type GridFile, gridsOfDay, type MeshProduct } from '#domain/archive/sources/mesh-bucket.ts'
import type { Ask } from '#domain/archive/sources/source.ts'
import { unreachable } from '#domain/archive/sources/unavailable.ts'
import type { ActorKind } from '#domain/closed-sets.ts'
import { HttpFailure } from '#domain/engines/http.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isDate, refuseField } from '#domain/kernel/validation.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'

export interface RadarDayOptions {
  /** Reads every moment of the day instead of the agency's largest of 24 hours. */
  frames: boolean
  /** Announces what moments find at watched places, however old it is. */
  notify?: boolean
  by?: ActorKind
  /** Milliseconds before each request. */
  pause_ms?: number
}

export interface RadarDaySummary {
  /** YYYY-MM-DD */
  day: string
  /** Everything was read before: no request was made. */
  up_to_date: boolean
  /** Wanted grids of the day in the bucket. */
  grids: number
  /** Grids still to be read: the next call continues there. */
  left: number
  imports: ImportSummary[]
  /** Grids that could not be used: nothing from them was stored. */
  faults: { file_name: string; reason: string }[]
}

/** What reading and importing a file of a feed requires. */
type FeedApp = Pick<App, 'pool' | 'clock' | 'log' | 'http' | 'config'> & Partial<Pick<App, 'source_files'>>

/** A local day begins at 04:00 UTC in the east in summer and ends at 08:00 UTC in the west in winter. */
const EARLIEST_START_MS = 4 * HOUR_MS
const LATEST_END_MS = 32 * HOUR_MS
/** The 24 hours to 06:00 UTC are the local day of the central states in winter, and differ by an hour or two elsewhere. */
const DAY_GRID_END_MS = 30 * HOUR_MS
/** Range of other 24-hour grids that may replace that one: their middle is in the same day everywhere. ATTEMPTS_MAX limits the attempts. */
const NEAR_MS = 6 * HOUR_MS
const ATTEMPTS_MAX = 3
/** At most four requests per second, one at a time. */
const PAUSE_MS = 250
/** Grids imported per call: some minutes' work, after which the caller gets its progress. */
const FRAMES_AT_ONCE = 45

/**
 * Reads a past day of radar from the agency's open-data bucket: the largest of its 24 hours, or its moments, some of them per call.
 * Each grid is merged into the stored days before this returns, and frames older than the retention are deleted again. A grid is read
 * only once; a grid that cannot be used is named in the result, and nothing from it is stored.
 * @param day local day, YYYY-MM-DD
 * @throws Refusal validation_failed on `day` if it is invalid or not over; engine_unavailable if the bucket does not respond
 */
export async function syncRadarDay(app: FeedApp, day: string, options: RadarDayOptions): Promise<RadarDaySummary> {
  if (!isDate(day)) refuseField('day', 'The day must be a date, written YYYY-MM-DD.')
  const midnightUtc = Date.parse(`${day}T00:00:00Z`)
  if (app.clock.now().getTime() < midnightUtc + LATEST_END_MS)
    refuseField('day', 'The day must be over: in the west it ends at 08:00 UTC of the next day.')
  const mark = `${mesh.cite({ source_key: '', occurred_on: day, begins_at: new Date(midnightUtc) })}#${options.frames ? 'frames' : 'day'}`
  if (await wasRead(app, mark)) return { day, up_to_date: true, grids: 0, left: 0, imports: [], faults: [] }
  const ask = withPause(app, options.pause_ms ?? PAUSE_MS)
  const summary = options.frames ? await readMoments(app, ask, midnightUtc, options) : await readLargest(app, ask, midnightUtc, options)
  // The worker would do this within seconds. Done here, the day is visible at once, and frames past their retention are not kept.
  await refreshMaps(app)
  await deleteOldFrames(app, app.config.mesh_retention_days)
  const isComplete = options.frames ? summary.left === 0 && summary.faults.length === 0 : summary.imports.length > 0
  if (summary.grids > 0 && isComplete) await markRead(app.pool, mesh.id, mark, app.clock.now())
  return { day, up_to_date: false, ...summary }
}

type Progress = Omit<RadarDaySummary, 'day' | 'up_to_date'>

/** Reads the 24-hour grid that ends nearest to 06:00 UTC; if it cannot be used, the next nearest. */
async function readLargest(app: FeedApp, ask: Ask, midnightUtc: number, options: RadarDayOptions): Promise<Progress> {
  const distance = ({ valid_at }: GridFile) => Math.abs(valid_at.getTime() - midnightUtc - DAY_GRID_END_MS)
  const around = await gridsBetween(
    ask,
    'mesh_max_1440min',
    midnightUtc + DAY_GRID_END_MS - NEAR_MS,
    midnightUtc + DAY_GRID_END_MS + NEAR_MS,
  )
  const near = around.sort((one, other) => distance(one) - distance(other)).slice(0, ATTEMPTS_MAX)
  const progress: Progress = { grids: Math.min(near.length, 1), left: 0, imports: [], faults: [] }
  for (const grid of near) {
    await readGrid(app, ask, grid, options, progress)
    if (progress.imports.length > 0) break
  }
  return progress
}

async function readMoments(app: FeedApp, ask: Ask, midnightUtc: number, options: RadarDayOptions): Promise<Progress> {
  const moments = await gridsBetween(ask, 'mesh', midnightUtc + EARLIEST_START_MS, midnightUtc + LATEST_END_MS)
  const progress: Progress = { grids: moments.length, left: 0, imports: [], faults: [] }
  for (const [nth, grid] of moments.entries()) {
    if (await wasRead(app, grid.url)) continue
    // Grids that cannot be used are not counted: every call tries them again, and would never get beyond them.
    if (progress.imports.length === FRAMES_AT_ONCE) return { ...progress, left: moments.length - nth }
    await readGrid(app, ask, grid, options, progress)
  }
  return progress
}

/** Returns the grids of a product that end between these milliseconds, `until` included, oldest first. */
async function gridsBetween(ask: Ask, product: MeshProduct, after: number, until: number): Promise<GridFile[]> {
  const days = new Set([after, until].map((at) => Math.floor(at / DAY_MS) * DAY_MS))
  const grids: GridFile[] = []
  for (const day of days) grids.push(...(await gridsOfDay(ask, product, new Date(day))))
  return grids.filter(({ valid_at }) => valid_at.getTime() > after && valid_at.getTime() <= until)
}

async function readGrid(
  app: FeedApp,
  ask: Ask,
  { url, name }: GridFile,
  { notify, by }: RadarDayOptions,
  progress: Progress,
): Promise<void> {
  const answer = await ask(url, { unconditional: true })
  try {
    if (!answer) refuseField('file', 'The folder lists this file, but it does not exist.')
    progress.imports.push(
      await ingest(app, mesh.slug, Readable.from([answer.body]), {
        ...{ file_name: name, quiet: !notify, url },
        origin: { from: url, by: by ?? 'service' },
      }),
    )
  } catch (fault) {
    if (!(fault instanceof Refusal && fault.code === 'validation_failed')) throw fault
    progress.faults.push({ file_name: name, reason: fault.message })
  }
}

/** Requests one URL after another, never concurrently; a failed request is reported as a failure of the source. */
function withPause(app: FeedApp, pause_ms: number): Ask {
  const ask = conditionalGet(app.http, (url) => validatorsOf(app, url))
  return async (...args) => {
    await pause(pause_ms)
    try {
      return await ask(...args)
    } catch (fault) {
      throw fault instanceof HttpFailure || fault instanceof Refusal ? unreachable(mesh, fault.message) : fault
    }
  }
}
