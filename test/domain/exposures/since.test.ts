import { expect, it } from 'vitest'
import { followSince } from '#test/support/since.ts'
import { openWorld } from '#test/support/world.ts'

it('misses nothing that eight writers commit late, to whoever sends the largest moment seen', { timeout: 60_000 }, async () => {
  const world = await openWorld({ config: { database_pool: 14 } })
  const { seen, held, polls, written } = await followSince(world, 5_000)
  expect(seen).toEqual(held)
  expect(written).toBeGreaterThan(8)
  expect(polls).toBeGreaterThan(5)
})

it('would miss some, were the moment taken without the lock of the team', { timeout: 60_000 }, async () => {
  const world = await openWorld({ config: { database_pool: 14 } })
  const { seen, held } = await followSince(world, 3_000, async (tx) => {
    const [now] = await tx.$queryRaw<[{ moment: string }]>`
      SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment`
    return now.moment
  })
  expect(seen).not.toEqual(held)
})
