import { contactRoles } from '#domain/closed-sets.ts'
import { type Field, flag, oneOf, text } from '#domain/kernel/fields.ts'
import { clearable, preset, readChanges, readNew, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** The most contacts of a property: every post about it contains them all. */
export const CONTACTS_MAX = 200

/** The request body of a contact. */
export const contactForm = {
  name: required(text('The name', { min: 1, max: 120 })),
  role: preset(oneOf('The role', contactRoles), 'owner'),
  company: clearable(text('The company', { min: 1, max: 120 })),
  phone: clearable(text('The telephone number', { min: 1, max: 40 })),
  email: clearable(emailAddress()),
  notes: clearable(text('The notes', { max: 2000, lines: true })),
  primary: preset(flag('Primary'), false),
}

export type ContactInput = Sent<typeof contactForm>

/** The fields of a body, all of them checked. */
export type ContactChanges = ValuesOf<typeof contactForm>

/** Checks the body of a new contact. Use the result only if no fault was added. */
export function checkNewContact(input: ContactInput, faults: Faults): ContactChanges {
  return readNew(contactForm, input, faults)
}

/** Checks the body of a change: null clears company, phone, email and notes, and no other field. */
export function checkContactChanges(input: ContactInput, faults: Faults): Partial<ContactChanges> {
  return readChanges(contactForm, input, faults)
}

/** An e-mail address field. Only sending mail shows whether an address works; this check catches text that is not an address at all. */
export function emailAddress(): Field<string> {
  const field = text('The e-mail address', { min: 3, max: 254 })
  return {
    ...field,
    read(sent, path, faults) {
      const address = field.read(sent, path, faults)
      if (address === null || EMAIL_FORM.test(address)) return address
      faults.add(path, 'The e-mail address must be of the form ada@example.com.')
      return null
    },
  }
}

const EMAIL_FORM = /^[^\s@]+@[^\s@]+$/
