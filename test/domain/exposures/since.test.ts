import { expect, it } from 'vitest'
import { followSince } from '#test/support/follow-since.ts'
import { openWorld } from '#test/support/world.ts'

it('a client that sends the latest moment it saw misses nothing that eight writers commit late', { timeout: 60_000 }, async () => {
  const world = await openWorld({ config: { database_pool: 14 } })
  const { seen, stored, polls, written } = await followSince(world, 5_000)
  expect(seen).toEqual(stored)
  expect(written).toBeGreaterThan(8)
  expect(polls).toBeGreaterThan(5)
})

it("a client would miss rows if the moment were taken without the team's lock", { timeout: 60_000 }, async () => {
  const world = await openWorld({ config: { database_pool: 14 } })
  const { seen, stored } = await followSince(world, 3_000, async (tx) => {
    const [now] = await tx.$queryRaw<[{ moment: string }]>`
      SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment`
    return now.moment
  })
  expect(seen).not.toEqual(stored)
})
