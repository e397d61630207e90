import { clockAt } from './clock.ts'
import type { Spot } from './geography.ts'
import { inForce, type Notice } from './warned.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** The local date of a moment (unix seconds) in the time zone of a place. */
export function localDateAt(place: Spot, at: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: clockAt(place), dateStyle: 'short' }).format(new Date(at * 1000))
}

/**
 * Counts the warnings in force over a place at some time of its local day: warnings in force change only when a
 * message is sent or expires.
 */
export function warningsOnDay(notices: readonly Notice[], place: Spot, date: string): number {
  const noon = Date.parse(date) / 1000 + DAY / 2
  const around = ({ sent, begins, ends }: Notice) => Math.min(sent, begins ?? sent) < noon + 2 * DAY && ends > noon - 2 * DAY
  const events = new Set(notices.filter(around).map(({ event }) => event))
  if (events.size === 0) return 0
  const of = notices.filter(({ event }) => events.has(event))
  const hours = Array.from({ length: 72 }, (_, hour) => noon + (hour - 36) * HOUR)
  const moments = [...hours, ...of.flatMap(({ sent, begins, ends }) => [sent, begins ?? sent, ends])]
  const during = moments.filter((at) => localDateAt(place, at) === date)
  return new Set(during.flatMap((at) => inForce(of, place, at)).map((entry) => entry.split(' by ')[0])).size
}
