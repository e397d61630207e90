/** Hours from UTC of the clock zones that NWS products are written in, daylight saving included. */
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

/** Null where the zone is not known: its times must be refused, never guessed. */
export function offsetOfClockZone(name: string): number | null {
  return offsets[name.toUpperCase()] ?? null
}
