import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { withLongSession } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { present } from '#domain/kernel/present.ts'
import { pathsThrough, tilesAround } from '#domain/maps/cut-paths.ts'
import { groupsOf, type TileGroup } from '#domain/maps/groups.ts'
import { boxOf, childrenOf, parentOf, type TileAddress, tileKey, tileOfKey, tilesMeeting } from '#domain/maps/mercator.ts'
import {
  addTo,
  bytesOf,
  joinLists,
  LIST_FORMAT,
  type MapPath,
  type PointList,
  packPaths,
  pointsByTile,
  takePoints,
  unpackPaths,
  wordsOf,
} from '#domain/maps/point-list.ts'
import { dropDays, mergeFrames } from '#domain/maps/radar-days.ts'
import { boxOfCell, type MapRecords, recordsOnMap } from '#domain/maps/records.ts'
import { strongestPaths, strongestPoints } from '#domain/maps/strongest.ts'
import type { DrawnTile } from '#domain/maps/tile-cache.ts'
import { MAP_VERSION } from '#domain/maps/version.ts'

/** Tiles of higher zooms are drawn straight from the archive: at zoom 10 a tile is 25 miles wide and has few records. */
export const LISTED_ZOOM_MAX = 9

export interface RefreshResult {
  /** Tiles whose lists of records were rebuilt. */
  lists: TileAddress[]
}

/**
 * Updates the maps after changes in the archive: the lists of affected tiles of zoom 9 from the records, those of lower zooms
 * from their four children, the days of radar from their frames, and the tiles over changed warnings. One transaction also increases the
 * version and deletes the outdated drawn tiles, so a reader sees all of a change or none of it. If any list has a lower format, all are
 * rebuilt. Does nothing if nothing changed, or if another process is updating: changes made after that process started wait for the next run.
 */
export async function refreshMaps({ pool }: Pick<App, 'pool'>): Promise<RefreshResult> {
  if (!(await hasChanges(pool))) return { lists: [] }
  return withLongSession(await sessionPool(pool).connect(), async (client) => {
    await client.query('BEGIN')
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock(hashtextextended('maps', 0)) AS taken")
    const refreshed = rows[0]?.taken ? await refresh(client) : { lists: [] }
    await client.query('COMMIT')
    return refreshed
  })
}

/**
 * Returns a tile up to zoom 9 as drawn, else the list to draw it from. A list of another format is ignored until the next
 * refresh, which rebuilds it and deletes tiles that were drawn without it.
 */
export async function findTile(client: Pick<pg.ClientBase, 'query'>, { z, x, y }: TileAddress): Promise<DrawnTile | MapRecords> {
  const { rows } = await client.query<{ etag: string | null; gzip: Buffer; points: Buffer | null; paths: Buffer }>({
    name: 'find_tile',
    text: `SELECT t.etag, t.data AS gzip, CASE WHEN t.etag IS NULL THEN l.points END AS points, CASE WHEN t.etag IS NULL THEN l.paths END AS paths
             FROM (SELECT $1::int AS z, $2::int AS x, $3::int AS y) AS requested
             LEFT JOIN tiles t USING (z, x, y)
             LEFT JOIN tile_lists l ON (l.z, l.x, l.y, l.format) = (requested.z, requested.x, requested.y, $4)`,
    values: [z, x, y, LIST_FORMAT],
  })
  const { etag, gzip, points, paths } = present(rows[0])
  if (etag !== null) return { etag, gzip }
  return points ? { points: wordsOf(points), paths: unpackPaths(paths) } : { points: new Uint32Array(), paths: [] }
}

interface PackedList extends TileAddress {
  points: Buffer
  paths: Buffer
}

interface Changes {
  cells: number[]
  frames: number[]
  days: string[]
}

async function refresh(client: pg.ClientBase): Promise<RefreshResult> {
  const outdated = await dropOutdated(client)
  const changes = await takeChanges(client)
  const warned = await takeWarnedCells(client)
  if (!changes && outdated.length === 0 && warned.length === 0) return { lists: [] }
  const lists = await refreshLists(client, outdated.length > 0 ? await cellsOfRecords(client) : (changes?.cells ?? []))
  // A source may have been forgotten and read again since: its old days are deleted first.
  const droppedBoxes = await dropDays(client, changes?.days ?? [])
  const boxes = [...droppedBoxes, ...(await mergeFrames(client, changes?.frames ?? []))]
  const drawn = new Set([...lists, ...outdated.map(tileKey)])
  for (const box of [...boxes, ...warned.map(boxOfCell)]) {
    for (const tile of tilesMeeting(box, LISTED_ZOOM_MAX)) for (const one of withAncestors(tile)) drawn.add(tileKey(one))
  }
  await client.query(
    `INSERT INTO install_facts (name, value) VALUES ($1, '1') ON CONFLICT (name)
     DO UPDATE SET value = to_jsonb((install_facts.value)::bigint + 1), updated_at = now()`,
    [MAP_VERSION],
  )
  await dropDrawn(client, [...drawn])
  return { lists: [...lists].map(tileOfKey) }
}

async function hasChanges(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'map_changes',
    text: 'SELECT WHERE EXISTS (SELECT FROM map_changes) OR EXISTS (SELECT FROM map_warning_changes) OR EXISTS (SELECT FROM tile_lists WHERE format < $1)',
    values: [LIST_FORMAT],
  })
  return rowCount === 1
}

/** Deletes the lists of a lower format, which cannot be read: all lists are then rebuilt. A higher format is from a newer release. */
async function dropOutdated(client: pg.ClientBase): Promise<TileAddress[]> {
  const { rows } = await client.query<TileAddress>('DELETE FROM tile_lists WHERE format < $1 RETURNING z, x, y', [LIST_FORMAT])
  return rows
}

async function cellsOfRecords(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ cell: number }>('SELECT DISTINCT cell FROM record_cells')
  return rows.map(({ cell }) => cell)
}

async function takeChanges(client: pg.ClientBase): Promise<Changes | null> {
  const { rows } = await client.query<Changes>('DELETE FROM map_changes RETURNING cells, frames, days::text[]')
  if (rows.length === 0) return null
  const all = <T>(part: (row: Changes) => T[]) => [...new Set(rows.flatMap(part))]
  return { cells: all(({ cells }) => cells), frames: all(({ frames }) => frames), days: all(({ days }) => days) }
}

/** Returns the cells of warnings that came, went or changed. Lists do not include warnings, but the tiles are drawn again. */
async function takeWarnedCells(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ cells: number[] }>('DELETE FROM map_warning_changes RETURNING cells')
  return [...new Set(rows.flatMap(({ cells }) => cells))]
}

function* withAncestors(tile: TileAddress): Generator<TileAddress> {
  for (let at = tile; ; at = parentOf(at)) {
    yield at
    if (at.z === 0) return
  }
}

/** Rebuilds the lists of every tile over the cells, and of the tiles above. */
async function refreshLists(client: pg.ClientBase, cells: number[]): Promise<Set<number>> {
  const touched = new Set<number>()
  let level = new Set(cells.flatMap((cell) => tilesMeeting(boxOfCell(cell), LISTED_ZOOM_MAX)).map(tileKey))
  await writeFromRecords(client, await groupsOf(client, level))
  while (level.size > 0) {
    for (const key of level) touched.add(key)
    const above = new Set([...level].filter((key) => tileOfKey(key).z > 0).map((key) => tileKey(parentOf(tileOfKey(key)))))
    for (const keys of chunksOf([...above], PARENTS_AT_ONCE)) await writeLists(client, await listsFromChildren(client, keys))
    level = above
  }
  return touched
}

/** The database reads one group while the lists of the previous one are made. */
async function writeFromRecords(client: pg.ClientBase, groups: TileGroup[]): Promise<void> {
  const read = (number: number) => {
    const group = groups[number]
    return group ? recordsOnMap(client, boxOf(group.box)) : null
  }
  let ahead = read(0)
  for (const [number, { keys }] of groups.entries()) {
    const records = present(await ahead)
    ahead = read(number + 1)
    // A failure of the read ahead is thrown when it is awaited, or never if an earlier failure ends the loop.
    ahead?.catch(() => undefined)
    await writeLists(client, listsOf(records, keys))
  }
}

/** Parents read together with their children: 16 lists of at most half a megabyte each. */
const PARENTS_AT_ONCE = 16

function listsOf({ points, paths }: MapRecords, keys: number[]): PackedList[] {
  const [pointsOf, pathsOf] = [pointsByTile(points, LISTED_ZOOM_MAX), pathsByTile(paths)]
  return keys.map((key) => packList(tileOfKey(key), takePoints(points, pointsOf.get(key) ?? []), pathsOf.get(key) ?? []))
}

/** Returns the paths that pass through each tile of zoom 9. */
function pathsByTile(paths: MapPath[]): Map<number, MapPath[]> {
  const near = new Map<number, MapPath[]>()
  for (const path of paths) for (const tile of tilesAround(path, LISTED_ZOOM_MAX)) addTo(near, tileKey(tile), path)
  return new Map([...near].map(([key, around]) => [key, pathsThrough(around, tileOfKey(key))]))
}

async function listsFromChildren(client: pg.ClientBase, keys: number[]): Promise<PackedList[]> {
  const children = keys.flatMap((key) => childrenOf(tileOfKey(key)))
  const { rows } = await client.query<PackedList>(
    `SELECT l.z, l.x, l.y, l.points, l.paths FROM unnest($1::int[], $2::int[], $3::int[]) AS requested(z, x, y) JOIN tile_lists l USING (z, x, y) WHERE l.format = $4`,
    [...columnsOf(children), LIST_FORMAT],
  )
  const byParent = new Map<number, PackedList[]>()
  for (const row of rows) addTo(byParent, tileKey(parentOf(row)), row)
  return keys.map((key) => {
    const childLists = byParent.get(key) ?? []
    const paths = new Map(childLists.flatMap((row) => unpackPaths(row.paths)).map((path) => [path.id, path]))
    return packList(tileOfKey(key), joinLists(childLists.map((row) => wordsOf(row.points))), [...paths.values()])
  })
}

function packList(tile: TileAddress, points: PointList, paths: MapPath[]): PackedList {
  return { ...tile, points: bytesOf(strongestPoints(points, tile.z)), paths: packPaths(strongestPaths(paths, tile.z)) }
}

async function writeLists(client: pg.ClientBase, lists: PackedList[]): Promise<void> {
  const [full, empty] = [lists.filter(hasRecords), lists.filter((list) => !hasRecords(list))]
  await client.query(
    `INSERT INTO tile_lists (z, x, y, points, paths, format) SELECT *, $6::smallint FROM unnest($1::int[], $2::int[], $3::int[], $4::bytea[], $5::bytea[])
     ON CONFLICT (z, x, y) DO UPDATE SET points = EXCLUDED.points, paths = EXCLUDED.paths, format = EXCLUDED.format`,
    [...columnsOf(full), full.map(({ points }) => points), full.map(({ paths }) => paths), LIST_FORMAT],
  )
  if (empty.length === 0) return
  await client.query(
    'DELETE FROM tile_lists l USING unnest($1::int[], $2::int[], $3::int[]) AS gone(z, x, y) WHERE (l.z, l.x, l.y) = (gone.z, gone.x, gone.y)',
    columnsOf(empty),
  )
}

const hasRecords = ({ points, paths }: PackedList) => points.length + paths.length > 0

async function dropDrawn(client: pg.ClientBase, keys: number[]): Promise<void> {
  await client.query(
    'DELETE FROM tiles t USING unnest($1::int[], $2::int[], $3::int[]) AS gone(z, x, y) WHERE (t.z, t.x, t.y) = (gone.z, gone.x, gone.y)',
    columnsOf(keys.map(tileOfKey)),
  )
}

function columnsOf(tiles: TileAddress[]): [number[], number[], number[]] {
  return [tiles.map(({ z }) => z), tiles.map(({ x }) => x), tiles.map(({ y }) => y)]
}
