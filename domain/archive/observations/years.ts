import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { tryToLockSource } from '#domain/archive/ingest/source-lock.ts'
import type { Rejection, StationValue } from '#domain/archive/sources/source.ts'
import { beginRevision, endRevision } from '#domain/archive/versions/revision.ts'
import { inTransaction } from '#domain/engines/database.ts'

/** The source whose stored days come from observations. */
const SOURCE = 'asos'

/** What determines which years are kept. */
type Keeping = Pick<App, 'clock'> & { config: Pick<App['config'], 'observations_years'> }

/** No station reported hourly before this year. */
const FIRST_YEAR = 1900

/** Returns the first calendar year (UTC) whose observations are kept. */
function firstYearKept({ config, clock }: Keeping): number {
  return config.observations_years === 0 ? FIRST_YEAR : clock.now().getUTCFullYear() - config.observations_years
}

/** Returns the observations of the years that are kept, and rejections for the others. */
export function ofKeptYears(app: Keeping, values: StationValue[]): { kept: StationValue[]; rejections: Rejection[] } {
  const first = firstYearKept(app)
  const isKept = ({ observed_at }: StationValue) => observed_at.getUTCFullYear() >= first
  const rejections = values
    .filter((value) => !isKept(value))
    .map(({ station_id, observed_at }) => ({
      row: `${station_id} ${observed_at.toISOString()}`,
      reason: `observations are kept since ${first}${first === FIRST_YEAR ? '' : ' (OBSERVATIONS_YEARS)'}`,
      source_key: null,
    }))
  return rejections.length === 0 ? { kept: values, rejections } : { kept: values.filter(isKept), rejections }
}

/** Creates missing partitions for the years of these times, in the transaction that stores their observations. */
export async function addYears(client: Pick<pg.ClientBase, 'query'>, moments: Date[]): Promise<void> {
  const years = [...new Set(moments.map((moment) => moment.getUTCFullYear()))]
  await client.query('SELECT add_observation_year(year) FROM unnest($1::int[]) AS year', [years])
}

/**
 * Drops years of observations older than `OBSERVATIONS_YEARS` allows, with the earlier versions of their values and their
 * stored days. Returns the dropped years. If the source is being read, they are dropped at the next run. The drop is a
 * revision, so that concurrent readers of days and observations notice it.
 */
export async function dropOldObservations(app: Keeping & Pick<App, 'pool' | 'log'>): Promise<number[]> {
  if (app.config.observations_years === 0) return []
  const first = firstYearKept(app)
  const due = await app.pool.query('SELECT FROM observation_years WHERE year < $1 LIMIT 1', [first])
  if (due.rowCount === 0) return []
  const dropped = await inTransaction(app.pool, async (client) => {
    if (!(await tryToLockSource(client, SOURCE))) return []
    await beginRevision(client)
    const { rows } = await client.query<{ year: number }>('SELECT drop_observation_years($1) AS year', [first])
    await client.query('DELETE FROM coverage_days WHERE source = $1 AND day < make_date($2, 1, 1)', [SOURCE, first])
    await client.query(`DELETE FROM observation_corrections WHERE observed_at < make_timestamptz($1, 1, 1, 0, 0, 0, 'UTC')`, [first])
    await endRevision(client, app, { source: SOURCE })
    return rows.map(({ year }) => year)
  })
  if (dropped.length > 0) app.log.info({ years: dropped }, 'dropped old observations')
  return dropped
}
