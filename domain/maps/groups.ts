import type pg from 'pg'
import { present } from '#domain/kernel/present.ts'
import { boxOf, parentOf, type TileAddress, tileKey, tileOfKey } from '#domain/maps/mercator.ts'
import { addTo } from '#domain/maps/point-list.ts'
import { cellsOfBox } from '#domain/maps/records.ts'

/** Tiles that are read from the archive together share a tile of this zoom: one query reads 64 of zoom 9. */
const GROUP_ZOOM = 6
/** Records per query: some 100 MB while their lists are made, and some seconds, in which the transaction waits and its session must not be closed. */
const RECORDS_AT_ONCE = 200_000

/** Tiles of one zoom, by key, that are read together: `box` is the smallest known tile that contains them. */
export interface TileGroup {
  box: TileAddress
  keys: number[]
}

/**
 * Groups tiles of one zoom so that one query reads each group: all tiles that share a tile of zoom 6, fewer if the archive is
 * dense there. A single tile is a group, however many records it has.
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

/** Counts the records in the search cells of a tile; a record in several cells counts once in each. */
async function recordsOver(client: Pick<pg.ClientBase, 'query'>, tile: TileAddress): Promise<number> {
  const { rows } = await client.query<{ records: number }>({
    name: 'records_over_tile',
    text: 'SELECT count(*)::int AS records FROM record_cells WHERE cell = ANY($1::int[])',
    values: [cellsOfBox(boxOf(tile))],
  })
  return present(rows[0]).records
}
