import type { RecordType } from '#domain/weather/types.ts'

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

/**
 * The file of 1992 states PST for all 6,443 rows of thunderstorm wind, in every state, and CST for all hail. Read as Central time, as those of
 * 1990 and 1991 are stated, they agree: in states of Eastern time, wind then follows hail within 8 km by -0.1 h on average (0.3 and 0.1 h in the
 * two years before); in those of Mountain time, the mean hour of wind is 18.7, as in the two years before (18.6, 18.5), and not the 17.3 of
 * 1993, which states MST.
 */
const isMisstated = (zone: string, year: number, type: RecordType) =>
  year === 1992 && type === 'thunderstorm_wind' && zone.trim().toUpperCase() === 'PST'

/** Returns the offset of a row, and whether it is only the most likely one. */
export function offsetOf(zone: string, year: number, type: RecordType): { hours: number; unsure: boolean } | null {
  const unsure = isMisstated(zone, year, type)
  const hours = zoneOffset(unsure ? 'CST' : zone)
  return hours === null ? null : { hours, unsure }
}
