import type { App } from '#domain/app.ts'
import { VERSIONS_CLEARED } from '#domain/archive/versions/memory.ts'
import { inTransaction } from '#domain/engines/database.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { INT4_MAX } from '#domain/kernel/int4.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'

/**
 * Tables of versions, each row with the revision that ended it. Some also have a table of cells for finding them, by the
 * column of their subject.
 */
const tables = {
  record_versions: { of: 'record_id', cells: 'record_past_cells' },
  coverage_versions: null,
  zone_county_versions: null,
  station_versions: null,
  observation_versions: null,
  warning_message_versions: { of: 'warning_key', cells: 'warning_past_cells' },
} as const

/** Deletes versions older than the setting allows, if it is set. */
export async function clearOldVersions(app: Pick<App, 'pool' | 'clock' | 'config'>): Promise<void> {
  if (app.config.versions_days > 0) await clearVersions(app, app.config.versions_days)
}

/**
 * Deletes versions that ended more than that many days ago, and records which times the archive no longer knows. The cells
 * by which records and warnings were found are deleted with the last of their versions. Returns the number of deleted
 * versions.
 */
export async function clearVersions({ pool, clock }: Pick<App, 'pool' | 'clock'>, days: number): Promise<number> {
  const before = new Date(clock.now().getTime() - days * DAY_MS)
  // Written first, so that nobody reads as of a time whose versions are about to be deleted.
  await pool.query(NOTE, [VERSIONS_CLEARED, before.toISOString()])
  let cleared = 0
  for (const table of keysOf(tables)) if (await isDue(pool, table, before)) cleared += await clear(pool, table, before)
  return cleared
}

const NOTE = `
  INSERT INTO install_facts AS f (name, value)
  SELECT $1, to_jsonb($2::text) WHERE EXISTS (SELECT FROM archive_revisions WHERE known_at < $2::timestamptz)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = now() WHERE (f.value #>> '{}')::timestamptz < $2::timestamptz`

/**
 * Whether the oldest ended version of a table is due. Checked every fifteen seconds with one index look-up. A revision that
 * took long may have a later time than the revisions after it; what those ended then waits for it.
 */
async function isDue(pool: App['pool'], table: keyof typeof tables, before: Date): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>(
    `SELECT first IS NOT NULL AND NOT EXISTS (SELECT FROM archive_revisions k WHERE k.id = first AND k.known_at > $1) AS due
       FROM (SELECT min(until_revision) AS first FROM ${table}) ended`,
    [before],
  )
  return rows[0]?.due ?? false
}

/** Rows in one statement, well within its timeout. */
const AT_ONCE = 5_000

async function clear(pool: App['pool'], table: keyof typeof tables, before: Date): Promise<number> {
  const found_by = tables[table]
  let cleared = 0
  for (;;) {
    const removed = found_by
      ? await clearWithCells(pool, table, found_by, before)
      : ((await pool.query(OLD(table), [before])).rowCount ?? 0)
    cleared += removed
    if (removed < AT_ONCE) return cleared
  }
}

/**
 * Deletes some of the versions that ended before every revision that became known after $1. Rows are found by ctid, which
 * is only unique within one table, and observations have one table for each year. Rows locked by the deletion of a
 * forgotten source are skipped, because it deletes in another order.
 */
const OLD = (table: keyof typeof tables) => `
  WITH old AS MATERIALIZED (
    SELECT v.tableoid AS part, v.ctid AS lies_at FROM ${table} v
     WHERE v.until_revision < (SELECT coalesce(min(id), ${INT4_MAX}) FROM archive_revisions WHERE known_at > $1) LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
  DELETE FROM ${table} v USING old
   WHERE v.ctid = ANY (ARRAY(SELECT lies_at FROM old)) AND (v.tableoid, v.ctid) = (old.part, old.lies_at)`

type FoundBy = NonNullable<(typeof tables)[keyof typeof tables]>

/** Deletes the cells by which a record or a warning was found, together with its last version. */
function clearWithCells(pool: App['pool'], table: keyof typeof tables, { of, cells }: FoundBy, before: Date): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ key: unknown }>(`${OLD(table)} RETURNING v.${of} AS key`, [before])
    if (rows.length === 0) return 0
    const keys = [...new Set(rows.map(({ key }) => key))]
    // An import that writes a version has locked its past cells, so they are skipped. It rewrites those that are locked here.
    const locked = await client.query<{ lies_at: string }>(
      `SELECT ctid::text AS lies_at FROM ${cells} WHERE ${of} = ANY ($1) FOR UPDATE SKIP LOCKED`,
      [keys],
    )
    // The versions are read after taking the locks, by a separate statement that sees everything committed before them.
    await client.query(
      `DELETE FROM ${cells} c WHERE c.ctid = ANY ($1::text[]::tid[]) AND NOT EXISTS (SELECT FROM ${table} v WHERE v.${of} = c.${of})`,
      [locked.rows.map(({ lies_at }) => lies_at)],
    )
    return rows.length
  })
}
