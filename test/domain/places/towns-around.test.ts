import { afterAll, beforeAll, expect, it } from 'vitest'
import { townsAround } from '#domain/places/towns-around.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('lists the towns in a circle, nearest first, and none outside it', async () => {
  const towns = (miles: number) => townsAround(world.app, { latitude: 35.4676, longitude: -97.5164 }, miles)
  const near = await towns(8)
  expect(near.map(({ name }) => name).slice(0, 1)).toEqual(['Oklahoma City'])
  expect(near.map(({ name }) => name)).toEqual(expect.arrayContaining(['Del City', 'Midwest City', 'Nichols Hills']))
  expect(near.map(({ name }) => name)).not.toContain('Moore')
  expect((await towns(12)).map(({ name }) => name)).toContain('Moore')
})

it('finds none in the middle of the ocean', async () => {
  expect(await townsAround(world.app, { latitude: 30, longitude: -50 }, 100)).toEqual([])
})
