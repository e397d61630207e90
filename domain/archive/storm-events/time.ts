import { localMoment } from '#domain/archive/local-moment.ts'
import { offsetOf } from '#domain/archive/storm-events/clock.ts'
import type { EventRow, LocalTime } from '#domain/archive/storm-events/row.ts'
import type { State } from '#domain/geo/states.ts'
import { localDate } from '#domain/geo/zones.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { familyOf, type RecordType } from '#domain/weather/types.ts'

/** When an event was, as far as its row is credible. */
export interface EventTime {
  begins_at: Date
  /** Null if the row gives none, or one before its beginning or after its file was compiled. */
  ends_at: Date | null
  /** YYYY-MM-DD under which the source files it. */
  filed_on: string
  /** What the clock of the row shows: some rows of the 1990s name daylight time. */
  clock: 'standard' | 'daylight'
  /** Hours from UTC of the row's zone, without daylight saving. */
  standard_offset_hours: number
  /** The row's time zone is only the most likely one. */
  unsure: boolean
  caveats: string[]
}

/** Returns the times of a row, or the reason why it has none. @param compiled_on YYYY-MM-DD of its file; null if unknown */
export function timeOf(row: EventRow, type: RecordType, compiled_on: string | null): EventTime | string {
  const { begin, end, zone } = row
  const offset = offsetOf(zone, begin.year, type)
  if (!offset) return `CZ_TIMEZONE "${zone}" is not known`
  const { hours: offset_hours, unsure } = offset
  const begins_at = momentAt(begin, offset_hours)
  if (!begins_at) return 'the day or time of its beginning does not exist'
  const filed_on = dateText(begin)
  if (compiled_on !== null && filed_on > compiled_on) return `it begins on ${filed_on}, after its file was compiled on ${compiled_on}`
  const stated_end = end && momentAt(end, offset_hours)
  const is_daylight = isDaylight(zone)
  const wrong_end = stated_end && wrongEndCaveat(begin, present(end), stated_end < begins_at, compiled_on)
  return {
    begins_at,
    ends_at: wrong_end ? null : stated_end,
    filed_on,
    clock: is_daylight ? 'daylight' : 'standard',
    standard_offset_hours: is_daylight ? offset_hours - 1 : offset_hours,
    unsure,
    caveats: [unsure ? zoneCaveat(row) : null, wrong_end ?? durationCaveat(type, begins_at, stated_end)].filter(
      (caveat) => caveat !== null,
    ),
  }
}

/**
 * Returns the local date of an event, in the time zone of its place. If the row names no place, uses the time zone with the
 * row's standard time.
 */
export function dateOf({ begins_at, standard_offset_hours }: EventTime, timezone: string | null, state: State | null): string {
  return localDate(begins_at, timezone ?? clockZone(standard_offset_hours, state))
}

/** Returns the time zone with that standard time and its daylight time: the state's own if it matches, else its neighbours'. */
function clockZone(standard_offset_hours: number, state: State | null): string {
  if (state?.standard_offset_hours === standard_offset_hours) return state.timezone
  return (state && clockZones[standard_offset_hours]) ?? fixedZone(standard_offset_hours)
}

/** By hours from UTC: parts of fourteen states have a different time zone from most of the state. */
const clockZones: Record<number, string> = {
  '-5': 'America/New_York',
  '-6': 'America/Chicago',
  '-7': 'America/Denver',
  '-8': 'America/Los_Angeles',
}

const isDaylight = (zone: string) => /^[A-Z]{1,2}DT/i.test(zone)

function momentAt({ hhmm, ...day }: LocalTime, offset_hours: number): Date | null {
  return localMoment({ ...day, hour: Math.floor(hhmm / 100), minute: hhmm % 100 }, offset_hours)
}

function zoneCaveat({ begin, zone }: EventRow): string {
  return `The time zone is unsure: the source's file of ${begin.year} says ${zone} for thunderstorm wind in every state. The time is read as Central Standard Time (UTC-6), in which it agrees with the hail of the same storms.`
}

/** 51 rows of 1993 to 1995 end before they begin. An end that was still to come would have the event go on for years. */
function wrongEndCaveat(begin: LocalTime, end: LocalTime, is_reversed: boolean, compiled_on: string | null): string | null {
  const stated = `The source gives an end (${momentText(end)})`
  if (is_reversed) return `${stated} before the beginning (${momentText(begin)}): one of the two is wrong, and the end is left out.`
  return compiled_on !== null && dateText(end) > compiled_on
    ? `${stated} after its file was compiled (${compiled_on}): it is wrong, and left out.`
    : null
}

/** Hours: after this a thunderstorm is over, or the day of one of its two times is wrong. */
const STORM_HOURS_MAX = 24

function durationCaveat(type: RecordType, begins_at: Date, ends_at: Date | null): string | null {
  const hours = ends_at === null ? 0 : (ends_at.getTime() - begins_at.getTime()) / HOUR_MS
  return familyOf(type) === 'thunderstorm' && hours > STORM_HOURS_MAX
    ? `The source gives ${Math.round(hours)} hours from beginning to end, too long for a thunderstorm: one of the two times may be wrong.`
    : null
}

/** 1995-04-18 19:30 */
function momentText(time: LocalTime): string {
  const clock = String(time.hhmm).padStart(4, '0')
  return `${dateText(time)} ${clock.slice(0, 2)}:${clock.slice(2)}`
}

function dateText({ year, month, day }: LocalTime): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Returns a zone with a fixed offset. The sign in these names is inverted. */
function fixedZone(offset_hours: number): string {
  return `Etc/GMT${offset_hours > 0 ? '-' : '+'}${Math.abs(offset_hours)}`
}
