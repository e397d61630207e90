import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { listExposures } from '#domain/exposures/find.ts'
import { changeProperty } from '#domain/properties/change.ts'
import { createProperty } from '#domain/properties/create.ts'
import { enrichProperty } from '#domain/properties/enrich.ts'
import { locateProperty } from '#domain/properties/locate.ts'
import { changeTerritory } from '#domain/territories/change.ts'
import { aKeptTerritory, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aGeocoder } from '../properties/property-posts.ts'

const geocoder = aGeocoder({})
let world: World
let caller: Caller
beforeAll(async () => {
  world = await openWorld({ replace: { geocode: geocoder } })
})
beforeEach(async () => {
  caller = await aCaller(world, await aTeam(world))
  await world.app.db.$executeRaw`DELETE FROM geocode_answers`
})

const save = (address: string, more: object = {}) => createProperty(world.app, caller, { address, ...more })
const onProperty = (id: string, date?: string) => anExposure(world, caller.team, { property_id: id, ...(date && { date }) })

/** Makes a change between two readings of a client; returns the places of the exposures that the second one finds. */
async function seenAfter(change: () => Promise<unknown>) {
  const before = (await listExposures(world.app, caller, {})).data.map(({ last_seen_at }) => last_seen_at)
  await change()
  const { data } = await listExposures(world.app, caller, { since: before.sort().at(-1) })
  expect(new Set(data.map(({ last_seen_at }) => last_seen_at)).size).toBe(Math.min(data.length, 1))
  return data.map(({ subject: { name, precision } }) => [name, precision])
}

it('an exposure moves with the label of its property, and with nothing that it does not show', async () => {
  geocoder.known = { A1: { street: '1 A St' }, A2: { street: '2 A St' } }
  const [{ id }, other] = [await save('A1 St', { label: 'HQ' }), await save('A2 St')]
  for (const date of ['2026-05-19', '2026-05-20']) await onProperty(id, date)
  await onProperty(other.id)
  const patch = (changes: object) => seenAfter(() => changeProperty(world.app, caller, id, changes))
  expect(await patch({ label: 'HQ 2' })).toEqual([
    ['HQ 2', 'point'],
    ['HQ 2', 'point'],
  ])
  expect(await patch({ label: 'HQ 2' })).toEqual([])
  expect(await patch({ notes: 'Ring twice', watch_radius_miles: 2, tags: ['a'] })).toEqual([])
  expect((await patch({ label: null }))[0]).toEqual(['1 A St', 'point'])
  geocoder.known = { A3: { street: '3 A St', precision: 'zip' } }
  expect((await patch({ address: 'A3 St' }))[0]).toEqual(['3 A St', 'zip'])
})

it('an exposure moves when its property is located more exactly, or at another street', async () => {
  geocoder.known = { B1: { street: '1 B St', precision: 'zip' } }
  const { id } = await save('B1 St')
  await onProperty(id)
  const relocate = async (match: object) => {
    await world.app.db.$executeRaw`DELETE FROM geocode_answers`
    geocoder.known = { B1: { street: '1 B St', precision: 'zip', ...match } }
    return seenAfter(() => enrichProperty(world.app, caller, id))
  }
  expect(await relocate({ latitude: 35.4 })).toEqual([])
  expect(await relocate({ precision: 'point' })).toEqual([['1 B St', 'point']])
  expect(await relocate({ precision: 'point', street: '1 B Ave' })).toEqual([['1 B Ave', 'point']])
})

it('an exposure moves when a job locates the address that its property was given', async () => {
  geocoder.known = { C1: { street: '1 C St' } }
  const { id } = await save('C1 St')
  await onProperty(id)
  expect(await seenAfter(() => changeProperty(world.app, caller, id, { address: 'C2 Zzyzx Nowhere' }))).toEqual([
    ['C2 Zzyzx Nowhere', null],
  ])
  geocoder.known = { C2: { street: '2 C St' } }
  expect(await seenAfter(() => locateProperty(world.app, id))).toEqual([['2 C St', 'point']])
})

it('an exposure moves when a job finds that its property has the address of an older one', async () => {
  geocoder.known = { D1: { street: '1 D St' }, D2: { street: '2 D St' } }
  await save('D1 St')
  world.clock.advance(1000)
  const { id } = await save('D2 St')
  await onProperty(id)
  await changeProperty(world.app, caller, id, { address: 'D3 Zzyzx Nowhere' })
  geocoder.known = { D3: { street: '1 D St' } }
  expect(await seenAfter(() => locateProperty(world.app, id))).toEqual([['1 D St', 'point']])
})

it('an exposure moves with the name of its territory', async () => {
  const territory = await aKeptTerritory(world, caller.team)
  await anExposure(world, caller.team, { territory_id: territory.id })
  const patch = (changes: object) => seenAfter(() => changeTerritory(world.app, caller, territory.id, changes))
  expect(await patch({ name: 'South' })).toEqual([['South', null]])
  expect(await patch({ notes: 'Flat' })).toEqual([])
})

it("the moment of a new name is taken under the team's lock", async () => {
  geocoder.known = { E1: { street: '1 E St' } }
  const { id } = await save('E1 St')
  await onProperty(id)
  const writer = await world.app.pool.connect()
  await writer.query('BEGIN')
  await writer.query("UPDATE teams SET exposure_clock = exposure_clock + interval '1 hour' WHERE id = $1", [caller.team.id])
  const change = changeProperty(world.app, caller, id, { label: 'HQ' })
  await waitUntil(async () => (await lockWaits(world.owner)) === 1)
  await writer.query('COMMIT')
  writer.release()
  await change
  const [team] = await world.app.db.$queryRaw<[{ latest: boolean }]>`
    SELECT exposure_clock = (SELECT max(last_seen_at) FROM exposures WHERE team_id = t.id) AS latest FROM teams t WHERE id = ${caller.team.id}::uuid`
  expect(team.latest).toBe(true)
})
