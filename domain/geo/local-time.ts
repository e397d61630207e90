import { localDate } from '#domain/geo/zones.ts'

/** Returns a moment by the clock of a zone, to the minute: "2026-05-28, 6:10 PM CDT". */
export function localTime(moment: Date, timezone: string): string {
  return `${localDate(moment, timezone)}, ${clockAt(moment, timezone)}`
}

/** "6:10 PM CDT" */
export function clockAt(moment: Date, timezone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: timezone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
    .format(moment)
    .replaceAll('\u202f', ' ')
}
