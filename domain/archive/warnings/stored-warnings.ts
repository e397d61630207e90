import type pg from 'pg'
import { polygonFault } from '#domain/archive/warnings/polygon-fault.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** Columns of a message as it is held, with their types. */
export const messageTypes = {
  message_key: 'text',
  action: 'text',
  identifier: 'text',
  event: 'text',
  headline: 'text',
  message_type: 'text',
  severity: 'text',
  certainty: 'text',
  urgency: 'text',
  sent_at: 'timestamptz',
  correction: 'text',
  begins_at: 'timestamptz',
  onset_at: 'timestamptz',
  expires_at: 'timestamptz',
  ends_at: 'timestamptz',
  office_name: 'text',
  vtec: 'text',
  threats: 'jsonb',
  area: 'text',
  instruction: 'text',
  geometry: 'jsonb',
  polygon_fault: 'text',
  county_fips: 'text[]',
  zones: 'text[]',
  citation_url: 'text',
  digest: 'text',
  made: 'boolean',
  file_id: 'int',
  span_start: 'bigint',
  span_length: 'int',
} as const satisfies Record<keyof StoredMessage, string>

/** A warning that is held, with all that was said of it. */
export interface StoredWarning {
  id: number
  /** KFWD.SV.W.0142.2025 */
  source_key: string
  messages: StoredMessage[]
}

/** A message as it is read, with the warning that it is of. */
export type StoredMessageRow = StoredMessage & { warning_id: number; warning_key: string }

/** The warnings of some keys, in the order of the keys. */
export async function readStoredWarnings(client: Client, keys: readonly string[]): Promise<StoredWarning[]> {
  const text = `${storedMessages} WHERE w.source_key = ANY ($1::text[]) ORDER BY w.source_key, m.sent_at, m.message_key`
  const { rows } = await client.query<StoredMessageRow>({ name: 'warnings.held', text, values: [keys] })
  return warningsOf(rows)
}

/** Gathers messages, sorted by warning, into their warnings. */
export function warningsOf(rows: StoredMessageRow[]): StoredWarning[] {
  const warnings = new Map<number, StoredWarning>()
  for (const { warning_id, warning_key, ...row } of rows) {
    const message = row.made ? judged(row, warning_key) : row
    const warning = warnings.get(warning_id)
    if (warning) warning.messages.push(message)
    else warnings.set(warning_id, { id: warning_id, source_key: warning_key, messages: [message] })
  }
  return [...warnings.values()]
}

/** What was made of a warning has the polygon that was held, which nobody had judged. */
function judged(message: StoredMessage, warning_key: string): StoredMessage {
  const { geometry, county_fips } = message
  const fault = geometry && polygonFault(geometry, { office_id: warning_key.slice(0, 4), county_fips })
  return fault ? { ...message, geometry: null, polygon_fault: fault } : message
}

/** A statement that reads every message `m` of every warning `w`, to be narrowed and sorted. */
export const storedMessages = `
  SELECT w.source_key AS warning_key, m.warning_id, ${Object.keys(messageTypes)
    // The driver would give a bigint as text.
    .map((column) => (column === 'span_start' ? 'm.span_start::float8' : `m.${column}`))
    .join(', ')}
    FROM warnings w JOIN warning_messages m ON m.warning_id = w.id`

/** The counties of some forecast zones, as far as the table of zones that is held knows them. */
export async function countiesOfZones(client: Client, zones: Iterable<string>): Promise<ReadonlyMap<string, string[]>> {
  const asked = [...new Set(zones)]
  const counties = new Map<string, string[]>()
  if (asked.length === 0) return counties
  const { rows } = await client.query<{ zone: string; county_fips: string[] }>(
    'SELECT zone, array_agg(county_fips ORDER BY county_fips) AS county_fips FROM zone_counties WHERE zone = ANY ($1) GROUP BY zone',
    [asked],
  )
  for (const { zone, county_fips } of rows) counties.set(zone, county_fips)
  return counties
}

/** The counties that a message names: those of its forecast zones too. */
export function countiesNamed(
  { county_fips, zones: codes }: Pick<StoredMessage, 'county_fips' | 'zones'>,
  zones: ReadonlyMap<string, string[]>,
): string[] {
  return countiesOfCodes([...county_fips, ...codes], zones)
}

/** The counties that codes name: a county its own, a forecast zone those that lie in it. */
export function countiesOfCodes(codes: readonly string[], zones: ReadonlyMap<string, string[]>): string[] {
  return [...new Set(codes.flatMap((code) => zones.get(code) ?? (/^\d{5}$/.test(code) ? [code] : [])))].sort()
}
