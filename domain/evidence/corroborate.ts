import type { StationGust } from '#domain/archive/observations/nearby.ts'
import { isSuspect } from '#domain/archive/plausibility.ts'
import { isLargestOfHours } from '#domain/archive/radar/cell-records.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { milesBetween, milesFrom } from '#domain/evidence/record-distance.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { phenomenonOf } from '#domain/weather/types.ts'

const WITHIN_MINUTES = 60
const WITHIN_MILES = 10
/** Two people or stations further apart than this did not see the very same thing from the same place. */
const APART_MILES = 1

/** Whether anything in the evidence corroborates a record. */
export type Corroboration = (record: NearbyRecord) => boolean

/**
 * Returns a test for corroborated records. Two records corroborate each other if they are of the same phenomenon, begin
 * within 60 minutes, are within 10 miles of each other, and came by different channels. Time decides, not the date: a storm
 * over midnight is one storm. A suspect record corroborates none, because its place or its time may be wrong. Nor does the
 * largest of a day, which has no single time. A station's severe gust corroborates wind without being a record.
 */
export function corroboration(records: NearbyRecord[], gusts: StationGust[]): Corroboration {
  const plausible = records.filter((record) => !isSuspect(record) && !isLargestOfHours(record))
  const byHour = groupBy(plausible, (record) => hourKey(phenomenonOf(record), hourOf(record.begins_at)))
  return (record) => {
    const phenomenon = phenomenonOf(record)
    const hour = hourOf(record.begins_at)
    const around = [hour - 1, hour, hour + 1].flatMap((each) => byHour.get(hourKey(phenomenon, each)) ?? [])
    return (
      around.some((other) => corroborates(record, other)) || (phenomenon === 'wind' && gusts.some((gust) => gustCorroborates(record, gust)))
    )
  }
}

function corroborates(record: NearbyRecord, other: NearbyRecord): boolean {
  if (record === other || !withinTheHour(record.begins_at, other.begins_at)) return false
  const miles = milesBetween(record, other)
  return miles <= WITHIN_MILES && areIndependent(record, other, miles)
}

/**
 * Whether two records came by different channels. People are one channel, because the three report products form one chain;
 * two reports count if they are apart and from different kinds of reporter. Every instrument is a channel of its own. All
 * radar products together are one.
 */
function areIndependent(record: NearbyRecord, other: NearbyRecord, miles: number): boolean {
  if (record.evidence_kind !== other.evidence_kind) return true
  if (record.evidence_kind === 'radar') return false
  return miles > APART_MILES && (record.evidence_kind === 'instrument' || differentReporters(record, other))
}

function differentReporters(record: NearbyRecord, other: NearbyRecord): boolean {
  const [one, two] = [record.reporter, other.reporter].map((reporter) => reporter?.trim().toLowerCase())
  return Boolean(one && two) && one !== two
}

function gustCorroborates(record: NearbyRecord, gust: StationGust): boolean {
  if (!withinTheHour(record.begins_at, gust.observed_at)) return false
  const miles = milesFrom(gust.latitude, gust.longitude, record)
  return miles <= WITHIN_MILES && (record.evidence_kind !== 'instrument' || miles > APART_MILES)
}

function withinTheHour(a: Date, b: Date): boolean {
  return Math.abs(a.getTime() - b.getTime()) <= WITHIN_MINUTES * MINUTE_MS
}

function hourOf(moment: Date): number {
  return Math.floor(moment.getTime() / HOUR_MS)
}

function hourKey(phenomenon: string, hour: number): string {
  return `${phenomenon} ${hour}`
}
