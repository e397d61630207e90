import type { Tx } from '#domain/engines/database.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { deleteWatch, writeWatch } from '#domain/watches/watch-cells.ts'
import type { Property } from '#generated/prisma/client.ts'

type Watched = Pick<Property, 'id' | 'team_id' | 'status' | 'located' | 'latitude' | 'longitude' | 'watch_radius_miles'>

/** Puts a property under watch as it now stands, or ends its watch: only a located one that is watching has one. */
export async function syncWatch(tx: Pick<Tx, 'watchCell' | '$executeRawUnsafe'>, property: Watched): Promise<void> {
  const { id: subject_id, team_id, latitude, longitude, watch_radius_miles: radius_miles } = property
  if (property.status !== 'watching' || !property.located || latitude === null || longitude === null) return deleteWatch(tx, subject_id)
  const cells = cellsWithin(latitude, longitude, radius_miles)
  await writeWatch(tx, { team_id, subject: 'property', subject_id, cells, latitude, longitude, radius_miles })
}
