import { expect, it } from 'vitest'
import { changeTerritory } from '#domain/territories/change.ts'
import { createTerritory } from '#domain/territories/create.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld } from '#test/support/world.ts'
import { aGeocoder } from '../properties/property-posts.ts'

it('concurrent changes of the centre and the radius are both kept', async () => {
  const world = await openWorld()
  const caller = await aCaller(world, await aTeam(world))
  const circle = { name: 'North', kind: 'radius', latitude: 33.1, longitude: -96.8, radius_miles: 5 }
  const { territory } = await createTerritory(world.app, caller, circle, null)
  const writer = await world.app.pool.connect()
  await writer.query('BEGIN')
  await writer.query('SELECT FROM territories WHERE id = $1 FOR UPDATE', [territory.id])
  const centre = changeTerritory(world.app, caller, territory.id, { latitude: 33.5, longitude: -97.1 })
  await waitUntil(async () => (await lockWaits(world.owner)) === 1)
  const radius = changeTerritory(world.app, caller, territory.id, { radius_miles: 3 })
  await waitUntil(async () => (await lockWaits(world.owner)) === 2)
  await writer.query('COMMIT')
  writer.release()
  await centre
  expect(await radius).toMatchObject({ definition: [{ latitude: 33.5, longitude: -97.1, radius_miles: 3 }] })
})

it('an address is not taken for the centre of its ZIP code because the geocoder is late, and such a centre is named', async () => {
  const geocoder = aGeocoder({ 10: { street: '10 M St' } })
  const world = await openWorld({ replace: { geocode: geocoder } })
  const caller = await aCaller(world, await aTeam(world))
  const circle = (address: string) => ({ name: address, kind: 'radius', address, radius_miles: 2 })
  const create = async (address: string) => (await createTerritory(world.app, caller, circle(address), null)).territory
  const known = '10 M St, Moore, OK 73160'
  geocoder.needs_ms = 4_000
  await expect(create(known)).rejects.toMatchObject({ details: { errors: { address: [expect.stringContaining('in time')] } } })
  expect(await create('Moore, OK')).toMatchObject({ description: '2 mi around Moore, OK' })
  geocoder.needs_ms = 0
  expect(await create(known)).toMatchObject({ description: `2 mi around ${known}`, centre: { latitude: 35.3395 } })
  geocoder.down = true
  const { id, description, definition } = await create('20 M St, Moore, OK 73160')
  expect(description).toBe('2 mi around the centre of ZIP 73160 (20 M St, Moore, OK 73160)')
  expect(Object.keys(definition[0] ?? {})).toEqual(['address', 'latitude', 'longitude', 'radius_miles'])
  const wider = await changeTerritory(world.app, caller, id, { radius_miles: 3 })
  expect(wider.description).toBe('3 mi around the centre of ZIP 73160 (20 M St, Moore, OK 73160)')
  geocoder.down = false
  geocoder.known = { 20: { street: '20 M St', latitude: 35.34 } }
  const found = await changeTerritory(world.app, caller, id, { address: '20 M St, Moore, OK 73160' })
  expect(found).toMatchObject({ description: '3 mi around 20 M St, Moore, OK 73160', centre: { latitude: 35.34 } })
})
