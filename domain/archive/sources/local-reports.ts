import { monthsBetween } from '#domain/archive/coverage/coverage-months.ts'
import { readLocalReports } from '#domain/archive/local-reports/read.ts'
import { REPORTS_PAGE } from '#domain/archive/local-reports/record.ts'
import { beginOfMonth, feedFailed } from '#domain/archive/sources/feed.ts'
import type { Ask, FeedAnswer, FeedSpan, Source } from '#domain/archive/sources/source.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'

/** Local storm reports of National Weather Service offices: preliminary. */
export const localReports = {
  id: 'nws_lsr',
  slug: 'local-reports',
  label: 'National Weather Service local storm reports',
  lane: 'record',
  evidence_kind: 'ground',
  methodology:
    'Preliminary reports that National Weather Service offices issue as they reach them from spotters, officials, stations and the public; a later product may correct an earlier one, and they are not quality-controlled.',
  /** A record cites the page of its own product, https://mesonet.agron.iastate.edu/p.php?pid=202506052240-KLUB-NWUS54-LSRLUB */
  cite: () => REPORTS_PAGE,
  read: readLocalReports,
  fetch: fetchLocalReports,
} as const satisfies Source

/** https://mesonet.agron.iastate.edu/geojson/lsr.geojson?sts=202505010000&ets=202505312359: report times, UTC. */
const SERVICE = 'https://mesonet.agron.iastate.edu/geojson/lsr.geojson'
/**
 * A month of the whole country is under 20 MB, and the service needs some time for it. A span ends at the time of the
 * request, so its URL is requested only once.
 */
const BOUNDS = { max_bytes: 64 * 1024 * 1024, timeout_ms: 180_000, unconditional: true }
/** The final record trails by up to 120 days and contains everything older. */
const FIRST_DAYS_BACK = 120
/** Most reports reach their office, and are corrected, within some days. */
const AGAIN_DAYS = 3
/**
 * Surveys rate tornadoes and damage for weeks. The service is asked by the time of the event, not of the product, so once a
 * day it is asked for a month. What is sent still later arrives with the final record.
 */
const SURVEYED_DAYS = 30

/**
 * Reads a month at a time from where the last run stopped. The first run starts on the first day of a month, so that a
 * month once read is stored whole. The first run of each UTC day goes back further than the others.
 */
async function* fetchLocalReports(ask: Ask, { since, now }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const from = new Date(since ? since.getTime() - daysAgain(since, now) * DAY_MS : beginOfMonth(now.getTime() - FIRST_DAYS_BACK * DAY_MS))
  for (const month of monthsBetween(from.toISOString().slice(0, 7), now.toISOString().slice(0, 7))) {
    const begins = new Date(Math.max(from.getTime(), Date.parse(`${month}-01T00:00:00Z`)))
    const ends = new Date(Math.min(now.getTime(), nextMonth(begins).getTime()))
    for await (const answer of fetchSpan(ask, begins, ends)) yield { ...answer, months: [month] }
  }
  return now
}

function daysAgain(since: Date, now: Date): number {
  const isNewDay = minutes(since).slice(0, 'YYYYMMDD'.length) !== minutes(now).slice(0, 'YYYYMMDD'.length)
  return isNewDay ? SURVEYED_DAYS : AGAIN_DAYS
}

/** The most reports that the service returns for a span, in no order. If there are more, the missing ones cannot be determined. */
const RESPONSE_ROWS_MAX = 10_000

/** Yields the reports of a span, or of its halves if it may have more than one response contains. */
async function* fetchSpan(ask: Ask, begins: Date, ends: Date): AsyncGenerator<FeedAnswer> {
  const span = `sts=${minutes(begins)}&ets=${minutes(ends)}`
  const url = `${SERVICE}?${span}`
  const answer = await ask(url, BOUNDS)
  // For a span without reports the service returns an empty list. A 404 is therefore not a result, and the span is requested again.
  if (!answer) throw feedFailed(`${new URL(url).host} has nothing at ${url}`)
  const middle = new Date((begins.getTime() + ends.getTime()) / 2)
  if (reportsIn(answer.body) < RESPONSE_ROWS_MAX || minutes(middle) === minutes(begins))
    yield { ...answer, stated_at: null, file_name: `lsr_${minutes(begins)}_${minutes(ends)}.geojson`, through: ends }
  else {
    yield* fetchSpan(ask, begins, middle)
    yield* fetchSpan(ask, middle, ends)
  }
}

/** Returns 0 for anything but a collection; such a body is refused when it is parsed. */
function reportsIn(body: Buffer): number {
  try {
    const { features }: { features?: unknown } = JSON.parse(body.toString('utf8'))
    return Array.isArray(features) ? features.length : 0
  } catch {
    return 0
  }
}

function nextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** 202505010000 */
function minutes(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(0, 12)
}
