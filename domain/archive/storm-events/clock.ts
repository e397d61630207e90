import type { State } from '#domain/geo/states.ts'

/**
 * Hours from UTC of each time zone that the files name. Times are standard time, unless the zone names daylight time. The
 * 1990s have typing errors (CSC, SCT), and case varies.
 */
const offsets: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CSC: -6,
  SCT: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AST: -4,
  ADT: -3,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  SST: -11,
  GST: 10,
  CHST: 10,
  GMT: 0,
  UTC: 0,
}

/** CST, or CST-6 with the offset appended. */
const ZONE = /^([A-Z]{3,4})([+-]?\d{1,2})?$/

/** Returns the hours from UTC of a CZ_TIMEZONE; null if it is unknown or contradicts itself. */
function zoneOffset(zone: string): number | null {
  const [, name, stated] = ZONE.exec(zone.trim().toUpperCase()) ?? []
  const offset = name === undefined ? undefined : offsets[name]
  if (offset === undefined || (stated !== undefined && Number(stated) !== offset)) return null
  return offset
}

/** The file of 1992 states PST for half of its rows, in every state. */
const BROKEN_YEAR = 1992
const BROKEN_ZONE = 'PST'

/** Returns the offset of a row, and whether it is only the most likely one. */
export function offsetOf(zone: string, year: number, state: State | null): { hours: number; unsure: boolean } | null {
  const stated = zoneOffset(zone)
  if (stated === null) return null
  const unsure = year === BROKEN_YEAR && zone.trim().toUpperCase() === BROKEN_ZONE
  return { hours: unsure && state ? state.standard_offset_hours : stated, unsure }
}
