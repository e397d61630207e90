import type { App } from '#domain/app.ts'
import { VERSIONS_CLEARED } from '#domain/archive/versions/memory.ts'

const MS_PER_DAY = 86_400_000

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
  const before = new Date(clock.now().getTime() - days * MS_PER_DAY)
  // First: nobody asks as of a moment whose versions are about to go.
  await pool.query(NOTE, [VERSIONS_CLEARED, before.toISOString()])
  let cleared = 0
  for (const table of tables) cleared += await clear(pool, table, before)
  if (cleared > 0) await pool.query(CELLS)
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
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT v.ctid FROM ${table} v JOIN archive_revisions k ON k.id = v.until_revision WHERE k.known_at <= $1 LIMIT ${AT_ONCE}))`,
      [before],
    )
    cleared += rowCount ?? 0
    if ((rowCount ?? 0) < AT_ONCE) return cleared
  }
}

const CELLS = 'DELETE FROM record_past_cells c WHERE NOT EXISTS (SELECT FROM record_versions v WHERE v.record_id = c.record_id)'
