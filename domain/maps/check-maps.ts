import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip as gunzipCallback } from 'node:zlib'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import { present } from '#domain/kernel/present.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'
import { PATH_WORDS, POINT_WORDS } from '#domain/maps/point-list.ts'
import { keepOverview } from '#domain/maps/radar-days.ts'
import { MAP_VERSION } from '#domain/maps/version.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

const gunzip = promisify(gunzipCallback)

/** Rows of a step: of tiles some megabytes. */
const ROWS_A_STEP = 500
const WORD_BYTES = 4

interface Row {
  /** The row's key, a space between its columns. */
  subject: string
}

type Check = (store: Pick<App, 'pool'>, after: string | null, repair: boolean) => Promise<CheckedStep>

/** How one kind of the maps' bytes is looked at, and made anew from what it was made of. */
interface Kind<Found extends Row> {
  kind: StoredFault['kind']
  detail: string
  /** Rows whose key is behind $2 and so on, in its order, $1 of them. */
  text: string
  /** A key before every row. */
  before: string
  isWhole(row: Found): boolean | Promise<boolean>
  repair(pool: pg.Pool, spoilt: Found[]): Promise<void>
}

function checking<Found extends Row>({ kind, detail, text, before, isWhole, repair: mend }: Kind<Found>): Check {
  return async ({ pool }, after, repair) => {
    const { rows } = await pool.query<Found>(text, [ROWS_A_STEP, ...(after ?? before).split(' ')])
    const spoilt: Found[] = []
    for (const row of rows) if (!(await isWhole(row))) spoilt.push(row)
    if (repair && spoilt.length > 0) await mend(pool, spoilt)
    const faults = spoilt.map(({ subject }) => ({ kind, team_id: null, subject, detail, repaired: repair }))
    return { checked: rows.length, faults, next: rows.length === ROWS_A_STEP ? present(rows.at(-1)).subject : null }
  }
}

/** Drawn tiles carry the hash of what they hold: one that differs is drawn again when it is asked for. */
export const checkDrawnTiles = checking<Row & { etag: string; data: Buffer }>({
  kind: 'drawn_tile',
  detail: 'This drawn tile of the map is not what was drawn: doctor --repair drops it, and it is drawn again.',
  text: `SELECT concat_ws(' ', z, x, y) AS subject, etag, data FROM tiles WHERE (z, x, y) > ($2::int, $3::int, $4::int) ORDER BY z, x, y LIMIT $1`,
  before: '-1 0 0',
  isWhole: async ({ etag, data }) => {
    const bytes = data.length === 0 ? data : await gunzip(data).catch(() => null)
    return bytes !== null && createHash('sha1').update(bytes).digest('base64url') === etag
  },
  repair: async (pool, spoilt) => {
    await pool.query(`DELETE FROM tiles WHERE concat_ws(' ', z, x, y) = ANY($1)`, [keysOf(spoilt)])
    await forgetInMemory(pool)
  },
})

/** What tiles show of the records: all of it is made anew from them. */
export const checkTileLists = checking<Row & { points: number; paths: number }>({
  kind: 'tile_list',
  detail: 'This list of what a tile of the map shows cannot be read: doctor --repair has all of them made anew.',
  text: `SELECT concat_ws(' ', z, x, y) AS subject, length(points) AS points, length(paths) AS paths FROM tile_lists
          WHERE (z, x, y) > ($2::int, $3::int, $4::int) ORDER BY z, x, y LIMIT $1`,
  before: '-1 0 0',
  isWhole: ({ points, paths }) => points % (POINT_WORDS * WORD_BYTES) === 0 && paths % (PATH_WORDS * WORD_BYTES) === 0,
  // One of a lower format has all of them made anew.
  repair: async (pool, spoilt) => {
    await pool.query(`UPDATE tile_lists SET format = 0 WHERE concat_ws(' ', z, x, y) = ANY($1)`, [keysOf(spoilt)])
  },
})

/** A day's largest hail is made of its frames, as far as they are kept still. */
export const checkRadarDays = checking<Row & { day: string; data: Buffer }>({
  kind: 'radar_day',
  detail:
    'What radar saw in this block on this day cannot be read: doctor --repair makes it anew of the frames that are kept; import the files of an older day again.',
  text: `SELECT concat_ws(' ', block, day, source) AS subject, day, data FROM radar_days
          WHERE (block, day, source) > ($2::int, $3::date, $4) ORDER BY block, day, source LIMIT $1`,
  before: '-1 -infinity -',
  isWhole: ({ data }) => isReadable(data),
  repair: async (pool, spoilt) => {
    await pool.query(`DELETE FROM radar_days WHERE concat_ws(' ', block, day, source) = ANY($1)`, [keysOf(spoilt)])
    await mergeAgain(pool, spoilt)
  },
})

/** Three numbers of two bytes a cell. */
const OVERVIEW_CELL_BYTES = 6

/** The wide view of a day is made of its blocks. */
export const checkRadarOverviews = checking<Row & { day: string; source: RecordSource; bytes: number }>({
  kind: 'radar_overview',
  detail: 'The wide view of what radar saw on this day cannot be read: doctor --repair makes it anew.',
  text: `SELECT concat_ws(' ', day, source) AS subject, day, source, length(data) AS bytes FROM radar_day_overviews
          WHERE (day, source) > ($2::date, $3) ORDER BY day, source LIMIT $1`,
  before: '-infinity -',
  isWhole: ({ bytes }) => bytes % OVERVIEW_CELL_BYTES === 0,
  repair: async (pool, spoilt) => {
    for (const day of spoilt) await keepOverview(pool, day)
    await pool.query('DELETE FROM tiles')
    await forgetInMemory(pool)
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

/** West of Greenwich a local day lies in its UTC day and the next; the maps are brought up to date within ten seconds. */
async function mergeAgain(pool: pg.Pool, rows: { day: string }[]): Promise<void> {
  await pool.query(
    `INSERT INTO map_changes (frames) SELECT array_agg(f.id) FROM radar_frames f
      WHERE f.day IN (SELECT d + later FROM unnest($1::date[]) AS d, generate_series(0, 1) AS later) HAVING count(*) > 0`,
    [rows.map(({ day }) => day)],
  )
}

/** Every process keeps tiles of the version of the maps: the next has none of them. */
async function forgetInMemory(pool: pg.Pool): Promise<void> {
  await pool.query('UPDATE install_facts SET value = to_jsonb(value::bigint + 1), updated_at = now() WHERE name = $1', [MAP_VERSION])
}
