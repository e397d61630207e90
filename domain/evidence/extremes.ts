import { isSuspect } from '#domain/archive/plausibility.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { present } from '#domain/kernel/present.ts'

/** Returns the value of a record to compare; null if the record states none. */
export type Value = (record: NearbyRecord) => number | null

/** Returns the records without doubts, on which a figure may be based. */
export function trusted(records: NearbyRecord[]): NearbyRecord[] {
  return records.filter((record) => !isSuspect(record))
}

/** Returns the record with the largest value; of equal ones the nearest, then the newest. Null if none states a value. */
export function largestOf(records: NearbyRecord[], value: Value): NearbyRecord | null {
  const stating = records.filter((record) => value(record) !== null)
  return best(stating, (a, b) => present(value(b)) - present(value(a)) || milesTo(a) - milesTo(b) || newestFirst(a, b))
}

/** Returns the nearest record; of equally near ones the one with the largest value, then the newest. Null if there is none. */
export function nearestOf(records: NearbyRecord[], value: Value = () => null): NearbyRecord | null {
  return best(records, (a, b) => milesTo(a) - milesTo(b) || (value(b) ?? -1) - (value(a) ?? -1) || newestFirst(a, b))
}

function best(records: NearbyRecord[], compare: (a: NearbyRecord, b: NearbyRecord) => number): NearbyRecord | null {
  return records.reduce<NearbyRecord | null>((found, next) => (found === null || compare(next, found) < 0 ? next : found), null)
}

/**
 * Returns the distance. A record without a point counts as farther than all others; the value is finite, so that two of
 * them compare as equal.
 */
export function milesTo({ distance_miles }: NearbyRecord): number {
  return distance_miles ?? Number.MAX_VALUE
}

/** Orders the newest first. Of equally new records, the same is first on every install, whatever the order in which its sources were read. */
export function newestFirst(a: NearbyRecord, b: NearbyRecord): number {
  return b.begins_at.getTime() - a.begins_at.getTime() || (keyOf(a) < keyOf(b) ? -1 : 1)
}

const keyOf = ({ source, source_key }: NearbyRecord) => `${source} ${source_key}`
