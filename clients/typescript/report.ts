import { WeatherApiError, WeatherTimeoutError } from './errors.ts'
import type { Call, Schemas } from './operations.ts'
import { pause, startTimer } from './send.ts'

/** A report in a final state. `failure_reason` states why it failed. */
export type EndedReport = Schemas['Report'] & { status: 'complete' | 'failed' }

export interface WaitOptions {
  /** Milliseconds; default two minutes. Infinity for no limit. */
  withinMs?: number
  signal?: AbortSignal
}

const WITHIN_MS = 120_000
/** Most reports complete within a second, so the first poll is early. Later polls are slower to save the token's rate limit. */
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 2000
const PDF = 'application/pdf'

/** Polls a report until it is complete or has failed. @throws WeatherTimeoutError if that takes too long */
export function waitForReport(get: Call<'get'>, id: string, options?: WaitOptions): Promise<EndedReport> {
  return pollWithin(options, `The report ${id} is still pending`, async (signal) => {
    for (let wait = MIN_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      const { data: report } = await get('/api/v1/reports/{report}', { params: { path: { report: id } }, signal })
      if (hasEnded(report)) return report
      await pause(wait, signal)
    }
  })
}

/**
 * The service responds 202 with JSON until the document is rendered, and states when to ask again.
 * @throws WeatherApiError also for a page that answers instead of the service
 */
export function reportPdf(
  fetch: (path: string, init: RequestInit) => Promise<Response>,
  id: string,
  options?: WaitOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return pollWithin(options, `The document of the report ${id} is still being rendered`, async (signal) => {
    for (;;) {
      const answer = await fetch(`/api/v1/reports/${encodeURIComponent(id)}/pdf`, { headers: { accept: PDF }, signal })
      if (answer.headers.get('content-type')?.startsWith(PDF)) return new Uint8Array(await answer.arrayBuffer())
      if (answer.status !== 202) throw new WeatherApiError(answer, await answer.text())
      const seconds = Number(answer.headers.get('retry-after'))
      await pause(seconds > 0 ? seconds * 1000 : MAX_PAUSE_MS, signal)
    }
  })
}

/** @throws WeatherTimeoutError if the poll has no result in time; the caller's own abort as it is */
async function pollWithin<Result>(
  { withinMs = WITHIN_MS, signal = new AbortController().signal }: WaitOptions = {},
  pending: string,
  poll: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController()
  const timer = startTimer(() => late.abort(), withinMs)
  try {
    return await poll(AbortSignal.any([signal, late.signal]))
  } catch (fault) {
    if (!late.signal.aborted || signal.aborted) throw fault
    throw new WeatherTimeoutError(`${pending} after ${withinMs / 1000} s.`)
  } finally {
    clearTimeout(timer)
  }
}

const hasEnded = (report: Schemas['Report']): report is EndedReport => report.status !== 'pending'
