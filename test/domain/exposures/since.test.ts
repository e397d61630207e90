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
