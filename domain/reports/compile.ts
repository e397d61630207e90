import type { App } from '#domain/app.ts'
import { NO_OBSERVATIONS } from '#domain/archive/observations/nearby.ts'
import type { Evidence } from '#domain/archive/search/search.ts'
import type { TierId } from '#domain/closed-sets.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { tierOf } from '#domain/plans/plans.ts'
import { type Composition, compose, type ReportWindow } from '#domain/reports/compose.ts'
import { readLoss } from '#domain/reports/day-of-loss/read-loss.ts'

/** What of a request decides what its evidence is made into. */
interface Compiling {
  /** The moment as of which it is asked for, which the report says; null for as it is now. */
  as_of: Date | null
  /** The moment as of which the archive was searched, where it is another one. */
  known_at?: Date | null
  /** The date to answer for first; null for none. */
  date_of_loss: string | null
  /** The tier whose plan may leave out what stations measured. */
  plan_tier: TierId
}

/** Makes the report of what was found, as its plan and its date of loss have it. Nothing is written. */
export async function compile(
  app: Pick<App, 'pool'>,
  place: LocatedPlace,
  window: ReportWindow,
  evidence: Evidence,
  { as_of, known_at = as_of, date_of_loss, plan_tier }: Compiling,
): Promise<Composition> {
  const counted = tierOf(plan_tier).includes.observations ? evidence : { ...evidence, observations: NO_OBSERVATIONS }
  const loss = date_of_loss === null ? null : await readLoss(app, place, window, date_of_loss, known_at)
  return compose(place, window, counted, { as_of, loss })
}
