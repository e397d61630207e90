import { localDate } from '#domain/geo/zones.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import type { ReportWindow } from '#domain/reports/compose.ts'

/** A window is accepted by the earliest date of any US clock; no place's records reach beyond its own day of the moment searched. */
export function cutToToday(window: ReportWindow, { timezone }: Pick<LocatedPlace, 'timezone'>, now: Date): ReportWindow {
  const today = localDate(now, timezone)
  return window.end > today ? { ...window, end: today } : window
}
