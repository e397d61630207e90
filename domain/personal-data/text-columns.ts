import type { ScopedTx } from '#domain/access/scope.ts'
import { NOT_ENDED } from '#domain/alerts/lease-mail.ts'
import { ERASED, type PersonMatcher, withoutPerson } from '#domain/personal-data/person-matcher.ts'

/**
 * How a column stores text: `text` never null, `optional` or null, `list` in elements that are removed whole, `json` and
 * `jsonb` in the strings of a document, `json_text` in a document that is stored as text.
 */
type ColumnKind = 'text' | 'optional' | 'list' | 'json' | 'jsonb' | 'json_text'

/** A table that contains text that people wrote. */
export interface TextColumns {
  record: string
  table: string
  /** The column that identifies a row within a team. */
  id: string
  /** Its type; UUID by default. */
  id_type?: 'uuid' | 'int' | 'text'
  /** The column with the id of the property that a row is part of. */
  property?: string
  columns: Readonly<Record<string, ColumnKind>>
  /** SQL condition: only these rows of the table; all by default. */
  where?: string
  /** Whether new rows copy texts from other rows of the table, as a report does that refreshes another. */
  copies_itself?: true
  /** Why a mention is only reported, and stays as it is. */
  kept_because?: string
}

/** An alert mail that waits for somebody who still receives the rule's alerts. Without its address it would never be sent. */
const AWAITED = `${NOT_ENDED} AND EXISTS (SELECT FROM alert_recipients a
  WHERE a.rule_id = alert_mails.rule_id AND a.email = alert_mails.email AND a.stopped_at IS NULL)`

/**
 * THE TABLE of what is searched for a person: a table that copies texts from another comes after it. A test checks that it
 * covers every text column of a team's tables.
 */
export const textColumns: readonly TextColumns[] = [
  {
    record: 'property',
    table: 'properties',
    id: 'id',
    property: 'id',
    columns: {
      label: 'optional',
      reference: 'optional',
      query: 'text',
      street: 'optional',
      failure_message: 'optional',
      tags: 'list',
      notes: 'optional',
    },
  },
  {
    record: 'contact',
    table: 'contacts',
    id: 'id',
    id_type: 'int',
    property: 'property_id',
    columns: { name: 'text', company: 'optional', phone: 'optional', notes: 'optional' },
  },
  {
    record: 'territory',
    table: 'territories',
    id: 'id',
    columns: { name: 'text', description: 'text', definition: 'jsonb', notes: 'optional' },
  },
  {
    record: 'report',
    table: 'reports',
    id: 'id',
    columns: { query: 'text', street: 'optional', reference: 'optional', recipient: 'optional', failure_message: 'optional' },
    copies_itself: true,
  },
  { record: 'exposure', table: 'exposures', id: 'id', id_type: 'int', columns: { headline: 'text' } },
  { record: 'integration', table: 'integrations', id: 'id', columns: { name: 'text' } },
  { record: 'event', table: 'events', id: 'id', columns: { subject: 'text', content: 'json', payload: 'jsonb' } },
  { record: 'delivery', table: 'deliveries', id: 'id', columns: { subject: 'text', body: 'json_text' } },
  { record: 'alert_rule', table: 'alert_rules', id: 'id', columns: { name: 'text', tag: 'optional' } },
  { record: 'alert_mail', table: 'alert_mails', id: 'id', columns: { subject: 'text' } },
  {
    // First, because a mail that is sent meanwhile only moves to the rows below.
    record: 'alert_mail',
    table: 'alert_mails',
    id: 'id',
    columns: { email: 'text' },
    where: AWAITED,
    kept_because: 'It waits to be sent to somebody who receives alerts. Once it is sent, erasing removes the address.',
  },
  { record: 'alert_mail', table: 'alert_mails', id: 'id', columns: { email: 'text' }, where: `NOT (${AWAITED})` },
  {
    record: 'alert_recipient',
    table: 'alert_recipients',
    id: "(rule_id || ' ' || email)",
    columns: { email: 'text' },
    kept_because: 'They receive alerts. The link in each alert stops them, or the team can remove the address from the rule.',
  },
  {
    record: 'alert_address',
    table: 'alert_addresses',
    id: 'email',
    columns: { email: 'text' },
    kept_because: 'They confirmed that they want alerts, or were asked to. The address is deleted within an hour once it is in no rule.',
  },
  { record: 'token', table: 'tokens', id: 'id', columns: { name: 'text' } },
  {
    record: 'credit_transaction',
    table: 'credit_transactions',
    id: 'id',
    id_type: 'int',
    columns: { description: 'text', note: 'optional' },
  },
  { record: 'idempotency_key', table: 'idempotency_keys', id: 'key', id_type: 'text', columns: { outcome: 'jsonb' } },
  {
    record: 'idempotency_key',
    table: 'idempotency_keys',
    id: 'key',
    columns: { key: 'text' },
    kept_because: 'It is deleted within 24 hours.',
  },
  {
    record: 'invitation',
    table: 'invitations',
    id: 'id',
    columns: { email: 'text' },
    kept_because: 'An owner can revoke it. It expires within a week, and is deleted a day after that.',
  },
  {
    record: 'team',
    table: 'teams',
    id: 'id',
    columns: { name: 'text', email: 'optional', brand_name: 'optional', allowed_origins: 'list' },
    kept_because: 'It is the team itself. The operator can change it.',
  },
]

type Value = string | string[] | object | null

/** A row that mentions the person. */
export interface MentioningRow {
  id: string
  property_id: string | null
  /** The columns that mention the person, each with the first text in it that does: all posts of a team together are gigabytes. */
  named: { field: string; text: string }[]
}

/** Such a row, locked, with all that its columns contain. */
export interface LockedRow extends MentioningRow {
  named: (MentioningRow['named'][number] & { kind: ColumnKind; value: Value })[]
}

/** Rows per statement: their texts are compared without a pause, a quarter of a millisecond each, while other requests wait. */
const ROWS_PER_FETCH = 100

/** A row that the cursor returned: its columns are null if nothing in it looks like the person. */
type ScannedRow = { row_id: string; row_property: string | null } & Record<string, Value>

/** Returns the rows of a team's table that mention a person, in the order of their ids. A cursor keeps its position in the transaction. */
export async function rowsMentioning(
  tx: Pick<ScopedTx, '$queryRawUnsafe' | '$executeRawUnsafe'>,
  team_id: string,
  { table, id, property, columns, where = 'true' }: TextColumns,
  matcher: PersonMatcher,
): Promise<MentioningRow[]> {
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const allText = `concat_ws(' ', ${names.map((name) => `${name}::text`).join(', ')})`
  const looks_alike = `$2 OR lower(${allText}) LIKE ANY ($3::text[]) OR regexp_replace(${allText}, '[^0-9]+', '', 'g') LIKE ANY ($4::text[])`
  const { like_patterns, digits } = matcher.prefilter ?? { like_patterns: [], digits: [] }
  await tx.$executeRawUnsafe(
    `DECLARE matcher NO SCROLL CURSOR FOR
     SELECT row_id, row_property, ${names.map((name) => `CASE WHEN looks_alike THEN ${name} END AS ${name}`).join(', ')}
       FROM (SELECT ${id}::text AS row_id, ${property ?? 'NULL'}::text AS row_property, ${names.join(', ')}, (${looks_alike}) AS looks_alike
               FROM ${table} WHERE ${table === 'teams' ? 'id' : 'team_id'} = $1::uuid AND (${where}) OFFSET 0) looked_at`,
    team_id,
    matcher.prefilter === null,
    like_patterns,
    digits,
  )
  const found: MentioningRow[] = []
  for (;;) {
    const rows = await tx.$queryRawUnsafe<ScannedRow[]>(`FETCH ${ROWS_PER_FETCH} FROM matcher`)
    for (const { row_id, row_property, ...values } of rows) {
      const named = namedIn(values, columns, matcher).map(({ field, text }) => ({ field, text }))
      if (named.length > 0) found.push({ id: row_id, property_id: row_property, named })
    }
    if (rows.length < ROWS_PER_FETCH) break
  }
  await tx.$executeRawUnsafe('CLOSE matcher')
  return found.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Returns the current state of one such row and locks it until the transaction ends; null if it no longer mentions the person. */
export async function lockMentioning(
  tx: Pick<ScopedTx, '$queryRawUnsafe'>,
  team_id: string,
  { table, id, id_type = 'uuid', property, columns, where = 'true' }: TextColumns,
  row_id: string,
  matcher: PersonMatcher,
): Promise<LockedRow | null> {
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const [row] = await tx.$queryRawUnsafe<ScannedRow[]>(
    `SELECT ${id}::text AS row_id, ${property ?? 'NULL'}::text AS row_property, ${names.join(', ')}
       FROM ${table} WHERE team_id = $1::uuid AND ${id} = $2::text::${id_type} AND (${where}) FOR UPDATE`,
    team_id,
    row_id,
  )
  if (!row) return null
  const { row_property, row_id: _, ...values } = row
  const named = namedIn(values, columns, matcher)
  return named.length > 0 ? { id: row_id, property_id: row_property, named } : null
}

function namedIn(values: Record<string, Value>, columns: TextColumns['columns'], matcher: PersonMatcher): LockedRow['named'] {
  return Object.entries(columns).flatMap(([field, kind]) => {
    const value = values[field] ?? null
    const text = stringsIn(kind === 'json_text' ? parsed(value) : value).find((one) => withoutPerson(matcher, one) !== one)
    return text === undefined ? [] : [{ field, kind, value, text }]
  })
}

/** Removes the person from the columns of a row that mention them. */
export async function rewrite(
  tx: Pick<ScopedTx, '$executeRawUnsafe'>,
  team_id: string,
  { table, id, id_type = 'uuid' }: TextColumns,
  row: LockedRow,
  matcher: PersonMatcher,
): Promise<void> {
  const cleaned = row.named.map(({ kind, value }) => clean(kind, value, matcher))
  const set = row.named.map(({ field, kind }, index) => `"${field}" = $${index + 3}::${casts[kind]}`)
  await tx.$executeRawUnsafe(
    `UPDATE ${table} SET ${set.join(', ')} WHERE team_id = $1::uuid AND ${id} = $2::text::${id_type}`,
    team_id,
    row.id,
    ...cleaned,
  )
}

const casts: Record<ColumnKind, string> = {
  text: 'text',
  optional: 'text',
  list: 'text[]',
  json: 'json',
  jsonb: 'jsonb',
  json_text: 'text',
}

/** Returns the new value of the column, in the form that is sent to the database. */
export function clean(kind: ColumnKind, value: Value, matcher: PersonMatcher): string | string[] | null {
  switch (kind) {
    case 'text':
      return withoutPerson(matcher, String(value))
    case 'optional': {
      const remaining = withoutPerson(matcher, String(value))
      return remaining.trim() === ERASED ? null : remaining
    }
    case 'list':
      return Array.isArray(value) ? value.filter((one) => withoutPerson(matcher, one) === one) : []
    case 'json':
    case 'jsonb':
      return JSON.stringify(cleanDeep(value, matcher))
    case 'json_text':
      return JSON.stringify(cleanDeep(parsed(value), matcher))
  }
}

function cleanDeep(value: unknown, matcher: PersonMatcher): unknown {
  if (typeof value === 'string') return withoutPerson(matcher, value)
  if (Array.isArray(value)) return value.map((one) => cleanDeep(one, matcher))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleanDeep(one, matcher)]))
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Parses a body, which is JSON on every channel. */
function parsed(value: Value): unknown {
  return value === null ? null : JSON.parse(String(value))
}
