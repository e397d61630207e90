import type { Caller } from '#domain/access/caller.ts'
import { type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { lockProperty } from '#domain/properties/change.ts'
import { CONTACTS_MAX, type ContactInput, checkContactChanges, checkNewContact } from '#domain/properties/check-contact.ts'
import { suppressInProperty } from '#domain/properties/enrich.ts'
import { emitPropertyEvent } from '#domain/properties/property-events.ts'
import { contactView, noSuchContact } from '#domain/properties/property-rows.ts'
import type { ContactView } from '#domain/properties/view.ts'
import type { Contact } from '#generated/prisma/client.ts'

type Writing = Pick<App, 'config' | 'clock'>
type Requester = Pick<Caller, 'team' | 'db'>

/**
 * Adds a contact to a property. The first contact is the primary one; a later one with `primary` set replaces it as primary.
 * @throws Refusal 404, also if a replay's contact was removed; 422 with every fault of the body, and with `name` if
 * the property has too many; 409 for the idempotency key
 */
export async function addContact(
  app: Writing,
  caller: Requester,
  property_id: string,
  input: ContactInput,
  idempotency: IdempotentRequest | null = null,
): Promise<ContactView> {
  const { outcome } = await once(caller, idempotency, async (tx) => {
    const { id } = await changeOn(tx, app, caller, property_id, async () => ({
      contact: await saveContact(tx, app, caller, property_id, input),
      changed: true,
    }))
    return { contact_id: id }
  })
  return contactView(await readContact(caller.db, property_id, outcome.contact_id), app.config.base_url)
}

async function saveContact(tx: ScopedTx, app: Writing, caller: Requester, property_id: string, input: ContactInput): Promise<Contact> {
  const faults = gatherFaults()
  const { primary, ...fields } = checkNewContact(input, faults)
  faults.refuse()
  const now = app.clock.now()
  const held = await tx.contact.count({ where: { property_id } })
  if (held >= CONTACTS_MAX) refuseField('name', `A property has at most ${CONTACTS_MAX} contacts. Remove one first.`)
  if (primary) await demote(tx, property_id)
  const owner = { team_id: caller.team.id, property_id }
  const contact = await tx.contact.create({
    data: { ...owner, ...fields, primary: primary || held === 0, created_at: now, updated_at: now },
  })
  auditWrite(tx, { kind: 'contact', id: contact.id, after: contact })
  return contact
}

/**
 * Changes the fields in the body; unchanged fields are neither written nor announced. There is always one primary contact: if
 * it steps back, the oldest other contact becomes primary, and an only contact stays primary.
 * @throws Refusal 404, 422 with every fault of the body
 */
export async function changeContact(
  app: Writing,
  caller: Requester,
  property_id: string,
  id: number,
  input: ContactInput,
): Promise<ContactView> {
  return change(app, caller, property_id, async (tx) => {
    const before = await readContact(tx, property_id, id)
    const faults = gatherFaults()
    const { primary, ...changes } = checkContactChanges(input, faults)
    faults.refuse()
    const successor_id = primary === false && before.primary ? await nextPrimaryOf(tx, before) : null
    const isPrimary = primary ?? before.primary
    const data = { ...changes, primary: isPrimary || (before.primary && !successor_id) }
    const changed = keysOf(data).filter((field) => data[field] !== before[field])
    const contact = changed.length > 0 ? await writeContact(tx, before, { ...data, updated_at: app.clock.now() }) : before
    auditWrite(tx, { kind: 'contact', id, before, after: contact, changed })
    if (successor_id) await tx.contact.update({ where: { id: successor_id }, data: { primary: true } })
    if (changed.includes('name')) await suppressInProperty(tx, property_id, before.name)
    return { contact, changed: changed.length > 0 }
  })
}

/**
 * Removes a contact. If it was the primary one, the oldest remaining contact becomes primary.
 * @throws Refusal 404
 */
export async function removeContact(app: Writing, caller: Requester, property_id: string, id: number): Promise<void> {
  await change(app, caller, property_id, async (tx) => {
    const contact = await readContact(tx, property_id, id)
    await tx.contact.delete({ where: { id } })
    await suppressInProperty(tx, property_id, contact.name)
    auditWrite(tx, { kind: 'contact', id, before: contact })
    const successor_id = contact.primary ? await nextPrimaryOf(tx, contact) : null
    if (successor_id) await tx.contact.update({ where: { id: successor_id }, data: { primary: true } })
    return { contact, changed: true }
  })
}

/** Demotes the current primary contact before another becomes primary. */
async function writeContact(tx: ScopedTx, { id, property_id, primary }: Contact, data: Partial<Contact>): Promise<Contact> {
  if (data.primary && !primary) await demote(tx, property_id)
  return tx.contact.update({ where: { id }, data })
}

/** A written contact, and whether anything in it changed. */
interface ContactChange {
  contact: Contact
  changed: boolean
}

async function change(
  app: Writing,
  caller: Requester,
  property_id: string,
  work: (tx: ScopedTx) => Promise<ContactChange>,
): Promise<ContactView> {
  const contact = await caller.db.$transaction((tx) => changeOn(tx, app, caller, property_id, () => work(tx)))
  return contactView(contact, app.config.base_url)
}

/** Every change of a contact is a change of the property: one at a time, and announced. */
async function changeOn(
  tx: ScopedTx,
  app: Writing,
  caller: Requester,
  property_id: string,
  work: () => Promise<ContactChange>,
): Promise<Contact> {
  const property = await lockProperty(tx, caller.team.id, property_id)
  const { contact, changed } = await work()
  if (!changed) return contact
  await tx.property.update({ where: { id: property.id }, data: { updated_at: app.clock.now() } })
  await emitPropertyEvent(tx, property, { name: 'property.updated', changed: ['contacts'], reason: 'change' })
  return contact
}

async function readContact(tx: Pick<ScopedTx, 'contact'>, property_id: string, id: number): Promise<Contact> {
  const contact = await tx.contact.findFirst({ where: { id, property_id } })
  if (!contact) throw noSuchContact()
  return contact
}

/** Unsets the primary contact, because the database allows only one. */
async function demote(tx: ScopedTx, property_id: string): Promise<void> {
  await tx.contact.updateMany({ where: { property_id, primary: true }, data: { primary: false } })
}

/** Returns the id of the property's oldest other contact. */
async function nextPrimaryOf(tx: ScopedTx, { id, property_id }: Contact): Promise<number | null> {
  const successor = await tx.contact.findFirst({ where: { property_id, id: { not: id } }, orderBy: { id: 'asc' }, select: { id: true } })
  return successor?.id ?? null
}
