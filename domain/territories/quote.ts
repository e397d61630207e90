import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { requireArea, requireRoom, requireStanding } from '#domain/plans/ceilings.ts'
import { Refusal } from '#domain/refusal.ts'
import type { TerritoryInput } from '#domain/territories/check-territory.ts'
import { judgeNew } from '#domain/territories/create.ts'
import { roundArea } from '#domain/territories/measure.ts'
import type { TerritoryQuoteView } from '#domain/territories/view.ts'

/**
 * Measures a territory and says whether the plan has room for it; saves nothing.
 * @throws Refusal 422 with every fault of the body
 */
export async function quoteTerritory(app: App, caller: Caller, input: TerritoryInput): Promise<TerritoryQuoteView> {
  const { measured, status } = await judgeNew(app, input)
  const held = await caller.db.territory.count({ where: { status: { not: 'archived' } } })
  const notice = refusalIn(() => {
    requireStanding(caller)
    requireArea(caller.plan, measured.area_sq_miles)
    if (status !== 'archived') requireRoom(caller.plan, 'territories', held)
  })
  const { kind, geometry, centre, bounds, area_sq_miles } = measured
  const allowed = notice === null
  return { object: 'territory_quote', kind, geometry, centre, bounds, area_sq_miles: roundArea(area_sq_miles), allowed, notice }
}

/** The sentence with which the rules refuse; null where they do not. */
function refusalIn(rules: () => void): string | null {
  try {
    rules()
    return null
  } catch (fault) {
    if (fault instanceof Refusal) return fault.message
    throw fault
  }
}
