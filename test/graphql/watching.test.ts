import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph
let team: Team
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  graph = await openGraph(world.app)
})
afterAll(() => graph.close())
beforeEach(async () => {
  team = await aTeam(world)
  token = (await aToken(world, team)).token
})

const post = (payload: string) =>
  graph.fastify.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload,
  })

const ring = '[[-97.000,35.10],[-96.9000000000000000001,35.1],[-96.9,35.2],[-9.7E1,35.2],[-97.000,35.10]]'
const answered = `"geometry":{"type":"Polygon","coordinates":[${ring}]}`

it('keeps the digits of a shape in a variable', async () => {
  const query = 'mutation ($g: GeoJson) { createTerritory(name: "A", kind: polygon, geometry: $g) { id geometry } }'
  const made = await post(`{"query":${JSON.stringify(query)},"variables":{"g":{"type":"Polygon","coordinates":[${ring}]}}}`)
  expect(made.payload).toContain(answered)
  const read = await post(JSON.stringify({ query: '{ territories { data { geometry } } }' }))
  expect(read.payload).toContain(answered)
})

it('keeps the digits of a shape in the document, whole or with its coordinates as a variable', async () => {
  const literal = `mutation { createTerritory(name: "A", kind: polygon, geometry: {type: Polygon, coordinates: [${ring}]}) { geometry } }`
  expect((await post(JSON.stringify({ query: literal }))).payload).toContain(answered)
  const feature = `{ territoryQuote(name: "A", kind: polygon, geometry: {type: Feature, geometry: {type: Polygon, coordinates: [${ring}]}}) { geometry } }`
  expect((await post(JSON.stringify({ query: feature }))).payload).toContain(answered)
})

it('leads from an exposure to its place and back', async () => {
  const property = await aKeptProperty(world, team)
  const id = await anExposure(world, team, { property_id: property.id })
  const { data, errors } = await graph.ask(
    token,
    `{ exposure(exposure: ${id}) { id timezone property { id name exposures(first: 1) { id subject { object } } } territory { id } }
       propertyExposures(property: "${property.id}", open: true) { data { id } meta { total } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data).toEqual({
    exposure: {
      id,
      timezone: 'America/Chicago',
      property: { id: property.id, name: 'HQ', exposures: [{ id, subject: { object: 'property' } }] },
      territory: null,
    },
    propertyExposures: { data: [{ id }], meta: { total: 1 } },
  })
  const closed = await graph.ask(token, `mutation { acknowledgeExposure(exposure: ${id}, dismiss: true) { dismissed_at acknowledged_at } }`)
  expect(closed.data.acknowledgeExposure).toMatchObject({ dismissed_at: expect.any(String), acknowledged_at: null })
})

it('creates one territory for an idempotency key', async () => {
  const draw = `mutation { createTerritory(name: "A", kind: radius, latitude: 35, longitude: -97, radius_miles: 2, idempotency_key: "k") { id } }`
  const [first, second] = [await graph.ask(token, draw), await graph.ask(token, draw)]
  expect(second.data).toEqual(first.data)
  expect(await world.app.db.territory.count({ where: { team_id: team.id } })).toBe(1)
})
