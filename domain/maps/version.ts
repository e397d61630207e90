import type pg from 'pg'
import { sharedPool } from '#domain/engines/row-scope.ts'
import { sharedReadsOf } from '#domain/engines/shared-reads.ts'

/** Name of the install fact that counts the changes of the maps. */
export const MAP_VERSION = 'map_version'

/**
 * Returns the version, which increases with every change of what the tiles show. Concurrent callers share a read, which begins after the
 * last of them called: no caller gets an older version.
 */
export async function mapVersion(pool: pg.Pool): Promise<number> {
  const { row } = await readVersion(sharedPool(pool), MAP_VERSION)
  return row ?? 0
}

const readVersion = sharedReadsOf(
  (pool: pg.Pool) => pool,
  async (pool) => {
    const { rows } = await pool.query<{ version: number }>({
      name: 'map_version',
      text: 'SELECT value::int AS version FROM install_facts WHERE name = $1',
      values: [MAP_VERSION],
    })
    return new Map(rows.map(({ version }) => [MAP_VERSION, version]))
  },
)
