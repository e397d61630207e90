import { localDate } from '#domain/geo/zones.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import type { ReportWindow } from '#domain/reports/compose.ts'

/** Ends a window at the place's current day. Windows are accepted by the earliest date of any US clock; no record is later than the place's day. */
export function cutToToday(window: ReportWindow, { timezone }: Pick<LocatedPlace, 'timezone'>, now: Date): ReportWindow {
  const today = localDate(now, timezone)
  return window.end > today ? { ...window, end: today } : window
}

/** Extends a report's window to its date of loss: it was cut before that day if the day had not begun at the place. */
export function reachDateOfLoss<Window extends { end: string }>(window: Window, date_of_loss: string | null): Window {
  return date_of_loss !== null && date_of_loss > window.end ? { ...window, end: date_of_loss } : window
}
