import { isDoubted } from '#domain/archive/plausibility.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { present } from '#domain/kernel/present.ts'

/** What of a record is compared; null where the record states nothing. */
export type Value = (record: NearbyRecord) => number | null

/** The records on which a figure may rest: nothing about them is doubted. */
export function trusted(records: NearbyRecord[]): NearbyRecord[] {
  return records.filter((record) => !isDoubted(record))
}

/** The record with the largest value; of equal ones the nearest, then the newest. Null where none states a value. */
export function largestOf(records: NearbyRecord[], value: Value): NearbyRecord | null {
  const stating = records.filter((record) => value(record) !== null)
  return best(stating, (a, b) => present(value(b)) - present(value(a)) || milesTo(a) - milesTo(b) || newestFirst(a, b))
}

/** The nearest record; of equally near ones that with the largest value, then the newest. Null where there is none. */
export function nearestOf(records: NearbyRecord[], value: Value = () => null): NearbyRecord | null {
  return best(records, (a, b) => milesTo(a) - milesTo(b) || (value(b) ?? -1) - (value(a) ?? -1) || newestFirst(a, b))
}

function best(records: NearbyRecord[], compare: (a: NearbyRecord, b: NearbyRecord) => number): NearbyRecord | null {
  return records.reduce<NearbyRecord | null>((found, next) => (found === null || compare(next, found) < 0 ? next : found), null)
}

/** What names no point is farther than all that does; finite, so that two of them compare as equal. */
export function milesTo({ distance_miles }: NearbyRecord): number {
  return distance_miles ?? Number.MAX_VALUE
}

function newestFirst(a: NearbyRecord, b: NearbyRecord): number {
  return b.begins_at.getTime() - a.begins_at.getTime() || b.id - a.id
}
