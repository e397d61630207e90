import type { Faults } from '#domain/check.ts'
import { checkText } from '#domain/check-text.ts'
import { type Judge, judgeFields, oneOf, requireText, withoutNulls } from '#domain/judge.ts'
import { type ContactRole, contactRoles } from '#domain/properties/view.ts'

/** A contact's body as sent. */
export interface ContactInput {
  name?: unknown
  role?: unknown
  company?: unknown
  phone?: unknown
  email?: unknown
  notes?: unknown
  primary?: unknown
}

/** What a body says, every field judged. A field that was not sent is not there. */
export interface ContactChanges {
  name: string
  role: ContactRole
  company: string | null
  phone: string | null
  email: string | null
  notes: string | null
  primary: boolean
}

const NAME = { min: 1, max: 120 }
const PHONE = { min: 1, max: 40 }
const EMAIL = { min: 3, max: 254 }
const NOTES = { max: 2000, lines: true }
/** Whether mail can be sent there only a letter would tell: this catches what is no address at all. */
const EMAIL_FORM = /^[^\s@]+@[^\s@]+$/

/** Judges the body of a new contact: null is the same as not sent. To be used where no fault was noted. */
export function checkNewContact(input: ContactInput, faults: Faults): ContactChanges {
  const { name, ...rest } = withoutNulls(input)
  const sent = requireText(name, 'name', faults) ? { name, ...rest } : rest
  return { ...presets, ...checkContactChanges(sent, faults) }
}

/** What a new contact is where its body does not say. */
const presets: ContactChanges = { name: '', role: 'owner', company: null, phone: null, email: null, notes: null, primary: false }

/** Judges the body of a change: null clears company, phone, email and notes, and nothing else. */
export function checkContactChanges(input: ContactInput, faults: Faults): Partial<ContactChanges> {
  return judgeFields<ContactChanges>(input, judges, CLEARABLE, faults)
}

const CLEARABLE = new Set(['company', 'phone', 'email', 'notes'])

const judges: Record<keyof ContactChanges, Judge> = {
  name: (sent, faults) => checkText(sent, 'name', NAME, faults),
  role: oneOf(contactRoles, 'role'),
  company: (sent, faults) => checkText(sent, 'company', NAME, faults),
  phone: (sent, faults) => checkText(sent, 'phone', PHONE, faults),
  email: checkEmail,
  notes: (sent, faults) => checkText(sent, 'notes', NOTES, faults),
  primary: (sent, faults) => faults.unless(typeof sent === 'boolean', 'primary', 'The primary must be true or false.') && sent,
}

function checkEmail(sent: unknown, faults: Faults): string | null {
  const text = checkText(sent, 'email', EMAIL, faults)
  if (text === null) return null
  return faults.unless(EMAIL_FORM.test(text), 'email', 'The email must be an e-mail address.') ? text : null
}
