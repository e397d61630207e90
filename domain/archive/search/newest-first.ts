import { NOT_STORED } from '#domain/archive/radar/cell-records.ts'
import type { StoredRecord } from '#domain/archive/record.ts'

/** Compares records for the order in which they are listed. */
export function newestFirst(one: StoredRecord, other: StoredRecord): number {
  if (one.occurred_on !== other.occurred_on) return one.occurred_on < other.occurred_on ? 1 : -1
  return other.begins_at.getTime() - one.begins_at.getTime() || newness(other) - newness(one)
}

/** A cell that is not a record yet will get a higher id than all existing records. */
function newness({ id }: StoredRecord): number {
  return id === NOT_STORED ? Number.MAX_SAFE_INTEGER : id
}
