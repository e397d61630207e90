import type { Command } from 'commander'
import { counted } from '../counted.ts'
import { print, printLine } from '../format.ts'
import { queryWithoutTimeout } from '../service.ts'
import { addCommand, confirm, type Settings, wrapAction } from './command.ts'

const FIND = `query ($email: String!) { personalData(email: $email) { object email
  contacts { contact { id object name role company phone email notes primary source created_at updated_at links { property } } property_id property_name }
  mentions { object record id field excerpt kept_because }
  namesakes { contact_id property_id } } }`
const ERASE = `mutation ($email: String!) { erasePersonalData(email: $email) { object email
  contacts { contact_id property_id } mentions { object record id field kept_because } documents
  kept { object record id field kept_because } namesakes { contact_id property_id } } }`

interface Mention {
  record: string
  id: string
  field: string
  kept_because: string | null
}
interface PersonalData {
  email: string
  contacts: { contact: { id: number; name: string }; property_id: string; property_name: string }[]
  mentions: (Mention & { excerpt: string })[]
  namesakes: unknown[]
}
interface Erasure {
  email: string
  contacts: { contact_id: number; property_id: string }[]
  mentions: Mention[]
  documents: string[]
  kept: Mention[]
  namesakes: unknown[]
}

/** weather contacts find, export and erase: one person, across all properties. */
export function addPersonalData(contacts: Command): void {
  withEmail(addCommand(contacts, 'find', 'everything that the team stores about a person', 'contacts find --email jo@example.com')).action(
    wrapAction(async ({ setting, options }) => {
      const found = await find(setting, options.email as string)
      print(found, setting, rowsOf(found))
      printLine(summaryOf(found))
    }),
  )

  withEmail(addCommand(contacts, 'export', 'the same in full, as JSON', 'contacts export --email jo@example.com > jo.json')).action(
    wrapAction(async ({ setting, options }) =>
      print(await find(setting, options.email as string), { ...setting, output: setting.output === 'table' ? 'json' : setting.output }),
    ),
  )

  withEmail(
    addCommand(contacts, 'erase', 'remove a person from everything that the team stores', 'contacts erase --email jo@example.com --yes'),
  ).action(
    wrapAction(async ({ setting, options }) => {
      const found = await find(setting, options.email as string)
      if (!setting.yes) printLine(summaryOf(found))
      await confirm(setting, `Erase ${found.email}? It cannot be undone.`)
      const erased = await queryWithoutTimeout<Erasure>(
        setting.connection,
        ERASE,
        { email: options.email },
        'erasing from everything that the team stores',
      )
      print(erased, setting, erasedRows(erased))
      printLine(outcomeOf(erased))
    }),
  )
}

const withEmail = (command: Command) => command.requiredOption('--email <address>', 'e-mail address of the person')

const find = ({ connection }: Settings, email: string) =>
  queryWithoutTimeout<PersonalData>(connection, FIND, { email }, 'searching everything that the team stores')

function rowsOf({ contacts, mentions }: PersonalData) {
  return [
    ...contacts.map(({ contact, property_name }) => ({
      record: 'contact',
      id: contact.id,
      field: null,
      says: `${contact.name}, ${property_name}`,
      kept_because: null,
    })),
    ...mentions.map(({ record, id, field, excerpt, kept_because }) => ({ record, id, field, says: excerpt, kept_because })),
  ]
}

function erasedRows({ contacts, mentions, documents, kept }: Erasure) {
  const row = ({ record, id, field, kept_because }: Mention) => ({ record, id, field, done: kept_because ?? 'erased' })
  return [
    ...contacts.map(({ contact_id, property_id }) => ({
      record: 'contact',
      id: contact_id,
      field: null,
      done: `removed from ${property_id}`,
    })),
    ...mentions.map(row),
    ...documents.map((id) => ({ record: 'document', id, field: null, done: 'removed, printed again' })),
    ...kept.map(row),
  ]
}

function summaryOf({ email, contacts, mentions, namesakes }: PersonalData): string {
  if (contacts.length + mentions.length === 0) return `Nothing is stored about ${email}.`
  const keptCount = mentions.filter(({ kept_because }) => kept_because !== null).length
  const stored = `${counted(contacts.length, 'contact')} and ${counted(mentions.length, 'mention')} of ${email}`
  return `${stored}${keptCount > 0 ? `, ${keptCount} of which erasing leaves` : ''}.${sameNameNote(namesakes)}`
}

function outcomeOf({ contacts, mentions, documents, kept, namesakes }: Erasure): string {
  const removed = `${counted(contacts.length, 'contact')}, ${counted(mentions.length, 'mention')} and ${counted(documents.length, 'document')} erased`
  return `${removed}${kept.length > 0 ? `; ${counted(kept.length, 'mention')} left` : ''}.${sameNameNote(namesakes)}`
}

const sameNameNote = (sameName: unknown[]) =>
  sameName.length === 0 ? '' : ` ${counted(sameName.length, 'other contact')} of the same name: the name alone was not looked for.`
