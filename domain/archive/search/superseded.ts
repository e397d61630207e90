import type pg from 'pg'
import type { Touched } from '#domain/archive/ingest/upsert.ts'
import { daySources, FINAL_SOURCE, SAMPLE_SOURCE, type SourceId, unrealSources } from '#domain/weather/sources.ts'

/** SQL: the first day after the months with a final record in the state of a record `r`. */
const AFTER_FINAL = `coalesce(
  (SELECT max(h.month) + interval '1 month' FROM coverage h WHERE h.source = '${FINAL_SOURCE}' AND h.state = r.state), '-infinity')`

const listOf = (sources: readonly SourceId[]) => sources.map((source) => `'${source}'`).join(', ')

/** SQL: whether a real source holds the month of a record `r` in its state. */
const HAS_REAL_MONTH = `(
  EXISTS (
    SELECT FROM coverage h WHERE h.source NOT IN (${listOf([...unrealSources, ...daySources])}) AND h.state = r.state AND h.month = date_trunc('month', r.occurred_on))
  OR EXISTS (
    SELECT FROM coverage_days d WHERE d.source IN (${listOf(daySources.filter((source) => !unrealSources.includes(source)))}) AND d.state = r.state
       AND d.day >= date_trunc('month', r.occurred_on) AND d.day < date_trunc('month', r.occurred_on) + interval '1 month'))`

/**
 * SQL: whether a record `r` is used. A preliminary one is used until the final record of its state covers its month, because with both
 * the same event would appear twice; a made-up one is used until a real source holds its month.
 */
export const IN_USE = `(CASE WHEN r.preliminary THEN r.occurred_on >= ${AFTER_FINAL} WHEN r.source = '${SAMPLE_SOURCE}' THEN NOT ${HAS_REAL_MONTH} ELSE true END)`

/**
 * Returns the cells and dates of records that a source's new months affect: final records end the use of preliminary ones
 * in those months, and any real source ends the use of the made-up sample. Call it before the months are marked. It writes
 * nothing: the records stay, but are no longer used.
 * @param months YYYY-MM
 */
export async function supersededBy(
  client: Pick<pg.ClientBase, 'query'>,
  source: string,
  states: string[],
  months: string[],
): Promise<Touched> {
  const { rows } = await client.query<Pick<Touched, 'cells' | 'from' | 'to'>>(SUPERSEDED, [
    source,
    states,
    [...months].sort().at(-1) ?? null,
  ])
  return { inserted: 0, updated: 0, withdrawn: 0, cells: [], from: null, to: null, ...rows[0] }
}

const TOUCHED_COLUMNS = `coalesce(array_agg(DISTINCT c.cell), '{}') AS cells, min(r.occurred_on) AS "from", max(r.occurred_on) AS "to"`

const SUPERSEDED = `
  SELECT ${TOUCHED_COLUMNS}
    FROM archive_records r JOIN record_cells c ON c.record_id = r.id
   WHERE (r.preliminary OR r.source = '${SAMPLE_SOURCE}') AND r.withdrawn_at IS NULL AND $1 <> '${SAMPLE_SOURCE}'
     AND r.state = ANY ($2) AND r.occurred_on < ($3 || '-01')::date + interval '1 month'
     AND (NOT r.preliminary OR $1 = '${FINAL_SOURCE}') AND ${IN_USE}`

/** Returns the cells and dates of a source's records, and of other records that may come into use when it is removed. */
export async function touchedByRemoval(client: Pick<pg.ClientBase, 'query'>, source: string): Promise<Touched> {
  const { rows } = await client.query<Pick<Touched, 'cells' | 'from' | 'to'>>(LEAVING, [source])
  return { inserted: 0, updated: 0, withdrawn: 0, cells: [], from: null, to: null, ...rows[0] }
}

const LEAVING = `
  SELECT ${TOUCHED_COLUMNS}
    FROM archive_records r JOIN record_cells c ON c.record_id = r.id
   WHERE r.withdrawn_at IS NULL AND (r.source = $1 OR r.preliminary OR r.source = '${SAMPLE_SOURCE}')`
