import type { NearbyRecord } from '#domain/archive/record.ts'
import { milesBetween } from '#domain/evidence/record-distance.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { isCompiledFromOther } from '#domain/weather/sources.ts'

/** Two preliminary records of one event: the agencies' times and place names differ by no more than this. */
const DUPLICATE_MINUTES = 15
const DUPLICATE_MILES = 3

/**
 * Keeps one record of each event. At or before a state's horizon only final rows count, after it the preliminary ones. If
 * two products have the same report, the one nearer to its origin stays.
 * @param horizons state -> last day of final records there, null for none
 */
export function supersede(records: NearbyRecord[], horizons: Record<string, string | null>): NearbyRecord[] {
  const used = records.filter((record) => !record.preliminary || isAfterHorizon(record, horizons))
  // Duplicates are at most one slot apart.
  const bySlot = groupBy(used, (record) => slotOf(record))
  const near = (record: NearbyRecord) => [-1, 0, 1].flatMap((offset) => bySlot.get(slotOf(record, offset)) ?? [])
  return used.filter(
    (record) => !isCopy(record) || !near(record).some((other) => ranksAbove(other, record) && areDuplicates(other, record)),
  )
}

/** The record's type and the stretch of time that it begins in. */
function slotOf({ type, begins_at }: NearbyRecord, offset = 0): string {
  return `${type} ${Math.floor(begins_at.getTime() / (DUPLICATE_MINUTES * MINUTE_MS)) + offset}`
}

/** Only a preliminary report can repeat another product's event; radar observes independently. */
function isCopy({ preliminary, evidence_kind }: NearbyRecord): boolean {
  return preliminary && evidence_kind !== 'radar'
}

function isAfterHorizon(record: NearbyRecord, horizons: Record<string, string | null>): boolean {
  const horizon = record.state === null ? null : horizons[record.state]
  return !horizon || record.occurred_on > horizon
}

/** A final row ranks before a local report, and a local report before the daily list compiled from it. */
function ranksAbove(other: NearbyRecord, record: NearbyRecord): boolean {
  return rankOf(other) > rankOf(record)
}

function rankOf({ preliminary, source, evidence_kind }: NearbyRecord): number {
  if (evidence_kind === 'radar') return -1
  if (!preliminary) return 2
  return isCompiledFromOther(source) ? 0 : 1
}

function areDuplicates(a: NearbyRecord, b: NearbyRecord): boolean {
  return (
    a.type === b.type &&
    Math.abs(a.begins_at.getTime() - b.begins_at.getTime()) <= DUPLICATE_MINUTES * MINUTE_MS &&
    sameMagnitude(a, b) &&
    milesBetween(a, b) <= DUPLICATE_MILES
  )
}

/** Equal, or one of the two states no magnitude. */
function sameMagnitude(a: NearbyRecord, b: NearbyRecord): boolean {
  const [first, second] = [magnitudeOf(a), magnitudeOf(b)]
  return first === null || second === null || first === second
}

function magnitudeOf(record: NearbyRecord): number | null {
  return record.hail_size_in ?? record.tornado_ef_scale ?? record.wind_gust_mph ?? record.wind_speed_mph
}
