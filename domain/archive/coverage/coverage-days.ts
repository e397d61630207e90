import type pg from 'pg'
import { REVISION } from '#domain/archive/versions/revision.ts'
import type { StateDay } from '#domain/geo/state-days.ts'

/** Marks local days of states as stored, at least in part. */
export async function markDays(client: Pick<pg.ClientBase, 'query'>, source: string, days: StateDay[]): Promise<void> {
  if (days.length === 0) return
  await client.query(
    `INSERT INTO coverage_days (source, state, day)
     SELECT DISTINCT $1, state, day FROM unnest($2::text[], $3::date[]) AS read (state, day) ORDER BY 2, 3
     ON CONFLICT (source, state, day) DO NOTHING`,
    [source, ...columnsOf(days)],
  )
}

/**
 * Marks local days of states as days whose largest radar estimate is kept for ever.
 * @param moments the number of moments added to each day; 0 for a grid of the largest of 24 hours
 */
export async function markRadarDays(
  client: Pick<pg.ClientBase, 'query'>,
  source: string,
  days: StateDay[],
  moments: number,
): Promise<void> {
  if (days.length === 0) return
  await client.query(
    `INSERT INTO coverage_days AS held (source, state, day, moments, largest_since)
     SELECT DISTINCT $1, state, day, $4::int, ${REVISION} FROM unnest($2::text[], $3::date[]) AS read (state, day) ORDER BY 2, 3
     ON CONFLICT (source, state, day) DO UPDATE
       SET moments = held.moments + excluded.moments, largest_since = coalesce(held.largest_since, excluded.largest_since)`,
    [source, ...columnsOf(days), moments],
  )
}

/** Subtracts one moment from local days of states. Deletes a day that has no moment left and whose largest estimate is not kept. */
export async function unmarkMoment(client: Pick<pg.ClientBase, 'query'>, source: string, days: StateDay[]): Promise<void> {
  const values = [source, ...columnsOf(days)]
  const these = 'source = $1 AND (state, day) IN (SELECT * FROM unnest($2::text[], $3::date[]))'
  await client.query(`UPDATE coverage_days SET moments = moments - 1 WHERE ${these}`, values)
  await client.query(`DELETE FROM coverage_days WHERE ${these} AND moments <= 0 AND largest_since IS NULL`, values)
}

function columnsOf(days: StateDay[]): [states: string[], days: string[]] {
  return [days.map(({ state }) => state), days.map(({ day }) => day)]
}
