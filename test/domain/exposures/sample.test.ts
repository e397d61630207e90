import { expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { aTeam } from '../../support/factories.ts'
import { openWorld } from '../../support/world.ts'
import { events, exposures } from './storm.ts'

it('shows sample exposures at a made-up property and territory once, until the sample is deleted', async () => {
  const world = await openWorld()
  const team = await aTeam(world)
  for (let start = 0; start < 2; start++) {
    await seedSample(world.app)
    await watchSample(world.app, team.id)
    await world.drain()
  }
  const found = await exposures(world)
  expect(found.filter(({ property_id }) => property_id)).toHaveLength(5)
  expect(found.filter(({ territory_id }) => territory_id)).toHaveLength(5)
  expect(found.every(({ sample, headline }) => sample && headline.startsWith('Sample, made up: '))).toBe(true)
  expect(await events(world, 'exposure.detected')).toEqual([])
  const named = await world.app.db.territory.findMany({ select: { name: true } })
  expect(named).toEqual([{ name: 'Sample, made up: Frisco' }])

  await deleteSource(world.app, 'sample')
  await world.drain()
  await watchSample(world.app, team.id)
  expect(await exposures(world)).toEqual([])
  expect(await world.app.db.property.count()).toBe(0)
  expect(await world.app.db.territory.count()).toBe(0)
  expect(await world.app.db.watchCell.count()).toBe(0)
})
