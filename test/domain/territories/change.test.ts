import { expect, it } from 'vitest'
import { changeTerritory } from '#domain/territories/change.ts'
import { createTerritory } from '#domain/territories/create.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld } from '#test/support/world.ts'

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
