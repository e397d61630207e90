import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { sharedPool } from '#domain/engines/row-scope.ts'
import { tileKey, tileOfKey } from '#domain/maps/mercator.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { drawAhead } from '#domain/maps/tile.ts'

/**
 * How long a run draws tiles ahead. A yearly file changes thousands of tiles, which take minutes: warnings, reports and radar that
 * arrive meanwhile must not wait for them.
 */
const DRAWING_MS = 5000

/** Keys of the tiles still to be drawn ahead, by database. Those of a process that ends are drawn when they are requested. */
const pendingTiles = new WeakMap<pg.Pool, Set<number>>()

/** Updates the maps, then draws rebuilt tiles ahead for some seconds, the lowest zooms first. The next run continues with those left. */
export async function updateMaps(app: Pick<App, 'pool' | 'clock'>): Promise<void> {
  const pending = pendingTiles.get(sharedPool(app.pool)) ?? new Set()
  pendingTiles.set(sharedPool(app.pool), pending)
  for (const tile of (await refreshMaps(app)).lists) pending.add(tileKey(tile))
  const until = app.clock.now().getTime() + DRAWING_MS
  for (const tile of [...pending].map(tileOfKey).sort((one, other) => one.z - other.z)) {
    if (app.clock.now().getTime() >= until) return
    // A tile that cannot be drawn is not tried again here: the requests for it show the fault.
    pending.delete(tileKey(tile))
    await drawAhead(app, [tile])
  }
}
