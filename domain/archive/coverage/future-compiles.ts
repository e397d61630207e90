import type { App } from '#domain/app.ts'
import { latestPlausible } from '#domain/archive/ingest/reject-impossible.ts'
import { sourceById } from '#domain/archive/sources/index.ts'
import { SAMPLE_SOURCE } from '#domain/weather/sources.ts'

/**
 * Returns a sentence for each year of a source whose stored files have a compile date in the future, with the remedy.
 * Imports refuse such files, but older versions stored them, and no later compile replaces them.
 */
export async function futureCompiles({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<string[]> {
  const last = latestPlausible(clock.now()).toISOString().slice(0, 10)
  const { rows } = await pool.query<{ source: string; year: string; compiled_on: string }>(FUTURE_COMPILES, [last])
  return rows.map(({ source, year, compiled_on }) => {
    const slug = sourceById(source)?.slug ?? source
    return `The ${slug} records of ${year} have the compile date ${compiled_on}, which is in the future, so no later file replaces them. Forget the source and import its files again: weather archive forget ${slug}.`
  })
}

const FUTURE_COMPILES = `
  SELECT source, to_char(month, 'YYYY') AS year, max(compiled_on)::text AS compiled_on FROM coverage
   WHERE compiled_on > $1::date AND source <> '${SAMPLE_SOURCE}' GROUP BY 1, 2 ORDER BY 1, 2`
