import { WeatherTimeoutError } from './errors.ts'
import type { Call, Schemas } from './operations.ts'
import { pause } from './send.ts'

/** A report in a final state. `failure_reason` states why it failed. */
export type EndedReport = Schemas['Report'] & { status: 'complete' | 'failed' }

export interface WaitOptions {
  /** Milliseconds; default two minutes. */
  withinMs?: number
  signal?: AbortSignal
}

const WITHIN_MS = 120_000
/** Most reports complete within a second, so the first poll is early. Later polls are slower to save the token's rate limit. */
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 2000

export async function waitForReport(
  get: Call<'get'>,
  id: string,
  { withinMs = WITHIN_MS, signal = new AbortController().signal }: WaitOptions = {},
): Promise<EndedReport> {
  const late = AbortSignal.timeout(withinMs)
  const either = AbortSignal.any([signal, late])
  try {
    for (let wait = MIN_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      const { data: report } = await get('/api/v1/reports/{report}', { params: { path: { report: id } }, signal: either })
      if (hasEnded(report)) return report
      await pause(wait, either)
    }
  } catch (fault) {
    if (!late.aborted || signal.aborted) throw fault
    throw new WeatherTimeoutError(`The report ${id} is still pending after ${withinMs / 1000} s.`)
  }
}

const hasEnded = (report: Schemas['Report']): report is EndedReport => report.status !== 'pending'
