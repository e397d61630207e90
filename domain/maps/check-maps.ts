import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip as gunzipCallback } from 'node:zlib'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import { inTransaction } from '#domain/engines/database.ts'
import { present } from '#domain/kernel/present.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'
import { PATH_WORDS, POINT_WORDS } from '#domain/maps/point-list.ts'
import { daysWithFrames, storeOverview } from '#domain/maps/radar-days.ts'
import { MAP_VERSION } from '#domain/maps/version.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

const gunzip = promisify(gunzipCallback)

/** Rows per step: for tiles, some megabytes. */
const ROWS_A_STEP = 500
const WORD_BYTES = 4

interface Row {
  /** The row's key, with spaces between its columns. */
  subject: string
}

type Check = (store: Pick<App, 'pool'>, after: string | null, repair: boolean) => Promise<CheckedStep>

/** How one kind of the maps' stored data is checked, and rebuilt from its source. */
interface Kind<Found extends Row> {
  kind: StoredFault['kind']
  detail: string
  /** Selects $1 rows in key order, whose key is after $2 and following. */
  text: string
  /** A key that sorts before every row. */
  before: string
  isIntact(row: Found): boolean | Promise<boolean>
  /** Returns those that it cannot rebuild. */
  repair(pool: pg.Pool, corrupt: Found[]): Promise<Found[]>
}

function createCheck<Found extends Row>({ kind, detail, text, before, isIntact, repair: repairRows }: Kind<Found>): Check {
  return async ({ pool }, after, repair) => {
    const { rows } = await pool.query<Found>(text, [ROWS_A_STEP, ...(after ?? before).split(' ')])
    const corrupt: Found[] = []
    for (const row of rows) if (!(await isIntact(row))) corrupt.push(row)
    const lost = repair && corrupt.length > 0 ? await repairRows(pool, corrupt) : []
    const faults = corrupt.map((row) => ({ kind, team_id: null, subject: row.subject, detail, repaired: repair && !lost.includes(row) }))
    return { checked: rows.length, faults, next: rows.length === ROWS_A_STEP ? present(rows.at(-1)).subject : null }
  }
}

/** Drawn tiles store the hash of their content: a tile that differs is drawn again on its next request. */
export const checkDrawnTiles = createCheck<Row & { etag: string; data: Buffer }>({
  kind: 'drawn_tile',
  detail: 'This drawn map tile is damaged: doctor --repair deletes it, and it is drawn again.',
  text: `SELECT concat_ws(' ', z, x, y) AS subject, etag, data FROM tiles WHERE (z, x, y) > ($2::int, $3::int, $4::int) ORDER BY z, x, y LIMIT $1`,
  before: '-1 0 0',
  isIntact: async ({ etag, data }) => {
    const bytes = data.length === 0 ? data : await gunzip(data).catch(() => null)
    return bytes !== null && createHash('sha1').update(bytes).digest('base64url') === etag
  },
  repair: async (pool, corrupt) => {
    await pool.query(`DELETE FROM tiles WHERE concat_ws(' ', z, x, y) = ANY($1)`, [keysOf(corrupt)])
    await invalidateTileCaches(pool)
    return []
  },
})

/** The lists of the records that tiles show: all of them can be rebuilt from the records. */
export const checkTileLists = createCheck<Row & { points: number; paths: number }>({
  kind: 'tile_list',
  detail: 'This list for a map tile cannot be read: doctor --repair has all lists rebuilt.',
  text: `SELECT concat_ws(' ', z, x, y) AS subject, length(points) AS points, length(paths) AS paths FROM tile_lists
          WHERE (z, x, y) > ($2::int, $3::int, $4::int) ORDER BY z, x, y LIMIT $1`,
  before: '-1 0 0',
  isIntact: ({ points, paths }) => points % (POINT_WORDS * WORD_BYTES) === 0 && paths % (PATH_WORDS * WORD_BYTES) === 0,
  // A single list of a lower format causes all lists to be rebuilt.
  repair: async (pool, corrupt) => {
    await pool.query(`UPDATE tile_lists SET format = 0 WHERE concat_ws(' ', z, x, y) = ANY($1)`, [keysOf(corrupt)])
    return []
  },
})

/** A day's largest hail is rebuilt from its frames; without frames, it is only deleted. */
export const checkRadarDays = createCheck<Row & { block: number; day: string; source: RecordSource; data: Buffer }>({
  kind: 'radar_day',
  detail:
    'The radar data of this block and day cannot be read: doctor --repair rebuilds it from the stored frames; import the files of an older day again.',
  text: `SELECT concat_ws(' ', block, day, source) AS subject, block, day, source, data FROM radar_days
          WHERE (block, day, source) > ($2::int, $3::date, $4) ORDER BY block, day, source LIMIT $1`,
  before: '-1 -infinity -',
  isIntact: ({ data }) => isReadable(data),
  repair: async (pool, corrupt) => {
    const rebuilt = await daysWithFrames(pool, corrupt)
    await inTransaction(pool, async (client) => {
      await client.query(`DELETE FROM radar_days WHERE concat_ws(' ', block, day, source) = ANY($1)`, [keysOf(corrupt)])
      await queueMerge(client, rebuilt)
    })
    const lost = corrupt.filter((row) => !rebuilt.includes(row))
    const days = new Map(lost.map((row) => [`${row.day} ${row.source}`, row]))
    for (const day of days.values()) await rebuildOverview(pool, day)
    if (lost.length > 0) await dropDrawnTiles(pool)
    return lost
  },
})

/** Rebuilds the overview of a day without its deleted blocks. If another block is damaged, its own repair does this. */
async function rebuildOverview(pool: pg.Pool, day: { day: string; source: RecordSource }): Promise<void> {
  const { rows } = await pool.query<{ data: Buffer }>('SELECT data FROM radar_days WHERE day = $1 AND source = $2', [day.day, day.source])
  if (rows.every(({ data }) => isReadable(data))) await storeOverview(pool, day)
}

/** Three numbers of two bytes per cell. */
const OVERVIEW_CELL_BYTES = 6

/** The overview of a day is rebuilt from its blocks. */
export const checkRadarOverviews = createCheck<Row & { day: string; source: RecordSource; bytes: number }>({
  kind: 'radar_overview',
  detail: 'The radar overview of this day cannot be read: doctor --repair rebuilds it.',
  text: `SELECT concat_ws(' ', day, source) AS subject, day, source, length(data) AS bytes FROM radar_day_overviews
          WHERE (day, source) > ($2::date, $3) ORDER BY day, source LIMIT $1`,
  before: '-infinity -',
  isIntact: ({ bytes }) => bytes % OVERVIEW_CELL_BYTES === 0,
  repair: async (pool, corrupt) => {
    for (const day of corrupt) await storeOverview(pool, day)
    await dropDrawnTiles(pool)
    return []
  },
})

const keysOf = (rows: Row[]) => rows.map(({ subject }) => subject)

function isReadable(data: Buffer): boolean {
  try {
    return unpackSizes(data).length > 0
  } catch {
    return false
  }
}

/** Merges the days' frames again; the maps follow within ten seconds. West of Greenwich, a local day spans its UTC day and the next. */
async function queueMerge(client: Pick<pg.ClientBase, 'query'>, rows: { day: string }[]): Promise<void> {
  await client.query(
    `INSERT INTO map_changes (frames) SELECT array_agg(f.id) FROM radar_frames f
      WHERE f.day IN (SELECT d + later FROM unnest($1::date[]) AS d, generate_series(0, 1) AS later) HAVING count(*) > 0`,
    [rows.map(({ day }) => day)],
  )
}

async function dropDrawnTiles(pool: pg.Pool): Promise<void> {
  await pool.query('DELETE FROM tiles')
  await invalidateTileCaches(pool)
}

/** Every process caches tiles by the version of the maps: no tile is cached for the next version. */
async function invalidateTileCaches(pool: pg.Pool): Promise<void> {
  await pool.query('UPDATE install_facts SET value = to_jsonb(value::bigint + 1), updated_at = now() WHERE name = $1', [MAP_VERSION])
}
