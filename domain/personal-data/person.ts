import type { ScopedDb, ScopedTx } from '#domain/access/scope.ts'
import { present } from '#domain/kernel/present.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { FULL_PHONE_DIGITS, isSearchablePhone, phoneNumbersIn } from '#domain/personal-data/phone-numbers.ts'
import { fold } from '#domain/places/fold.ts'
import { emailAddress } from '#domain/properties/check-contact.ts'
import type { Contact } from '#generated/prisma/client.ts'

/** A person identified by an e-mail address. */
export interface Person {
  email: string
  contacts: Contact[]
  /** Other contacts with one of the person's names. */
  namesakes: ContactIdentity[]
  names: string[]
  /** Telephone numbers, in digits, that no other contact has, not even as the end of a longer number. */
  phones: string[]
}

/** The fields that distinguish contacts. */
export type ContactIdentity = Pick<Contact, 'id' | 'property_id' | 'name' | 'email' | 'phone'>

/** Returns the address in the form that is searched for. @throws Refusal 422 */
export function checkPersonEmail(sent: unknown): string {
  const faults = gatherFaults()
  const email = emailAddress().read(sent, 'email', faults)
  faults.refuse()
  return present(email).toLowerCase()
}

/**
 * Returns the person's contacts: those with the address, and those with the same name and no other address that have the same
 * telephone number or the same property.
 */
export async function findPerson(db: ScopedDb | ScopedTx, email: string): Promise<Person> {
  const withEmail = await contactsWith(db, email)
  const others = withEmail.length === 0 ? [] : await otherContacts(db, withEmail)
  const ids = new Set([...withEmail, ...others.filter(isSamePersonAs(withEmail))].map(({ id }) => id))
  const contacts = await db.contact.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } })
  const unrelated = others.filter(({ id }) => !ids.has(id))
  const names = new Set(contacts.map(({ name }) => fold(name)))
  const takenPhones = phonesOf(unrelated)
  const isTaken = (phone: string) =>
    takenPhones.has(phone) || (phone.length < FULL_PHONE_DIGITS && [...takenPhones].some((taken) => taken.endsWith(phone)))
  return {
    email,
    contacts,
    namesakes: unrelated.filter(({ name }) => names.has(fold(name))),
    names: [...new Set(contacts.map(({ name }) => name))],
    phones: [...phonesOf(contacts)].filter(isSearchablePhone).filter((phone) => !isTaken(phone)),
  }
}

/** Returns the contacts that have an e-mail address, whatever their names. */
export async function contactsWith(db: ScopedDb | ScopedTx, email: string): Promise<ContactIdentity[]> {
  return db.contact.findMany({ where: { email: { equals: literal(email), mode: 'insensitive' } }, select: CONTACT_IDENTITY })
}

const CONTACT_IDENTITY = { id: true, property_id: true, name: true, email: true, phone: true } as const

/** Prisma uses ILIKE to ignore case, so its wildcards are escaped here. */
const literal = (email: string) => email.replace(/[\\%_]/g, '\\$&')

/** Returns the team's other contacts, all of them: a name may be written in many ways. */
async function otherContacts(db: ScopedDb | ScopedTx, contacts: ContactIdentity[]): Promise<ContactIdentity[]> {
  return db.contact.findMany({ where: { id: { notIn: contacts.map(({ id }) => id) } }, select: CONTACT_IDENTITY, orderBy: { id: 'asc' } })
}

/** Whether a contact has no address, but the name of one of these and its telephone number or property. */
function isSamePersonAs(contacts: ContactIdentity[]): (one: ContactIdentity) => boolean {
  const known = new Set(contacts.flatMap((each) => identityKeysOf(each)))
  return (one) => one.email === null && identityKeysOf(one).some((key) => known.has(key))
}

function identityKeysOf({ name, phone, property_id }: ContactIdentity): string[] {
  const folded = fold(name)
  return [`${folded} at ${property_id}`, ...(phone === null ? [] : phoneNumbersIn(phone).map((number) => `${folded} on ${number}`))]
}

const phonesOf = (contacts: ContactIdentity[]) => new Set(contacts.flatMap(({ phone }) => (phone === null ? [] : phoneNumbersIn(phone))))
