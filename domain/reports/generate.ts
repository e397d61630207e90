import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#domain/app.ts'
import { type Evidence, searchArchive } from '#domain/archive/search/search.ts'
import { withConsistentSnapshot } from '#domain/archive/versions/consistent-snapshot.ts'
import { readMemory, reasonUnknown } from '#domain/archive/versions/memory.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { isEngineUnavailable, isOutOfTime } from '#domain/kernel/engine-unavailable.ts'
import { inSpan } from '#domain/kernel/trace.ts'
import { locate } from '#domain/places/locate.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { compile } from '#domain/reports/compile.ts'
import type { Composition, ReportWindow } from '#domain/reports/compose.ts'
import { cutToToday } from '#domain/reports/cut-to-today.ts'
import { failReport } from '#domain/reports/fail.ts'
import { publish } from '#domain/reports/publish.ts'
import { storeCitedCells } from '#domain/reports/store-cited-cells.ts'
import { traceToFiles } from '#domain/reports/trace-to-files.ts'

/** Milliseconds before the second and the third attempt of a search. */
const SEARCH_PAUSES_MS = [200, 1_000]

/**
 * Compiles a pending report: locate, search, compose, publish. Repeatable: a report that is no longer pending is left
 * as it is. The report fails if its address cannot be located, if the archive does not respond, or if the archive has forgotten the
 * requested point in time. Any other error is thrown, so that the job is retried.
 */
export async function generateReport(app: App, report_id: string): Promise<void> {
  const request = await readPendingRequest(app, report_id)
  if (!request) return
  const located = await inSpan('locate', {}, () => locate(app, request.query, { point: request.point }))
  if ('failure' in located) {
    // If the report is still pending, its address was changed meanwhile.
    if (!(await failReport(app, report_id, located.failure, located.message, request.query))) await generateReport(app, report_id)
    return
  }
  const { composed, searched_at, known_at } = await compileReport(app, located.place, request)
  if (!composed) return void (await failReport(app, report_id, 'sources_unavailable'))
  const forgotten = request.as_of && reasonUnknown(request.as_of, await readMemory(app.db))
  if (forgotten) return void (await failReport(app, report_id, 'sources_unavailable', forgotten))
  const cited = await storeCitedCells(app.pool, composed)
  const citations = await traceToFiles(app.pool, cited.citations, known_at)
  const published = await publish(app, request, { ...cited, citations }, searched_at)
  // If the report is still pending, its address was changed meanwhile.
  if (!published) await generateReport(app, report_id)
}

const PENDING = {
  name: 'report.pending',
  text: `SELECT id, team_id, query, sent_latitude, sent_longitude, window_start, window_end, radius_miles, as_of, date_of_loss, plan_tier
           FROM reports WHERE id = $1 AND status = 'pending'`,
}

interface PendingRow {
  id: string
  team_id: string
  query: string
  sent_latitude: number | null
  sent_longitude: number | null
  window_start: string
  window_end: string
  radius_miles: number
  as_of: Date | null
  date_of_loss: string | null
  plan_tier: TierId
}

type PendingRequest = NonNullable<Awaited<ReturnType<typeof readPendingRequest>>>

/** Returns what a pending report requests; null if it is no longer pending or was removed. */
async function readPendingRequest({ pool }: Pick<App, 'pool'>, report_id: string) {
  const { rows } = await pool.query<PendingRow>({ ...PENDING, values: [report_id] })
  if (!rows[0]) return null
  const { window_start: start, window_end: end, radius_miles, sent_latitude: latitude, sent_longitude: longitude, ...rest } = rows[0]
  const point = latitude === null || longitude === null ? null : { latitude, longitude }
  return { ...rest, point, window: { start, end, radius_miles } }
}

/** Compiles the report from a single state of the archive. */
function compileReport(app: App, place: LocatedPlace, request: PendingRequest): Promise<Compiled> {
  return withConsistentSnapshot(app, request.as_of, async (known_at) => {
    const now = app.clock.now()
    const window = cutToToday(request.window, place, request.as_of ?? now)
    const evidence = await search(app, place, window, known_at)
    const composed = evidence && (await compile(app, place, window, evidence, { ...request, known_at }))
    return { composed, searched_at: known_at ?? now, known_at }
  })
}

interface Compiled {
  /** Null if the archive did not respond. */
  composed: Composition | null
  searched_at: Date
  /** The point in time at which the archive was searched; null for its state at the time of the search. */
  known_at: Date | null
}

/**
 * Searches the archive, with three attempts; returns null if all of them fail.
 * @throws the database's error if it is unavailable: the report stays pending through a restart, and the job's next attempt continues
 */
async function search(app: App, place: LocatedPlace, window: ReportWindow, as_of: Date | null): Promise<Evidence | null> {
  for (const pause_ms of [...SEARCH_PAUSES_MS, null]) {
    try {
      return await inSpan('archive search', {}, async (note) => {
        const evidence = await searchArchive(app, place, window, as_of)
        note({ 'weather.records': evidence.records.length })
        return evidence
      })
    } catch (fault) {
      app.log.error({ err: fault, attempts_left: pause_ms !== null }, 'the archive did not respond')
      if (pause_ms !== null) await pause(pause_ms)
      else if (isEngineUnavailable(fault) && !isOutOfTime(fault)) throw fault
    }
  }
  return null
}
