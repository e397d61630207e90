import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { anExposure } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
})
afterAll(() => rest.close())

test('an adjuster draws the area that she covers, follows its storms, and hands it over', async () => {
  const team = await aTeam(world, { plan: 'professional' })
  const { token } = await aToken(world, team)
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
    const answer = await rest.call(method, path, { token, body })
    return { status: answer.status, ...(answer.body ?? {}) }
  }

  // First she tries the whole north of the state, which is too large for her plan.
  const wide = { name: 'North', kind: 'radius', address: 'Oklahoma City, OK', radius_miles: 50 }
  expect((await call('POST', '/territories/quote', wide)).data).toMatchObject({
    allowed: false,
    notice: expect.stringContaining('5000 sq mi'),
  })
  expect((await call('POST', '/territories', wide)).required_plan).toBe('business')

  // Three towns will do, and she can leave out one of them.
  const ids = await Promise.all(
    ['Moore, OK', 'Norman, OK', 'Edmond, OK'].map(
      async (search) => (await call('GET', `/places?search=${encodeURIComponent(search)}`)).data[0].id,
    ),
  )
  const towns = await call('POST', '/territories', { name: 'Towns', kind: 'places', place_ids: ids, radius_miles: 4, colour: 'rust' })
  expect(towns.data).toMatchObject({ description: 'Moore, Norman and 1 more, 4 mi each', color: '#A94F2D', last_activity_on: null })
  const { id } = towns.data
  expect((await call('PATCH', `/territories/${id}`, { place_ids: ids.slice(0, 2) })).data.description).toBe('Moore and Norman, 4 mi each')

  // Two storm days come; she acknowledges one, dismisses the other, and her program reads what changed since.
  const [may, april] = [
    await anExposure(world, team, { territory_id: id, date: '2026-05-20', largest_measured_in: 2 }),
    await anExposure(world, team, { territory_id: id, date: '2026-04-02', largest_measured_in: 0.75 }),
  ]
  const inbox = await call('GET', `/territories/${id}/exposures?open=true`)
  expect(inbox.data.map((exposure: { id: number }) => exposure.id)).toEqual([may, april])
  const cursor = inbox.data
    .map((exposure: { last_seen_at: string }) => exposure.last_seen_at)
    .sort()
    .at(-1)
  await call('POST', `/exposures/${may}/acknowledge`)
  await call('POST', `/exposures/${april}/acknowledge`, { dismiss: true })
  await call('POST', `/exposures/${april}/reopen`)
  expect((await call('GET', `/exposures?since=${cursor}`)).meta.total).toBe(2)
  expect((await call('GET', '/exposures?open=true')).data).toMatchObject([{ id: april, subject: { id, name: 'Towns' } }])

  // For the winter she pauses it; in spring another adjuster covers the area.
  expect((await call('POST', `/territories/${id}/status`, { status: 'paused' })).data.status).toBe('paused')
  expect((await call('DELETE', `/territories/${id}`)).status).toBe(204)
  expect((await call('GET', '/exposures')).meta.total).toBe(0)
  expect((await call('GET', `/exposures/${may}`)).status).toBe(404)
})
