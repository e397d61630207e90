import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
})
afterAll(() => rest.close())

test('a roofing firm imports its customers, works on one of them, and removes another', async () => {
  const team = await aTeam(world, { plan: 'professional', limit_overrides: { properties: 2 } })
  const { token } = await aToken(world, team)
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
    const answer = await rest.call(method, path, { token, body })
    return { status: answer.status, ...(answer.body ?? {}) }
  }

  // Its list has a house twice, a row without an address, and one house more than the plan allows.
  const rows = [
    { address: '500 SW 4th St, Moore, OK 73160', label: 'The Joneses', tags: ['2019 roof'], reference: 'C-17' },
    { address: '500 Southwest 4th Street, Moore OK 73160' },
    { address: '' },
    { address: '100 E Main St, Norman, OK 73069' },
    { address: '1 W Main St, Oklahoma City, OK 73102' },
  ]
  const brought = await call('POST', '/properties/batch', { properties: rows })
  expect([brought.status, brought.results.map(({ status }: { status: string }) => status)]).toEqual([
    207,
    ['created', 'duplicate', 'rejected', 'created', 'skipped'],
  ])
  expect(brought).toMatchObject({ plan_limit_reached: true, required_plan: 'business' })
  const { id, links } = brought.results[0].property

  // A customer calls: the house is found by what they say, and they become its contact.
  const found = await call('GET', '/properties?search=joneses')
  expect(found.data).toMatchObject([{ id, name: 'The Joneses', last_activity_on: null }])
  await call('POST', `/properties/${id}/contacts`, { name: 'Pat Jones', phone: '+1 405 555 0100' })
  await call('POST', `/properties/${id}/contacts`, { name: 'Sam Hill', role: 'adjuster' })

  // A report about the house is stored with it.
  const report = await call('POST', `/properties/${id}/reports`, { window_start: '2019-01-01' })
  expect([report.status, report.data.property_id, report.data.window.radius_miles]).toEqual([202, id, 1])
  await world.drain()
  const filed = await call('GET', links.reports.slice(links.reports.indexOf('/reports')))
  expect(filed.data).toMatchObject([{ id: report.data.id, status: 'complete' }])

  // One press sends it to the CRM, with its contacts.
  const pressed = await rest.fastify.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: { query: 'mutation ($id: UUID!) { sendProperty(property: $id) { name contacts { name primary } } }', variables: { id } },
  })
  expect(pressed.json().data.sendProperty).toEqual({
    name: 'The Joneses',
    contacts: [
      { name: 'Pat Jones', primary: true },
      { name: 'Sam Hill', primary: false },
    ],
  })

  // The other house is archived, which makes room for the one that was left out.
  await call('PATCH', `/properties/${brought.results[3].property.id}`, { status: 'archived' })
  expect((await call('POST', '/properties', { address: rows[4]?.address })).status).toBe(201)
  expect((await call('GET', '/team')).data.limits.properties).toEqual({ held: 2, limit: 2 })

  // The Joneses move away: the property is deleted, and its report stays.
  expect((await call('DELETE', `/properties/${id}`)).status).toBe(204)
  expect((await call('GET', `/reports/${report.data.id}`)).data.property_id).toBeNull()
  const emitted = await world.app.db.event.findMany({
    where: { team_id: team.id, name: { startsWith: 'property.' } },
    orderBy: { created_at: 'asc' },
  })
  expect(emitted.map(({ name, content }) => `${name} ${(content as { reason: string }).reason}`)).toEqual([
    'property.created change',
    'property.created change',
    'property.updated change',
    'property.updated change',
    'property.updated sent',
    'property.archived archived',
    'property.created change',
    'property.archived removed',
  ])
})
