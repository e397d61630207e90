import { expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { aTeam } from '../../support/factories.ts'
import { openWorld } from '../../support/world.ts'
import { aProperty, aTerritory, box, events, exposures, storm } from './storm.ts'

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

it('leaves no trace of its day in the last activity of places that a team saved itself', async () => {
  const world = await openWorld()
  const team = await aTeam(world)
  const { latitude, longitude } = sampleStorm
  const [property, other] = [await aProperty(world, team, { latitude, longitude }), await aProperty(world, team, { latitude, longitude })]
  await aTerritory(world, team, box(latitude - 0.1, longitude - 0.1, latitude + 0.1, longitude + 0.1))
  const lastActivity = async () => {
    const { rows } = await world.app.pool.query<{ day: string | null }>(
      `
      SELECT last_activity_on::text AS day FROM properties WHERE id = ANY ($1::uuid[]) UNION ALL SELECT last_activity_on::text FROM territories`,
      [[property.id, other.id]],
    )
    return rows.map(({ day }) => day)
  }
  await seedSample(world.app)
  await watchSample(world.app, team.id)
  await world.drain()
  const days = (await exposures(world))
    .filter(({ property_id }) => property_id === property.id)
    .map(({ date }) => date.toISOString().slice(0, 10))
  expect((await lastActivity()).slice(0, 2)).toEqual([days.sort().at(-1), days.at(-1)])
  await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.75', BEGIN_LAT: String(latitude), BEGIN_LON: String(longitude) }])
  await deleteSource(world.app, 'sample')
  await world.drain()
  expect(await exposures(world)).toHaveLength(3)
  expect(await lastActivity()).toEqual(['2019-03-24', '2019-03-24', '2019-03-24'])
})
