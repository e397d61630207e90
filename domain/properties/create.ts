import type { Caller } from '#domain/access/caller.ts'
import { once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { requireActivePlan, requireBelowCeiling, requireReach } from '#domain/plans/ceilings.ts'
import { type AddressColumns, duplicateAddress, findExistingAt, locateAddressInTime, orDuplicate } from '#domain/properties/address.ts'
import { lockTeamAndCount } from '#domain/properties/ceiling.ts'
import { checkNewProperty, type PropertyChanges, type PropertyInput } from '#domain/properties/check-property.ts'
import { findProperty } from '#domain/properties/find.ts'
import { emitNamed } from '#domain/properties/property-events.ts'
import { nameOf } from '#domain/properties/property-rows.ts'
import { watchNew } from '#domain/properties/sync-watch.ts'
import type { PropertyWithContactsView } from '#domain/properties/view.ts'
import type { Property } from '#generated/prisma/client.ts'

/** The longest that a create waits for the address, in milliseconds; a job locates it after that. */
export const LOCATE_MS = 3_000

/**
 * Saves a property at an address that the team does not have yet. The address is its natural key, so it is located first,
 * outside the transaction: no lock waits for a geocoder.
 * @throws Refusal 422 with every fault of the body; 402 `lapsed`, `watch_radius` or `properties`; 409 `duplicate_address`
 */
export async function createProperty(
  app: App,
  caller: Pick<Caller, 'team' | 'plan' | 'db'>,
  input: PropertyInput,
): Promise<PropertyWithContactsView> {
  const faults = gatherFaults()
  const fields = checkNewProperty(input, faults)
  faults.refuse()
  requireActivePlan(caller)
  requireReach(caller.plan, fields.watch_radius_miles)
  const address = await locateAddressInTime(app, { query: fields.address, point: fields.point }, LOCATE_MS)
  const save = async (tx: ScopedTx) => {
    const used = await lockTeamAndCount(tx, caller.team.id)
    const existing_id = await findExistingAt(tx, caller.team.id, address)
    if (existing_id) throw duplicateAddress(existing_id)
    if (fields.status !== 'archived') requireBelowCeiling(caller.plan, 'properties', used)
    const property = await saveProperty(tx, app, caller, fields, address)
    auditWrite(tx, { kind: 'property', id: property.id, after: property })
    return property.id
  }
  const { outcome: id } = await orDuplicate(caller.db, caller.team.id, address, undefined, () => once(caller, null, save))
  return findProperty(app, caller, id)
}

/** Writes the row, its watch or the job that locates it, and its event. The address must be free, and the team's row locked. */
export async function saveProperty(
  tx: ScopedTx,
  app: Pick<App, 'clock'>,
  { team }: Pick<Caller, 'team'>,
  { address: _, point: __, ...fields }: PropertyChanges,
  address: AddressColumns,
): Promise<Property> {
  const now = app.clock.now()
  const property = await tx.property.create({ data: { team_id: team.id, ...fields, ...address, created_at: now, updated_at: now } })
  if (property.located) await watchNew(tx, property)
  else await stageDurable(tx, 'property.locate', { property_id: property.id })
  await emitNamed(tx, property, nameOf(property), { name: 'property.created', changed: [], reason: 'change' })
  return property
}
