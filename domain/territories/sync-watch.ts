import type { MultiPolygon, Polygon } from 'geojson'
import type { Tx } from '#domain/engines/database.ts'
import { cellsOfPolygons } from '#domain/geo/polygon-cells.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import { deleteWatch, writeWatch } from '#domain/watches/watch-cells.ts'
import type { Territory } from '#generated/prisma/client.ts'

/** Updates a territory's watch to its current state, or deletes it: only a territory with status `watching` has a watch. */
export async function syncWatch(
  tx: Pick<Tx, 'watchCell' | '$executeRawUnsafe'>,
  { id: subject_id, team_id, status, geometry }: Pick<Territory, 'id' | 'team_id' | 'status' | 'geometry'>,
): Promise<void> {
  if (status !== 'watching') {
    await deleteWatch(tx, subject_id)
    return
  }
  const area: Polygon | MultiPolygon = JSON.parse(geometry)
  const cells = await cellsOfPolygons(polygonsOf(area))
  await writeWatch(tx, { team_id, subject: 'territory', subject_id, cells, latitude: null, longitude: null, radius_miles: null })
}
