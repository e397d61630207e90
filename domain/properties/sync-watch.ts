import type { Tx } from '#domain/engines/database.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { beginWatch, deleteWatch, type Watch, writeWatch } from '#domain/watches/watch-cells.ts'
import type { Property } from '#generated/prisma/client.ts'

type Watched = Pick<Property, 'id' | 'team_id' | 'status' | 'located' | 'latitude' | 'longitude' | 'watch_radius_miles'>

type WatchTx = Pick<Tx, 'watchCell' | '$executeRawUnsafe'>

/** Updates a property's watch to its current state, or deletes it: only a located property with status `watching` has a watch. */
export async function syncWatch(tx: WatchTx, property: Watched): Promise<void> {
  const watch = watchOf(property)
  await (watch ? writeWatch(tx, watch) : deleteWatch(tx, property.id))
}

/** Does the same for a new property, which has no watch yet. */
export async function watchNew(tx: WatchTx, property: Watched): Promise<void> {
  const watch = watchOf(property)
  if (watch) await beginWatch(tx, watch)
}

function watchOf({
  id: subject_id,
  team_id,
  status,
  located,
  latitude,
  longitude,
  watch_radius_miles: radius_miles,
}: Watched): Watch | null {
  if (status !== 'watching' || !located || latitude === null || longitude === null) return null
  const cells = cellsWithin(latitude, longitude, radius_miles)
  return { team_id, subject: 'property', subject_id, cells, latitude, longitude, radius_miles }
}
