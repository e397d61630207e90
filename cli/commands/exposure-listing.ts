import type { Command } from 'commander'
import type { Query, Schemas } from '../service.ts'
import { booleanFrom, type Columns, numberFrom, pickOptions, withPaging } from './command.ts'

export type Exposure = Schemas['Exposure']

export const exposureColumns: Columns<Exposure> = {
  id: 'id',
  date: 'date',
  kind: 'kind',
  subject: 'subject.name',
  headline: 'headline',
  hail_in: 'largest_measured_in',
  radar_hail_in: 'largest_detected_in',
  gust_mph: 'max_gust_mph',
  // All records of a territory are inside it: no distance is known.
  miles: ({ nearest_miles, subject }) => (subject.object === 'territory' && nearest_miles !== null ? 'inside' : nearest_miles),
  state: (row) => (row.dismissed_at ? 'dismissed' : row.acknowledged_at ? 'acknowledged' : 'open'),
}

const FILTERS = ['since', 'from', 'to', 'kind', 'open', 'subject', 'min_measured_in']

/** Adds the options of a list of exposures: its pages and filters. */
export const withExposureList = (command: Command): Command => withExposureFilters(withPaging(command))

/** Adds the filters of exposures. */
export function withExposureFilters(command: Command): Command {
  return command
    .option('--since <moment>', 'changed after this time')
    .option('--from <date>', 'first day')
    .option('--to <date>', 'last day')
    .option('--kind <kind>', 'record or warning')
    .option('--open <boolean>', 'true: only the inbox; false: only closed exposures', booleanFrom)
    .option('--subject <subject>', 'property or territory')
    .option('--min-measured-in <inches>', 'measured hail of at least this size', numberFrom)
}

export const filtersOf = (options: Record<string, unknown>): Query => pickOptions(options, FILTERS)
