import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  graph = await openGraph(world.app)
  token = (await aToken(world, await aTeam(world))).token
})
afterAll(() => graph.close())

const CREATE = `mutation ($address: String!, $window_start: Date!, $window_end: Date!, $radius_miles: Float, $recipient: String) {
  createReport(address: $address, window_start: $window_start, window_end: $window_end, radius_miles: $radius_miles, recipient: $recipient) { id }
}`
const reported = {
  address: ['The address must be text.'],
  window_start: ['The window start is required.'],
  window_end: ['The window end must not be in the future.'],
  radius_miles: ['The radius must be 1 to 100 miles.'],
  recipient: ['The recipient must have at most 160 characters.'],
}

describe('faults of arguments', () => {
  it('in variables are reported at once: types, values and missing arguments', async () => {
    const variables = { address: 5, window_end: '2999-01-01', radius_miles: 500, recipient: 'y'.repeat(161) }
    const { status, data, errors } = await graph.ask(token, CREATE, variables)
    expect([status, data, errors?.length]).toEqual([200, undefined, 1])
    expect(errors?.[0]).toMatchObject({
      message: 'The address must be text. (and 4 more errors)',
      extensions: { code: 'validation_failed', status: 422, errors: reported },
    })
  })

  it('in literals are reported at once', async () => {
    const { errors } = await graph.ask(
      token,
      `mutation { createReport(address: 5, window_end: "2999-01-01", radius_miles: 500, recipient: "${'y'.repeat(161)}") { id } }`,
    )
    expect(errors).toMatchObject([{ extensions: { code: 'validation_failed', errors: reported } }])
  })

  it('come from the domain if the types are right', async () => {
    const { errors } = await graph.ask(token, CREATE, {
      address: 'x',
      window_start: '2024-02-30',
      window_end: '2024-01-01',
      radius_miles: 0,
    })
    expect(errors).toMatchObject([
      {
        path: ['createReport'],
        extensions: {
          errors: {
            address: ['The address must have 3 to 255 characters.'],
            window_start: ['The window start must be a date, written YYYY-MM-DD.'],
            radius_miles: ['The radius must be 1 to 100 miles.'],
          },
        },
      },
    ])
  })

  it('in a shape that is no object are reported in the words of REST', async () => {
    const sentence = 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'
    const variable = 'mutation ($g: GeoJson) { createTerritory(name: "", kind: polygon, geometry: $g) { id } }'
    for (const g of ['x', 5, true, []]) {
      const { errors } = await graph.ask(token, variable, { g })
      expect(errors).toMatchObject([
        { extensions: { code: 'validation_failed', errors: { name: expect.anything(), geometry: [sentence] } } },
      ])
    }
    const literal = await graph.ask(token, '{ territoryQuote(name: "A", kind: polygon, geometry: "x") { area_sq_miles } }')
    expect(literal.errors).toMatchObject([{ message: sentence, extensions: { errors: { geometry: [sentence] } } }])
  })

  it('in a closed set are reported with the others', async () => {
    const { errors } = await graph.ask(
      token,
      'mutation ($channel: Channel!) { createIntegration(name: "", channel: $channel, url: "https://example.com/", events: []) { secret } }',
      { channel: 'email' },
    )
    expect(errors?.[0]?.extensions.errors).toEqual({
      name: ['The name is required.'],
      channel: ['The channel must be one of webhook, chat_a, chat_b.'],
      events: ['Choose at least one event.'],
    })
  })

  it('in filters are reported with the page', async () => {
    const { errors } = await graph.ask(token, '{ reports(status: done, address: " ", page: 0) { meta { total } } }')
    expect(errors?.[0]?.extensions.errors).toEqual({
      status: ['The status must be one of pending, complete, failed.'],
      address: ['The address must have 1 to 100 characters.'],
      page: ['The page must be 1 or more.'],
    })
  })

  it('in two root fields are one error each; other errors of the document are reported first', async () => {
    const two = await graph.ask(token, '{ a: reports(status: done) { meta { total } } b: properties(status: sold) { meta { total } } }')
    expect(two.errors?.map(({ extensions }) => Object.keys(extensions.errors))).toEqual([['status'], ['status']])
    const wrong = await graph.ask(token, '{ reports(status: done) { meta { totals } } }')
    expect(wrong.errors?.map(({ message }) => message).join()).toContain('Cannot query field "totals"')
  })

  it('suggest the nearest name for an unknown key in a row that charges', async () => {
    const { data } = await graph.ask(
      token,
      'mutation ($rows: [ReportRowInput]!) { createReports(reports: $rows) { accepted credits_spent results { status message } } }',
      { rows: [{ address: '1 Main St, Moore, OK 73160', window_start: '2024-01-01', window_end: '2024-01-31', radius: 3 }] },
    )
    expect(data.createReports).toEqual({
      accepted: 0,
      credits_spent: 0,
      results: [{ status: 'rejected', message: 'There is no field called radius: did you mean radius_miles?' }],
    })
  })
})
