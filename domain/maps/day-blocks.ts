import type pg from 'pg'
import { sourceOf } from '#domain/archive/sources/index.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { type RecordSource, SAMPLE_SOURCE } from '#domain/weather/sources.ts'

/** The largest radar estimates of a local day in the cells of a block, packed. */
export interface DayBlock {
  block: number
  source: RecordSource
  data: Buffer
}

/**
 * Returns the stored blocks of a local day; made-up radar only for days without real radar.
 * @param day YYYY-MM-DD
 * @param blocks blocks of the grid; null for all
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

/** Returns the agency's folders with the grids of a local day, which spans two UTC days west of Greenwich. */
export function citationsOf(day: string, source: RecordSource): string[] {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const urls = [0, DAY_MS].map((later) =>
    sourceOf({ source }).cite({ source_key: '', occurred_on: day, begins_at: new Date(noon + later) }),
  )
  return [...new Set(urls)]
}
