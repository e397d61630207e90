import { expect, it } from 'vitest'
import { followSince } from '#test/support/follow-since.ts'
import { openWorld } from '#test/support/world.ts'

it('misses nothing in a minute of late commits', { timeout: 180_000 }, async () => {
  const world = await openWorld({ config: { database_pool: 14 } })
  const { seen, stored, doubled, polls, written } = await followSince(world, 60_000)
  console.log(`${written} transactions, ${stored.length} exposures, ${polls} polls`)
  expect(seen).toEqual(stored)
  expect(doubled).toBe(0)
})
