import assert from 'node:assert'
import type pg from 'pg'
import type { Arm, Bed, Reach } from './frame.ts'
import { vacuum } from './vacuum.ts'

export const claim =
  'A year of observations is dropped at once however many they are, and what the stations around a place observed in a year is read at most a quarter slower than from one table'

/** Observations of a year. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const

/** Years that stay next to the dropped one, and the first of them. */
const YEARS = 10
const FIRST = 2010
/** Stations, and the number of them that a report reads. */
const STATIONS = 100
const NEAR = 10

interface Stage {
  pool: pg.Pool
  size: number
}

export async function setup({ size, ...bed }: Bed): Promise<Stage> {
  const { pool } = await bed.database()
  await pool.query(
    `INSERT INTO stations (id, latitude, longitude, cell) SELECT 'K' || n, 32, -97, 0 FROM generate_series(0, ${STATIONS - 1}) AS n`,
  )
  await pool.query('SELECT add_observation_year(year) FROM generate_series($1::int, $2::int) AS year', [FIRST, FIRST + YEARS - 1])
  await pool.query('CREATE TABLE one_table (LIKE observations INCLUDING ALL)')
  for (let year = FIRST; year < FIRST + YEARS; year++) await fill(pool, 'observations', year, size)
  await pool.query('INSERT INTO one_table SELECT * FROM observations')
  for (const table of ['observations', 'one_table']) await vacuum(pool, table)
  return { pool, size }
}

/** The same number for each station, spread over the year. */
async function fill(pool: pg.Pool, table: string, year: number, size: number): Promise<void> {
  await pool.query(
    `INSERT INTO ${table} (station_id, observed_at, wind_gust_mph)
     SELECT 'K' || n % ${STATIONS}, make_timestamptz($1, 1, 1, 0, 0, 0, 'UTC') + interval '364 days' * n / $2, n % 70 FROM generate_series(0, $2::int - 1) AS n`,
    [year, size],
  )
}

/** Returns the milliseconds of the work on a year that was filled for it alone. */
async function timed(work: () => Promise<unknown>): Promise<{ value: number }> {
  const startedAt = performance.now()
  await work()
  return { value: performance.now() - startedAt }
}

/** A year before those that stay. */
const OLD = FIRST - 1

/** Hours of some stations on the days of a year, one by one: for whole months a report uses stored counts. */
const hoursIn = (table: string) => ({
  name: `hours_in_${table}`,
  text: `SELECT count(*)::int AS count FROM ${table}
          WHERE station_id = ANY($1) AND observed_at >= $2::date::timestamp AT TIME ZONE $4 AND observed_at < ($3::date + 1)::timestamp AT TIME ZONE $4`,
  values: [Array.from({ length: NEAR }, (_, n) => `K${n}`), '2015-01-01', '2015-12-31', 'America/Chicago'],
})

async function countHours({ pool }: Stage, table: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(hoursIn(table))
  return rows[0]?.count ?? 0
}

export const arms: Arm<Stage>[] = [
  {
    name: 'partition dropped',
    case: 'a year goes',
    operations: 1,
    async run({ pool, size }) {
      await pool.query('SELECT add_observation_year($1)', [OLD])
      await fill(pool, 'observations', OLD, size)
      return timed(() => pool.query('SELECT drop_observation_years($1)', [FIRST]))
    },
  },
  {
    name: 'rows deleted',
    case: 'a year goes',
    peer: true,
    operations: 1,
    async run({ pool, size }) {
      await fill(pool, 'one_table', OLD, size)
      const value = await timed(() =>
        pool.query("DELETE FROM one_table WHERE observed_at < make_timestamptz($1, 1, 1, 0, 0, 0, 'UTC')", [FIRST]),
      )
      await vacuum(pool, 'one_table')
      return value
    },
  },
  { name: 'partitions', case: 'hours of a year', run: async (stage) => void (await countHours(stage, 'observations')) },
  { name: 'one table', case: 'hours of a year', peer: true, run: async (stage) => void (await countHours(stage, 'one_table')) },
]

export const reach: Reach[] = [
  { case: 'a year goes', arm: 'partition dropped', peer: 'rows deleted', ratio_at_most: { small: 0.25, full: 0.05 } },
  { case: 'hours of a year', arm: 'partitions', peer: 'one table', ratio_at_most: 1.25 },
]

/** Both contain the same, and dropping a year removes nothing else. */
export async function check(stage: Stage): Promise<void> {
  const { pool, size } = stage
  const counted = await countHours(stage, 'observations')
  assert(counted > 0)
  assert.strictEqual(await countHours(stage, 'one_table'), counted)
  await pool.query('SELECT add_observation_year($1)', [OLD])
  await fill(pool, 'observations', OLD, size)
  await pool.query('SELECT drop_observation_years($1)', [FIRST])
  const { rows } = await pool.query<{ held: number }>('SELECT count(*)::int AS held FROM observations')
  assert.deepStrictEqual(rows, [{ held: size * YEARS }])
}
