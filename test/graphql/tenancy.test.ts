import { isNonNullType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestReport } from '#domain/reports/request.ts'
import { teamSchema } from '#graphql/schema.ts'
import { aRule } from '#test/domain/alerts/alerts.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph
/** A token of one team, and records that another team owns. */
let token: string
let foreign: { report: string; property: string; territory: string; integration: string; delivery: string; rule: string }

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 10_000 } })
  graph = await openGraph(world.app)
  token = (await aToken(world, await aTeam(world))).token
  const other = await aTeam(world)
  const property = await world.app.db.property.create({
    data: { team_id: other.id, query: '1 Main St, Dallas, TX', query_key: '1 main st dallas tx' },
  })
  const input = { address: '1 Main St, Dallas, TX 75202', window_start: '2020-01-01', window_end: '2020-12-31', property_id: property.id }
  const { report } = await requestReport(world.app, await aCaller(world, other), input, null)
  const territory = await world.app.db.territory.create({ data: { team_id: other.id, ...square } })
  const integration = await world.app.db.integration.create({
    data: {
      team_id: other.id,
      name: 'Theirs',
      channel: 'chat_a',
      url_encrypted: new Uint8Array(8),
      address_hint: 'https://x/…',
      events: [],
    },
  })
  const delivery = await world.app.db.delivery.create({
    data: {
      team_id: other.id,
      event: 'test',
      integration_id: integration.id,
      kind: 'test',
      channel: 'chat_a',
      subject: 'Theirs',
      address_hint: 'https://x/…',
    },
  })
  const rule = await aRule(world, other)
  foreign = {
    report: report.id,
    property: property.id,
    territory: territory.id,
    integration: integration.id,
    delivery: delivery.id,
    rule: rule.id,
  }
})
afterAll(() => graph.close())

const square = {
  name: 'Theirs',
  kind: 'polygon' as const,
  description: 'Polygon',
  definition: {},
  geometry: '{"type":"Polygon","coordinates":[[[-97,32],[-96,32],[-96,33],[-97,32]]]}',
  area_sq_miles: 1,
  centre_latitude: 32.3,
  centre_longitude: -96.3,
  west: -97,
  south: 32,
  east: -96,
  north: 33,
}

/** A report and a property of the token's team. */
async function ownRecords(): Promise<{ report: string; property: string }> {
  const { data } = await graph.ask(
    token,
    'mutation { createProperty(address: "2 Main St, Dallas, TX 75202") { id } createReport(address: "2 Main St, Dallas, TX 75202", window_start: "2020-01-01", window_end: "2020-12-31") { id } }',
  )
  await world.drain()
  return { report: data.createReport.id, property: data.createProperty.id }
}

const selections: Record<string, string> = {
  report: '{ id }',
  reportEvents: '{ meta { total } }',
  reportVerification: '{ report_id }',
  deleteReport: '',
  createReportPdfLink: '{ __typename }',
  property: '{ id }',
  propertyContacts: '{ meta { total } }',
  updateProperty: '{ id }',
  deleteProperty: '',
  enrichProperty: '{ id }',
  sendProperty: '{ id }',
  createPropertyReport: '{ id }',
  reportDiff: '{ __typename }',
  refreshReport: '{ id }',
  createContact: '{ id }',
  updateContact: '{ id }',
  deleteContact: '',
  territory: '{ id }',
  updateTerritory: '{ id }',
  setTerritoryStatus: '{ id }',
  deleteTerritory: '',
  propertyExposures: '{ meta { total } }',
  territoryExposures: '{ meta { total } }',
  integration: '{ id }',
  integrationSecret: '{ secret }',
  integrationDeliveries: '{ meta { total } }',
  updateIntegration: '{ id }',
  deleteIntegration: '',
  acknowledgeIntegration: '{ id }',
  testIntegration: '{ delivered }',
  rotateIntegrationSecret: '{ secret }',
  delivery: '{ body }',
  updateAlertRule: '{ id }',
  deleteAlertRule: '',
  resendDelivery: '{ id }',
}

/** Names of records whose path uses another noun. */
const called: Record<string, string> = { integration: 'destination', rule: 'alert rule' }

/** The records of arguments with other names. */
const nouns: Record<string, string> = { reportDiff: 'report' }

/** Further arguments that some operations need. */
const extraArguments: Record<string, string> = {
  createContact: ', name: "Ann"',
  updateContact: ', contact: 1',
  deleteContact: ', contact: 1',
  setTerritoryStatus: ', status: paused',
}

/** Every operation that takes the id of a record: a new one is tested here without being listed. */
const byId = [teamSchema.getQueryType(), teamSchema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).flatMap((field) => {
    const id = field.args.find(({ type }) => isNonNullType(type) && type.ofType.toString() === 'UUID')
    return id
      ? [{ kind: root?.name === 'Query' ? 'query' : 'mutation', name: field.name, argument: id.name, noun: nouns[field.name] ?? id.name }]
      : []
  }),
)

test('every operation that takes an id is covered here', () => {
  expect(byId.map(({ name }) => name).sort()).toEqual(Object.keys(selections).sort())
})

test.each(byId)(
  "$name returns the same 404 for another team's id, an unknown and a malformed one",
  async ({ kind, name, argument, noun }) => {
    for (const id of [foreign[noun as keyof typeof foreign], '00000000-0000-7000-8000-000000000000', 'no-id', "' OR true --"]) {
      const { data, errors } = await graph.ask(
        token,
        `${kind} ($id: UUID!) { ${name}(${argument}: $id${extraArguments[name] ?? ''}) ${selections[name]} }`,
        { id },
      )
      expect(data).toEqual({ [name]: null })
      expect(errors).toMatchObject([
        { message: `There is no ${called[noun] ?? noun} with this id.`, extensions: { code: 'not_found', status: 404 } },
      ])
    }
    expect(await world.app.db.report.count({ where: { id: foreign.report, property_id: foreign.property } })).toBe(1)
  },
)

test("another team's property in a body or a filter is refused as not found", async () => {
  const create =
    'mutation ($id: UUID) { createReport(address: "1 Main St, Dallas, TX", window_start: "2020-01-01", window_end: "2020-12-31", property_id: $id) { id } }'
  const filter = 'query ($id: UUID) { reports(property: $id) { meta { total } } }'
  for (const [document, field] of [
    [create, 'property_id'],
    [filter, 'property'],
  ] as const) {
    const { errors } = await graph.ask(token, document, { id: foreign.property })
    expect(Object.keys(errors?.[0]?.extensions.errors)).toEqual([field])
  }
})

test("lists of ids, second ids and optional ids that name another team's records find none of them, and nothing is charged", async () => {
  const own = await ownRecords()
  const balance = async () => (await graph.ask(token, '{ credits { balance } }')).data.credits.balance
  const before = await balance()
  const unknown = '00000000-0000-7000-8000-000000000000'
  const window = 'window_start: "2020-01-01", window_end: "2020-12-31"'
  const rule = 'name: "A", recipients: ["ann@example.com"], kinds: [hail], least_hail_in: 1'
  const alike: Record<string, { operation: string; id: string }> = {
    quote: {
      operation: `query ($id: UUID!) { reportQuote(property_ids: ["${own.property}", $id], ${window}) { cost } }`,
      id: foreign.property,
    },
    order: {
      operation: `mutation ($id: UUID!) { orderReports(property_ids: ["${own.property}", $id], ${window}, cost: 2) { __typename } }`,
      id: foreign.property,
    },
    preview: {
      operation: `query ($id: UUID!) { reportPreview(address: "Dallas, TX", ${window}, property_id: $id) { cost } }`,
      id: foreign.property,
    },
    diff: { operation: `query ($id: UUID!) { reportDiff(a: "${own.report}", b: $id) { __typename } }`, id: foreign.report },
    ruleOfProperty: { operation: `mutation ($id: UUID!) { createAlertRule(${rule}, property: $id) { id } }`, id: foreign.property },
    ruleOfTerritory: { operation: `mutation ($id: UUID!) { createAlertRule(${rule}, territory: $id) { id } }`, id: foreign.territory },
    tags: { operation: `mutation ($id: UUID!) { tagProperties(ids: [$id], add: ["x"]) { outcome tags } }`, id: foreign.property },
  }
  for (const [name, { operation, id }] of Object.entries(alike)) {
    const theirs = await graph.ask(token, operation, { id })
    const none = await graph.ask(token, operation, { id: unknown })
    const shown = ({ data, errors }: Awaited<ReturnType<Graph['ask']>>) => [
      data,
      errors?.map(({ message, extensions }) => [message, { ...extensions, request_id: null }]),
    ]
    expect(shown(theirs), name).toEqual(shown(none))
  }
  expect(await balance()).toBe(before)
  expect((await world.app.db.property.findUniqueOrThrow({ where: { id: foreign.property } })).tags).toEqual([])
})

test("a batch row with another team's property is rejected alone", async () => {
  const rows = [{ address: '1 Main St, Dallas, TX', property_id: foreign.property }, { address: '1 Main St, Dallas, TX' }]
  const { data } = await graph.ask(
    token,
    'mutation ($rows: [ReportRowInput!]!) { createReports(reports: $rows, window_start: "2020-01-01", window_end: "2020-12-31") { submitted accepted rejected results { status message report { id } } } }',
    { rows },
  )
  expect(data.createReports).toMatchObject({
    submitted: 2,
    accepted: 1,
    rejected: 1,
    results: [{ status: 'rejected', report: null }, { status: 'accepted' }],
  })
})

test("a team's lists contain nothing of another team's", async () => {
  const { data } = await graph.ask(token, '{ reports { data { id } } creditTransactions { data { report_id } } }')
  expect(JSON.stringify(data)).not.toContain(foreign.report)
})
