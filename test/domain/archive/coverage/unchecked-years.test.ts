import { beforeAll, expect, it } from 'vitest'
import { isUnchecked, UNCHECKED_OF_YEAR, uncheckedYears } from '#domain/archive/coverage/unchecked-years.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await seedSample(world.app)
  await world.owner.query(
    "UPDATE archive_records SET source = 'spc_reports', caveats = NULL WHERE evidence_kind <> 'radar' AND type = 'hail'",
  )
  await world.owner.query("UPDATE archive_records SET caveats = '{}' WHERE type <> 'hail'")
})

it('are listed by source and year if no record was checked for caveats', async () => {
  const [year] = await uncheckedYears(world.app)
  expect(year).toMatchObject({ source: 'spc_reports', records: expect.any(Number) })
  const { pool } = world.app
  expect(await isUnchecked({ pool }, 'spc_reports', year?.year ?? 0)).toBe(true)
  expect(await isUnchecked({ pool }, 'spc_reports', 1990)).toBe(false)
  expect(await isUnchecked({ pool }, 'noaa_storm_events', year?.year ?? 0)).toBe(false)
})

it('are looked up through their own index, whatever the collation of the database', async () => {
  const client = await world.owner.connect()
  try {
    await client.query('SET enable_seqscan = off')
    const { rows } = await client.query({ text: `EXPLAIN ${UNCHECKED_OF_YEAR}`, values: ['spc_reports', '2025'] })
    expect(JSON.stringify(rows)).toContain('archive_records_unchecked')
  } finally {
    client.release(true)
  }
})
