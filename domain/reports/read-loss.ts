import type { App } from '#domain/app.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import type { Loss } from '#domain/reports/day-of-loss.ts'
import { warningsOver } from '#domain/reports/warnings-over.ts'

/** What a date of loss is answered by beside the records: the warnings over the place on the days of the window. */
export async function readLoss(
  app: Pick<App, 'pool'>,
  place: LocatedPlace,
  window: SearchWindow,
  date: string,
  as_of: Date | null,
): Promise<Loss> {
  return { date, warnings: await warningsOver(app, place, window, place.timezone, as_of) }
}
