import type { ScopedDb, ScopedTx } from '#domain/access/scope.ts'
import { present } from '#domain/kernel/present.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { fold } from '#domain/places/fold.ts'
import { emailAddress } from '#domain/properties/check-contact.ts'
import type { Contact } from '#generated/prisma/client.ts'

/** Somebody whom a team knows by an e-mail address. */
export interface Person {
  email: string
  contacts: Contact[]
  /** Other contacts with one of the person's names. */
  namesakes: Known[]
  names: string[]
  /** Telephone numbers that nobody else among the contacts has. */
  phones: string[]
}

/** What distinguishes contacts. */
export type Known = Pick<Contact, 'id' | 'property_id' | 'name' | 'email' | 'phone'>

/** The address as it is looked for. @throws Refusal 422 */
export function checkPersonEmail(sent: unknown): string {
  const faults = gatherFaults()
  const email = emailAddress().read(sent, 'email', faults)
  faults.refuse()
  return present(email).toLowerCase()
}

/**
 * The person's contacts: those with the address, and those of the same name without another one, that have the same telephone
 * number or stand at the same property.
 */
export async function findPerson(db: ScopedDb | ScopedTx, email: string): Promise<Person> {
  const addressed = await contactsWith(db, email)
  const others = addressed.length === 0 ? [] : await otherContacts(db, addressed)
  const ids = new Set([...addressed, ...others.filter(isOneOf(addressed))].map(({ id }) => id))
  const contacts = await db.contact.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } })
  const strangers = others.filter(({ id }) => !ids.has(id))
  const [names, taken] = [new Set(contacts.map(({ name }) => fold(name))), new Set(strangers.map(({ phone }) => digitsOf(phone ?? '')))]
  const phones = contacts.flatMap(({ phone }) => (phone !== null && !taken.has(digitsOf(phone)) ? [phone] : []))
  return {
    email,
    contacts,
    namesakes: strangers.filter(({ name }) => names.has(fold(name))),
    names: [...new Set(contacts.map(({ name }) => name))],
    phones: [...new Set(phones)],
  }
}

/** The contacts that have an e-mail address, by whatever name. */
export async function contactsWith(db: ScopedDb | ScopedTx, email: string): Promise<Known[]> {
  return db.contact.findMany({ where: { email: { equals: literal(email), mode: 'insensitive' } }, select: KNOWN })
}

const KNOWN = { id: true, property_id: true, name: true, email: true, phone: true } as const

/** Prisma compares without regard to case by ILIKE, whose signs stand for themselves here. */
const literal = (email: string) => email.replace(/[\\%_]/g, '\\$&')

/** What distinguishes the team's other contacts: a name may be written in many ways. */
async function otherContacts(db: ScopedDb | ScopedTx, contacts: Known[]): Promise<Known[]> {
  return db.contact.findMany({ where: { id: { notIn: contacts.map(({ id }) => id) } }, select: KNOWN, orderBy: { id: 'asc' } })
}

/** Whether a contact without an address has the name of one of these, and its telephone number or its property. */
function isOneOf(addressed: Known[]): (one: Known) => boolean {
  const known = new Set(addressed.flatMap((each) => marksOf(each)))
  return (one) => one.email === null && marksOf(one).some((mark) => known.has(mark))
}

function marksOf({ name, phone, property_id }: Known): string[] {
  const folded = fold(name)
  return [`${folded} at ${property_id}`, ...(phone === null ? [] : [`${folded} on ${digitsOf(phone)}`])]
}

/** The last ten digits: with or without the country, a number is the same. */
export const digitsOf = (phone: string) => phone.replace(/\D/g, '').slice(-10)
