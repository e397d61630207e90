import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { requireActivePlan, requireArea, requireBelowCeiling } from '#domain/plans/ceilings.ts'
import type { TerritoryInput } from '#domain/territories/check-territory.ts'
import { checkAndMeasure } from '#domain/territories/create.ts'
import { roundArea } from '#domain/territories/measure.ts'
import type { TerritoryQuoteView } from '#domain/territories/view.ts'

/**
 * Measures a territory and returns whether the plan allows it; saves nothing.
 * @throws Refusal 422 with every fault of the body
 */
export async function quoteTerritory(app: App, caller: Caller, input: TerritoryInput): Promise<TerritoryQuoteView> {
  const { measured, status } = await checkAndMeasure(app, caller.team.id, input)
  const used = await caller.db.territory.count({ where: { status: { not: 'archived' } } })
  const notice = refusalIn(() => {
    requireActivePlan(caller)
    requireArea(caller.plan, measured.area_sq_miles)
    if (status !== 'archived') requireBelowCeiling(caller.plan, 'territories', used)
  })
  const { kind, geometry, centre, bounds, area_sq_miles } = measured
  const allowed = notice === null
  return { object: 'territory_quote', kind, geometry, centre, bounds, area_sq_miles: roundArea(area_sq_miles), allowed, notice }
}

/** Returns the message with which the rules refuse; null if they do not. */
function refusalIn(rules: () => void): string | null {
  try {
    rules()
    return null
  } catch (fault) {
    if (fault instanceof Refusal) return fault.message
    throw fault
  }
}
