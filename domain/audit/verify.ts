import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'

/** The first fault of a chain. */
export interface AuditFault {
  /** All zeros for the install's own chain. */
  team_id: string
  /** The first faulty row; null if the chain as a whole is at fault. */
  sequence: number | null
  fault: string
}

/** A row as stored in the table, with its JSON as text, byte for byte. */
export interface AuditRow {
  team_id: string
  sequence: number
  at: Date
  actor_kind: string
  actor: string
  operation: string
  target_kind: string
  target_id: string | null
  before: string | null
  after: string | null
  changed: string | null
  request_id: string | null
  network: string | null
  previous_hash: string
  hash: string
}

/** Start and end of a chain. */
export interface AuditChain {
  sequence: number
  hash: string
  anchor_sequence: number
  anchor_hash: string
}

/** SHA-256 of the canonical JSON (RFC 8785) of a row's entry, its position, its time and the hash of the row before it. */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const { team_id, sequence, previous_hash, actor_kind, actor, operation, target_kind, target_id, request_id, network } = row
  const [before, after, changed] = [row.before, row.after, row.changed].map(parsed)
  const entry = { actor_kind, actor, operation, target_kind, target_id, before, after, changed, request_id, network }
  return createHash('sha256')
    .update(canonicalJson({ team_id, sequence, at: row.at.toISOString(), previous_hash, entry }))
    .digest('hex')
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text))

/** Rows read at once: some milliseconds of CPU time. */
const PAGE = 1000

/**
 * Verifies every chain from start to end. Returns the first fault of each broken chain: a row that was changed by even a byte, is
 * missing or is out of place, or a chain that was deleted or truncated. Somebody who can rewrite the tables can rebuild a chain from
 * some row to its end; only a hash that was stored elsewhere reveals that.
 */
export async function verifyAuditLog({ pool }: Pick<App, 'pool'>): Promise<AuditFault[]> {
  const { rows } = await pool.query<{ team_id: string }>(CHAINS)
  const faults: AuditFault[] = []
  const client = await pool.connect()
  try {
    for (const { team_id } of rows) {
      // One snapshot of the chain: rows may be added and retired meanwhile.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const broken = await verifyChain(client, team_id)
      await client.query('COMMIT')
      if (broken) faults.push({ team_id, ...broken })
    }
  } finally {
    client.release(true)
  }
  return faults
}

/** Every chain that exists or should exist; reads one row of the log for each chain. */
const CHAINS = `
  WITH RECURSIVE logged AS (
    (SELECT team_id FROM audit_log ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT l.team_id FROM audit_log l WHERE l.team_id > before.team_id ORDER BY l.team_id LIMIT 1) FROM logged before WHERE before.team_id IS NOT NULL)
  SELECT team_id FROM logged WHERE team_id IS NOT NULL UNION SELECT team_id FROM audit_chains UNION SELECT id FROM teams ORDER BY 1`

type Broken = Omit<AuditFault, 'team_id'>

async function verifyChain(client: pg.PoolClient, team_id: string): Promise<Broken | null> {
  const {
    rows: [chain],
  } = await client.query<AuditChain>('SELECT sequence, hash, anchor_sequence, anchor_hash FROM audit_chains WHERE team_id = $1', [team_id])
  if (!chain) return { sequence: null, fault: 'The chain is missing.' }
  let last = { sequence: chain.anchor_sequence, hash: chain.anchor_hash }
  // Starts at the first existing row: a row before the start of the chain is a fault too.
  for (let after = -1; ; ) {
    const { rows } = await client.query<AuditRow>(ROWS, [team_id, after, PAGE])
    for (const row of rows) {
      const fault = faultOf(row, last)
      if (fault) return fault
      last = row
    }
    if (rows.length < PAGE) break
    after = last.sequence
  }
  if (last.sequence > chain.sequence) return { sequence: chain.sequence + 1, fault: 'The row is after the end of the chain.' }
  if (last.sequence < chain.sequence) return { sequence: last.sequence + 1, fault: 'The rows at the end of the chain are missing.' }
  return last.hash === chain.hash
    ? null
    : { sequence: last.sequence, fault: 'The hash at the end of the chain is not that of its last row.' }
}

const ROWS = `
  SELECT team_id, sequence, at, actor_kind, actor, operation, target_kind, target_id, before::text, after::text, changed::text, request_id, network, previous_hash, hash
    FROM audit_log WHERE team_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`

function faultOf(row: AuditRow, last: { sequence: number; hash: string }): Broken | null {
  const { sequence } = row
  if (sequence !== last.sequence + 1) {
    return sequence <= last.sequence
      ? { sequence, fault: 'The row is before the beginning of the chain.' }
      : { sequence: last.sequence + 1, fault: 'The row is missing.' }
  }
  if (row.previous_hash !== last.hash) return { sequence, fault: 'The row does not follow the one before it.' }
  return isItself(row) ? null : { sequence, fault: 'The row was changed.' }
}

/** Whether a row is unchanged. JSON is compared byte for byte, since its text can change while its value stays the same. */
function isItself(row: AuditRow): boolean {
  try {
    return (
      row.hash === hashOf(row) &&
      [row.before, row.after, row.changed].every((text) => text === null || text === canonicalJson(JSON.parse(text)))
    )
  } catch {
    return false
  }
}
