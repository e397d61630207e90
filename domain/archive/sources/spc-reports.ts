import { beginOfMonth, FEED_CURRENT_HOURS, feedFailed, monthFrom, unusableOrThrow } from '#domain/archive/sources/feed.ts'
import type { Ask, FeedAnswer, FeedSpan, Source } from '#domain/archive/sources/source.ts'
import { readSpcReports } from '#domain/archive/spc-reports/read.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** Daily reports of the Storm Prediction Center: preliminary, amended for days. */
export const spcReports = {
  id: 'noaa_spc_reports',
  slug: 'spc-reports',
  label: 'NOAA Storm Prediction Center daily reports',
  lane: 'record',
  evidence_kind: 'ground',
  methodology:
    'Preliminary reports that the Storm Prediction Center compiles each day, 1200 to 1200 UTC, from the local storm reports of National Weather Service offices; they are amended for some days and are not quality-controlled.',
  /** https://www.spc.noaa.gov/climo/reports/240513_rpts.html */
  cite: (record) => `https://www.spc.noaa.gov/climo/reports/${record.source_key.slice(2, 8)}_rpts.html`,
  read: readSpcReports,
  fetch: fetchSpcReports,
} as const satisfies Source

/** https://www.spc.noaa.gov/climo/reports/240513_rpts_hail.csv */
const FOLDER = 'https://www.spc.noaa.gov/climo/reports/'
const LISTS = ['torn', 'wind', 'hail']
/** A day's list is amended for a week. */
const AMENDED_DAYS = 7
/** After this many days the final record is there, so a list that is still missing is no longer awaited. */
const FINAL_AFTER_DAYS = 120
/** The day begins at 1200 UTC. */
const DAY_BEGINS_MS = 12 * HOUR_MS

/**
 * Reads day by day from where the last run stopped. The first run starts on the last day of the previous month, which ends
 * on the first of this month, so that a month once read is stored whole. A day has its lists even if nothing was reported.
 * A list that is missing or cannot be used means that the day was not read: the source then counts as read only to the day
 * before, although later days are read too.
 * @throws Refusal at the end: engine_unavailable if a day that is over has no list, validation_failed if a list cannot be used
 */
async function* fetchSpcReports(ask: Ask, { since, now }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const today = dayOf(now.getTime() - DAY_BEGINS_MS)
  const first = since ? dayOf(since.getTime() - AMENDED_DAYS * DAY_MS) : beginOfMonth(now.getTime()) - DAY_MS
  // A day that was read after it ended lacks nothing but amendments.
  const isAwaited = (day: number) => day >= today - FINAL_AFTER_DAYS * DAY_MS && (!since || day + DAY_BEGINS_MS + DAY_MS > since.getTime())
  let missed: number | null = null
  let fault: Refusal | null = null
  for (let day = first; day <= today; day += DAY_MS) {
    const name = new Date(day).toISOString().slice(2, 10).replaceAll('-', '')
    for (const list of LISTS) {
      const file_name = `${name}_rpts_${list}.csv`
      const url = `${FOLDER}${file_name}`
      const answer = await ask(url, { always_there: true }).catch(absentOrThrow)
      if (!answer) continue
      let failure: Refusal | null = null
      if (answer !== 'absent') {
        try {
          yield { ...answer, file_name, months: monthFrom(first, day), through: readBefore(missed ?? day) }
          continue
        } catch (refused) {
          failure = unusableOrThrow(refused)
        }
      } else if (isAwaited(day) && day < today) failure = feedFailed(`${new URL(url).host} has nothing at ${url}`)
      fault ??= failure
      if (isAwaited(day)) missed ??= day
    }
  }
  if (fault) throw fault
  return missed === null ? now : readBefore(today)
}

function absentOrThrow(fault: unknown): 'absent' {
  if (fault instanceof Refusal && fault.code === 'not_found') return 'absent'
  throw fault
}

/** Returns the time up to which reports count as read if a day's lists are missing: the feed was current until that day began. */
function readBefore(day: number): Date {
  return new Date(day + DAY_BEGINS_MS - FEED_CURRENT_HOURS * HOUR_MS)
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}
