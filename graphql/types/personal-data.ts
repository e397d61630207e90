import { erasePersonalData } from '#domain/personal-data/erase.ts'
import { findPersonalData, PERSONAL_DATA_ABILITY } from '#domain/personal-data/find.ts'
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
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { Contact } from '#graphql/types/contact.ts'

const HeldContact = builder.objectRef<HeldContactView>('HeldContact').implement({
  description: 'A contact, with its property.',
  fields: (t) => ({
    contact: t.field({ type: Contact, description: 'The contact.', resolve: ({ contact }) => contact }),
    property_id: t.expose('property_id', { type: 'UUID', description: 'The property.' }),
    property_name: t.exposeString('property_name', { description: 'Name of the property.' }),
  }),
})

const Mention = builder.objectRef<MentionView>('Mention').implement({
  description: 'A text that mentions the person.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('mention')),
    record: t.exposeString('record', {
      description: 'Kind of record that contains it, such as property, report or delivery; member for their own account.',
    }),
    id: t.exposeString('id', { description: 'Id of the record.' }),
    field: t.exposeString('field', { description: 'Field of the record.' }),
    excerpt: t.exposeString('excerpt', { description: 'The surrounding words.' }),
    kept_because: t.exposeString('kept_because', {
      nullable: true,
      description: 'Null if erasure removes it; otherwise the reason that it stays.',
    }),
  }),
})

const Namesake = builder.objectRef<NamesakeView>('Namesake').implement({
  description: 'Another contact with the same name.',
  fields: (t) => ({
    contact_id: t.exposeInt('contact_id', { description: 'The contact.' }),
    property_id: t.expose('property_id', { type: 'UUID', description: 'The property.' }),
  }),
})
const namesakesDescription = 'Other contacts with the same name. If there are any, the name alone does not identify the person.'

const PersonalData = builder.objectRef<PersonalDataView>('PersonalData').implement({
  description: 'Data that a team stores about one person. Personal data.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('personal_data')),
    email: t.exposeString('email', { description: 'The address that was searched for.' }),
    contacts: t.field({ type: [HeldContact], description: 'Contacts of the person.', resolve: (data) => data.contacts }),
    mentions: t.field({
      type: [Mention],
      description:
        'Texts that mention the person by the address, a telephone number, or a name of at least two words; and their own account, if they are in the team.',
      resolve: (data) => data.mentions,
    }),
    namesakes: t.field({ type: [Namesake], description: namesakesDescription, resolve: (data) => data.namesakes }),
  }),
})

const ErasedContact = builder.objectRef<ErasedDataView['contacts'][number]>('ErasedContact').implement({
  description: 'A contact that was removed.',
  fields: (t) => ({
    contact_id: t.exposeInt('contact_id', { description: 'Its id.' }),
    property_id: t.expose('property_id', { type: 'UUID', description: 'Its property.' }),
  }),
})

const ErasedMention = builder.objectRef<ErasedMentionView>('ErasedMention').implement({
  description: 'A text that mentions or mentioned the person.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('mention')),
    record: t.exposeString('record', { description: 'Kind of record.' }),
    id: t.exposeString('id', { description: 'Id of the record.' }),
    field: t.exposeString('field', { description: 'Field of the record.' }),
    kept_because: t.exposeString('kept_because', { nullable: true, description: 'Why it stays; null if it was removed.' }),
  }),
})

const ErasedData = builder.objectRef<ErasedDataView>('ErasedData').implement({
  description: 'What was removed about one person, without the removed words.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('erased_data')),
    email: t.exposeString('email', { description: 'The address that was searched for.' }),
    contacts: t.field({ type: [ErasedContact], description: 'Contacts that were removed.', resolve: (erased) => erased.contacts }),
    mentions: t.field({
      type: [ErasedMention],
      description: 'Texts that no longer mention the person.',
      resolve: (erased) => erased.mentions,
    }),
    documents: t.field({
      type: ['UUID'],
      description: 'Reports whose documents were removed and are printed again.',
      resolve: (erased) => erased.documents,
    }),
    kept: t.field({
      type: [ErasedMention],
      description: 'Texts that stay, and why; also the account of a member of the team.',
      resolve: (erased) => erased.kept,
    }),
    namesakes: t.field({ type: [Namesake], description: namesakesDescription, resolve: (erased) => erased.namesakes }),
  }),
})

const emailArgument = builder.args((t) => ({
  email: t.string({ required: true, description: 'E-mail address of the person. Case does not matter.' }),
}))

builder.queryField('personalData', (t) =>
  t.field({
    type: PersonalData,
    subGraphs: graphOnly,
    description:
      'Everything that the team stores about a person: contacts, mentions in texts and stored posts, and the account of a member.',
    extensions: needs(PERSONAL_DATA_ABILITY),
    args: emailArgument,
    resolve: (_root, args, context) => findPersonalData(context.app, callerOf(context), args.email),
  }),
)

builder.mutationField('erasePersonalData', (t) =>
  t.field({
    type: ErasedData,
    subGraphs: graphOnly,
    description: 'Removes a person from everything that the team stores. Each changed property emits property.updated.',
    extensions: needs(PERSONAL_DATA_ABILITY),
    args: emailArgument,
    resolve: (_root, args, context) => erasePersonalData(context.app, callerOf(context), args.email),
  }),
)
