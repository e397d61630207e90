import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findNear, findStatement } from '#domain/archive/search/find-near.ts'
import { readExported } from '#domain/exports/archive/records.ts'
import { statementsOf } from '#test/support/statements.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type DetailsRow, detailsText, importText } from '../files.ts'

/** Reports of a year, spread evenly over 120 counties. */
const reports = (year: number): DetailsRow[] =>
  Array.from({ length: 3000 }, (_, nth) => {
    const [month, day] = [`${year}03`, String(1 + (nth % 28))]
    const when = { YEAR: String(year), BEGIN_YEARMONTH: month, END_YEARMONTH: month, BEGIN_DAY: day, END_DAY: day }
    return {
      ...when,
      EVENT_ID: `${year}${nth}`,
      CZ_FIPS: String(1 + 2 * (nth % 120)),
      BEGIN_LAT: '',
      BEGIN_LON: '',
      END_LAT: '',
      END_LON: '',
    }
  })

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.owner.query('ALTER TABLE archive_records SET (autovacuum_enabled = off)')
  await importText(world, detailsText(...reports(2018)))
  await world.owner.query('ANALYZE archive_records')
  await importText(world, detailsText(...reports(2019)))
})
afterAll(() => world.close())

async function planOf(text: string, values: unknown[]): Promise<string> {
  const { rows } = await world.owner.query<Record<string, string>>(`EXPLAIN ${text}`, values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe('the newest days, for which PostgreSQL has no statistics yet', () => {
  const place = { latitude: 33.1499, longitude: -96.8241 }
  const window = { start: '2019-03-01', end: '2019-03-31', radius_miles: 10 }
  const counties = Array.from({ length: 14 }, (_, nth) => String(48001 + 2 * nth))

  it('are searched by county, not by scanning every record in the window', async () => {
    expect(await findNear(world.app.pool, place, window, counties)).toHaveLength((14 * 3000) / 120)
    const { text, values } = findStatement(place, window, counties)
    expect(await planOf(text, values)).toMatch(/archive_records_county on archive_records .*\n.*county_fips = ANY/)
  })

  it('are exported through the index by day', async () => {
    const [statement] = await statementsOf(() =>
      readExported((text, values) => world.app.pool.query(text, values).then(({ rows }) => rows), 'r.id', [], { size: 10 }),
    )
    const plan = await planOf(statement as string, [10])
    expect(plan).toContain('archive_records_exported')
    expect(plan).not.toContain('Sort')
  })
})
