import type pg from 'pg'
import { type CopyValue, copyRows } from '#domain/archive/ingest/copy-rows.ts'
import type { ArchiveRecord, StoredRecord } from '#domain/archive/record.ts'
import { contentColumns, originColumns } from '#domain/archive/record-columns.ts'
import { type IndexEntry, indexEntry } from '#domain/archive/search/index-entry.ts'
import { keepRecordCells, keepRecords } from '#domain/archive/versions/keep-records.ts'
import { REVISION } from '#domain/archive/versions/revision.ts'
import { present } from '#domain/kernel/present.ts'

/** What a change of the archive touched. */
export interface Touched {
  inserted: number
  updated: number
  withdrawn: number
  /** Rows that repeat known data and are now attributed to another file. */
  confirmed?: number
  cells: number[]
  /** First and last local date of the touched records; null if there are none. */
  from: string | null
  to: string | null
}

/**
 * Upserts records of one source by their keys, each key once, and keeps their search cells up to date. A record of a later
 * compile wins, one of an earlier compile changes nothing, and a row of an extract never replaces one of a whole file.
 * Called under the source's lock, so new records are copied straight in.
 */
export async function upsertRecords(client: pg.ClientBase, records: (ArchiveRecord | StoredRecord)[], extract: boolean): Promise<Touched> {
  const entries = records.map((record) => ({ record, index: indexEntry(record), extract }))
  const known = await knownKeys(client, records)
  const isKnown = ({ record }: Entry) => known.has(record.source_key)
  const added = await addRecords(client, known.size === 0 ? entries : entries.filter((entry) => !isKnown(entry)))
  if (known.size === 0) return added
  const merged = await mergeRecords(client, entries.filter(isKnown))
  return {
    ...merged,
    inserted: added.inserted,
    cells: [...added.cells, ...merged.cells],
    ...span([added.from, added.to, merged.from, merged.to]),
  }
}

interface Entry {
  record: ArchiveRecord | StoredRecord
  index: IndexEntry
  extract: boolean
}

const recordColumns = ['source', 'source_key', ...contentColumns, ...originColumns] as const

async function knownKeys(client: pg.ClientBase, records: ArchiveRecord[]): Promise<Set<string>> {
  const { rows } = await client.query<{ source_key: string }>(
    'SELECT source_key FROM archive_records WHERE source = $1 AND source_key = ANY($2)',
    [records[0]?.source, records.map(({ source_key }) => source_key)],
  )
  return new Set(rows.map(({ source_key }) => source_key))
}

/** Returns the first and the last of some dates. */
function span(dates: (string | null)[]): { from: string | null; to: string | null } {
  const known = dates.filter((date) => date !== null).sort()
  return { from: known[0] ?? null, to: known.at(-1) ?? null }
}

// ---------------------------------------------------------------- records that are new

async function addRecords(client: pg.ClientBase, entries: Entry[]): Promise<Touched> {
  if (entries.length === 0) return { inserted: 0, updated: 0, withdrawn: 0, cells: [], from: null, to: null }
  // Ordered by cell, so that records searched together are stored together.
  entries.sort(byCell)
  const ids = await newIds(client, entries.length)
  await copyRows(client, 'archive_records', ['id', ...recordColumns, 'extract'], recordRows(entries, ids))
  await copyRows(client, 'record_cells', ['record_id', 'cell', 'occurred_on', 'latitude', 'longitude', 'ends_on'], cellRows(entries, ids))
  const cells = [...new Set(entries.flatMap(({ index }) => index.cells))]
  return { inserted: entries.length, updated: 0, withdrawn: 0, cells, ...span(entries.map(({ record }) => record.occurred_on)) }
}

function byCell(one: Entry, other: Entry): number {
  const apart = (one.index.cells[0] ?? 0) - (other.index.cells[0] ?? 0)
  if (apart !== 0 || one.record.occurred_on === other.record.occurred_on) return apart
  return one.record.occurred_on < other.record.occurred_on ? -1 : 1
}

async function newIds(client: pg.ClientBase, count: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT nextval(pg_get_serial_sequence('archive_records', 'id'))::int AS id FROM generate_series(1, $1)`,
    [count],
  )
  return rows.map(({ id }) => id)
}

function* recordRows(entries: Entry[], ids: number[]): Generator<CopyValue[]> {
  for (const [place, entry] of entries.entries()) yield [present(ids[place]), ...recordValues(entry)]
}

function* cellRows(entries: Entry[], ids: number[]): Generator<CopyValue[]> {
  for (const [place, { record, index }] of entries.entries()) {
    for (const cell of index.cells)
      yield [present(ids[place]), cell, record.occurred_on, index.point?.[1] ?? null, index.point?.[0] ?? null, index.ends_on]
  }
}

function recordValues({ record, extract }: Entry): CopyValue[] {
  const values: CopyValue[] = []
  for (const column of recordColumns) values.push(columnValue(record, column))
  values.push(extract)
  return values
}

function columnValue(record: ArchiveRecord | StoredRecord, column: (typeof recordColumns)[number]): CopyValue {
  if (column === 'corners') return record.corners && JSON.stringify(record.corners)
  // New corners of a stored record affect only the caveat of its extent.
  if (column === 'caveats' && 'judged' in record && record.judged === false) return null
  return record[column] ?? null
}

// ---------------------------------------------------------------- records that are known

async function mergeRecords(client: pg.ClientBase, entries: Entry[]): Promise<Touched> {
  await client.query(PREPARE)
  await copyRows(
    client,
    'incoming',
    [...recordColumns, 'extract', 'cells', 'cell_latitude', 'cell_longitude', 'ends_on'],
    incomingRows(entries),
  )
  const merged = await client.query<{ confirmed: number }>(MERGE)
  const { rows } = await client.query<Touched>(INDEX)
  return { ...present(rows[0]), confirmed: present(merged.rows[0]).confirmed }
}

function* incomingRows(entries: Entry[]): Generator<CopyValue[]> {
  for (const entry of entries) {
    const { cells, point, ends_on } = entry.index
    yield [...recordValues(entry), cells, point?.[1] ?? null, point?.[0] ?? null, ends_on]
  }
}

const of = (table: string, columns: readonly string[]) => columns.map((column) => `${table}.${column}`).join(', ')
/**
 * The content columns of row `r` or `i`. A row imported before plausibility was checked or widths were read has no value for
 * them, and does not differ in them.
 */
const contentOf = (table: string) =>
  of(table, contentColumns)
    .replace(`${table}.caveats`, `coalesce(${table}.caveats, '{}')`)
    .replace('r.tornado_width_yd', 'coalesce(r.tornado_width_yd, i.tornado_width_yd)')
/** Rank of a row's origin: whole files before extracts, then the later compile, then the later product. */
const worth = (table: string) =>
  `(NOT ${table}.extract, coalesce(${table}.compiled_on, '-infinity'), coalesce(${table}.issued_at, '-infinity'))`

/** Creates or empties the session's tables for comparing known records. */
const PREPARE = `
  CREATE TEMP TABLE IF NOT EXISTS incoming AS
  SELECT ${recordColumns.join(', ')}, extract,
         NULL::int[] AS cells, NULL::float8 AS cell_latitude, NULL::float8 AS cell_longitude, NULL::date AS ends_on
    FROM archive_records WITH NO DATA;
  CREATE TEMP TABLE IF NOT EXISTS touched (id int, source_key text, held_on date);
  TRUNCATE incoming, touched`

/** A row whose file was never read completely is attributed to the next file with the same content. */
const MERGE = `
  WITH judged AS MATERIALIZED (
    SELECT i.*, r.id, r.occurred_on AS held_on,
           r.withdrawn_at IS NOT NULL OR (${contentOf('r')}) IS DISTINCT FROM (${contentOf('i')}) AS differs,
           i.file_id IS NOT NULL AND f.id IS NULL AS untraced,
           r.tornado_width_yd IS NULL AND i.tornado_width_yd IS NOT NULL AS widened
      FROM incoming i JOIN archive_records r ON r.source = i.source AND r.source_key = i.source_key
      LEFT JOIN archive_files f ON f.id = r.file_id AND (f.sha256 IS NOT NULL OR f.id = i.file_id)
     WHERE ${worth('r')} <= ${worth('i')}
  ), kept AS (${keepRecords('judged', 'differs')}
  ), kept_cells AS (${keepRecordCells('judged', 'differs')}
  ), updated AS (
    UPDATE archive_records r
       SET (${[...contentColumns, ...originColumns].join(', ')}, extract) = (${of('j', [...contentColumns, ...originColumns])}, j.extract),
           withdrawn_at = NULL, updated_at = now(), revision = ${REVISION}
      FROM judged j WHERE r.id = j.id AND j.differs
    RETURNING r.id, r.source_key, j.held_on
  ), confirmed AS (
    UPDATE archive_records r
       SET (${originColumns.join(', ')}) = (${of('j', originColumns)}), extract = j.extract, caveats = coalesce(j.caveats, r.caveats),
           tornado_width_yd = j.tornado_width_yd
      FROM judged j WHERE r.id = j.id AND NOT j.differs AND (${worth('r')} < ${worth('j')} OR r.caveats IS NULL OR j.untraced OR j.widened)
    RETURNING r.id
  ), redrawn AS (
    INSERT INTO map_changes (cells)
    SELECT array_agg(DISTINCT c.cell) FROM judged j JOIN record_cells c ON c.record_id = j.id WHERE j.widened AND NOT j.differs HAVING count(*) > 0
  ), noted AS (INSERT INTO touched SELECT id, source_key, held_on FROM updated)
  SELECT count(*)::int AS confirmed FROM confirmed`

const INDEX = `
  WITH before AS (
    DELETE FROM record_cells c USING touched t WHERE c.record_id = t.id AND NOT EXISTS (
      SELECT FROM incoming i WHERE i.source_key = t.source_key AND c.cell = ANY (i.cells))
    RETURNING c.cell
  ), after AS (
    INSERT INTO record_cells (record_id, cell, occurred_on, latitude, longitude, ends_on)
    SELECT t.id, cell, i.occurred_on, i.cell_latitude, i.cell_longitude, i.ends_on
      FROM touched t JOIN incoming i USING (source_key) CROSS JOIN unnest(i.cells) AS cell
    ON CONFLICT (record_id, cell) DO UPDATE
       SET occurred_on = EXCLUDED.occurred_on, latitude = EXCLUDED.latitude, longitude = EXCLUDED.longitude, ends_on = EXCLUDED.ends_on
    RETURNING cell
  )
  SELECT 0 AS inserted, count(*)::int AS updated, 0 AS withdrawn,
         min(least(i.occurred_on, t.held_on)) AS "from", max(greatest(i.occurred_on, t.held_on)) AS "to",
         ARRAY(SELECT cell FROM before UNION SELECT cell FROM after) AS cells
    FROM touched t JOIN incoming i USING (source_key)`
