import { erasePersonalData } from '#domain/personal-data/erase.ts'
import { findPersonalData } from '#domain/personal-data/find.ts'
import type {
  ErasedDataView,
  ErasedMentionView,
  HeldContactView,
  MentionView,
  NamesakeView,
  PersonalDataView,
} from '#domain/personal-data/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { objectKey } from '#graphql/object-key.ts'
import { Contact } from '#graphql/types/contact.ts'

const HeldContact = builder.objectRef<HeldContactView>('HeldContact').implement({
  description: 'A contact with the property that it is of.',
  fields: (t) => ({
    contact: t.field({ type: Contact, description: 'The contact.', resolve: ({ contact }) => contact }),
    property_id: t.expose('property_id', { type: 'UUID', description: 'The property.' }),
    property_name: t.exposeString('property_name', { description: 'What it is called.' }),
  }),
})

const Mention = builder.objectRef<MentionView>('Mention').implement({
  description: 'A text that names the person.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('mention')),
    record: t.exposeString('record', { description: 'What kind of record holds it: property, report, delivery and so on.' }),
    id: t.exposeString('id', { description: 'Id of the record.' }),
    field: t.exposeString('field', { description: 'Field of the record.' }),
    excerpt: t.exposeString('excerpt', { description: 'The words around it.' }),
    kept_because: t.exposeString('kept_because', { nullable: true, description: 'Null where erasing takes it away; else why it stays.' }),
  }),
})

const Namesake = builder.objectRef<NamesakeView>('Namesake').implement({
  description: 'Another contact with the same name.',
  fields: (t) => ({
    contact_id: t.exposeInt('contact_id', { description: 'The contact.' }),
    property_id: t.expose('property_id', { type: 'UUID', description: 'The property.' }),
  }),
})
const namesakes = 'Other contacts with the same name. Where there are any, a name alone stands for nobody.'

const PersonalData = builder.objectRef<PersonalDataView>('PersonalData').implement({
  description: 'What a team holds of one person. Personal data.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('personal_data')),
    email: t.exposeString('email', { description: 'The address that was looked for.' }),
    contacts: t.field({ type: [HeldContact], description: 'Contacts of the person.', resolve: (held) => held.contacts }),
    mentions: t.field({
      type: [Mention],
      description: 'Texts that name the person by the address, a telephone number, or a name of two words or more.',
      resolve: (held) => held.mentions,
    }),
    namesakes: t.field({ type: [Namesake], description: namesakes, resolve: (held) => held.namesakes }),
  }),
})

const ErasedContact = builder.objectRef<ErasedDataView['contacts'][number]>('ErasedContact').implement({
  description: 'A contact that was removed.',
  fields: (t) => ({
    contact_id: t.exposeInt('contact_id', { description: 'Its id.' }),
    property_id: t.expose('property_id', { type: 'UUID', description: 'The property that it was of.' }),
  }),
})

const ErasedMention = builder.objectRef<ErasedMentionView>('ErasedMention').implement({
  description: 'Where a person was named.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('mention')),
    record: t.exposeString('record', { description: 'What kind of record it is.' }),
    id: t.exposeString('id', { description: 'Id of the record.' }),
    field: t.exposeString('field', { description: 'Field of the record.' }),
    kept_because: t.exposeString('kept_because', { nullable: true, description: 'Why it stays; null where it was removed.' }),
  }),
})

const ErasedData = builder.objectRef<ErasedDataView>('ErasedData').implement({
  description: 'What was removed of one person, without the words themselves.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('erased_data')),
    email: t.exposeString('email', { description: 'The address that was looked for.' }),
    contacts: t.field({ type: [ErasedContact], description: 'Contacts that were removed.', resolve: (erased) => erased.contacts }),
    mentions: t.field({
      type: [ErasedMention],
      description: 'Texts that name the person no more.',
      resolve: (erased) => erased.mentions,
    }),
    documents: t.field({
      type: ['UUID'],
      description: 'Reports whose documents were removed, and are printed anew.',
      resolve: (erased) => erased.documents,
    }),
    kept: t.field({ type: [ErasedMention], description: 'Texts that stay, and why.', resolve: (erased) => erased.kept }),
    namesakes: t.field({ type: [Namesake], description: namesakes, resolve: (erased) => erased.namesakes }),
  }),
})

const email = builder.args((t) => ({ email: t.string({ required: true, description: 'E-mail address of the person, in any case.' }) }))

builder.queryField('personalData', (t) =>
  t.field({
    type: PersonalData,
    subGraphs: graphOnly,
    description: 'Everything that the team holds of a person: contacts, and what names them in texts and kept posts.',
    extensions: needs('properties:write'),
    args: email,
    resolve: (_root, args, context) => findPersonalData(context.app, callerOf(context), args.email),
  }),
)

builder.mutationField('erasePersonalData', (t) =>
  t.field({
    type: ErasedData,
    subGraphs: graphOnly,
    description: 'Removes a person from everything that the team holds. Each property that changed emits property.updated.',
    extensions: needs('properties:write'),
    args: email,
    resolve: (_root, args, context) => erasePersonalData(context.app, callerOf(context), args.email),
  }),
)
