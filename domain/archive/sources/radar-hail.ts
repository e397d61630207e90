import { citeRadarHail, readRadarHail } from '#domain/archive/radar-hail/read.ts'
import { unusableOrThrow } from '#domain/archive/sources/feed.ts'
import type { Ask, FeedAnswer, FeedSpan, Source } from '#domain/archive/sources/source.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** Hail cells of single radars, from the severe weather data inventory. */
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

/** https://www.ncei.noaa.gov/swdiws/csv/nx3hail/20240513:20240514: from the first day to the day before the second. */
const SERVICE = 'https://www.ncei.noaa.gov/swdiws/csv/nx3hail/'
/** A busy day has about ten thousand rows. A request may span 744 hours, but a single day is returned sooner. */
const BOUNDS = { max_bytes: 64 * 1024 * 1024, timeout_ms: 180_000, unconditional: true }
/** The inventory is some days behind, and adds rows late. */
const OVERLAP_DAYS = 5
const FIRST_DAYS_BACK = 30
/** At this hour UTC, the local day in every US time zone lies within this UTC day and the next. */
const INNER_HOUR = 15

/**
 * Reads, once a day, the days that may have received rows since; on the first run, the last thirty days. A local day spans
 * two UTC days and counts as stored once both are read; a UTC day that the service does not have counts as not read. A UTC
 * day with a missing strip is not stored. Its error is thrown at the end, and the next pass requests it and the following
 * days again. A day with a list that cannot be used is not stored either, and is reported; it holds up no other, and is
 * requested again as long as it may receive rows.
 */
async function* fetchRadarHail(ask: Ask, { since, now }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  if (since && since.getTime() >= today) return since
  const first = since
    ? Math.max(Math.floor(since.getTime() / DAY_MS - OVERLAP_DAYS) * DAY_MS, today - FIRST_DAYS_BACK * DAY_MS)
    : today - FIRST_DAYS_BACK * DAY_MS
  let lastRead: number | null = null
  let fault: unknown = null
  let unusable: Refusal | null = null
  for (let day = first; day < today; day += DAY_MS) {
    const answers = await fetchDay(ask, day).catch((missing: unknown) => {
      if (!(missing instanceof Refusal && missing.code === 'not_found')) throw missing
      fault ??= missing
      return []
    })
    const last = answers.at(-1)
    if (!last) continue
    const inner = new Date(day - DAY_MS + INNER_HOUR * HOUR_MS)
    try {
      for (const answer of answers.slice(0, -1)) yield answer
      yield {
        ...last,
        ...(lastRead === day - DAY_MS && { covered_span: { from: inner, until: inner } }),
        ...(fault === null && { through: new Date(day) }),
      }
      lastRead = day
    } catch (refused) {
      unusable ??= unusableOrThrow(refused)
    }
  }
  if (fault !== null || unusable !== null) throw fault ?? unusable
  return new Date(today)
}

/** The most rows that the service returns. It does not report how many more there are. */
const RESPONSE_ROWS_MAX = 10_000
/** Degrees: no radar sees so many cells in so narrow a strip. */
const BOX_MIN_DEGREES = 1

/**
 * Returns the lists of a UTC day: one, or one for each strip of longitude if the day has more rows than one response
 * contains. Empty if the day does not exist.
 * @throws Refusal not_found if a strip is missing on a day that exists
 */
async function fetchDay(ask: Ask, day: number, west = -180, east = 180): Promise<FeedAnswer[]> {
  const is_full_range = east - west === 360
  const span = `${nameOf(day)}:${nameOf(day + DAY_MS)}`
  const answer = await ask(`${SERVICE}${span}${is_full_range ? '' : `?bbox=${west},-90,${east},90`}`, {
    ...BOUNDS,
    always_there: !is_full_range,
  })
  if (!answer) return []
  if (!isCutOff(answer.body) || east - west <= BOX_MIN_DEGREES)
    return [{ ...answer, file_name: `nx3hail_${nameOf(day)}${is_full_range ? '' : `_${west}_${east}`}.csv` }]
  const middle = (west + east) / 2
  return [...(await fetchDay(ask, day, west, middle)), ...(await fetchDay(ask, day, middle, east))]
}

/** Whether a list has the maximum number of rows, or fewer rows than it states. */
function isCutOff(body: Buffer): boolean {
  const text = body.toString('latin1')
  const rows = text.match(/^\d/gm)?.length ?? 0
  return rows >= RESPONSE_ROWS_MAX || Number(/^count,(\d+)/im.exec(text)?.[1] ?? 0) > rows
}

function nameOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}
