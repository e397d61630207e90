import type { UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import { stateByCode } from '#domain/geo/states.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'

/** The most types that are named one by one; further ones are counted. */
const TYPES_NAMED = 6

/**
 * States which records could not be placed, one clause per state: "11 forecast-zone records of New York in this window (high wind, lakeshore
 * flood) could not be placed: no zone table is held". Null if every record was placed.
 */
export function unplacedZonesClause(unplaced: UnplacedZones[]): string | null {
  return unplaced.length === 0 ? null : unplaced.map(clauseOf).join('; ')
}

function clauseOf({ state, records, types, table_held }: UnplacedZones): string {
  const why = table_held ? 'the zone table held does not name their zones' : 'no zone table is held'
  const name = stateByCode(state)?.name ?? state
  return `${pluralize(records, 'forecast-zone record')} of ${name} in this window (${namesOf(types)}) could not be placed: ${why}`
}

function namesOf(types: UnplacedZones['types']): string {
  const names = types.slice(0, TYPES_NAMED).map(({ type }) => typeName(type))
  const more = types.length - names.length
  return [...names, ...(more > 0 ? [`${more} more ${more === 1 ? 'type' : 'types'}`] : [])].join(', ')
}
