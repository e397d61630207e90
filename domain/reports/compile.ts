import type { App } from '#domain/app.ts'
import { NO_OBSERVATIONS } from '#domain/archive/observations/nearby.ts'
import type { Evidence } from '#domain/archive/search/search.ts'
import type { TierId } from '#domain/closed-sets.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { tierOf } from '#domain/plans/plans.ts'
import { type Composition, compose, type ReportWindow } from '#domain/reports/compose.ts'
import { readLoss } from '#domain/reports/day-of-loss/read-loss.ts'

/** The parts of a request that decide how its evidence becomes a report. */
interface Compiling {
  /** The point in time that was requested, which the report states; null for the present. */
  as_of: Date | null
  /** The point in time at which the archive was searched, if it differs from `as_of`. */
  known_at?: Date | null
  /** The date of loss, which the report covers first; null for none. */
  date_of_loss: string | null
  /** The tier, whose plan may exclude station measurements. */
  plan_tier: TierId
}

/** Composes a report from the evidence, as its plan and its date of loss require. Writes nothing. */
export async function compile(
  app: Pick<App, 'pool' | 'clock'>,
  place: LocatedPlace,
  window: ReportWindow,
  evidence: Evidence,
  { as_of, known_at = as_of, date_of_loss, plan_tier }: Compiling,
): Promise<Composition> {
  const counted = tierOf(plan_tier).includes.observations ? evidence : { ...evidence, observations: NO_OBSERVATIONS }
  const loss = date_of_loss === null ? null : await readLoss(app, place, window, date_of_loss, known_at)
  return compose(place, window, counted, { as_of, loss })
}
