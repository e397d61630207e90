import type pg from 'pg'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'
import { messageTypes } from '#domain/archive/warnings/message-types.ts'
import { polygonFault } from '#domain/archive/warnings/polygon-fault.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** A stored warning with all of its messages. */
export interface StoredWarning {
  /** 0 for a warning that was stored once and no longer is. */
  id: number
  /** KFWD.SV.W.0142.2025 */
  source_key: string
  messages: StoredMessage[]
}

/** A message as read, with its warning. */
export type StoredMessageRow = StoredMessage & { warning_id: number; warning_key: string }

/**
 * Returns the warnings with these keys, in the order of the keys.
 * @param as_of null for the current state
 */
export async function readStoredWarnings(client: Client, keys: readonly string[], as_of: Date | null = null): Promise<StoredWarning[]> {
  const { rows } = await client.query<StoredMessageRow>(STORED(as_of, [keys]))
  return warningsOf(rows)
}

const STORED = asOfStatement(
  'warnings.held',
  ({ warning_messages }) =>
    `SELECT * FROM ${warning_messages} m WHERE m.warning_key = ANY ($1::text[]) ORDER BY m.warning_key, m.sent_at, m.message_key`,
)

/** Groups messages, sorted by warning, into their warnings. */
export function warningsOf(rows: StoredMessageRow[]): StoredWarning[] {
  const warnings = new Map<string, StoredWarning>()
  for (const { warning_id, warning_key, ...row } of rows) {
    const message = row.made ? withCheckedPolygon(row, warning_key) : row
    const warning = warnings.get(warning_key)
    if (warning) warning.messages.push(message)
    else warnings.set(warning_key, { id: warning_id, source_key: warning_key, messages: [message] })
  }
  return [...warnings.values()]
}

/** Checks the polygon of a message made from a warning, which was stored unchecked. */
function withCheckedPolygon(message: StoredMessage, warning_key: string): StoredMessage {
  const { geometry, county_fips } = message
  const fault = geometry && polygonFault(geometry, { office_id: warning_key.slice(0, 4), county_fips })
  return fault ? { ...message, geometry: null, polygon_fault: fault } : message
}

/** A statement that reads every message `m` of every warning `w`; callers add conditions and an order. */
export const storedMessages = `
  SELECT w.source_key AS warning_key, m.warning_id, ${Object.keys(messageTypes)
    // The driver would return a bigint as text.
    .map((column) => (column === 'span_start' ? 'm.span_start::float8' : `m.${column}`))
    .join(', ')}
    FROM warnings w JOIN warning_messages m ON m.warning_id = w.id`

/**
 * Returns an SQL condition: a warning `w` may be in force at or after a time. The end in its row is that of one part of its
 * newest issue. A warning without a polygon may last longer in its other zones: each keeps the end that a message gave it.
 * @param since an SQL expression
 */
export const mayLastUntil = (since: string) => `(
  coalesce(w.cancelled_at, w.ends_at, w.expires_at, w.issued_at) >= ${since} OR w.geometry_basis = 'zone' AND EXISTS (
    SELECT FROM warning_messages m WHERE m.warning_id = w.id AND coalesce(m.ends_at, m.expires_at) >= ${since}))`

/** Returns the counties of some forecast zones, as far as the stored table of zones has them. */
export async function countiesOfZones(
  client: Client,
  zones: Iterable<string>,
  as_of: Date | null = null,
): Promise<ReadonlyMap<string, string[]>> {
  const codes = [...new Set(zones)]
  const counties = new Map<string, string[]>()
  if (codes.length === 0) return counties
  const { rows } = await client.query<{ zone: string; county_fips: string[] }>(COUNTIES(as_of, [codes]))
  for (const { zone, county_fips } of rows) counties.set(zone, county_fips)
  return counties
}

const COUNTIES = asOfStatement(
  'warnings.zones',
  ({ zone_counties }) =>
    `SELECT zone, array_agg(county_fips ORDER BY county_fips) AS county_fips FROM ${zone_counties} z WHERE zone = ANY ($1) GROUP BY zone`,
)

/** Returns the counties that a message names, including those of its forecast zones. */
export function countiesNamed(
  { county_fips, zones: codes }: Pick<StoredMessage, 'county_fips' | 'zones'>,
  zones: ReadonlyMap<string, string[]>,
): string[] {
  return countiesOfCodes([...county_fips, ...codes], zones)
}

/** Returns the counties of codes: a county code gives itself, a forecast zone the counties in it. */
export function countiesOfCodes(codes: readonly string[], zones: ReadonlyMap<string, string[]>): string[] {
  return [...new Set(codes.flatMap((code) => zones.get(code) ?? (/^\d{5}$/.test(code) ? [code] : [])))].sort()
}
