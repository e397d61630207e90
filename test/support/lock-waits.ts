import type pg from 'pg'

/** Counts the sessions of a world's database that wait for a lock. Databases of other worlds are on the same server. */
export async function lockWaits(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rows[0]?.n ?? 0
}
