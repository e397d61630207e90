import { printLine } from '../format.ts'
import { type Settings, suggestedCommand } from './command.ts'

/** Records of a year that were imported before the service checked plausibility. */
export interface UncheckedYear {
  slug: string
  year: number
  records: number
}

export const UNCHECKED = '{ unjudgedYears { slug year records } }'

/** Prints the years whose files must be imported again, because their records have not been checked for plausibility. */
export function printUncheckedYears(unchecked: readonly UncheckedYear[], setting: Settings): void {
  for (const slug of new Set(unchecked.map((one) => one.slug))) {
    const years = unchecked.filter((one) => one.slug === slug)
    const records = years.reduce((sum, one) => sum + one.records, 0)
    printLine(
      `${records === 1 ? `One record of ${slug} was imported before its point, time and size were` : `${records.toLocaleString('en')} records of ${slug} were imported before their points, times and sizes were`} checked. Import their files again, of ${years.map(({ year }) => year).join(', ')}${slug === 'storm-events' ? `, or read each year with: ${suggestedCommand(setting, 'archive sync storm-events --year YEAR')}` : ''}.`,
    )
  }
}
