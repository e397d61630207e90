import type { AlertPace } from '#domain/closed-sets.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'

/** Local time of the team's morning, when its digest is sent too. */
const DIGEST_AT = '07:00'

const DAY_MIN = 24 * 60
/** The most minutes by which a clock change moves the clock: the search covers this much around the time without a change. */
const CLOCK_CHANGE_MIN = 120

/** When a rule mails, in the team's local time: HH:MM. Quiet hours may span midnight. */
export interface SendTimes {
  pace: AlertPace
  quiet_from: string | null
  quiet_until: string | null
}

/** Returns when to mail what a rule finds now: at once or with the next morning's digest, and after quiet hours. */
export function sendTime({ pace, quiet_from, quiet_until }: SendTimes, now: Date, timezone: string): Date {
  const at = pace === 'digest' ? whenClockReads(DIGEST_AT, now, timezone) : now
  if (quiet_from === null || quiet_until === null || !isBetween(minutesAt(at, timezone), quiet_from, quiet_until)) return at
  return whenClockReads(quiet_until, at, timezone)
}

function isBetween(minutes: number, from: string, until: string): boolean {
  const [start, end] = [minutesOf(from), minutesOf(until)]
  return start <= end ? start <= minutes && minutes < end : minutes >= start || minutes < end
}

/**
 * Returns the first whole minute from `from` on at which the clock of a zone shows a time, or has passed it if a clock change
 * skips it; the first of the two if it shows it twice.
 */
function whenClockReads(time: string, from: Date, timezone: string): Date {
  const target = minutesOf(time)
  const ahead = (target - minutesAt(from, timezone) + DAY_MIN) % DAY_MIN
  if (ahead === 0) return from
  const start = Math.floor(from.getTime() / MINUTE_MS) + Math.max(0, ahead - CLOCK_CHANGE_MIN)
  for (let minute = start; minute <= start + 2 * CLOCK_CHANGE_MIN; minute += 1) {
    const at = new Date(minute * MINUTE_MS)
    if ((minutesAt(at, timezone) - target + DAY_MIN) % DAY_MIN < DAY_MIN / 2) return at
  }
  throw new Error(`the clock of ${timezone} never reads ${time}`)
}

/** Minutes since midnight. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function minutesAt(instant: Date, timezone: string): number {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    formats.set(timezone, format)
  }
  return minutesOf(format.format(instant))
}

/** Creating a format costs a hundred times as much as using it. Keys are accepted zone names, about 600 at most. */
const formats = new Map<string, Intl.DateTimeFormat>()
