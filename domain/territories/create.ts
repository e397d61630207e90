import type { Caller } from '#domain/access/caller.ts'
import { findOutcome, type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { requireActivePlan, requireArea, requireBelowCeiling } from '#domain/plans/ceilings.ts'
import { lockTeamAndCount } from '#domain/territories/ceiling.ts'
import { checkNewTerritory, type PlainFields, type TerritoryInput } from '#domain/territories/check-territory.ts'
import { findTerritory } from '#domain/territories/find.ts'
import { type Measured, measure } from '#domain/territories/measure.ts'
import { readArea } from '#domain/territories/read-area.ts'
import { syncWatch } from '#domain/territories/sync-watch.ts'
import type { TerritoryView } from '#domain/territories/view.ts'
import type { Prisma } from '#generated/prisma/client.ts'

/**
 * Creates a territory. It is measured first, outside the transaction: no lock waits for a geocoder or for the check of a shape.
 * @throws Refusal 422 with every fault of the body; 402 `lapsed`, `territory_area` or `territories`; 409 for the idempotency
 * key; 404 if a replay's territory was removed
 */
export async function createTerritory(
  app: App,
  caller: Pick<Caller, 'team' | 'plan' | 'db'>,
  input: TerritoryInput,
  idempotency: IdempotentRequest | null,
): Promise<{ territory: TerritoryView; replayed: boolean }> {
  const stored = idempotency && (await findOutcome<Outcome>(app, caller, idempotency))
  if (stored) return { territory: await findTerritory(app, caller, stored.outcome.territory_id), replayed: true }
  const { measured, ...fields } = await checkAndMeasure(app, caller.team.id, input)
  requireActivePlan(caller)
  requireArea(caller.plan, measured.area_sq_miles)
  const save = async (tx: ScopedTx): Promise<Outcome> => {
    const used = await lockTeamAndCount(tx, caller.team.id)
    if (fields.status !== 'archived') requireBelowCeiling(caller.plan, 'territories', used)
    return { territory_id: await saveTerritory(tx, app, caller, fields, measured) }
  }
  const { outcome, replayed } = await once(caller, idempotency, save)
  return { territory: await findTerritory(app, caller, outcome.territory_id), replayed }
}

/** The stored outcome by which a replay finds the territory. */
interface Outcome {
  territory_id: string
}

/**
 * Checks and measures the body of a new territory.
 * @throws Refusal 422 with every fault of the body
 */
export async function checkAndMeasure(app: App, team_id: string, input: TerritoryInput): Promise<PlainFields & { measured: Measured }> {
  const faults = gatherFaults()
  const { name, status, colour, notes, ...place } = checkNewTerritory(input, faults)
  const outline = readArea(place, null, faults)
  const measured = outline && (await measure(app, team_id, outline, faults))
  faults.refuse()
  if (!measured) throw new Error('a territory without a fault was not measured')
  return { name, status, colour, notes, measured }
}

/** Returns the columns of a measured territory. */
export function measuredColumns({ centre, bounds, definition, ...measured }: Measured) {
  return {
    ...measured,
    ...bounds,
    definition: definition as unknown as Prisma.InputJsonObject,
    centre_latitude: centre.latitude,
    centre_longitude: centre.longitude,
  }
}

async function saveTerritory(
  tx: ScopedTx,
  { clock }: Pick<App, 'clock'>,
  { team }: Pick<Caller, 'team'>,
  fields: PlainFields,
  measured: Measured,
): Promise<string> {
  const now = clock.now()
  const data = { team_id: team.id, ...fields, ...measuredColumns(measured), created_at: now, updated_at: now }
  const territory = await tx.territory.create({ data })
  await syncWatch(tx, territory)
  auditWrite(tx, { kind: 'territory', id: territory.id, after: territory })
  return territory.id
}
