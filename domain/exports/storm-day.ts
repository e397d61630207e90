import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { Columns } from '#domain/exports/columns.ts'
import { csvOfViews } from '#domain/exports/csv-file.ts'
import { readNew, refuseUnknown } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { citationsOf } from '#domain/maps/day-blocks.ts'
import { everyStormPlace, type StormPlaceView, stormPlacesForm } from '#domain/maps/storm-days.ts'

const columnsOf = (date: string): Columns<StormPlaceView> => ({
  date: () => date,
  subject: ({ subject }) => subject,
  subject_id: ({ id }) => id,
  subject_name: ({ name }) => name,
  latitude: ({ latitude }) => latitude,
  longitude: ({ longitude }) => longitude,
  subject_precision: ({ precision }) => precision,
  kind: () => 'radar_estimated',
  size_in: ({ size_in }) => size_in,
  size_mm: ({ size_mm }) => size_mm,
  from_in: ({ from_in }) => from_in,
  to_in: ({ to_in }) => to_in,
  source: ({ source }) => source,
  citation_urls: ({ source }) => citationsOf(date, source),
})

/**
 * Returns a storm day's watched places as CSV, the largest first, in pieces that are made when they are requested.
 * @param sent the day, and filters for its places
 * @throws Refusal 422 with every fault
 */
export function exportStormDay(
  app: Pick<App, 'pool'>,
  caller: Pick<Caller, 'team'>,
  sent: Record<string, unknown>,
): AsyncGenerator<string> {
  const faults = gatherFaults()
  refuseUnknown(stormPlacesForm, sent, faults)
  const filters = readNew(stormPlacesForm, sent, faults)
  faults.refuse()
  return csvOfViews(columnsOf(filters.date), everyStormPlace(app, caller, filters))
}
