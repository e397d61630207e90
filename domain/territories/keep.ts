import type { MultiPolygon, Polygon } from 'geojson'
import type { Tx } from '#domain/engines/database.ts'
import { dropWatch, keepWatch } from '#domain/exposures/watch.ts'
import { cellsOfPolygons } from '#domain/geo/polygon-cells.ts'
import { polygonsOf } from '#domain/territories/definition.ts'
import type { Territory } from '#generated/prisma/client.ts'

/** Puts a territory under watch as it now stands, or ends its watch: only one that is watching has one. */
export async function keepTerritory(
  tx: Pick<Tx, 'watchCell' | '$executeRawUnsafe'>,
  { id: subject_id, team_id, status, geometry }: Pick<Territory, 'id' | 'team_id' | 'status' | 'geometry'>,
): Promise<void> {
  if (status !== 'watching') return dropWatch(tx, subject_id)
  const cells = await cellsOfPolygons(polygonsOf(JSON.parse(geometry) as Polygon | MultiPolygon))
  await keepWatch(tx, { team_id, subject: 'territory', subject_id, cells, latitude: null, longitude: null, radius_miles: null })
}
