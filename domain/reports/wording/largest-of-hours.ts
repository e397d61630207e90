import { isLargestOfHours, isLargestOfMoments } from '#domain/archive/radar/cell-records.ts'
import { HOURS_24_MS, hoursOfDay } from '#domain/archive/radar/day-hours.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { clockAt } from '#domain/geo/local-time.ts'
import { localDate } from '#domain/geo/zones.ts'

/** The hours that a largest value covers, under the local day that it counts for. */
interface Hours {
  /** YYYY-MM-DD */
  day: string
  from_at: Date
  /** Exclusive. */
  until_at: Date
  /** The value comes only from the moments of the day that the archive has. */
  of_moments: boolean
}

/**
 * Names the hours that a radar estimate is the largest of: "largest of the day", "largest of the 24 hours to 1:00 AM CDT of the next day".
 * Null for an estimate of a single moment.
 * @param timezone of the place
 */
export function largestOfText(record: NearbyRecord, timezone: string): string | null {
  const hours = hoursOfRecord(record)
  return hours && largestOf(hours, timezone)
}

/** Names the hours of a radar estimate if they differ from its local day: "24 hours to 1:00 AM CDT of the next day". Null if they do not. */
export function hoursUnlessLocalDay(record: NearbyRecord, timezone: string): string | null {
  const hours = hoursOfRecord(record)
  return hours && hoursTextUnlessLocalDay(hours, timezone)
}

/** "largest of the day", "largest of the moments held of the day", "largest of the 24 hours to 1:00 AM CDT of the next day" */
export function largestOf(hours: Hours, timezone: string): string {
  if (hours.of_moments) return 'largest of the moments held of the day'
  const hoursText = hoursTextUnlessLocalDay(hours, timezone)
  return hoursText === null ? 'largest of the day' : `largest of the ${hoursText}`
}

function hoursOfRecord(record: NearbyRecord): Hours | null {
  const { occurred_on: day, begins_at: from_at, ends_at: until_at } = record
  return isLargestOfHours(record) && until_at ? { day, from_at, until_at, of_moments: isLargestOfMoments(record) } : null
}

function hoursTextUnlessLocalDay({ day, from_at, until_at, of_moments }: Hours, timezone: string): string | null {
  const local = hoursOfDay(day, timezone)
  if (of_moments || (from_at.getTime() === local.from_at.getTime() && until_at.getTime() === local.until_at.getTime())) return null
  const at = (moment: Date) => `${clockAt(moment, timezone)} of ${nameOfDay(localDate(moment, timezone), day)}`
  return until_at.getTime() - from_at.getTime() === HOURS_24_MS
    ? `24 hours to ${at(until_at)}`
    : `hours from ${at(from_at)} to ${at(until_at)}`
}

function nameOfDay(date: string, day: string): string {
  if (date === day) return 'that day'
  return date > day ? 'the next day' : 'the day before'
}
