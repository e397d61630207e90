import type { Caller } from '#domain/access/caller.ts'
import { once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import { ConcurrentChange, retryOnConcurrentChange } from '#domain/kernel/concurrent-change.ts'
import { readNew } from '#domain/kernel/form.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import { requireActivePlan, requireArea, requireBelowCeiling } from '#domain/plans/ceilings.ts'
import { lockTeamAndCount } from '#domain/territories/ceiling.ts'
import { checkTerritory, type PlainFields, type TerritoryInput, territoryStatusForm } from '#domain/territories/check-territory.ts'
import { measuredColumns } from '#domain/territories/create.ts'
import { findTerritory } from '#domain/territories/find.ts'
import { type Measured, measure } from '#domain/territories/measure.ts'
import { type ExistingTerritory, readArea } from '#domain/territories/read-area.ts'
import { syncWatch } from '#domain/territories/sync-watch.ts'
import { noSuchTerritory } from '#domain/territories/territory-rows.ts'
import type { TerritoryView } from '#domain/territories/view.ts'
import { moveShownPlace } from '#domain/watches/shown-place.ts'
import type { Territory } from '#generated/prisma/client.ts'

/**
 * Changes the fields in the body, and measures the territory again if they move it. A field set to its current value is not a
 * change.
 * @throws Refusal 404; 422 with every fault of the body; 402 `lapsed`, `territory_area` or, when unarchived,
 * `territories`; 503 if others keep changing its area at the same time
 */
export async function changeTerritory(app: App, caller: Caller, id: string, input: TerritoryInput): Promise<TerritoryView> {
  await retryOnConcurrentChange(() => changeOnce(app, caller, id, input))
  return findTerritory(app, caller, id)
}

async function changeOnce(app: App, caller: Caller, id: string, input: TerritoryInput): Promise<void> {
  const before = await readTerritory(caller.db, id)
  const faults = gatherFaults()
  const { kind, geometry, address, latitude, longitude, radius_miles, place_ids, ...changes } = checkTerritory(input, faults)
  const place = { kind, geometry, address, latitude, longitude, radius_miles, place_ids }
  const outline = readArea(place, before as unknown as ExistingTerritory, faults)
  const measured = outline && (await measure(app, caller.team.id, outline, faults))
  faults.refuse()
  requireWatching(caller, before, changes, measured)
  await once(caller, null, (tx) => writeChanges(tx, app, caller, before, changes, measured))
}

/**
 * Sets a territory's status, whatever it was before.
 * @throws Refusal 404; 422 for an invalid status; 402 `lapsed` or, when unarchived, `territory_area` or `territories`
 */
export async function setTerritoryStatus(app: App, caller: Caller, id: string, input: { status?: unknown }): Promise<TerritoryView> {
  const before = await readTerritory(caller.db, id)
  const faults = gatherFaults()
  const { status } = readNew(territoryStatusForm, input, faults)
  faults.refuse()
  requireWatching(caller, before, { status }, null)
  await once(caller, null, (tx) => writeChanges(tx, app, caller, before, { status }, null))
  return findTerritory(app, caller, id)
}

/** Returns the team's row of a territory. */
async function readTerritory(db: Pick<ScopedTx, 'territory'>, id: string): Promise<Territory> {
  const territory = isUuid(id) ? await db.territory.findFirst({ where: { id } }) : null
  if (!territory) throw noSuchTerritory()
  return territory
}

/** @throws Refusal 402 if a change that resumes or moves the watch is not allowed by the plan */
function requireWatching(caller: Caller, before: Territory, { status }: Partial<PlainFields>, measured: Measured | null): void {
  const moves = measured !== null && measured.geometry !== before.geometry
  const resumes = status === 'watching' && before.status !== 'watching'
  if (moves || resumes) requireActivePlan(caller)
  if (moves) requireArea(caller.plan, measured.area_sq_miles)
}

async function writeChanges(
  tx: ScopedTx,
  { clock }: Pick<App, 'clock'>,
  { team, plan }: Caller,
  read: Territory,
  changes: Partial<PlainFields>,
  measured: Measured | null,
): Promise<void> {
  const { id } = read
  // Lock the territory's row before the team's, as detection does, and lock the team's row only for a change that may fill the plan.
  await tx.$queryRaw`SELECT id FROM territories WHERE id = ${id}::uuid AND team_id = ${team.id}::uuid FOR UPDATE`
  const before = await readTerritory(tx, id)
  if (measured && before.geometry !== read.geometry) throw new ConcurrentChange('the area of this territory')
  const enters = changes.status !== undefined && changes.status !== 'archived' && before.status === 'archived'
  if (enters) {
    requireArea(plan, measured?.area_sq_miles ?? before.area_sq_miles)
    requireBelowCeiling(plan, 'territories', await lockTeamAndCount(tx, team.id))
  }
  const columns = measured && measuredColumns(measured)
  const data = { ...changes, ...columns }
  const changed = keysOf(data).filter((field) => canonicalJson(before[field]) !== canonicalJson(data[field]))
  if (changed.length === 0) return auditWrite(tx, { kind: 'territory', id, before, after: before, changed })
  const now = clock.now()
  const territory = await tx.territory.update({ where: { id }, data: { ...data, updated_at: now } })
  await moveShownPlace(tx, territory, { name: before.name, precision: null }, { name: territory.name, precision: null }, now)
  if (territory.status !== before.status || territory.geometry !== before.geometry) await syncWatch(tx, territory)
  auditWrite(tx, { kind: 'territory', id, before, after: territory, changed })
}
