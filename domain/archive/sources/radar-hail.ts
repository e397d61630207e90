import { citeRadarHail, readRadarHail } from '#domain/archive/radar-hail/read.ts'
import type { Ask, FeedAnswer, FeedSpan, Source } from '#domain/archive/sources/source.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'

/** Hail cells of single radars from the severe weather data inventory. */
export const radarHail = {
  id: 'nexrad_hail',
  slug: 'radar-hail',
  label: 'NOAA NEXRAD hail signatures',
  lane: 'surfaces',
  evidence_kind: 'radar',
  methodology:
    'NEXRAD level III hail signatures of single radars, kept in the severe weather data inventory; the hail detection algorithm estimates the largest hail of each storm cell aloft, and its point is the cell, not the ground.',
  cite: citeRadarHail,
  read: readRadarHail,
  fetch: fetchRadarHail,
} as const satisfies Source

/** https://www.ncei.noaa.gov/swdiws/csv/nx3hail/20240513:20240514: from the one day to before the other. */
const SERVICE = 'https://www.ncei.noaa.gov/swdiws/csv/nx3hail/'
/** A busy day has some ten thousand rows; a request may span 744 hours, and a day is answered sooner. */
const BOUNDS = { max_bytes: 64 * 1024 * 1024, timeout_ms: 180_000, unconditional: true }
/** The inventory trails by some days, and fills them up late. */
const AGAIN_DAYS = 5
const FIRST_DAYS_BACK = 30
/** Whatever date a clock of the country shows at this hour UTC of a day, that local day lies within the day UTC and the next. */
const INNER_HOUR = 15

/**
 * Once a day, the days that may have been filled since; at the first reading the last thirty. A local day lies in two days UTC, and is
 * held once both were read: of one that is not there nothing is known.
 */
async function* fetchRadarHail(ask: Ask, { since, now }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  if (since && since.getTime() >= today) return since
  const first = since
    ? Math.max(Math.floor(since.getTime() / DAY_MS - AGAIN_DAYS) * DAY_MS, today - FIRST_DAYS_BACK * DAY_MS)
    : today - FIRST_DAYS_BACK * DAY_MS
  let read: number | null = null
  for (let day = first; day < today; day += DAY_MS) {
    const answer = await ask(`${SERVICE}${nameOf(day)}:${nameOf(day + DAY_MS)}`, BOUNDS)
    if (!answer) continue
    const inner = new Date(day - DAY_MS + INNER_HOUR * HOUR_MS)
    yield {
      ...answer,
      file_name: `nx3hail_${nameOf(day)}.csv`,
      ...(read === day - DAY_MS && { covered_span: { from: inner, until: inner } }),
      through: new Date(day),
    }
    read = day
  }
  return new Date(today)
}

function nameOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}
