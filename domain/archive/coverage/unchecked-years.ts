import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { sharedLongQuery } from '#domain/archive/shared-long-query.ts'
import { sourceById } from '#domain/archive/sources/index.ts'
import { SAMPLE_SOURCE } from '#domain/weather/sources.ts'

/** Records of a year that were imported before plausibility checks existed. They have no caveats because they were never checked. */
export interface UncheckedYear {
  source: string
  /** The spelling used in command lines and paths. */
  slug: string
  /** The year of the source's own files. */
  year: number
  records: number
}

/**
 * Returns the years of each source whose files must be imported again, oldest first. Radar estimates and the made-up sample
 * are never suspect.
 */
export async function uncheckedYears({ pool }: Pick<App, 'pool'>): Promise<UncheckedYear[]> {
  const years = await readYears(pool)
  return years.map((row) => ({ ...row, slug: sourceById(row.source)?.slug ?? row.source }))
}

/** Whether any record of a source's year was imported before plausibility checks existed. */
export async function isUnchecked({ pool }: { pool: Pick<pg.ClientBase, 'query'> }, source: string, year: number): Promise<boolean> {
  const { rowCount } = await pool.query(UNCHECKED_OF_YEAR, [source, String(year)])
  return rowCount === 1
}

/** Uses the same condition as the partial index of such records. */
const UNCHECKED = `caveats IS NULL AND withdrawn_at IS NULL AND evidence_kind <> 'radar' AND source <> '${SAMPLE_SOURCE}'`
/** The keys of every source begin with the year. */
const YEAR = 'left(source_key, 4)'
/** Exported so that other modules can run it or explain its plan. */
export const UNCHECKED_OF_YEAR = `SELECT FROM archive_records WHERE ${UNCHECKED} AND source = $1 AND ${YEAR} = $2 LIMIT 1`
const readYears = sharedLongQuery<Omit<UncheckedYear, 'slug'>>(`
  SELECT source, ${YEAR}::int AS year, count(*)::int AS records FROM archive_records
   WHERE ${UNCHECKED} GROUP BY 1, 2 ORDER BY 1, 2`)
