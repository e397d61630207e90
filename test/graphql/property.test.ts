import { afterAll, beforeAll, expect, test } from 'vitest'
import { addContact } from '#domain/properties/contacts.ts'
import { createProperty } from '#domain/properties/create.ts'
import { requestPropertyReport } from '#domain/reports/for-property.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { statementsOf } from '#test/support/statements.ts'
import type { World } from '#test/support/world.ts'
import { openWorld } from '#test/support/world.ts'
import { type Graph, type GraphAnswer, openGraph } from './graph.ts'

let world: World
let graph: Graph
beforeAll(async () => {
  world = await openWorld()
  graph = await openGraph(world.app)
})
afterAll(() => graph.close())

test('the edges of many properties and reports are read in batches', async () => {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  for (const city of ['Moore', 'Norman', 'Edmond']) {
    const { id } = await createProperty(world.app, caller, { address: `${city}, OK` })
    await addContact(world.app, caller, id, { name: `Ann of ${city}` })
    await addContact(world.app, caller, id, { name: `Bob of ${city}`, primary: true })
    await requestPropertyReport(world.app, caller, id, {}, null)
    world.clock.advance(1000)
  }
  const { token } = await aToken(world, team, ['properties:read', 'reports:read'])
  const document =
    '{ properties { data { address { city } contacts { name } } } reports { data { property { address { city } contacts { name } } } } }'
  const answers: GraphAnswer[] = []
  const counted = await statementsOf(async () => answers.push(await graph.ask(token, document)))
  const [{ data, errors } = { data: null, errors: [] }] = answers
  expect(errors).toBeUndefined()
  const expected = ['Edmond', 'Norman', 'Moore'].map((city) => ({
    address: { city },
    contacts: [{ name: `Bob of ${city}` }, { name: `Ann of ${city}` }],
  }))
  expect(data.properties.data).toEqual(expected)
  expect(data.reports.data.map(({ property }: { property: unknown }) => property)).toEqual(expected)
  expect(counted.filter((text) => text.includes('p.id = ANY ('))).toHaveLength(1)
  expect(counted.filter((text) => text.includes('c.property_id = ANY (')).length).toBeLessThanOrEqual(2)
})

test('a property states the coordinates that were sent with it, not those that were found', async () => {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const sent = { latitude: 35.339, longitude: -97.487 }
  await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160' })
  world.clock.advance(1000)
  await createProperty(world.app, caller, { address: '2 Main St, Moore, OK 73160', ...sent })
  const { token } = await aToken(world, team, ['properties:read'])
  const document = '{ properties { data { sent_coordinates { latitude longitude } address { precision } } } }'
  expect((await graph.ask(token, document)).data.properties.data).toEqual([
    { sent_coordinates: sent, address: { precision: 'point' } },
    { sent_coordinates: null, address: { precision: 'zip' } },
  ])
})

test('a list is narrowed to the properties that are not located', async () => {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  for (const address of ['Moore, OK', '1 Zzyzx Nowhere', '2 Zzyzx Nowhere']) {
    await createProperty(world.app, caller, { address })
    world.clock.advance(1000)
  }
  const { token } = await aToken(world, team, ['properties:read'])
  const document = 'query ($located: Boolean) { properties(located: $located, per_page: 1) { data { name } meta { total } } }'
  const list = async (located: boolean | null) => (await graph.ask(token, document, { located })).data.properties
  expect(await list(false)).toEqual({ data: [{ name: '2 Zzyzx Nowhere' }], meta: { total: 2 } })
  expect(await list(true)).toMatchObject({ data: [{ name: expect.stringContaining('Moore') }], meta: { total: 1 } })
  expect((await list(null)).meta.total).toBe(3)
})

test('a batch and a report for a property take the idempotency key as an argument', async () => {
  const team = await aTeam(world)
  const { token } = await aToken(world, team)
  const batch = () =>
    graph.ask(
      token,
      'mutation { createProperties(properties: [{ address: "Moore, OK" }], idempotency_key: "b1") { created results { property { id } } } }',
    )
  const first = await batch()
  expect(first.data.createProperties.created).toBe(1)
  expect((await batch()).data).toEqual(first.data)
  const id = first.data.createProperties.results[0].property.id
  const report = () =>
    graph.ask(token, 'mutation ($id: UUID!) { createPropertyReport(property: $id, idempotency_key: "r1") { id property_id } }', { id })
  const createdReport = await report()
  expect(createdReport.data.createPropertyReport.property_id).toBe(id)
  expect((await report()).data).toEqual(createdReport.data)
  const reused = await graph.ask(token, 'mutation ($id: UUID!) { createPropertyReport(property: $id, idempotency_key: "b1") { id } }', {
    id,
  })
  expect(reused.errors).toMatchObject([{ extensions: { code: 'idempotency_key_reused', status: 409 } }])
})
