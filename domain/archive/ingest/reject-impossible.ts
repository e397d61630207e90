import { isImpossibleHail, isImpossibleWind } from '#domain/archive/plausibility.ts'
import { inches } from '#domain/archive/radar/frame.ts'
import type { Batch, Rejection } from '#domain/archive/sources/source.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'

/** Returns the latest time that a source can know. One day is allowed for wrong clocks and mistaken time zones. */
export function latestPlausible(now: Date): Date {
  return new Date(now.getTime() + DAY_MS)
}

/** Whether a time is in the future, which no source can know. */
export function isInFuture(moment: Date, now: Date): boolean {
  return moment > latestPlausible(now)
}

/** Characters of a record's key, which repeats the names of its place: real ones have under a hundred. An index entry may have 2,700 bytes. */
const KEY_MAX = 500

/**
 * Returns a batch without data from the future, records whose keys are too long to store, impossible station winds and
 * impossible hail of radar grids. Each is rejected by name. Parsers reject what they can recognize themselves.
 */
export function rejectImpossible(batch: Batch, now: Date): Batch {
  const rejections: Rejection[] = []
  const reject = (row: string, reason: string, source_key: string | null = null) => rejections.push({ row, reason, source_key })
  const hasBeen = (moment: Date, row: string, source_key: string | null = null) =>
    !isInFuture(moment, now) || !reject(row, `its time, ${moment.toISOString().slice(0, 16)}Z, is in the future`, source_key)
  // Later data replaces earlier data, so nothing could ever correct data dated in a future year.
  const records = batch.records.filter(
    ({ begins_at, ends_at, issued_at, source_key }) =>
      (source_key.length <= KEY_MAX || !reject(source_key, `the names in it have more than ${KEY_MAX} characters`, source_key)) &&
      [begins_at, ends_at, issued_at].every((moment) => !moment || hasBeen(moment, source_key, source_key)),
  )
  const warnings = batch.warnings.filter(({ sent_at, identifier }) => hasBeen(sent_at, identifier))
  const frames = batch.frames.filter(
    ({ valid_at, peak_mm }) =>
      hasBeen(valid_at, 'the frame') &&
      (!isImpossibleHail(inches(peak_mm)) || !reject('the frame', `its hail of ${inches(peak_mm)} in is larger than any on record`)),
  )
  const observations = batch.observations.filter(
    ({ station_id, observed_at, wind_gust_mph }) =>
      hasBeen(observed_at, station_id) &&
      (!isImpossibleWind(wind_gust_mph) || !reject(station_id, `a wind of ${wind_gust_mph} mph is stronger than any on record`)),
  )
  return rejections.length === 0
    ? batch
    : { ...batch, records, warnings, frames, observations, rejections: [...batch.rejections, ...rejections] }
}
