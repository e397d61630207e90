import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { constants, gzip as gzipCallback } from 'node:zlib'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import { findNear } from '#domain/archive/search/find-near.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { boxOf, childrenOf, type TileAddress, tileAt, tileKey, tileOfKey, worldPoint } from '#domain/maps/mercator.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { cellsOfBox } from '#domain/maps/records.ts'
import { tileOf } from '#domain/maps/tile.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { percentile } from '../frame.ts'
import { placeAt } from '../place-at.ts'
import type { Random } from '../random.ts'
import { stormCentres, stormFile, streamOf } from '../storm-files.ts'
import { createTilePeer, PEER_TILE } from '../tile-peer.ts'
import { archiveSizeOf } from './archive.ts'

/** Measurements at one size of the archive; times are p50 and p95, in milliseconds. */
export interface Step {
  records: number
  bytes_a_record: number
  search_index_bytes_a_record: number
  /** Records within 25 miles in 5 years, found by the index, and the same with all columns that a report reads. */
  found_25_5: Spread
  /** The number of records found, p50 and p95. */
  of_25_5: Spread
  search_25_5: Spread
  /** The same within 100 miles in 10 years. */
  found_100_10: Spread
  import_rows_a_second: number
  /** Rebuilding the lists of the busiest tiles of zoom 8, and drawing those tiles and theirs of zoom 10. */
  lists_ms: number
  tile_8: Spread
  tile_10: Spread
  /** The same tiles by PostGIS; null without it. */
  tile_8_by_postgis: Spread | null
  tile_10_by_postgis: Spread | null
}

export type Spread = [p50: number, p95: number]

const SEARCHES = 400
/** Number of searches with all columns that a report reads: thousands of rows each, anywhere on the disk. */
const READ_SEARCHES = 100
/** Searches before those that count: statements are prepared, and the first page of the index is read. */
const WARM = 40

/**
 * @param pool connections without a time limit: rows are counted
 * @param postgis whether the server has it
 * @param say is called with each figure as soon as it is known: a large archive takes hours to make
 */
export async function measureArchive(
  app: App,
  pool: pg.Pool,
  random: Random,
  postgis: boolean,
  say: (line: string) => void,
): Promise<Step> {
  const { records, bytes, index_bytes } = await archiveSizeOf(pool)
  const counts: number[] = []
  await readSearchIndex(pool)
  const logResult = async <T>(what: string, work: Promise<T>): Promise<T> => {
    const value = await work
    say(`  ${records} records: ${what} ${JSON.stringify(value)}`)
    return value
  }
  return {
    records,
    bytes_a_record: bytes / records,
    search_index_bytes_a_record: index_bytes / records,
    found_25_5: await logResult(
      'found within 25 mi in 5 y',
      timeSearches(app, 25, 5, async (...args) => counts.push(await find(...args))),
    ),
    of_25_5: spreadOf(counts),
    search_25_5: await logResult('all that a report reads', timeSearches(app, 25, 5, searchArchive, READ_SEARCHES)),
    found_100_10: await logResult('found within 100 mi in 10 y', timeSearches(app, 100, 10, find)),
    import_rows_a_second: await logResult('rows imported a second', timeImports(app, random)),
    ...(await logResult('tiles', timeTiles(app, pool, postgis))),
  }
}

/**
 * Reads the search index from end to end: where a service runs, it is in memory (docs/scale.md), and a new archive
 * has not been read yet. The query needs longitudes, which only this index has; otherwise the smaller primary key
 * would be read instead.
 */
export async function readSearchIndex(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('SET enable_seqscan = off; SELECT sum(longitude) FROM record_cells; RESET enable_seqscan')
  } finally {
    client.release()
  }
}

type Search = (app: App, place: LocatedPlace, window: SearchWindow) => Promise<unknown>

const find = async ({ pool }: App, place: LocatedPlace, window: SearchWindow) => (await findNear(pool, place, window, [])).length

/** The years of records and windows. */
const EVER: Years = [1950, 2025]
type Years = [first: number, until: number]

const timeSearches = (app: App, radius_miles: number, years: number, search: Search, searches = SEARCHES): Promise<Spread> =>
  timeAround(app, EVER, years, (place, days) => search(app, place, { ...days, radius_miles }), searches)

/**
 * p50 and p95 in milliseconds of queries around places where storms were recorded; each place and window is used
 * once.
 * @param range the first year of the windows, and the year after the last
 * @param years of a window
 */
export async function timeAround(
  { pool }: Pick<App, 'pool'>,
  [first, until]: Years,
  years: number,
  ask: (place: LocatedPlace, days: { start: string; end: string }) => Promise<unknown>,
  searches = SEARCHES,
): Promise<Spread> {
  const { rows } = await pool.query<{ latitude: number; longitude: number; from: number }>(
    `SELECT latitude, longitude, $1::int + (abs(hashtext(source_key)) % ($2::int - $1::int - $3::int)) AS from FROM learned_records
      WHERE latitude BETWEEN 25 AND 49 ORDER BY hashtext(source_key) LIMIT $4`,
    [first, until, years, searches + WARM],
  )
  const times: number[] = []
  for (const { latitude, longitude, from } of rows) {
    const startedAt = performance.now()
    await ask(placeAt([latitude, longitude]), { start: `${from}-01-01`, end: `${from + years - 1}-12-31` })
    times.push(performance.now() - startedAt)
  }
  times.splice(0, WARM)
  return spreadOf(times)
}

/** Rows of each imported file, and number of files: the median counts, without the first, which is read by cold code. */
const IMPORTED = 10_000
const IMPORTS = 5
/** The year of the made-up files: none of the learned records, so that each row is new. */
const IMPORTED_YEAR = 2001

/** Rows a second of the service's own import. */
export async function timeImports(app: App, random: Random): Promise<number> {
  const { rows } = await app.pool.query<{ files: number }>('SELECT count(*)::int AS files FROM import_runs')
  const rates: number[] = []
  for (let nth = 0; nth < IMPORTS; nth++) {
    const before = (rows[0]?.files ?? 0) + nth
    const file = stormFile(IMPORTED_YEAR, IMPORTED, stormCentres(random), random, before * IMPORTED)
    const startedAt = performance.now()
    await ingest(app, 'storm-events', streamOf(file), { file_name: file.file_name })
    rates.push(IMPORTED / ((performance.now() - startedAt) / 1000))
  }
  return percentile(rates.slice(1), 50)
}

/** The tiles of zoom 8 with the most learned records. */
const BUSY_TILES = 12

type TileTimes = Pick<Step, 'lists_ms' | 'tile_8' | 'tile_10' | 'tile_8_by_postgis' | 'tile_10_by_postgis'>

async function timeTiles(app: App, pool: pg.Pool, postgis: boolean): Promise<TileTimes> {
  const tiles = await busyTiles(app)
  const cells = [...new Set(tiles.flatMap((tile) => cellsOfBox(boxOf(tile))))]
  await app.pool.query('TRUNCATE map_changes')
  await app.pool.query('INSERT INTO map_changes (cells) VALUES ($1)', [cells])
  const startedAt = performance.now()
  await refreshMaps(app)
  const lists_ms = performance.now() - startedAt
  const within = tiles.flatMap(childrenOf).flatMap(childrenOf)
  return {
    lists_ms,
    tile_8: await timeEach(tiles, (tile) => tileOf(app, tile)),
    tile_10: await timeEach(within, (tile) => tileOf(app, tile)),
    ...(postgis ? await timePeerTiles(pool, cells, tiles, within) : { tile_8_by_postgis: null, tile_10_by_postgis: null }),
  }
}

const gzip = promisify(gzipCallback)

/** The same tiles encoded and compressed from PostGIS tables with only the records of their cells, which are dropped afterwards. */
async function timePeerTiles(
  pool: pg.Pool,
  cells: number[],
  tiles: TileAddress[],
  within: TileAddress[],
): Promise<Pick<Step, 'tile_8_by_postgis' | 'tile_10_by_postgis'>> {
  const draw = async ({ z, x, y }: TileAddress) => {
    const { rows } = await pool.query<{ tile: Buffer }>({ ...PEER_TILE, values: [z, x, y] })
    return gzip(rows[0]?.tile ?? Buffer.alloc(0), { level: constants.Z_BEST_SPEED })
  }
  await createTilePeer(pool, cells)
  try {
    return { tile_8_by_postgis: await timeEach(tiles, draw), tile_10_by_postgis: await timeEach(within, draw) }
  } finally {
    await dropPeer(pool)
  }
}

/** PostGIS itself stays: a session that has used it caches the ids of its types, which a new installation of it would change. */
export async function dropPeer(pool: pg.Pool): Promise<void> {
  await pool.query('DROP TABLE IF EXISTS peer_record, peer_property; DROP TYPE IF EXISTS peer_feature')
}

async function busyTiles({ pool }: App): Promise<TileAddress[]> {
  const { rows } = await pool.query<{ latitude: number; longitude: number; records: number }>(
    `SELECT latitude, longitude, count(*)::int AS records FROM learned_records
      WHERE latitude IS NOT NULL AND precision <> 'area' GROUP BY latitude, longitude`,
  )
  const recordsByTile = new Map<number, number>()
  for (const { latitude, longitude, records } of rows) {
    const at = worldPoint(latitude, longitude)
    if (!at) continue
    const key = tileKey(tileAt(at.x, at.y, 8))
    recordsByTile.set(key, (recordsByTile.get(key) ?? 0) + records)
  }
  const busiest = [...recordsByTile].sort(([, one], [, other]) => other - one).slice(0, BUSY_TILES)
  return busiest.map(([key]) => tileOfKey(key))
}

async function timeEach<T>(subjects: T[], work: (subject: T) => Promise<unknown>): Promise<Spread> {
  const times: number[] = []
  for (const subject of subjects) {
    const startedAt = performance.now()
    await work(subject)
    times.push(performance.now() - startedAt)
  }
  return spreadOf(times)
}

export const spreadOf = (values: number[]): Spread => [percentile(values, 50), percentile(values, 95)]
