import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestReport } from '#domain/reports/request.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph

beforeAll(async () => {
  world = await openWorld()
  graph = await openGraph(world.app)
})
afterAll(() => graph.close())

const CREATE = `mutation ($address: String!, $key: String) {
  createReport(address: $address, window_start: "2020-01-01", window_end: "2020-12-31", idempotency_key: $key) { id status address { query } } }`

test('an idempotency key does the work once, and refuses a different request', async () => {
  const team = await aTeam(world)
  const { token } = await aToken(world, team)
  const address = '1 Main St, Dallas, TX 75202'
  const first = await graph.ask(token, CREATE, { address, key: 'k-1' })
  const again = await graph.ask(token, CREATE, { address, key: 'k-1' })
  expect(first.data.createReport).toMatchObject({ status: 'pending', address: { query: address } })
  expect(again.data).toEqual(first.data)
  expect(await world.app.db.report.count({ where: { team_id: team.id } })).toBe(1)

  const other = await graph.ask(token, CREATE, { address: '2 Main St, Dallas, TX 75202', key: 'k-1' })
  expect(other.errors).toMatchObject([{ extensions: { code: 'idempotency_key_reused', status: 409 } }])
  const bad = await graph.ask(token, CREATE, { address, key: 'with space' })
  expect(bad.errors).toMatchObject([{ extensions: { code: 'validation_failed', errors: { idempotency_key: [expect.any(String)] } } }])
})

test('two mutations of one document have separate results', async () => {
  const team = await aTeam(world, { credits: 1 })
  const { token } = await aToken(world, team)
  const { data, errors } = await graph.ask(
    token,
    `mutation {
    a: createReport(address: "1 Main St, Dallas, TX", window_start: "2020-01-01", window_end: "2020-12-31") { id }
    b: createReport(address: "2 Main St, Dallas, TX", window_start: "2020-01-01", window_end: "2020-12-31") { id } }`,
  )
  expect(data).toMatchObject({ a: { id: expect.any(String) }, b: null })
  expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'plan_limit', limit: 'credits' } }])
})

test('a layout is an object or a list, in a literal as in a variable', async () => {
  const { token } = await aToken(world, await aTeam(world))
  const create = (layout: string, variables = '') =>
    `mutation ${variables} { createReport(address: "1 Main St, Dallas, TX", window_start: "2020-01-01", window_end: "2020-12-31", layout: ${layout}) { layout { sections map { base } } } }`
  const list = await graph.ask(token, create('["findings", "map"]'))
  expect(list.data.createReport.layout.sections).toEqual(['findings', 'map'])
  const object = await graph.ask(token, create('$layout', '($layout: LayoutInput)'), { layout: { sections: ['summary'], map: null } })
  expect(object.data.createReport.layout).toEqual({ sections: ['summary'], map: null })
})

test('pages are clamped, and their links contain the filters sent', async () => {
  const team = await aTeam(world)
  const { token } = await aToken(world, team)
  const caller = await aCaller(world, team)
  for (const n of [1, 2, 3])
    await requestReport(
      world.app,
      caller,
      { address: `${n} Main St, Dallas, TX`, window_start: '2020-01-01', window_end: '2020-12-31' },
      null,
    )
  const ask = async (args: string) =>
    (
      await graph.ask(
        token,
        `{ reports${args} { data { id } links { first last prev next } meta { current_page from last_page path per_page to total } } }`,
      )
    ).data.reports

  const listing = `${world.app.config.base_url}/api/v1/reports`
  const second = await ask('(page: 2, per_page: 1, status: pending, address: "Main St")')
  const link = (page: number) => `${listing}?status=pending&address=Main+St&per_page=1&page=${page}`
  expect(second.links).toEqual({ first: link(1), last: link(3), prev: link(1), next: link(3) })
  expect(second.meta).toEqual({ current_page: 2, from: 2, last_page: 3, path: listing, per_page: 1, to: 2, total: 3 })

  expect((await ask('')).meta.per_page).toBe(25)
  expect((await ask('(per_page: 0)')).meta.per_page).toBe(1)
  expect((await ask('(per_page: 1000)')).meta.per_page).toBe(100)
  const past = await ask('(page: 9)')
  expect(past).toMatchObject({
    data: [],
    links: { next: null, prev: `${listing}?page=8` },
    meta: { from: null, to: null, last_page: 1, total: 3 },
  })
  expect((await graph.ask(token, '{ reports(page: 0) { data { id } } }')).errors).toMatchObject([
    { extensions: { errors: { page: [expect.any(String)] } } },
  ])
})

test('the edges of the graph stay within the team and need their own abilities', async () => {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const property = await world.app.db.property.create({
    data: { team_id: team.id, query: '1 Main St', query_key: '1 main st', label: 'HQ' },
  })
  const ids: string[] = []
  for (const n of [1, 2, 3]) {
    const input = { address: `${n} Main St, Dallas, TX`, window_start: '2020-01-01', window_end: '2020-12-31', property_id: property.id }
    ids.unshift((await requestReport(world.app, caller, input, null)).report.id)
    world.clock.advance(1000)
  }
  const document =
    '{ reports(per_page: 2) { data { id property { object name reports(first: 2) { id property { id } } } records { data { id } meta { path total } } } } }'
  const { token } = await aToken(world, team)
  const { data, errors } = await graph.ask(token, document)
  expect(errors).toBeUndefined()
  expect(data.reports.data).toHaveLength(2)
  expect(data.reports.data[0]).toMatchObject({
    id: ids[0],
    property: { object: 'property', name: 'HQ', reports: [{ id: ids[0], property: { id: property.id } }, { id: ids[1] }] },
    records: { data: [], meta: { total: 0, path: `${world.app.config.base_url}/api/v1/reports/${ids[0]}/events` } },
  })

  const { token: reader } = await aToken(world, team, ['reports:read'])
  const refused = await graph.ask(reader, '{ reports(per_page: 1) { data { id property { name } } } }')
  expect(refused.data.reports.data).toEqual([{ id: ids[0], property: null }])
  expect(refused.errors).toMatchObject([{ extensions: { code: 'missing_ability', required_ability: 'properties:read' } }])
})
