import { printLine } from '../format.ts'
import { type Settings, suggestedCommand } from './command.ts'

/** Forecast-zone records of a state that no zone table locates. */
export interface UnplacedZones {
  state: string
  records: number
  table_held: boolean
}

export const UNPLACED = '{ unplacedZones { state records table_held } }'

/** Prints the states without a zone table, and those whose table lacks zones: reports leave out their records. */
export function printUnplaced(unplaced: readonly UnplacedZones[], setting: Settings): void {
  const withoutTable = unplaced.filter(({ table_held }) => !table_held)
  const withTable = unplaced.filter(({ table_held }) => table_held)
  if (withoutTable.length > 0)
    printLine(
      `There is no zone table for ${codesOf(withoutTable)}: ${leftOutText(withoutTable)}. Import it with: ${suggestedCommand(setting, 'archive sync zones')}`,
    )
  if (withTable.length > 0) printLine(`The zone table lacks some zones of ${codesOf(withTable)}: ${leftOutText(withTable)}.`)
}

const codesOf = (unplaced: readonly UnplacedZones[]) => unplaced.map(({ state }) => state).join(', ')

function leftOutText(unplaced: readonly UnplacedZones[]): string {
  const records = unplaced.reduce((sum, one) => sum + one.records, 0)
  return records === 1
    ? 'reports leave out one forecast-zone record'
    : `reports leave out ${records.toLocaleString('en')} forecast-zone records`
}
