import { HOUR_MS } from '#domain/kernel/durations.ts'

/** A date and time of day as a clock shows them. */
interface ClockTime {
  year: number
  /** From 1. */
  month: number
  day: number
  hour: number
  minute: number
  second?: number
}

/**
 * Returns the time at which a clock this many hours from UTC shows this date and time. Null for a day or time that does not
 * exist: refuse it, never guess.
 */
export function localMoment({ year, month, day, hour, minute, second = 0 }: ClockTime, offset_hours: number): Date | null {
  const shown = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const exists =
    shown.getUTCFullYear() === year &&
    shown.getUTCMonth() === month - 1 &&
    shown.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  return exists ? new Date(shown.getTime() - offset_hours * HOUR_MS) : null
}
