import type pg from 'pg'
import { sourceOf } from '#domain/archive/sources/index.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { type RecordSource, SAMPLE_SOURCE } from '#domain/weather/sources.ts'

/** What radar estimated at most on a local day in the cells of a block, packed. */
export interface DayBlock {
  block: number
  source: RecordSource
  data: Buffer
}

/**
 * What is kept of a local day; made-up radar only of days of which nothing real is.
 * @param day YYYY-MM-DD
 * @param blocks of the grid; null for all
 */
export async function blocksOfDay(pool: Pick<pg.ClientBase, 'query'>, day: string, blocks: number[] | null): Promise<DayBlock[]> {
  const { rows } = await pool.query<DayBlock>({
    name: 'blocks_of_day',
    text: `SELECT block, source, data FROM radar_days
            WHERE day = $1 AND ($2::int[] IS NULL OR block = ANY($2))
              AND (source <> '${SAMPLE_SOURCE}' OR NOT EXISTS (SELECT FROM radar_days WHERE day = $1 AND source <> '${SAMPLE_SOURCE}'))
            ORDER BY source, block`,
    values: [day, blocks],
  })
  return rows
}

/** Folders of the agency that have the grids of a local day, which lies in two days of UTC west of Greenwich. */
export function citationsOf(day: string, source: RecordSource): string[] {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const urls = [0, DAY_MS].map((later) =>
    sourceOf({ source }).cite({ source_key: '', occurred_on: day, begins_at: new Date(noon + later) }),
  )
  return [...new Set(urls)]
}
