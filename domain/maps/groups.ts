import type pg from 'pg'
import { present } from '#domain/kernel/present.ts'
import { boxOf, parentOf, type TileAddress, tileKey, tileOfKey } from '#domain/maps/mercator.ts'
import { addTo } from '#domain/maps/point-list.ts'
import { cellsOfBox } from '#domain/maps/records.ts'

/** Tiles that are read from the archive together are within one of this zoom: one query reads 64 of zoom 9. */
const GROUP_ZOOM = 6
/** Records of one query: some 100 MB while their lists are made, and some seconds, in which the transaction waits and its session must not be ended. */
const RECORDS_AT_ONCE = 200_000

/** Tiles of one zoom, by key, that are read together: `box` is the smallest tile known to hold them. */
export interface TileGroup {
  box: TileAddress
  keys: number[]
}

/**
 * Tiles of one zoom in groups, each of which is read by one query: as many as lie together in a tile of zoom 6, fewer where the archive is
 * dense. A single tile is a group however much it holds.
 */
export async function groupsOf(
  client: Pick<pg.ClientBase, 'query'>,
  keys: Iterable<number>,
  at_once = RECORDS_AT_ONCE,
): Promise<TileGroup[]> {
  const groups: TileGroup[] = []
  const open = groupedBy(keys, GROUP_ZOOM)
  for (let group = open.pop(); group; group = open.pop()) {
    const dense = group.keys.length > 1 && (await recordsOver(client, group.box)) > at_once
    if (dense) open.push(...groupedBy(group.keys, group.box.z + 1))
    else groups.push(group)
  }
  return groups
}

function groupedBy(keys: Iterable<number>, zoom: number): TileGroup[] {
  const groups = new Map<number, number[]>()
  for (const key of keys) addTo(groups, tileKey(ancestorOf(tileOfKey(key), zoom)), key)
  return [...groups].map(([group, keys]) => ({ box: tileOfKey(keys.length === 1 ? present(keys[0]) : group), keys }))
}

function ancestorOf(tile: TileAddress, zoom: number): TileAddress {
  let at = tile
  while (at.z > zoom) at = parentOf(at)
  return at
}

/** Records in the search cells of a tile, those of several cells once in each. */
async function recordsOver(client: Pick<pg.ClientBase, 'query'>, tile: TileAddress): Promise<number> {
  const { rows } = await client.query<{ records: number }>({
    name: 'records_over_tile',
    text: 'SELECT count(*)::int AS records FROM record_cells WHERE cell = ANY($1::int[])',
    values: [cellsOfBox(boxOf(tile))],
  })
  return present(rows[0]).records
}
