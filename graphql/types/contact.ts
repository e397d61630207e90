import { contactRoles, contactSources } from '#domain/closed-sets.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { contactForm } from '#domain/properties/check-contact.ts'
import { addContact, changeContact, removeContact } from '#domain/properties/contacts.ts'
import { listContacts } from '#domain/properties/find.ts'
import type { ContactView } from '#domain/properties/view.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'

const ContactRole = enumOf('ContactRole', contactRoles, "The contact's role at the property.")
const ContactSource = enumOf('ContactSource', contactSources, 'Where the contact came from.')

/** Notes have at most 2,000 characters. */
const NOTES_KILOBYTES = 2

const ContactLinks = builder.objectRef<ContactView['links']>('ContactLinks').implement({
  description: 'Related links.',
  fields: (t) => ({ property: t.exposeString('property', { description: 'The property.' }) }),
})

export const Contact = builder.objectRef<ContactView>('Contact').implement({
  description: 'A person to contact about a property. Personal data.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the contact.' }),
    object: t.exposeString('object', constantField('contact')),
    name: t.exposeString('name', { description: 'Name of the person.' }),
    role: t.expose('role', { type: ContactRole, description: "The contact's role at the property." }),
    company: t.exposeString('company', { nullable: true, description: 'Company of the person.' }),
    phone: t.exposeString('phone', { nullable: true, description: 'Telephone number, as sent.' }),
    email: t.exposeString('email', { nullable: true, description: 'E-mail address.' }),
    notes: t.exposeString('notes', { nullable: true, description: "The team's notes.", extensions: { kilobytes: NOTES_KILOBYTES } }),
    primary: t.exposeBoolean('primary', { description: 'True for the primary contact. Every property with contacts has exactly one.' }),
    source: t.expose('source', { type: ContactSource, description: 'Where the contact came from: the team, a public record or a list.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was added.' }),
    updated_at: t.expose('updated_at', { type: 'DateTime', description: 'When it last changed.' }),
    links: t.expose('links', { type: ContactLinks, description: 'Related links.' }),
  }),
})

const ContactPage = pageType(Contact, 'ContactPage')

const propertyArgument = builder.args((t) => ({ property: t.field({ type: 'UUID', required: true, description: 'Id of the property.' }) }))
const contactArgument = builder.args((t) => ({ contact: t.int({ required: true, description: 'Id of the contact.' }) }))

const details = builder.args((t) => ({
  role: t.field({ type: ContactRole, description: "The contact's role at the property." }),
  company: t.string({ description: 'Company.' }),
  phone: t.string({ description: 'Telephone number.' }),
  email: t.string({ description: 'E-mail address.' }),
  notes: t.string({ description: 'Notes.' }),
  primary: t.boolean({ description: 'True makes it the primary contact, in place of the current one.' }),
}))

builder.queryField('propertyContacts', (t) =>
  t.field({
    type: ContactPage,
    description: 'Contacts of a property: the primary contact first, then the oldest.',
    extensions: { ...needs('properties:read'), ...accepts(pagingForm) },
    args: { ...propertyArgument, ...pagingArguments },
    resolve: (_root, { property, ...args }, context) =>
      page(context.app, `/properties/${property}/contacts`, args, () => listContacts(context.app, callerOf(context), property, args)),
  }),
)

builder.mutationFields((t) => ({
  createContact: t.field({
    type: Contact,
    description: 'Adds a contact to a property. The first contact becomes the primary contact.',
    extensions: { ...needs('properties:write'), ...accepts(contactForm) },
    args: { ...propertyArgument, name: t.arg.string({ required: true, description: 'Name.' }), ...details, ...idempotencyArgument },
    resolve: (_root, { property, idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createContact', idempotency_key, { property, ...input })
      return addContact(context.app, callerOf(context), property, input, idempotency)
    },
  }),
  updateContact: t.field({
    type: Contact,
    description: 'Updates the given fields of a contact. Null clears company, phone, email and notes.',
    extensions: { ...needs('properties:write'), ...accepts(contactForm, { kind: 'change' }) },
    args: { ...propertyArgument, ...contactArgument, name: t.arg.string({ description: 'Name.' }), ...details },
    resolve: (_root, { property, contact, ...input }, context) => changeContact(context.app, callerOf(context), property, contact, input),
  }),
  deleteContact: t.boolean({
    description: 'Deletes a contact. If it was the primary contact, the oldest remaining contact becomes primary. Returns true.',
    extensions: needs('properties:write'),
    args: { ...propertyArgument, ...contactArgument },
    resolve: async (_root, { property, contact }, context) => {
      await removeContact(context.app, callerOf(context), property, contact)
      return true
    },
  }),
}))
