import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { sourceById } from '#domain/archive/sources/index.ts'
import { wholeRead } from '#domain/archive/whole-read.ts'
import { SAMPLE_SOURCE } from '#domain/weather/sources.ts'

/** Records of a year that were read before plausibility was judged: they have no caveats because nobody looked for any. */
export interface UncheckedYear {
  source: string
  /** The spelling of command lines and paths. */
  slug: string
  /** Of the source's own files. */
  year: number
  records: number
}

/** The years of each source whose files must be read again, oldest first. Radar estimates and the made-up sample are never doubted. */
export async function uncheckedYears({ pool }: Pick<App, 'pool'>): Promise<UncheckedYear[]> {
  const years = await readYears(pool)
  return years.map((row) => ({ ...row, slug: sourceById(row.source)?.slug ?? row.source }))
}

/** Whether any record of a source's year was read before plausibility was judged. */
export async function isUnchecked({ pool }: { pool: Pick<pg.ClientBase, 'query'> }, source: string, year: number): Promise<boolean> {
  const { rowCount } = await pool.query(UNCHECKED_OF_YEAR, [source, String(year)])
  return rowCount === 1
}

/** In the words of the index of such records. */
const UNCHECKED = `caveats IS NULL AND withdrawn_at IS NULL AND evidence_kind <> 'radar' AND source <> '${SAMPLE_SOURCE}'`
/** The keys of every source begin with it. */
const YEAR = 'left(source_key, 4)'
/** For whoever asks it or explains it. */
export const UNCHECKED_OF_YEAR = `SELECT FROM archive_records WHERE ${UNCHECKED} AND source = $1 AND ${YEAR} = $2 LIMIT 1`
const readYears = wholeRead<Omit<UncheckedYear, 'slug'>>(`
  SELECT source, ${YEAR}::int AS year, count(*)::int AS records FROM archive_records
   WHERE ${UNCHECKED} GROUP BY 1, 2 ORDER BY 1, 2`)
