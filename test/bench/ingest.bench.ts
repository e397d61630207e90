import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type pg from 'pg'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { openLog } from '#domain/engines/log.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { type StormFile, stormCentres, stormFile, streamOf } from './storm-files.ts'

export const claim =
  'A year file is read, judged, indexed and held for a few times what the database needs to swallow its columns, in flat memory'

/** Rows of the file; the agency's largest years have 70,000. */
export const sizes = { small: [2_000, 20_000], full: [7_000, 70_000] } as const

interface Stage {
  url: string
  pool: pg.Pool
  file: StormFile
  /** The rows as stored in the archive, in COPY's own format. */
  rows: string
  rows_stored: number
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { pool, close } = openDatabase(url)
  bed.closing(close)
  const stage: Stage = {
    url,
    pool,
    file: stormFile(2024, bed.size, stormCentres(bed.random), bed.random),
    rows: path.join(bed.folder, 'rows.copy'),
    rows_stored: bed.size,
  }
  await importOnce(stage)
  await pool.query('CREATE TABLE peer (LIKE archive_records INCLUDING ALL)')
  if (psqlIsHere) psql(stage, `\\copy archive_records TO '${stage.rows}'`)
  return stage
}

async function importOnce({ pool, file }: Stage, on_progress?: () => void): Promise<number> {
  await pool.query('TRUNCATE archive_records, record_cells, coverage, import_runs CASCADE')
  const startedAt = performance.now()
  await ingest({ pool, clock: systemClock, log: openLog('silent'), config: { observations_years: 0 } }, 'storm-events', streamOf(file), {
    file_name: file.file_name,
    ...(on_progress && { on_progress }),
  })
  return performance.now() - startedAt
}

/** psql's own COPY of the same columns into the same table with the same indexes, except the search index. */
function copyOnce(stage: Stage): number {
  psql(stage, 'TRUNCATE peer')
  const startedAt = performance.now()
  psql(stage, `\\copy peer FROM '${stage.rows}'`)
  return performance.now() - startedAt
}

const psqlIsHere = spawnSync('psql', ['--version']).status === 0

function psql({ url }: Pick<Stage, 'url'>, command: string): void {
  const { status, stderr, error } = spawnSync('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', command], { encoding: 'utf8' })
  if (error || status !== 0) throw error ?? new Error(stderr)
}

export const arms: Arm<Stage>[] = [
  { name: 'import', operations: 1, run: async (stage) => ({ value: await importOnce(stage) }) },
  {
    name: 'psql \\copy',
    peer: true,
    operations: 1,
    missing: () => (psqlIsHere ? null : 'no psql'),
    run: (stage) => ({ value: copyOnce(stage) }),
  },
]

export const reach: Reach[] = [{ arm: 'import', peer: 'psql \\copy', ratio_at_most: 4 }]

/** Megabytes by which reading a file of any length may grow the process. */
const GROWTH_MAX_MB = 200

export async function check(stage: Stage): Promise<void> {
  const before = process.memoryUsage().rss
  let peak = before
  await importOnce(stage, () => {
    peak = Math.max(peak, process.memoryUsage().rss)
  })
  assert(peak - before < GROWTH_MAX_MB * 1e6, `an import added ${Math.round((peak - before) / 1e6)} MB`)
  if (!psqlIsHere) return
  copyOnce(stage)
  const columns = 'source_key, type, occurred_on, begins_at, latitude, longitude, severity, description'
  const { rows } = await stage.pool.query(`
    SELECT (SELECT count(*) FROM (SELECT ${columns} FROM archive_records EXCEPT SELECT ${columns} FROM peer) a)::int AS different,
           (SELECT count(*) FROM peer)::int AS held`)
  assert.deepStrictEqual(rows, [{ different: 0, held: stage.rows_stored }])
}
