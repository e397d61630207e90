import type { App } from '#domain/app.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { type WarningOver, warningsOver } from '#domain/reports/warnings-over.ts'

/** The date of loss, which a report covers first, with the warnings that covered the place in the window. */
export interface Loss {
  /** YYYY-MM-DD, a local day of the place. */
  date: string
  warnings: WarningOver[]
}

/** Reads what the section on a date of loss needs besides the records: the warnings over the place on the days of the window. */
export async function readLoss(
  app: Pick<App, 'pool' | 'clock'>,
  place: LocatedPlace,
  window: SearchWindow,
  date: string,
  as_of: Date | null,
): Promise<Loss> {
  return { date, warnings: await warningsOver(app, place, window, place.timezone, as_of) }
}
