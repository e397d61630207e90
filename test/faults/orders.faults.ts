import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCsv } from '#test/oracle/csv.ts'
import { killOnce, spawnTask } from '#test/support/process-task.ts'
import type { World } from '#test/support/world.ts'
import { type DetailsRow, details, detailsText, importReal, importText, present, skipped } from '../domain/archive/files.ts'
import { aWatchedWorld, everything } from '../domain/exposures/watched-world.ts'

const file = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'storm-events', details(2019))
const rows: DetailsRow[] = present ? readCsv(file) : []
/** Every fourth row: a storm's reports are in all four quarters. */
const quarters = [0, 1, 2, 3].map((quarter) => rows.filter((_, place) => place % 4 === quarter))
/** Watches over the whole country: at every so many of the reports with a point. */
const EVERY = 100
const overTheCountry = rows
  .filter(
    ({ EVENT_TYPE, BEGIN_LAT }) => BEGIN_LAT && ['Hail', 'Tornado', 'Thunderstorm Wind', 'Flash Flood'].includes(EVENT_TYPE as string),
  )
  .filter((_, place) => place % EVERY === 0)
  .map(({ BEGIN_LAT, BEGIN_LON }): [number, number] => [Number(BEGIN_LAT), Number(BEGIN_LON)])

describe.skipIf(!present)(`the whole file of 2019${skipped}`, () => {
  it('gives the same exposures, with one event each, in all 24 orders of its quarters', { timeout: 900_000 }, async () => {
    const seen = new Set<string>()
    const orders = permutations([0, 1, 2, 3])
    let found: { announced: number }[] = []
    for (const order of orders) {
      const world = await aWatchedWorld(overTheCountry)
      for (const quarter of order) {
        await importText(world, detailsText(...(quarters[quarter] as DetailsRow[])))
        await world.drain()
      }
      found = await everything(world)
      expect(found.every(({ announced }) => announced === 1)).toBe(true)
      seen.add(JSON.stringify(found))
      await world.close()
    }
    expect([orders.length, seen.size]).toEqual([24, 1])
    console.log(`${rows.length} rows, ${overTheCountry.length + 6} watched places, ${found.length} exposures`)
    expect(found.length).toBeGreaterThan(overTheCountry.length)
  })

  it('gives the same if it is imported twice, or if its process is killed again and again', { timeout: 600_000 }, async () => {
    const calm = await aWatchedWorld(overTheCountry)
    await importReal(calm, details(2019))
    await calm.drain()
    const expected = await everything(calm)
    await importReal(calm, details(2019))
    await calm.drain()
    expect(await everything(calm)).toEqual(expected)

    const world = await aWatchedWorld(overTheCountry)
    const recordCount = await count(calm, 'archive_records')
    /** Three kills during the import, three during detection. */
    const moments = [
      ...[0.1, 0.5, 0.9].map((part) => async () => (await count(world, 'archive_records')) >= part * recordCount),
      ...[0.1, 0.5, 0.9].map((part) => async () => (await count(world, 'exposures')) >= part * expected.length),
    ]
    for (const come of moments) expect(await killOnce(spawnImport(world), come)).toBe(true)
    await killOnce(spawnImport(world), () => false)
    expect(await count(world, 'archive_records')).toBe(recordCount)
    expect(await everything(world)).toEqual(expected)
    expect(await count(world, 'lasting_jobs')).toBe(0)
  })
})

/** Imports the file and runs everything that follows, including what a killed process left undone. */
function spawnImport(world: World) {
  return spawnTask(world, { now: world.clock.now().toISOString(), file })
}

async function count(world: World, table: 'archive_records' | 'exposures' | 'lasting_jobs'): Promise<number> {
  const { rows } = await world.app.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)
  return (rows[0] as { n: number }).n
}

function permutations(of: number[]): number[][] {
  return of.length === 0 ? [[]] : of.flatMap((first) => permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]))
}
