/** Hours from UTC of the time zones used in NWS products, daylight saving included. */
const offsets: Record<string, number> = {
  GMT: 0,
  UTC: 0,
  Z: 0,
  AST: -4,
  ADT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  HDT: -9,
  SST: -11,
  CHST: 10,
  GST: 10,
}

/** Returns null for an unknown zone: refuse its times, never guess. */
export function offsetOfClockZone(name: string): number | null {
  return offsets[name.toUpperCase()] ?? null
}
