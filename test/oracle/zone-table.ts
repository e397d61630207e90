import type { Row } from './csv.ts'
import { countiesCalled, countyCentre, stateCode } from './geography.ts'

/** Numbers of the counties that contain a zone, by the zone: TXZ119. */
export type ZoneTable = ReadonlyMap<string, ReadonlySet<string>>

/**
 * A table of forecast zones made for the comparison: each zone of the rows that has the name of one or several
 * counties of its state. The agency's own table is not among the real records. Zones with other names stay without
 * a location, as with an outdated table.
 */
export function zoneTable(details: readonly Row[]): ZoneTable {
  const table = new Map<string, Set<string>>()
  for (const row of details) {
    const zone = zoneOf(row)
    if (row.CZ_TYPE !== 'Z' || zone === null) continue
    for (const fips of countiesCalled((row.STATE_FIPS as string).padStart(2, '0'), row.CZ_NAME as string))
      table.set(zone, (table.get(zone) ?? new Set()).add(fips))
  }
  return table
}

/** TXZ119; null if the row's number is of no state. */
export function zoneOf(row: Row): string | null {
  const state = stateCode(row)
  return state && `${state}Z${row.CZ_FIPS?.padStart(3, '0')}`
}

/** The same in the agency's own form: bars between eleven columns. */
export function* zoneFile(table: ZoneTable): Generator<string> {
  for (const [zone, counties] of table) {
    for (const fips of counties) {
      const [lon, lat] = countyCentre(fips) ?? [0, 0]
      yield `${zone.slice(0, 2)}|${zone.slice(3)}|XXX|Zone ${zone}|${zone}|County|${fips}|C|xx|${lat.toFixed(4)}|${lon.toFixed(4)}\n`
    }
  }
}
