import type { Caller } from '#domain/access/caller.ts'
import { permit } from '#domain/access/permit.ts'
import type { App } from '#domain/app.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import { memberMentions } from '#domain/personal-data/member.ts'
import { checkPersonEmail, findPerson, type Person } from '#domain/personal-data/person.ts'
import { excerptOf, personMatcherOf } from '#domain/personal-data/person-matcher.ts'
import { rowsMentioning, textColumns } from '#domain/personal-data/text-columns.ts'
import type { HeldContactView, MentionView, NamesakeView, PersonalDataView } from '#domain/personal-data/view.ts'
import { contactView, nameOf } from '#domain/properties/property-rows.ts'

/** A team's table may have a million posts, and each takes a quarter of a millisecond. */
const TABLE_MS = 300_000

/** Searches of one team that may wait: one document asks for at most 15. */
const WAITING_MAX = 15
/** One search of a team at a time in this process: each holds a connection for as long as its tables take. */
const oneSearchPerTeam = concurrencyLimit(1, WAITING_MAX)

/**
 * Returns everything that a team stores about a person: contacts, texts that mention them, and their own account in the team.
 * @throws Refusal 422 for a value that is not an e-mail address; 429 if too many searches of the team are waiting; if it waited, also as for a
 *   new request that is not admitted
 */
export async function findPersonalData(
  app: Pick<App, 'config'>,
  caller: Pick<Caller, 'team' | 'db' | 'admitAgain'>,
  sent: string,
): Promise<PersonalDataView> {
  const email = checkPersonEmail(sent)
  return searchInTurn(caller, () => search(app, caller, email))
}

/** The ability to find and remove personal data. */
export const PERSONAL_DATA_ABILITY = 'properties:write'

/** Runs a search when the team's turn comes, and checks again that a caller who waited may search. */
export function searchInTurn<Result>(caller: Pick<Caller, 'team' | 'admitAgain'>, searching: () => Promise<Result>): Promise<Result> {
  return oneSearchPerTeam(caller.team.id, async (waited) => {
    if (waited) permit(await caller.admitAgain(), PERSONAL_DATA_ABILITY)
    return searching()
  })
}

async function search(app: Pick<App, 'config'>, caller: Pick<Caller, 'team' | 'db'>, email: string): Promise<PersonalDataView> {
  const person = await findPerson(caller.db, email)
  const matcher = personMatcherOf(person)
  const mentions: MentionView[] = []
  for (const table of textColumns) {
    const rows = await caller.db.$transaction((tx) => rowsMentioning(tx, caller.team.id, table, matcher), { timeout: TABLE_MS })
    for (const { id, named } of rows) {
      // A contact of the person is listed in full among the contacts.
      if (table.record === 'contact' && person.contacts.some((contact) => String(contact.id) === id)) continue
      const { record, kept_because = null } = table
      for (const { field, text } of named)
        mentions.push({ object: 'mention', record, id, field, excerpt: excerptOf(matcher, text) ?? '', kept_because })
    }
  }
  mentions.push(...(await memberMentions(caller.db, email)))
  const contacts = await readContacts(app, caller, person)
  return { object: 'personal_data', email: person.email, contacts, mentions, namesakes: namesakesOf(person) }
}

async function readContacts({ config }: Pick<App, 'config'>, { db }: Pick<Caller, 'db'>, { contacts }: Person): Promise<HeldContactView[]> {
  const ids = [...new Set(contacts.map(({ property_id }) => property_id))]
  const properties = await db.property.findMany({
    where: { id: { in: ids } },
    select: { id: true, label: true, street: true, query: true },
  })
  const names = new Map(properties.map((property) => [property.id, nameOf(property)]))
  return contacts.map((row) => ({
    contact: contactView(row, config.base_url),
    property_id: row.property_id,
    property_name: names.get(row.property_id) ?? '',
  }))
}

/** The contacts who have the same name and may be other people. */
export function namesakesOf({ namesakes }: Person): NamesakeView[] {
  return namesakes.map(({ id, property_id }) => ({ contact_id: id, property_id }))
}
