import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { contactRoles, propertyKinds } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { PublicRecord } from '#domain/engines/enrichment.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, isOneOf } from '#domain/kernel/validation.ts'
import { fold } from '#domain/places/fold.ts'
import { isPrecise } from '#domain/places/place.ts'
import { requireActivePlan } from '#domain/plans/ceilings.ts'
import { type AddressColumns, findExistingAt, locateAddress, orDuplicate, sentAddress } from '#domain/properties/address.ts'
import { lockProperty, readProperty } from '#domain/properties/change.ts'
import { CONTACTS_MAX, checkNewContact } from '#domain/properties/check-contact.ts'
import { LOCATE_MS } from '#domain/properties/create.ts'
import { findProperty } from '#domain/properties/find.ts'
import { emitPropertyEvent } from '#domain/properties/property-events.ts'
import { syncWatch } from '#domain/properties/sync-watch.ts'
import { updateProperty } from '#domain/properties/update-property.ts'
import type { PropertyWithContactsView } from '#domain/properties/view.ts'
import { Prisma, type Property } from '#generated/prisma/client.ts'

/**
 * Locates a property again, with its county. On plans with property intelligence and with a provider of public records
 * configured, a job queries the provider after the response.
 * @throws Refusal 404; 402 `lapsed`; 409 `property_not_located`
 */
export async function enrichProperty(app: App, caller: Caller, id: string): Promise<PropertyWithContactsView> {
  const before = await readProperty(caller.db, id)
  requireActivePlan(caller)
  if (!before.located) throw new Refusal('property_not_located', 'The address of this property is not located yet.')
  const address = await locateAddress(app, sentAddress(before), LOCATE_MS, { fresh: true })
  const queriesRecords = caller.plan.includes.property_intelligence && app.enrichment.configured
  await orDuplicate(caller.db, caller.team.id, address, id, () =>
    caller.db.$transaction(async (tx) => {
      const property = await lockProperty(tx, caller.team.id, id)
      // An address that changed meanwhile was located with that change.
      if (address.located && isDeepStrictEqual(sentAddress(property), sentAddress(before))) await relocate(tx, app, property, address)
      if (queriesRecords) await stageDurable(tx, 'property.enrich', { property_id: id })
      auditWrite(tx, { kind: 'property', id })
    }),
  )
  return findProperty(app, caller, id)
}

/**
 * Saves the new location. The property keeps its old one if another property is at the new one, or if that is only the centre of
 * a ZIP code or a town, which a geocoder that fails leaves, and the old one is a building or a street.
 */
async function relocate(tx: Tx, app: Pick<App, 'clock'>, before: Property, address: AddressColumns): Promise<void> {
  if (isPrecise(before) && !isPrecise(address)) return
  const taken = address.address_key !== before.address_key && (await findExistingAt(tx, before.team_id, address, before.id))
  if (taken) return
  const differs = keysOf(address).some((column) => before[column] !== address[column])
  if (!differs) return
  const property = await updateProperty(tx, app, before, address)
  if (property.latitude !== before.latitude || property.longitude !== before.longitude) await syncWatch(tx, property)
  await emitPropertyEvent(tx, property, { name: 'property.updated', changed: ['address'], reason: 'change' })
}

/**
 * Queries the provider of public records about a property. Repeatable: the kind is filled in only if it is `other`, and a
 * contact only if no contact has its name. A person who was removed from the property, renamed or erased since the job was
 * staged stays out. If the address changes during the query, the query runs again.
 * @param job_id id of the job
 * @throws if the provider does not respond, so that the job retries later
 */
export async function enrichFromRecords(app: App, job_id: number, id: string): Promise<void> {
  const property = await app.db.property.findUnique({ where: { id } })
  const place = property && placeOf(property)
  if (!place) return
  const record = await app.enrichment.find(place)
  if (record && !(await app.db.$transaction((tx) => fillIn(tx, app, { job_id, before: property }, record))))
    await enrichFromRecords(app, job_id, id)
}

/** Returns a property's location for the provider; null if it is not located yet. */
function placeOf({ street, city, state, postal_code, latitude, longitude }: Property) {
  return latitude === null || longitude === null ? null : { street, city, state, postal_code, latitude, longitude }
}

/** Writes what the record adds. Returns false and writes nothing if the property is no longer at the queried place. */
async function fillIn(
  tx: Tx,
  app: Pick<App, 'clock'>,
  { job_id, before }: { job_id: number; before: Property },
  record: PublicRecord,
): Promise<boolean> {
  const { id, team_id } = before
  await tx.$queryRaw`SELECT id FROM properties WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  const property = await tx.property.findUnique({ where: { id }, include: { contacts: true } })
  if (!property) return true
  if (!isDeepStrictEqual(placeOf(property), placeOf(before))) return false
  const now = app.clock.now()
  const kind = property.kind === 'other' && isOneOf(propertyKinds, record.kind) ? record.kind : property.kind
  const known = new Set(property.contacts.map(({ name }) => fold(name)))
  const left_out = await readLeftOut(tx, job_id)
  const contacts = contactsOf(record)
    .filter(({ name, email }) => !known.has(fold(name)) && !left_out.has(hashOf(name)) && !(email && left_out.has(hashOf(email))))
    .slice(0, Math.max(0, CONTACTS_MAX - property.contacts.length))
  const changed = [...(kind === property.kind ? [] : ['kind']), ...(contacts.length > 0 ? ['contacts'] : [])]
  if (changed.length === 0) return true
  const owner = { team_id, property_id: id, source: 'public_record' as const, created_at: now, updated_at: now }
  await tx.contact.createMany({
    data: contacts.map((contact, index) => ({ ...owner, ...contact, primary: property.contacts.length === 0 && index === 0 })),
  })
  await tx.property.update({ where: { id }, data: { kind, updated_at: now } })
  if (contacts.length > 0) await emitPropertyEvent(tx, property, { name: 'property.updated', changed, reason: 'change' })
  return true
}

/** Returns the hash under which a job stores a name or an e-mail address that it leaves out: enough to recognise it. */
const hashOf = (text: string) => createHash('sha256').update(fold(text)).digest('hex')

/** Returns the hashes of what a job leaves out. Waits for an erasure that is under way. */
async function readLeftOut(tx: Tx, job_id: number): Promise<Set<string>> {
  const [job] = await tx.$queryRaw<{ left_out: string[] | null }[]>`
    SELECT task -> 'left_out' AS left_out FROM lasting_jobs WHERE id = ${job_id} FOR SHARE`
  return new Set(job?.left_out)
}

/** Makes the pending public-record jobs of a team's properties leave out everyone with one of these names or e-mail addresses. */
export async function suppressInTeam(tx: Pick<Tx, '$executeRaw'>, team_id: string, texts: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE lasting_jobs SET task = ${withLeftOut(texts)}
     WHERE job = 'property.enrich'
       AND EXISTS (SELECT FROM properties p WHERE p.team_id = ${team_id}::uuid AND p.id::text = task ->> 'property_id')`
}

/** Does the same for one property and a contact that its team removed or renamed. The caller has locked the property's row. */
export async function suppressInProperty(tx: Pick<Tx, '$executeRaw'>, property_id: string, name: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE lasting_jobs SET task = ${withLeftOut([name])} WHERE job = 'property.enrich' AND task ->> 'property_id' = ${property_id}`
}

/** SQL: a job's task with the hashes of these texts added to those that it leaves out. */
const withLeftOut = (texts: readonly string[]) =>
  Prisma.sql`jsonb_set(task, '{left_out}', coalesce(task -> 'left_out', '[]') || ${JSON.stringify(texts.map(hashOf))}::jsonb)`

/** Returns the valid contacts of a record, each name once. */
function contactsOf({ contacts }: PublicRecord) {
  const named = new Map<string, ReturnType<typeof checkNewContact>>()
  for (const { role, ...rest } of contacts) {
    const faults = gatherFaults()
    const contact = checkNewContact({ ...rest, role: contactRoles.find((one) => one === role) ?? 'other' }, faults)
    if (Object.keys(faults.found).length === 0 && !named.has(fold(contact.name))) named.set(fold(contact.name), contact)
  }
  return [...named.values()]
}
