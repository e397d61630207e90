import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#domain/app.ts'
import { type Evidence, searchArchive } from '#domain/archive/search/search.ts'
import { readMemory, reasonUnknown } from '#domain/archive/versions/memory.ts'
import { ofOneMoment } from '#domain/archive/versions/one-moment.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { isEngineAway, isOutOfTime } from '#domain/kernel/engine-away.ts'
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

/** Milliseconds before the second and the third attempt at a search. */
const SEARCH_PAUSES_MS = [200, 1_000]

/**
 * Compiles a pending report: locate, search, compose, publish. Repeatable: a report that is no longer pending is left
 * as it is. An address that cannot be located, an archive that does not answer, and a moment that the archive has forgotten since it was
 * asked for end it as failed; any other fault is thrown, for the job to try again.
 */
export async function generateReport(app: App, report_id: string): Promise<void> {
  const request = await openRequest(app, report_id)
  if (!request) return
  const located = await inSpan('locate', {}, () => locate(app, request.query, { point: request.point }))
  if ('failure' in located) {
    // Of a report that is still pending the address is another one by now.
    if (!(await failReport(app, report_id, located.failure, located.message, request.query))) await generateReport(app, report_id)
    return
  }
  const { composed, searched_at, known_at } = await compileWhole(app, located.place, request)
  if (!composed) return void (await failReport(app, report_id, 'sources_unavailable'))
  const forgotten = request.as_of && reasonUnknown(request.as_of, await readMemory(app.db))
  if (forgotten) return void (await failReport(app, report_id, 'sources_unavailable', forgotten))
  const cited = await storeCitedCells(app.pool, composed)
  const citations = await traceToFiles(app.pool, cited.citations, known_at)
  const published = await publish(app, request, { ...cited, citations }, searched_at)
  // Of a report that is still pending the address is another one by now.
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

type PendingRequest = NonNullable<Awaited<ReturnType<typeof openRequest>>>

/** What a pending report asks for; null where it is no longer pending or no longer there. */
async function openRequest({ pool }: Pick<App, 'pool'>, report_id: string) {
  const { rows } = await pool.query<PendingRow>({ ...PENDING, values: [report_id] })
  if (!rows[0]) return null
  const { window_start: start, window_end: end, radius_miles, sent_latitude: latitude, sent_longitude: longitude, ...asked } = rows[0]
  const point = latitude === null || longitude === null ? null : { latitude, longitude }
  return { ...asked, point, window: { start, end, radius_miles } }
}

/** What the archive says of the place, all of one moment. */
function compileWhole(app: App, place: LocatedPlace, request: PendingRequest): Promise<Compiled> {
  return ofOneMoment(app, request.as_of, async (known_at) => {
    const now = app.clock.now()
    const window = cutToToday(request.window, place, request.as_of ?? now)
    const evidence = await search(app, place, window, known_at)
    const composed = evidence && (await compile(app, place, window, evidence, { ...request, known_at }))
    return { composed, searched_at: known_at ?? now, known_at }
  })
}

interface Compiled {
  /** Null where the archive gave no answer. */
  composed: Composition | null
  searched_at: Date
  /** The moment as of which the archive was searched; null for as it was then. */
  known_at: Date | null
}

/**
 * The archive's answer, asked for three times; null where it gives none.
 * @throws whatever says that the database is away: a report does not end for a restart that the next try of its job outlives
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
      app.log.error({ err: fault, attempts_left: pause_ms !== null }, 'the archive did not answer')
      if (pause_ms !== null) await pause(pause_ms)
      else if (isEngineAway(fault) && !isOutOfTime(fault)) throw fault
    }
  }
  return null
}
