import type { ScopedTx } from '#domain/access/scope.ts'
import { ERASED, type Naming, withoutPerson } from '#domain/personal-data/naming.ts'

/**
 * How a column holds text: `text` always, `optional` or null, `list` in elements that go whole, `json` and `jsonb` in the
 * strings of a document, `json_text` in one that is kept as its text.
 */
type ColumnKind = 'text' | 'optional' | 'list' | 'json' | 'jsonb' | 'json_text'

/** A table in which people write, or in which what they wrote is kept. */
export interface TextColumns {
  record: string
  table: string
  /** The column that identifies a row within a team. */
  id: string
  /** Of which type it is: a UUID where nothing is said. */
  id_type?: 'uuid' | 'int' | 'text'
  /** The column that names the property that a row is part of. */
  property?: string
  columns: Readonly<Record<string, ColumnKind>>
  /** Whether new rows take their words from others of the table, as a report does that takes up another. */
  copies_itself?: true
  /** Why it is only reported, and stays as it is. */
  kept_because?: string
}

/**
 * THE TABLE of what is searched for a person: what takes its words from another row stands behind that. A test holds
 * every text column of a team's tables to it.
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
  { record: 'alert_mail', table: 'alert_mails', id: 'id', columns: { email: 'text', subject: 'text' } },
  {
    record: 'alert_recipient',
    table: 'alert_recipients',
    id: "(rule_id || ' ' || email)",
    columns: { email: 'text' },
    kept_because: 'They receive alerts: they leave by the link in each, or the team takes them off the rule.',
  },
  {
    record: 'alert_address',
    table: 'alert_addresses',
    id: 'email',
    columns: { email: 'text' },
    kept_because: 'They confirmed that they receive alerts, or were asked to; it goes within an hour once no rule names it.',
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
    kept_because: 'It is forgotten within 24 hours.',
  },
  {
    record: 'invitation',
    table: 'invitations',
    id: 'id',
    columns: { email: 'text' },
    kept_because: 'An owner takes it back; it ends by itself within a week.',
  },
  {
    record: 'team',
    table: 'teams',
    id: 'id',
    columns: { name: 'text', email: 'optional', brand_name: 'optional', allowed_origins: 'list' },
    kept_because: 'It is the team itself: the operator changes it.',
  },
]

type Value = string | string[] | object | null

/** A row that names the person. */
export interface NamingRow {
  id: string
  property_id: string | null
  /** Its columns that do, and what they say. */
  named: { field: string; kind: ColumnKind; value: Value; text: string }[]
}

/** Rows that one statement looks at: their texts are compared well within its time, however many the table has. */
const LOOKED_AT = 1000

/** A row that the cursor came to: its columns are null where nothing in it looks like the person. */
type LookedAt = { row_id: string; row_property: string | null } & Record<string, Value>

/** The rows of a team's table that name a person, in the order of their ids. A cursor holds its place in the transaction. */
export async function rowsNaming(
  tx: Pick<ScopedTx, '$queryRawUnsafe' | '$executeRawUnsafe'>,
  team_id: string,
  { table, id, property, columns }: TextColumns,
  naming: Naming,
): Promise<NamingRow[]> {
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const whole = `concat_ws(' ', ${names.map((name) => `${name}::text`).join(', ')})`
  const looks_alike = `$2 OR lower(${whole}) LIKE ANY ($3::text[]) OR regexp_replace(${whole}, '[^0-9]+', '', 'g') LIKE ANY ($4::text[])`
  const { likes, digits } = naming.prefilter ?? { likes: [], digits: [] }
  await tx.$executeRawUnsafe(
    `DECLARE naming NO SCROLL CURSOR FOR
     SELECT row_id, row_property, ${names.map((name) => `CASE WHEN looks_alike THEN ${name} END AS ${name}`).join(', ')}
       FROM (SELECT ${id}::text AS row_id, ${property ?? 'NULL'}::text AS row_property, ${names.join(', ')}, (${looks_alike}) AS looks_alike
               FROM ${table} WHERE ${table === 'teams' ? 'id' : 'team_id'} = $1::uuid OFFSET 0) looked_at`,
    team_id,
    naming.prefilter === null,
    likes,
    digits,
  )
  const found: NamingRow[] = []
  for (;;) {
    const rows = await tx.$queryRawUnsafe<LookedAt[]>(`FETCH ${LOOKED_AT} FROM naming`)
    for (const { row_id, row_property, ...values } of rows) {
      const named = namedIn(values, columns, naming)
      if (named.length > 0) found.push({ id: row_id, property_id: row_property, named })
    }
    if (rows.length < LOOKED_AT) break
  }
  await tx.$executeRawUnsafe('CLOSE naming')
  return found.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** The same of one row as it is now, which nobody changes before the transaction ends; null where it names the person no more. */
export async function lockNaming(
  tx: Pick<ScopedTx, '$queryRawUnsafe'>,
  team_id: string,
  { table, id, id_type = 'uuid', property, columns }: TextColumns,
  row_id: string,
  naming: Naming,
): Promise<NamingRow | null> {
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const [row] = await tx.$queryRawUnsafe<LookedAt[]>(
    `SELECT ${id}::text AS row_id, ${property ?? 'NULL'}::text AS row_property, ${names.join(', ')}
       FROM ${table} WHERE team_id = $1::uuid AND ${id} = $2::text::${id_type} FOR UPDATE`,
    team_id,
    row_id,
  )
  if (!row) return null
  const { row_property, row_id: _, ...values } = row
  const named = namedIn(values, columns, naming)
  return named.length > 0 ? { id: row_id, property_id: row_property, named } : null
}

function namedIn(values: Record<string, Value>, columns: TextColumns['columns'], naming: Naming): NamingRow['named'] {
  return Object.entries(columns).flatMap(([field, kind]) => {
    const value = values[field] ?? null
    const text = stringsIn(kind === 'json_text' ? parsed(value) : value).find((one) => withoutPerson(naming, one) !== one)
    return text === undefined ? [] : [{ field, kind, value, text }]
  })
}

/** Takes the person out of the columns of a row that name them. */
export async function rewrite(
  tx: Pick<ScopedTx, '$executeRawUnsafe'>,
  team_id: string,
  { table, id, id_type = 'uuid' }: TextColumns,
  row: NamingRow,
  naming: Naming,
): Promise<void> {
  const cleaned = row.named.map(({ kind, value }) => clean(kind, value, naming))
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

/** What the column is to hold instead, as it is sent to the database. */
export function clean(kind: ColumnKind, value: Value, naming: Naming): string | string[] | null {
  switch (kind) {
    case 'text':
      return withoutPerson(naming, String(value))
    case 'optional': {
      const left = withoutPerson(naming, String(value))
      return left.trim() === ERASED ? null : left
    }
    case 'list':
      return Array.isArray(value) ? value.filter((one) => withoutPerson(naming, one) === one) : []
    case 'json':
    case 'jsonb':
      return JSON.stringify(cleanDeep(value, naming))
    case 'json_text':
      return JSON.stringify(cleanDeep(parsed(value), naming))
  }
}

function cleanDeep(value: unknown, naming: Naming): unknown {
  if (typeof value === 'string') return withoutPerson(naming, value)
  if (Array.isArray(value)) return value.map((one) => cleanDeep(one, naming))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleanDeep(one, naming)]))
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** A body, which is JSON on every channel. */
function parsed(value: Value): unknown {
  return value === null ? null : JSON.parse(String(value))
}
