import type pg from 'pg'
import { indexEntry } from '#domain/archive/cells.ts'
import { type CopyValue, copyRows } from '#domain/archive/copy.ts'
import { contentColumns, originColumns } from '#domain/archive/held.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'

/** What a change of the archive touched. */
export interface Touched {
  inserted: number
  updated: number
  withdrawn: number
  cells: number[]
  /** First and last local date of the records touched; null where none was. */
  from: string | null
  to: string | null
}

/** Makes the session's table that holdRecords copies into. */
export async function prepareHolding(client: pg.ClientBase): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE incoming AS SELECT ${recordColumns.join(', ')}, extract FROM archive_records WITH NO DATA;
    ALTER TABLE incoming ADD cells int[], ADD cell_latitude float8, ADD cell_longitude float8, ADD ends_on date;
    CREATE TEMP TABLE touched (id int, source_key text, was_held boolean)`)
}

/**
 * Holds records by (source, source_key) and keeps their search cells right. A record of a later compile wins, one of an
 * earlier compile changes nothing, and a row of an extract never replaces one of a whole file. One key, one record.
 */
export async function holdRecords(client: pg.ClientBase, records: ArchiveRecord[], extract: boolean): Promise<Touched> {
  await client.query('TRUNCATE incoming, touched')
  await copyRows(
    client,
    'incoming',
    [...recordColumns, 'extract', 'cells', 'cell_latitude', 'cell_longitude', 'ends_on'],
    records.map((record) => incomingRow(record, extract)),
  )
  await client.query(MERGE)
  const { rows } = await client.query<Touched>(INDEX)
  return rows[0] as Touched
}

const recordColumns = ['source', 'source_key', ...contentColumns, ...originColumns] as const

function incomingRow(record: ArchiveRecord, extract: boolean): CopyValue[] {
  const { cells, point, ends_on } = indexEntry(record)
  const values = recordColumns.map((column) => (column === 'corners' ? record.corners && JSON.stringify(record.corners) : record[column]))
  return [...values, extract, cells, point?.[1] ?? null, point?.[0] ?? null, ends_on]
}

const of = (table: string, columns: readonly string[]) => columns.map((column) => `${table}.${column}`).join(', ')
/** How good a row's origin is: whole files before extracts, then the later compile. */
const worth = (table: string) => `(NOT ${table}.extract, coalesce(${table}.compiled_on, '-infinity'))`

const MERGE = `
  WITH judged AS MATERIALIZED (
    SELECT i.*, r.id AS held_id,
           r.id IS NOT NULL AND ${worth('r')} > ${worth('i')} AS stale,
           r.withdrawn_at IS NOT NULL OR (${of('r', contentColumns)}) IS DISTINCT FROM (${of('i', contentColumns)}) AS differs
      FROM incoming i LEFT JOIN archive_records r ON r.source = i.source AND r.source_key = i.source_key
  ), inserted AS (
    -- In the order of their cells, so that what is searched together lies together.
    INSERT INTO archive_records (${recordColumns.join(', ')}, extract)
    SELECT ${of('j', recordColumns)}, j.extract FROM judged j WHERE held_id IS NULL ORDER BY j.cells[1], j.occurred_on
    RETURNING id, source_key
  ), updated AS (
    UPDATE archive_records r
       SET (${[...contentColumns, ...originColumns].join(', ')}, extract) = (${of('j', [...contentColumns, ...originColumns])}, j.extract),
           withdrawn_at = NULL, updated_at = now()
      FROM judged j WHERE r.id = j.held_id AND NOT j.stale AND j.differs
    RETURNING r.id, r.source_key
  ), confirmed AS (
    UPDATE archive_records r SET compiled_on = j.compiled_on, file_name = j.file_name, extract = j.extract
      FROM judged j WHERE r.id = j.held_id AND NOT j.stale AND NOT j.differs AND ${worth('r')} < ${worth('j')}
  )
  INSERT INTO touched SELECT id, source_key, false FROM inserted UNION ALL SELECT id, source_key, true FROM updated`

const INDEX = `
  WITH before AS (
    DELETE FROM record_cells c USING touched t WHERE c.record_id = t.id AND t.was_held AND NOT EXISTS (
      SELECT FROM incoming i WHERE i.source_key = t.source_key AND c.cell = ANY (i.cells))
    RETURNING c.cell, c.occurred_on
  ), after AS (
    INSERT INTO record_cells (record_id, cell, occurred_on, latitude, longitude, ends_on)
    SELECT t.id, cell, i.occurred_on, i.cell_latitude, i.cell_longitude, i.ends_on
      FROM touched t JOIN incoming i USING (source_key) CROSS JOIN unnest(i.cells) AS cell ORDER BY cell, i.occurred_on
    ON CONFLICT (record_id, cell) DO UPDATE
       SET occurred_on = EXCLUDED.occurred_on, latitude = EXCLUDED.latitude, longitude = EXCLUDED.longitude, ends_on = EXCLUDED.ends_on
    RETURNING cell
  )
  SELECT count(*) FILTER (WHERE NOT t.was_held)::int AS inserted, count(*) FILTER (WHERE t.was_held)::int AS updated, 0 AS withdrawn,
         min(i.occurred_on) AS "from", max(i.occurred_on) AS "to",
         ARRAY(SELECT cell FROM before UNION SELECT cell FROM after) AS cells
    FROM touched t JOIN incoming i USING (source_key)`
