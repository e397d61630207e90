import { setImmediate as endOfTurn } from 'node:timers/promises'
import type pg from 'pg'
import { sharedPool } from '#domain/engines/row-scope.ts'

/** Name of the install fact that counts the changes of the maps. */
export const MAP_VERSION = 'map_version'

const pendingReads = new WeakMap<pg.Pool, Promise<number>>()

/**
 * Returns the version, which increases with every change of what the tiles show. All callers in one turn of the event loop share one read,
 * which begins after the last of them called: no caller gets an older version.
 */
export function mapVersion(pool: pg.Pool): Promise<number> {
  const tables = sharedPool(pool)
  const shared = pendingReads.get(tables) ?? endOfTurn().then(() => read(tables))
  pendingReads.set(tables, shared)
  return shared
}

async function read(pool: pg.Pool): Promise<number> {
  pendingReads.delete(pool)
  const { rows } = await pool.query<{ version: number }>({
    name: 'map_version',
    text: 'SELECT value::int AS version FROM install_facts WHERE name = $1',
    values: [MAP_VERSION],
  })
  return rows[0]?.version ?? 0
}
