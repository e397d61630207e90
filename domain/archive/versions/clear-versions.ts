import type { App } from '#domain/app.ts'
import { VERSIONS_CLEARED } from '#domain/archive/versions/memory.ts'
import { inTransaction } from '#domain/engines/database.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { INT4_MAX } from '#domain/kernel/int4.ts'

/** Tables of versions, each with the revision that ended them. */
const tables = [
  'record_versions',
  'coverage_versions',
  'zone_county_versions',
  'station_versions',
  'observation_versions',
  'warning_message_versions',
] as const

/** Clears away versions that have had their time, where a setting says how long that is. */
export async function clearOldVersions(app: Pick<App, 'pool' | 'clock' | 'config'>): Promise<void> {
  if (app.config.versions_days > 0) await clearVersions(app, app.config.versions_days)
}

/**
 * Clears away what changed longer ago than so many days, and notes which moments the archive knows no more. The cells by which
 * such records were found go with the last of their versions. Answers how many versions went.
 */
export async function clearVersions({ pool, clock }: Pick<App, 'pool' | 'clock'>, days: number): Promise<number> {
  const before = new Date(clock.now().getTime() - days * DAY_MS)
  // First: nobody asks as of a moment whose versions are about to go.
  await pool.query(NOTE, [VERSIONS_CLEARED, before.toISOString()])
  let cleared = 0
  for (const table of tables) cleared += await clear(pool, table, before)
  return cleared
}

const NOTE = `
  INSERT INTO install_facts AS f (name, value)
  SELECT $1, to_jsonb($2::text) WHERE EXISTS (SELECT FROM archive_revisions WHERE known_at < $2::timestamptz)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = now() WHERE (f.value #>> '{}')::timestamptz < $2::timestamptz`

/** Rows of one statement: each well within its limit of time. */
const AT_ONCE = 5_000

async function clear(pool: App['pool'], table: (typeof tables)[number], before: Date): Promise<number> {
  let cleared = 0
  for (;;) {
    const removed = table === 'record_versions' ? await clearRecords(pool, before) : (await pool.query(OLD(table), [before])).rowCount
    cleared += removed ?? 0
    if ((removed ?? 0) < AT_ONCE) return cleared
  }
}

/**
 * Removes some of the versions that ended before all revisions that are known later than $1. Rows are found by where they lie, which says
 * nothing without the table: observations have one for each year. Those that a forgotten source is taking with it are left to it, whose order is another.
 */
const OLD = (table: (typeof tables)[number]) => `
  WITH old AS MATERIALIZED (
    SELECT v.tableoid AS part, v.ctid AS lies_at FROM ${table} v
     WHERE v.until_revision < (SELECT coalesce(min(id), ${INT4_MAX}) FROM archive_revisions WHERE known_at > $1) LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
  DELETE FROM ${table} v USING old
   WHERE v.ctid = ANY (ARRAY(SELECT lies_at FROM old)) AND (v.tableoid, v.ctid) = (old.part, old.lies_at)`

/** With the last version of a record go the cells by which it was found. */
function clearRecords(pool: App['pool'], before: Date): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ record_id: number }>(`${OLD('record_versions')} RETURNING v.record_id`, [before])
    if (rows.length === 0) return 0
    const ids = [[...new Set(rows.map(({ record_id }) => record_id))]]
    // An import that writes a version has locked the record's past cells: they are left to it, and those that are locked here it writes anew.
    const locked = await client.query<{ lies_at: string }>(LOCK_CELLS, ids)
    await client.query(CELLS, [locked.rows.map(({ lies_at }) => lies_at)])
    return rows.length
  })
}

const LOCK_CELLS = 'SELECT ctid::text AS lies_at FROM record_past_cells WHERE record_id = ANY ($1::int[]) FOR UPDATE SKIP LOCKED'

/** Which versions there are is asked behind the locks: by a statement of its own, which sees what was committed before them. */
const CELLS = `
  DELETE FROM record_past_cells c WHERE c.ctid = ANY ($1::text[]::tid[]) AND NOT EXISTS (SELECT FROM record_versions v WHERE v.record_id = c.record_id)`
