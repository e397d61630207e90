import { countyCentres } from '#domain/geo/counties.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'

/** A local calendar date in a state. */
export interface StateDay {
  /** Two-letter code. */
  state: string
  /** YYYY-MM-DD */
  day: string
}

/** Local dates in each state at a moment: two around midnight if a state has two time zones. */
export function daysAt(states: Iterable<string>, moment: Date): StateDay[] {
  return [...states].flatMap((state) => datesAt(state, moment).map((day) => ({ state, day })))
}

/** Local dates of the states at a moment, if the state has one date then and `holds` is true for it in every time zone of the state. */
export function daysByEveryClock(states: Iterable<string>, moment: Date, holds: (day: string, timezone: string) => boolean): StateDay[] {
  return [...states].flatMap((state) => {
    const timezones = clocks().get(state) ?? []
    const [day, ...others] = datesAt(state, moment)
    return day !== undefined && others.length === 0 && timezones.every((timezone) => holds(day, timezone)) ? [{ state, day }] : []
  })
}

/** Local dates of each state from one moment to another, both included. */
export function daysBetween(states: Iterable<string>, from: Date, until: Date): StateDay[] {
  return [...states].flatMap((state) => {
    const dates = new Set(datesAt(state, until))
    for (let at = from.getTime(); at < until.getTime(); at += STEP_MS) for (const date of datesAt(state, new Date(at))) dates.add(date)
    return [...dates].sort().map((day) => ({ state, day }))
  })
}

/** Shorter than any local day: the shortest, when clocks go forward, has 23 hours. */
const STEP_MS = 12 * HOUR_MS

function datesAt(state: string, moment: Date): string[] {
  return [...new Set((clocks().get(state) ?? []).map((timezone) => localDate(moment, timezone)))]
}

let known: Map<string, string[]> | undefined

/** The time zones of each state, from its counties: computed at first use, in some 50 ms. */
function clocks(): Map<string, string[]> {
  if (known) return known
  const zones = new Map<string, Set<string>>()
  for (const { state, latitude, longitude } of countyCentres()) {
    const timezone = timezoneAt(latitude, longitude)
    zones.set(state, (zones.get(state) ?? new Set()).add(timezone))
  }
  known = new Map([...zones].map(([state, timezones]) => [state, [...timezones].sort()]))
  return known
}
