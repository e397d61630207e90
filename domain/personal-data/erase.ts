import type { Caller } from '#domain/access/caller.ts'
import { once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import { endMailLeases } from '#domain/alerts/lease-mail.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { lockDetection } from '#domain/exposures/with-detection-lock.ts'
import { endLeases } from '#domain/integrations/lease.ts'
import { stageDurable, stageEachDurable } from '#domain/kernel/durable-jobs.ts'
import { namesakesOf, searchInTurn } from '#domain/personal-data/find.ts'
import { memberMentions } from '#domain/personal-data/member.ts'
import { type ContactIdentity, checkPersonEmail, contactsWith, findPerson, type Person } from '#domain/personal-data/person.ts'
import { type PersonMatcher, personMatcherOf, withoutPerson, wordsOf } from '#domain/personal-data/person-matcher.ts'
import {
  clean,
  type LockedRow,
  lockMentioning,
  type MentioningRow,
  rewrite,
  rowsMentioning,
  type TextColumns,
  textColumns,
} from '#domain/personal-data/text-columns.ts'
import type { ErasedDataView, ErasedMentionView } from '#domain/personal-data/view.ts'
import { fold } from '#domain/places/fold.ts'
import { forgetAnswers } from '#domain/places/geocode-cache.ts'
import { addressKeysOf, findExistingAt } from '#domain/properties/address.ts'
import { suppressInTeam } from '#domain/properties/enrich.ts'
import { emitPropertyEvent } from '#domain/properties/property-events.ts'

const ADDRESS_TAKEN =
  'Without the name, this address equals that of another property. Change the address, or remove one of the two properties.'

/** Everything that a team stores is searched: a quarter of a millisecond per post, of which it may have a million. */
const ERASURE_MS = 300_000

/** The progress of an erasure. */
interface Erasure {
  tx: ScopedTx
  team_id: string
  matcher: PersonMatcher
  erased: ErasedMentionView[]
  kept: ErasedMentionView[]
  /** Fields that changed, by property. */
  properties: Map<string, Set<string>>
  reports: Set<string>
  /** Exposures whose own text changed, and places whose name, which their exposures show, changed. */
  exposures: Set<number>
  renamed: Set<string>
}

/**
 * Removes a person from everything that a team stores: contacts, and mentions in texts, stored posts and documents, in one
 * transaction; jobs delete the documents' files after it, and count the exposures whose texts changed as changed. Each property that changed emits `property.updated`. Returns what was
 * removed, and what stays and why.
 * @throws Refusal 422 for a value that is not an e-mail address; 429 if too many searches of the team are waiting
 */
export async function erasePersonalData(
  app: Pick<App, 'clock'>,
  caller: Pick<Caller, 'team' | 'db' | 'admitAgain'>,
  sent: string,
): Promise<ErasedDataView> {
  const email = checkPersonEmail(sent)
  const erasing = () => once(caller, null, (tx) => erase(tx, app, caller.team.id, email), { timeout: ERASURE_MS })
  const { outcome } = await searchInTurn(caller, erasing)
  return outcome
}

async function erase(tx: ScopedTx, app: Pick<App, 'clock'>, team_id: string, email: string): Promise<ErasedDataView> {
  // The texts of exposures, their events, alerts and digests are composed from places and rules as they were read.
  await lockDetection(tx, team_id)
  const person = await findPerson(tx, email)
  const erasure: Erasure = {
    tx,
    team_id,
    matcher: personMatcherOf(person),
    erased: [],
    kept: [],
    properties: new Map(),
    reports: new Set(),
    exposures: new Set(),
    renamed: new Set(),
  }
  await removeContacts(erasure, person.contacts)
  await endLeases(tx, team_id, app.clock.now())
  await endMailLeases(tx, team_id, app.clock.now())
  // The ledger allows no other change than this one.
  await tx.$executeRaw`SELECT set_config('weather.erasing', 'on', true)`
  for (const table of textColumns) await eraseIn(erasure, table)
  for (const { excerpt: _, ...mention } of await memberMentions(tx, email)) erasure.kept.push(mention)
  await suppressInTeam(tx, team_id, [email, ...person.names])
  // Also remove contacts that were saved during the wait for locks: nothing of them may stay beside a name that was erased.
  const late = await contactsWith(tx, email)
  await removeContacts(erasure, late)
  const documents = await removeDocuments(erasure, app)
  await announceAll(erasure, app)
  await touchShown(erasure)
  // Last, because from here to the end no team can store a located address.
  await forgetLocated(tx, person)
  const contacts = [...person.contacts, ...late].map(({ id, property_id }) => ({ contact_id: id, property_id }))
  const { erased: mentions, kept } = erasure
  // Only counts, neither who nor where: the log contains no name of an erased person.
  const counts = { contacts: contacts.length, mentions: mentions.length, documents: documents.length, kept: kept.length }
  auditWrite(tx, { kind: 'person', id: null, after: counts })
  return { object: 'erased_data', email, contacts, mentions, documents, kept, namesakes: namesakesOf(person) }
}

/** Locks properties first, in the order in which all writers lock them. If the primary contact is removed, the oldest becomes primary. */
async function removeContacts({ tx, team_id, properties }: Erasure, contacts: readonly ContactIdentity[]): Promise<void> {
  const ids = [...new Set(contacts.map(({ property_id }) => property_id))].toSorted()
  if (ids.length === 0) return
  await tx.$queryRaw`SELECT id FROM properties WHERE team_id = ${team_id}::uuid AND id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`
  await tx.contact.deleteMany({ where: { id: { in: contacts.map(({ id }) => id) } } })
  await tx.$executeRaw`
    UPDATE contacts SET "primary" = true
     WHERE id IN (SELECT min(id) FROM contacts WHERE team_id = ${team_id}::uuid AND property_id = ANY (${ids}::uuid[])
                   GROUP BY property_id HAVING NOT bool_or("primary"))`
  for (const id of ids) properties.set(id, new Set([...(properties.get(id) ?? []), 'contacts']))
}

/**
 * A writer that composes a row from another one locks that one until both are committed. Tables come in the order in which rows
 * are composed from each other. In a table whose rows are composed from rows of the same table, what was waited for is searched
 * again.
 */
async function eraseIn(erasure: Erasure, table: TextColumns): Promise<void> {
  const { tx, team_id, matcher } = erasure
  const rows = await rowsMentioning(tx, team_id, table, matcher)
  if (rows.length === 0) return
  await eraseRows(erasure, table, rows)
  if (table.copies_itself) await eraseRows(erasure, table, await rowsMentioning(tx, team_id, table, matcher))
}

async function eraseRows(erasure: Erasure, table: TextColumns, rows: MentioningRow[]): Promise<void> {
  const { tx, team_id, matcher } = erasure
  for (const seen of rows) {
    if (table.kept_because !== undefined) {
      for (const { field } of seen.named) erasure.kept.push(mentionOf(table, seen, field, table.kept_because))
      continue
    }
    // Searching a table takes time, in which others continue to write: do not overwrite their changes.
    const row = await lockMentioning(tx, team_id, table, seen.id, matcher)
    if (!row) continue
    const address_stays = table.record === 'property' && !(await readdress(erasure, row))
    const named: LockedRow['named'] = []
    for (const one of row.named) {
      const stays = address_stays && ADDRESS_FIELDS.has(one.field)
      if (!stays) named.push(one)
      const mentions = stays ? erasure.kept : erasure.erased
      mentions.push(mentionOf(table, row, one.field, stays ? ADDRESS_TAKEN : null))
    }
    if (named.length === 0) continue
    await rewrite(tx, team_id, table, { ...row, named }, matcher)
    if (row.property_id) noteProperty(erasure, row.property_id, table.record === 'contact' ? ['contacts'] : named.map(({ field }) => field))
    if (table.record === 'report') erasure.reports.add(row.id)
    if (table.record === 'exposure') erasure.exposures.add(Number(row.id))
    if (named.some(({ field }) => shownNames[table.record]?.includes(field))) erasure.renamed.add(row.id)
  }
}

function mentionOf({ record }: TextColumns, { id }: MentioningRow, field: string, kept_because: string | null): ErasedMentionView {
  return { object: 'mention', record, id, field, kept_because }
}

function noteProperty({ properties }: Erasure, id: string, fields: string[]): void {
  const named = fields.map((field) => (ADDRESS_FIELDS.has(field) ? 'address' : field))
  properties.set(id, new Set([...(properties.get(id) ?? []), ...named]))
}

/** The columns that the exposures of a place may show as its name. */
const shownNames: Record<string, readonly string[]> = { property: ['label', 'street', 'query'], territory: ['name'] }

/** The columns of a property's address. */
const ADDRESS_FIELDS = new Set(['query', 'street'])

/** An address is also a key, so the key changes with it. Returns false if another property has the new key: then the address stays. */
async function readdress({ tx, team_id, matcher }: Erasure, { id, named }: MentioningRow): Promise<boolean> {
  if (!named.some(({ field }) => ADDRESS_FIELDS.has(field))) return true
  const property = await tx.property.findFirstOrThrow({ where: { id } })
  const query = withoutPerson(matcher, property.query)
  const street = property.street && (clean('optional', property.street, matcher) as string | null)
  const { query_key, address_key } = addressKeysOf({ ...property, query, street })
  // A property that lost its address to another one has no key.
  const keys = { query_key, address_key: property.address_key && address_key }
  if (await findExistingAt(tx, team_id, keys, id)) return false
  await tx.property.update({ where: { id }, data: keys })
  return true
}

/**
 * Located addresses are cached for all teams by their folded text, which may contain a person's name. An address that is deleted
 * although it is not the person's is looked up again.
 */
async function forgetLocated(tx: ScopedTx, { email, names, phones }: Person): Promise<void> {
  await forgetAnswers(tx, { phrases: [email, ...names.flatMap(inEveryOrder)], digits: phones })
}

/** "Jane van Doe", "van Doe, Jane" and "Doe, Jane van"; a name of one word identifies nobody. */
function inEveryOrder(name: string): string[] {
  const words = wordsOf(name).filter((word) => fold(word) !== '')
  return words.length > 1 ? words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(' ')) : []
}

/**
 * Removes the documents of the reports, because a document prints the report's texts, and has them printed again. Returns the
 * ids of their reports. Jobs delete the files after the commit: a store may take longer than the database lets a transaction wait.
 */
async function removeDocuments({ tx, team_id, reports }: Erasure, { clock }: Pick<App, 'clock'>): Promise<string[]> {
  const ids = [...reports]
  if (ids.length === 0) return []
  const removed = await tx.$queryRaw<{ report_id: string }[]>`
    DELETE FROM documents WHERE team_id = ${team_id}::uuid AND report_id = ANY (${ids}::uuid[]) RETURNING report_id`
  await tx.$executeRaw`
    UPDATE reports SET pdf_status = NULL, pdf_rendered_at = NULL, issued_at = ${clock.now()}
     WHERE team_id = ${team_id}::uuid AND id = ANY (${ids}::uuid[]) AND status = 'complete'`
  const jobs = ids.map((report_id) => ({ report_id }))
  await stageEachDurable(tx, 'document.clear', jobs)
  return removed.map(({ report_id }) => report_id)
}

async function announceAll({ tx, team_id, properties }: Erasure, { clock }: Pick<App, 'clock'>): Promise<void> {
  for (const [id, fields] of properties) {
    await tx.property.update({ where: { id }, data: { updated_at: clock.now() } })
    await emitPropertyEvent(tx, { team_id, id }, { name: 'property.updated', changed: [...fields], reason: 'change' })
  }
}

/** A client that syncs exposures replaces what it has of them: without a new moment it would keep the person's name. */
async function touchShown({ tx, team_id, exposures, renamed }: Erasure): Promise<void> {
  if (exposures.size + renamed.size === 0) return
  await stageDurable(tx, 'exposures.touch', { team_id, exposure_ids: [...exposures], place_ids: [...renamed] })
}
