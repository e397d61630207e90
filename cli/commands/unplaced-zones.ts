import { printLine } from '../format.ts'

/** Forecast-zone records of a state that no zone table places. */
export interface UnplacedZones {
  state: string
  records: number
  table_held: boolean
}

export const UNPLACED = '{ unplacedZones { state records table_held } }'

/** Says of which states no zone table is held, and of which it does not name every zone: their records are in no report. */
export function printUnplaced(unplaced: readonly UnplacedZones[]): void {
  const without = unplaced.filter(({ table_held }) => !table_held)
  const beyond = unplaced.filter(({ table_held }) => table_held)
  if (without.length > 0)
    printLine(`No zone table is held for ${codesOf(without)}: ${left(without)}. Read it with: weather archive sync zones`)
  if (beyond.length > 0) printLine(`The zone table held does not name every zone of ${codesOf(beyond)}: ${left(beyond)}.`)
}

const codesOf = (unplaced: readonly UnplacedZones[]) => unplaced.map(({ state }) => state).join(', ')

function left(unplaced: readonly UnplacedZones[]): string {
  const records = unplaced.reduce((sum, one) => sum + one.records, 0)
  return records === 1
    ? 'one forecast-zone record is in no report'
    : `${records.toLocaleString('en')} forecast-zone records are in no report`
}
