import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#domain/access/caller.ts'
import { once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { Point } from '#domain/geo/measure.ts'
import { ChangedMeanwhile, untilUnchanged } from '#domain/kernel/changed-meanwhile.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import { pointText, readCoordinates } from '#domain/places/coordinates.ts'
import { requireActivePlan, requireBelowCeiling, requireReach } from '#domain/plans/ceilings.ts'
import {
  type AddressColumns,
  duplicateAddress,
  findExistingAt,
  keyOfPlace,
  locateAddress,
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
import type { PropertyWithContactsView } from '#domain/properties/view.ts'
import type { Property } from '#generated/prisma/client.ts'

/**
 * Changes what the body names; a new address is located first. What is set to the value that it has is no change.
 * @throws Refusal 404; 422 with every fault of the body; 402 `lapsed`, `watch_radius` or, leaving the archive, `properties`;
 *   409 `duplicate_address`; 503 where others change its address again and again
 */
export async function changeProperty(app: App, caller: Caller, id: string, input: PropertyInput): Promise<PropertyWithContactsView> {
  await untilUnchanged(() => changeOnce(app, caller, id, input))
  return findProperty(app, caller, id)
}

async function changeOnce(app: App, caller: Caller, id: string, input: PropertyInput): Promise<void> {
  const before = await readProperty(caller.db, id)
  const faults = gatherFaults()
  const { address: query, point, ...asked } = checkChanges(input, faults)
  faults.refuse()
  const sent = sentChange(before, query, point)
  requireWatching(caller, before, asked, sent !== null)
  const address = sent && (await locateAddress(app, sent, LOCATE_MS))
  const change = (tx: ScopedTx) => writeChanges(tx, app, caller, before, asked, address)
  await orDuplicate(caller.db, caller.team.id, address ?? keyOf(before), id, () => once(caller, null, change))
}

/**
 * The address that a change sends, to be located anew; null where it sends none, or the one that is located already. A new
 * address alone leaves the coordinates behind; new coordinates alone keep the address, unless that was coordinates itself.
 */
function sentChange(before: Property, query: string | undefined, point: Point | null | undefined): SentAddress | null {
  if (query === undefined && !point) return null
  const kept = readCoordinates(before.query) && point ? pointText(point) : before.query
  const same = query === before.query && !point
  const sent = same ? sentAddress(before) : { query: query ?? kept, point: point ?? null }
  return before.located && isDeepStrictEqual(sent, sentAddress(before)) ? null : sent
}

/** The team's row of a property. */
export async function readProperty(db: Pick<ScopedTx, 'property'>, id: string): Promise<Property> {
  const property = isUuid(id) ? await db.property.findFirst({ where: { id } }) : null
  if (!property) throw noSuchProperty()
  return property
}

/**
 * The same, under a lock that makes other changes of the property wait for this one, and what names it too: a change may take
 * another address, which is a key, and whoever files a report under the old one would wait for the team that this one holds.
 */
export async function lockProperty(tx: Pick<ScopedTx, 'property' | '$queryRaw'>, team_id: string, id: string): Promise<Property> {
  if (!isUuid(id)) throw noSuchProperty()
  await tx.$queryRaw`SELECT id FROM properties WHERE id = ${id}::uuid AND team_id = ${team_id}::uuid FOR UPDATE`
  return readProperty(tx, id)
}

/** 402 for what watches, or watches more, where the plan does not allow it. */
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
  asked: Partial<Omit<PropertyChanges, 'address' | 'point'>>,
  address: AddressColumns | null,
): Promise<void> {
  // The property's row is locked before the team's, as by whoever removes one, and the team's only for what may fill the plan.
  const before = await lockProperty(tx, team.id, read.id)
  if (address && !isDeepStrictEqual(sentAddress(before), sentAddress(read))) throw new ChangedMeanwhile('the address of this property')
  const { id } = before
  const enters = asked.status !== undefined && asked.status !== 'archived' && before.status === 'archived'
  if (enters) requireBelowCeiling(plan, 'properties', await lockTeamAndCount(tx, team.id))
  const columns = address ?? (await reclaimedKey(tx, before, asked.status))
  if (address) await refuseTaken(tx, team.id, address, id)
  const changed = [...(address && movesTo(before, address) ? ['address'] : []), ...changedFields(before, asked)]
  if (changed.length === 0) return auditWrite(tx, { kind: 'property', id, before, after: before, changed })
  const property = await tx.property.update({ where: { id }, data: { ...asked, ...columns, updated_at: app.clock.now() } })
  if (changed.some((field) => WATCHED.has(field))) await syncWatch(tx, property)
  if (address && !property.located) await stageDurable(tx, 'property.locate', { property_id: id })
  const event = eventOf(before, property, changed)
  if (event) await emitPropertyEvent(tx, property, event)
  auditWrite(tx, { kind: 'property', id, before, after: property, changed })
}

/** Fields of which the watch is made. */
const WATCHED = new Set(['address', 'status', 'watch_radius_miles'])
/** Fields whose change is an event. */
const ANNOUNCED = new Set(['address', 'status', 'watch_radius_miles', 'reference'])

function changedFields(before: Property, asked: Partial<Omit<PropertyChanges, 'address' | 'point'>>): string[] {
  return keysOf(asked).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(asked[field]))
}

function movesTo(before: Property, address: AddressColumns): boolean {
  return before.located !== address.located || !isDeepStrictEqual(sentAddress(before), sentAddress(address))
}

async function refuseTaken(tx: ScopedTx, team_id: string, address: Pick<AddressColumns, 'query_key' | 'address_key'>, id: string) {
  const existing_id = await findExistingAt(tx, team_id, address, id)
  if (existing_id) throw duplicateAddress(existing_id)
}

/** A property that lost its address to an older one has no key: it is watched again only where the address is free by now. */
async function reclaimedKey(tx: ScopedTx, before: Property, status: string | undefined): Promise<{ address_key?: string }> {
  if (status !== 'watching' || !before.located || before.address_key !== null) return {}
  const { query_key, address_key } = keyOf(before)
  await refuseTaken(tx, before.team_id, { query_key, address_key }, before.id)
  return address_key === null ? {} : { address_key }
}

function keyOf(property: Property): Pick<AddressColumns, 'query_key' | 'address_key'> {
  const { query_key, latitude, longitude, ...place } = property
  const placed = latitude !== null && longitude !== null
  return { query_key, address_key: placed ? keyOfPlace(sentAddress(property), { ...place, latitude, longitude }) : null }
}

/** The event of a change: null where nothing changed that has one. */
function eventOf(before: Property, after: Property, changed: string[]): PropertyEvent | null {
  if (before.status !== 'archived' && after.status === 'archived') return { name: 'property.archived', changed, reason: 'archived' }
  return changed.some((field) => ANNOUNCED.has(field)) ? { name: 'property.updated', changed, reason: 'change' } : null
}
