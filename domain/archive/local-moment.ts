import { HOUR_MS } from '#domain/kernel/durations.ts'

/** A date and a time of day as a clock shows them. */
interface ClockTime {
  year: number
  /** From 1. */
  month: number
  day: number
  hour: number
  minute: number
  second?: number
}

/** The moment at which a clock so many hours from UTC shows this; null for a day or a time that does not exist: it must be refused, never guessed. */
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
