import { expect, it } from 'vitest'
import type { Ability } from '#domain/access/abilities.ts'
import { aKeptProperty, aKeptTerritory, anExposure } from '#test/support/exposures.ts'
import { aToken } from '#test/support/factories.ts'
import { teamGraph } from './team-graph.ts'

const here = teamGraph()

const post = (payload: string) =>
  here.graph.fastify.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
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
  const property = await aKeptProperty(here.world, here.team)
  const id = await anExposure(here.world, here.team, { property_id: property.id })
  const { data, errors } =
    await here.ask(`{ exposure(exposure: ${id}) { id timezone property { id name exposures(first: 1) { id subject { object } } } territory { id } }
       propertyExposures(property: "${property.id}", open: true) { data { id } meta { total } } }`)
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
  const closed = await here.ask(`mutation { acknowledgeExposure(exposure: ${id}, dismiss: true) { dismissed_at acknowledged_at } }`)
  expect(closed.data.acknowledgeExposure).toMatchObject({ dismissed_at: expect.any(String), acknowledged_at: null })
})

it('creates one territory for an idempotency key', async () => {
  const draw = `mutation { createTerritory(name: "A", kind: radius, latitude: 35, longitude: -97, radius_miles: 2, idempotency_key: "k") { id } }`
  const [first, second] = [await here.ask(draw), await here.ask(draw)]
  expect(second.data).toEqual(first.data)
  expect(await here.world.app.db.territory.count({ where: { team_id: here.team.id } })).toBe(1)
})

it('shows the contacts and exposures of a place only to a token that may read the place', async () => {
  const { query } = await aKeptProperty(here.world, here.team)
  const { id } = await aKeptTerritory(here.world, here.team)
  const ofProperty = (edge: string) => `createProperties(properties: [{address: "${query}"}]) { results { property { ${edge} { id } } } }`
  const edges: [Ability, Ability, string][] = [
    ['properties:write', 'properties:read', ofProperty('exposures')],
    ['properties:write', 'properties:read', ofProperty('contacts')],
    ['territories:write', 'territories:read', `updateTerritory(territory: "${id}", notes: "Ours") { exposures { id } }`],
  ]
  for (const [held, required_ability, field] of edges) {
    const { token } = await aToken(here.world, here.team, [held])
    const { errors } = await here.graph.ask(token, `mutation { ${field} }`)
    expect([field, errors?.[0]?.extensions]).toMatchObject([field, { code: 'missing_ability', required_ability }])
  }
})
