import { createReadStream } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import type { ImportEngines } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { realRecordsPresent, stormEventFiles } from '#test/oracle/files.ts'
import { type Random, seededRandom } from '../random.ts'
import { stormCentres, stormFile, streamOf } from '../storm-files.ts'
import { vacuum } from '../vacuum.ts'

/** The input for growing: years over which the copies of the learned records are spread, from 1950 on. */
const YEARS = 75
/** Largest number of cells of 0.25 degrees by which a copy is moved in each direction: storms stay where storms occur. */
const MOVED_CELLS = 3
const CELLS_IN_A_ROW = 1440
/** Records to learn from if the real files are not present. */
const MADE_UP = 60_000

/** The records that copies are made from. */
export interface Learned {
  records: number
  /** Years of real files, or "made up". */
  from: string
  /** Copies have neither texts nor addresses of sources, and are little more than half as long. */
  bare: boolean
}

/**
 * Fills the archive by the service's own import, with the agency's year files if they are present, and records
 * their statistics: places, days, kinds, lengths of texts, and shares of points, paths, counties and zones. An
 * archive that has learned is left unchanged.
 */
export async function learn(app: ImportEngines, bare: boolean): Promise<Learned> {
  const years = ['1990', '1991', '1992', '1994', '2019']
  if (!(await hasLearned(app.pool))) await learnFrom(app, years)
  const { rows } = await app.pool.query<{ records: number }>('SELECT count(*)::int AS records FROM learned_records')
  return { records: rows[0]?.records ?? 0, from: realRecordsPresent ? years.join(', ') : 'made up', bare }
}

/** Whether an archive has learned, in this run or in an earlier one that kept it. */
export async function hasLearned(pool: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await pool.query("SELECT to_regclass('learned_records') IS NOT NULL AS learned")
  return rows[0]?.learned
}

async function learnFrom(app: ImportEngines, years: string[]): Promise<void> {
  if (realRecordsPresent)
    for (const file of stormEventFiles('details', years))
      await ingest(app, 'storm-events', createReadStream(file), { file_name: path.basename(file) })
  else {
    const random = seededRandom()
    const file = stormFile(2019, MADE_UP, stormCentres(random), random)
    await ingest(app, 'storm-events', streamOf(file), { file_name: file.file_name })
  }
  await app.pool.query(`
    CREATE TABLE learned_records AS SELECT * FROM archive_records;
    CREATE TABLE learned_cells AS SELECT * FROM record_cells;
    CREATE TABLE learned_coverage AS SELECT DISTINCT source, state FROM coverage`)
  await coverEveryMonth(app.pool)
}

/** A search checks which months are stored: every month counts as stored, as it would be. */
async function coverEveryMonth(pool: pg.Pool): Promise<void> {
  await pool.query(
    `INSERT INTO coverage (source, state, month)
     SELECT source, state, month FROM learned_coverage, generate_series('1950-01-01'::date, '1950-01-01'::date + make_interval(years => $1), '1 month') AS month
         ON CONFLICT DO NOTHING`,
    [YEARS],
  )
}

/**
 * Adds copies of the learned records until the archive has the given number. Each copy is moved by whole cells, and
 * each of its days into one of all the years, so that every place keeps its density, every year its seasons, and a
 * storm's records stay together. It is written without the triggers that record what maps must draw, and the
 * indexes are made afterwards: at a hundred million rows, each row would read and write a page of its own in most
 * of them.
 */
export async function growTo(pool: pg.Pool, records: number, learned: Learned, random: Random): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("SET session_replication_role = 'replica'; SET synchronous_commit = off")
    const { rows } = await client.query<{ copies: number; highest: number }>(
      'SELECT max(id) / $1 AS copies, (SELECT max(id) FROM learned_records) AS highest FROM archive_records',
      [STRIDE],
    )
    const highest = rows[0]?.highest ?? 0
    if (highest >= STRIDE) throw new Error(`learned ids run to ${highest}, beyond ${STRIDE}`)
    const existing = ((rows[0]?.copies ?? 0) + 1) * learned.records
    const copies = Math.ceil((records - existing) / learned.records)
    const indexes = await dropIndexes(client)
    for (let made = 1; made <= copies; made++) await addCopy(client, (rows[0]?.copies ?? 0) + made, learned, random)
    await client.query("SET maintenance_work_mem = '1GB'")
    for (const made of indexes) await client.query(made)
    await client.query('RESET maintenance_work_mem')
    await client.query("SELECT setval(pg_get_serial_sequence('archive_records', 'id'), (SELECT max(id) FROM archive_records))")
    await client.query('SET session_replication_role = DEFAULT; SET synchronous_commit = DEFAULT')
  } finally {
    client.release()
  }
  await vacuum(pool, 'archive_records')
  await vacuum(pool, 'record_cells')
  // Everything is on the disk before anything is measured.
  await pool.query('CHECKPOINT')
}

/** Drops all indexes except primary keys, which grow at their end. Returns the statements that make them again. */
async function dropIndexes(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made
       FROM pg_index WHERE indrelid IN ('archive_records'::regclass, 'record_cells'::regclass) AND NOT indisprimary`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map(({ made }) => made)
}

/** Distance between the ids of two copies of one record: more than are learned. */
const STRIDE = 200_000

async function addCopy(client: pg.PoolClient, copy: number, { bare }: Learned, random: Random): Promise<void> {
  const moved = () => random.integer(-MOVED_CELLS, MOVED_CELLS)
  const [north, east, turn] = [moved(), moved(), copy % YEARS]
  const years = `1950 + ($2::int + abs(hashtext(occurred_on::text))) % ${YEARS} - extract(year FROM occurred_on)::int`
  const day = (column: string) => `(${column} + make_interval(years => ${years}))`
  const columns = await columnsOf(client)
  const changed: Record<string, string> = {
    id: `id + $1 * ${STRIDE}`,
    source_key: `$1 || '-' || source_key`,
    occurred_on: day('occurred_on'),
    begins_at: day('begins_at'),
    ends_at: `ends_at + (${day('begins_at')} - begins_at)`,
    latitude: 'latitude + $3 * 0.25',
    longitude: 'longitude + $4 * 0.25',
    end_latitude: 'end_latitude + $3 * 0.25',
    end_longitude: 'end_longitude + $4 * 0.25',
    ...(bare && { description: `''`, citation_url: `''`, file_name: 'NULL', caveats: 'NULL' }),
  }
  const selected = columns.map((column) => changed[column] ?? column)
  await client.query(
    `INSERT INTO archive_records (${columns.join(', ')}) SELECT ${selected.join(', ')} FROM learned_records WHERE $3::int IS NOT NULL AND $4::int IS NOT NULL`,
    [copy, turn, north, east],
  )
  await client.query(
    `INSERT INTO record_cells (record_id, cell, occurred_on, ends_on, latitude, longitude)
     SELECT record_id + $1 * ${STRIDE}, cell + $3 * ${CELLS_IN_A_ROW} + $4, ${day('occurred_on')}, ends_on + (${day('occurred_on')}::date - occurred_on),
            latitude + $3 * 0.25, longitude + $4 * 0.25
       FROM learned_cells`,
    [copy, turn, north, east],
  )
}

async function columnsOf(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'archive_records'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
  )
  return rows.map(({ name }) => name)
}

/** Bytes of the records and of their cells, with every index. */
export async function archiveSizeOf(pool: pg.Pool): Promise<{ records: number; bytes: number; index_bytes: number }> {
  const { rows } = await pool.query<{ records: number; bytes: string; index_bytes: string }>(
    `SELECT (SELECT count(*)::int FROM archive_records) AS records,
            pg_total_relation_size('archive_records') + pg_total_relation_size('record_cells') AS bytes,
            pg_relation_size('record_cells_cell_occurred_on_record_id_latitude_longitude_idx') AS index_bytes`,
  )
  const [row] = rows
  return { records: row?.records ?? 0, bytes: Number(row?.bytes), index_bytes: Number(row?.index_bytes) }
}
