import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#domain/access/caller.ts'
import { once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { Point } from '#domain/geo/measure.ts'
import { ConcurrentChange, retryOnConcurrentChange } from '#domain/kernel/concurrent-change.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import { pointText, readCoordinates } from '#domain/places/coordinates.ts'
import { requireActivePlan, requireBelowCeiling, requireReach } from '#domain/plans/ceilings.ts'
import {
  type AddressColumns,
  addressKeysOf,
  duplicateAddress,
  findExistingAt,
  locateAddressInTime,
  orDuplicate,
  type SentAddress,
  sentAddress,
} from '#domain/properties/address.ts'
import { lockTeamAndCount } from '#domain/properties/ceiling.ts'
import { checkChanges, type PropertyChanges, type PropertyInput } from '#domain/properties/check-property.ts'
import { LOCATE_MS } from '#domain/properties/create.ts'
import { findProperty } from '#domain/properties/find.ts'
import { emitPropertyEvent, type PropertyEvent } from '#domain/properties/property-events.ts'
import { noSuchProperty } from '#domain/properties/property-rows.ts'
import { syncWatch } from '#domain/properties/sync-watch.ts'
import { updateProperty } from '#domain/properties/update-property.ts'
import type { PropertyWithContactsView } from '#domain/properties/view.ts'
import type { Property } from '#generated/prisma/client.ts'

/**
 * Changes the fields in the body; a new address is located first. A field set to its current value is not a change.
 * @throws Refusal 404; 422 with every fault of the body; 402 `lapsed`, `watch_radius` or, when unarchived, `properties`; 409
 * `duplicate_address`; 503 if others keep changing its address at the same time
 */
export async function changeProperty(app: App, caller: Caller, id: string, input: PropertyInput): Promise<PropertyWithContactsView> {
  await retryOnConcurrentChange(() => changeOnce(app, caller, id, input))
  return findProperty(app, caller, id)
}

async function changeOnce(app: App, caller: Caller, id: string, input: PropertyInput): Promise<void> {
  const before = await readProperty(caller.db, id)
  const faults = gatherFaults()
  const { address: query, point, ...changes } = checkChanges(input, faults)
  faults.refuse()
  const sent = sentChange(before, query, point)
  requireWatching(caller, before, changes, sent !== null)
  const address = sent && (await locateAddressInTime(app, sent, LOCATE_MS))
  const change = (tx: ScopedTx) => writeChanges(tx, app, caller, before, changes, address)
  await orDuplicate(caller.db, caller.team.id, address ?? addressKeysOf(before), id, () => once(caller, null, change))
}

/**
 * Returns the address to locate for a change; null if none is sent, or if it is the one already located. A new address without
 * coordinates drops the old coordinates. New coordinates without an address keep the address, unless it was itself coordinates.
 */
function sentChange(before: Property, query: string | undefined, point: Point | null | undefined): SentAddress | null {
  if (query === undefined && !point) return null
  const keptQuery = readCoordinates(before.query) && point ? pointText(point) : before.query
  const same = query === before.query && !point
  const sent = same ? sentAddress(before) : { query: query ?? keptQuery, point: point ?? null }
  return before.located && isDeepStrictEqual(sent, sentAddress(before)) ? null : sent
}

/** Returns the team's row of a property. */
export async function readProperty(db: Pick<ScopedTx, 'property'>, id: string): Promise<Property> {
  const property = isUuid(id) ? await db.property.findFirst({ where: { id } }) : null
  if (!property) throw noSuchProperty()
  return property
}

/**
 * Returns the row and locks it against other changes of the property and against writes that refer to it. The lock is FOR
 * UPDATE because a change may set another address, which is a key: with a weaker lock, a transaction that files a report under
 * the property could deadlock with this one over the team's row.
 */
export async function lockProperty(tx: Pick<ScopedTx, 'property' | '$queryRaw'>, team_id: string, id: string): Promise<Property> {
  if (!isUuid(id)) throw noSuchProperty()
  await tx.$queryRaw`SELECT id FROM properties WHERE id = ${id}::uuid AND team_id = ${team_id}::uuid FOR UPDATE`
  return readProperty(tx, id)
}

/** @throws Refusal 402 if a change that resumes, moves or widens the watch is not allowed by the plan */
function requireWatching(caller: Caller, before: Property, { status, watch_radius_miles }: Partial<PropertyChanges>, moves: boolean): void {
  const widens = watch_radius_miles !== undefined && watch_radius_miles !== before.watch_radius_miles
  const resumes = status === 'watching' && before.status !== 'watching'
  if (widens || resumes || moves) requireActivePlan(caller)
  if (widens) requireReach(caller.plan, watch_radius_miles)
}

async function writeChanges(
  tx: ScopedTx,
  app: Pick<App, 'clock'>,
  { team, plan }: Caller,
  read: Property,
  changes: Partial<Omit<PropertyChanges, 'address' | 'point'>>,
  address: AddressColumns | null,
): Promise<void> {
  // Lock the property's row before the team's, as a removal does, and lock the team's row only for a change that may fill the plan.
  const before = await lockProperty(tx, team.id, read.id)
  if (address && !isDeepStrictEqual(sentAddress(before), sentAddress(read))) throw new ConcurrentChange('the address of this property')
  const { id } = before
  const enters = changes.status !== undefined && changes.status !== 'archived' && before.status === 'archived'
  if (enters) requireBelowCeiling(plan, 'properties', await lockTeamAndCount(tx, team.id))
  const columns = address ?? (await reclaimedKey(tx, before, changes.status))
  if (address) await refuseTaken(tx, team.id, address, id)
  const changed = [...(address && movesTo(before, address) ? ['address'] : []), ...changedFields(before, changes)]
  if (changed.length === 0) return auditWrite(tx, { kind: 'property', id, before, after: before, changed })
  const property = await updateProperty(tx, app, before, { ...changes, ...columns })
  if (changed.some((field) => WATCHED.has(field))) await syncWatch(tx, property)
  if (address && !property.located) await stageDurable(tx, 'property.locate', { property_id: id })
  const event = eventOf(before, property, changed)
  if (event) await emitPropertyEvent(tx, property, event)
  auditWrite(tx, { kind: 'property', id, before, after: property, changed })
}

/** Fields that define the watch. */
const WATCHED = new Set(['address', 'status', 'watch_radius_miles'])
/** Fields whose change emits an event. */
const ANNOUNCED = new Set(['address', 'status', 'watch_radius_miles', 'reference'])

function changedFields(before: Property, changes: Partial<Omit<PropertyChanges, 'address' | 'point'>>): string[] {
  return keysOf(changes).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(changes[field]))
}

function movesTo(before: Property, address: AddressColumns): boolean {
  return before.located !== address.located || !isDeepStrictEqual(sentAddress(before), sentAddress(address))
}

async function refuseTaken(tx: ScopedTx, team_id: string, address: Pick<AddressColumns, 'query_key' | 'address_key'>, id: string) {
  const existing_id = await findExistingAt(tx, team_id, address, id)
  if (existing_id) throw duplicateAddress(existing_id)
}

/** Returns the key of a property that lost its address to an older one: it can be watched again only if the address is free by now. */
async function reclaimedKey(tx: ScopedTx, before: Property, status: string | undefined): Promise<{ address_key?: string }> {
  if (status !== 'watching' || !before.located || before.address_key !== null) return {}
  const { query_key, address_key } = addressKeysOf(before)
  await refuseTaken(tx, before.team_id, { query_key, address_key }, before.id)
  return address_key === null ? {} : { address_key }
}

/** Returns the event of a change; null if no announced field changed. */
function eventOf(before: Property, after: Property, changed: string[]): PropertyEvent | null {
  if (before.status !== 'archived' && after.status === 'archived') return { name: 'property.archived', changed, reason: 'archived' }
  return changed.some((field) => ANNOUNCED.has(field)) ? { name: 'property.updated', changed, reason: 'change' } : null
}
