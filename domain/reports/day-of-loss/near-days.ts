import { dayIn } from '#domain/geo/local-day.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'

export const dayRelations = ['date_of_loss', 'near', 'other'] as const
export type DayRelation = (typeof dayRelations)[number]

/** Days before and after the date that count as near it: reports of a night may be filed under either day. */
export const NEAR_DAYS = 2

/** Returns how a day relates to the date of loss. */
export function relationOf(date: string, loss: string): DayRelation {
  const days = Math.abs(Date.parse(date) - Date.parse(loss)) / DAY_MS
  if (days === 0) return 'date_of_loss'
  return days <= NEAR_DAYS ? 'near' : 'other'
}

/** Returns the date of loss and the days before and after it that count as near, oldest first. */
export function datesNear(loss: string): string[] {
  const offsets = Array.from({ length: 2 * NEAR_DAYS + 1 }, (_, index) => index - NEAR_DAYS)
  return offsets.map((days) => new Date(Date.parse(loss) + days * DAY_MS).toISOString().slice(0, 10))
}

/** Whether the period overlaps the local day. */
export function overlapsDay(period: { from: Date; until: Date }, date: string, timezone: string): boolean {
  const day = dayIn(date, timezone)
  return period.from <= day.until && period.until > day.from
}
