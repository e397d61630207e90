import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleFrames } from '#domain/archive/sample/frames.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { operatorSchema } from '#graphql/schema.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph

beforeAll(async () => {
  world = await openWorld()
  graph = await openGraph(world.app)
})
afterAll(() => graph.close())

const operate = (query: string, variables?: Record<string, unknown>) => graph.ask(OPERATOR_KEY, query, variables)

test('a team can be created, put on a plan, and given limits and credits', async () => {
  const made = await operate(
    'mutation { adminCreateTeam(name: "Roof works", plan: "professional", timezone: "America/Denver", email: "a@example.com") { id name plan timezone email on_trial lapsed balance limit_overrides } }',
  )
  const team = made.data.adminCreateTeam
  expect(team).toMatchObject({
    name: 'Roof works',
    plan: 'professional',
    timezone: 'America/Denver',
    email: 'a@example.com',
    on_trial: false,
    lapsed: false,
    balance: 100,
    limit_overrides: {},
  })

  const planned = await operate('mutation ($team: ID!) { adminSetPlan(team: $team, plan: "business") { plan balance } }', { team: team.id })
  expect(planned.data.adminSetPlan).toEqual({ plan: 'business', balance: 500 })
  const limited = await operate(
    'mutation ($team: ID!) { adminSetLimits(team: $team, properties: 3, territories: 2) { limit_overrides } }',
    { team: team.id },
  )
  expect(limited.data.adminSetLimits.limit_overrides).toEqual({ properties: 3, territories: 2 })
  const cleared = await operate('mutation ($team: ID!) { adminSetLimits(team: $team, territories: null) { limit_overrides } }', {
    team: team.id,
  })
  expect(cleared.data.adminSetLimits.limit_overrides).toEqual({ properties: 3 })

  expect(
    (await operate('mutation ($team: ID!) { adminTopUp(team: $team, amount: 5) { team balance } }', { team: team.id })).data.adminTopUp,
  ).toEqual({ team: team.id, balance: 505 })
  const adjusted = await operate(
    'mutation ($team: ID!) { adminAdjustCredits(team: $team, amount: -2, note: "Charged twice") { balance } }',
    { team: team.id },
  )
  expect(adjusted.data.adminAdjustCredits).toEqual({ balance: 503 })
  const { data } = await operate('{ adminTeams { id balance } }')
  expect(data.adminTeams).toContainEqual({ id: team.id, balance: 503 })
})

test('a trial needs no plan', async () => {
  const { data } = await operate('mutation { adminCreateTeam(name: "Trying", trial: true) { plan on_trial balance } }')
  expect(data.adminCreateTeam).toEqual({ plan: 'professional', on_trial: true, balance: 10 })
})

test('a plan can lapse and be restored', async () => {
  const { id: team } = await aTeam(world)
  const lapse = 'mutation ($team: ID!, $undo: Boolean) { adminLapseTeam(team: $team, undo: $undo) { plan lapsed } }'
  for (const [undo, lapsed] of [
    [false, true],
    [false, true],
    [true, false],
    [true, false],
  ] as const)
    expect((await operate(lapse, { team, undo })).data.adminLapseTeam).toEqual({ plan: 'enterprise', lapsed })
})

test('a token is issued once, listed without its secret, and revoked permanently', async () => {
  const team = (await aTeam(world)).id
  const issue =
    'mutation ($team: ID!, $abilities: [String!], $all: Boolean, $at: String) { adminIssueToken(team: $team, name: "CI", abilities: $abilities, all_abilities: $all, expires_at: $at) { token prefix abilities expires_at } }'
  const issued = (await operate(issue, { team, abilities: ['account:read'], at: '2030-01-01T00:00:00Z' })).data.adminIssueToken
  expect(issued).toMatchObject({ prefix: issued.token.slice(0, 9), abilities: ['account:read'], expires_at: '2030-01-01T00:00:00.000Z' })
  expect((await graph.ask(issued.token, '{ team { name } }')).status).toBe(200)
  expect((await operate(issue, { team, all: true })).data.adminIssueToken.abilities).toHaveLength(13)

  const listed = await operate('query ($team: ID!) { adminTokens(team: $team) { name prefix revoked_at } }', { team })
  expect(listed.data.adminTokens[0]).toEqual({ name: 'CI', prefix: issued.prefix, revoked_at: null })
  const revoke = 'mutation ($prefix: String!) { adminRevokeToken(prefix: $prefix) { prefix revoked_at } }'
  const revoked = await operate(revoke, { prefix: issued.prefix })
  expect(revoked.data.adminRevokeToken).toEqual({ prefix: issued.prefix, revoked_at: expect.any(String) })
  expect((await operate(revoke, { prefix: issued.prefix })).data).toEqual(revoked.data)
  expect((await graph.ask(issued.token, '{ team { name } }')).status).toBe(401)
})

test('of the tokens that were issued under one idempotency key only one is valid', async () => {
  const team = (await aTeam(world)).id
  const issue = (key: string) =>
    operate(
      'mutation ($team: ID!, $key: String) { adminIssueToken(team: $team, name: "CI", all_abilities: true, idempotency_key: $key) { token prefix } }',
      { team, key },
    )
  const key = `token-of-${team}`
  const [lost, reissued] = [(await issue(key)).data.adminIssueToken, (await issue(key)).data.adminIssueToken]
  expect((await graph.ask(lost.token, '{ team { name } }')).status).toBe(401)
  expect((await graph.ask(reissued.token, '{ team { name } }')).status).toBe(200)
  // A client has it.
  expect((await issue(key)).errors?.[0]?.extensions.errors.idempotency_key).toEqual([expect.stringContaining(reissued.prefix)])
  expect(await world.app.db.token.count({ where: { team_id: team, revoked_at: null } })).toBe(1)
  expect(await world.app.db.auditEntry.count({ where: { team_id: team, operation: 'adminIssueToken' } })).toBe(3)
})

test('invalid input from the operator is named', async () => {
  const team = (await aTeam(world)).id
  const wrong: [string, string[]][] = [
    ['mutation { adminCreateTeam(name: "", plan: "professional") { id } }', ['name']],
    ['mutation { adminCreateTeam(name: "A", plan: "gold") { id } }', ['plan']],
    ['mutation { adminCreateTeam(name: "A") { id } }', ['plan']],
    ['mutation { adminCreateTeam(name: "A", plan: "free", timezone: "Mars/Olympus") { id } }', ['timezone']],
    [
      `mutation { adminIssueToken(team: "${team}", name: " ", abilities: ["all"], expires_at: "soon") { token } }`,
      ['name', 'abilities', 'expires_at'],
    ],
    [`mutation { adminIssueToken(team: "${team}", name: "A") { token } }`, ['abilities']],
    [`mutation { adminTopUp(team: "${team}", amount: 0) { balance } }`, ['amount']],
    [`mutation { adminAdjustCredits(team: "${team}", amount: 1, note: " ") { balance } }`, ['note']],
    [`mutation { adminSetLimits(team: "${team}", properties: -1) { id } }`, ['properties']],
    [`mutation { adminAdjustCredits(team: "${team}", amount: 0, note: " ") { balance } }`, ['amount', 'note']],
    ['mutation { archiveSync(source: "mesh", year: 2024) { year } }', ['source']],
    ['mutation { archiveSync(source: "zones", year: 2024, notify: true) { year } }', ['year', 'notify']],
    ['mutation { archiveSyncRadarDay(day: "2024-02-30") { day } }', ['day']],
  ]
  for (const [document, fields] of wrong) {
    const { errors } = await operate(document)
    expect(Object.keys(errors?.[0]?.extensions.errors ?? {}), document).toEqual(fields)
  }
  for (const id of ['00000000-0000-7000-8000-000000000000', 'x']) {
    for (const field of [
      'adminSetPlan(team: $id, plan: "free") { id }',
      'adminTopUp(team: $id, amount: 1) { balance }',
      'adminIssueToken(team: $id, name: "A", all_abilities: true) { token }',
    ]) {
      const { errors } = await operate(`mutation ($id: ID!) { ${field} }`, { id })
      expect(errors, field).toMatchObject([{ extensions: { code: 'not_found', status: 404 } }])
    }
  }
})

test("no token of a team can call an operator's operation, whatever its abilities, and the operator's key can call none of a team's", async () => {
  const { token } = await aToken(world, await aTeam(world))
  for (const root of [operatorSchema.getQueryType(), operatorSchema.getMutationType()]) {
    for (const name of Object.keys(root?.getFields() ?? {})) {
      const { data, errors } = await graph.ask(token, `${root?.name.toLowerCase()} { ${name} { __typename } }`)
      expect(data).toBeUndefined()
      expect(errors?.[0]?.message).toMatch(new RegExp(`^Cannot query field "${name}" on type "${root?.name}"\\.`))
    }
  }
  expect((await operate('{ account { object } }')).errors?.[0]?.message).toBe('Cannot query field "account" on type "Query".')
})

test('if no operator key is set, every key is refused', async () => {
  const closed = await openGraph({ ...world.app, config: { ...world.app.config, operator_key: null } })
  for (const key of [OPERATOR_KEY, 'null', 'wo_']) expect((await closed.ask(key, '{ adminTeams { id } }')).status).toBe(401)
  await closed.close()
})

test('the contents of the archive are reported by source, and a source can be deleted', async () => {
  await seedSample(world.app)
  const status =
    await operate(`{ archiveStatus { sources { source slug label records withdrawn from to states { state records held { from to preliminary compiled_on } } }
    zones recent_imports { id source file_name status rows inserted updated unchanged withdrawn rejected rejections { row reason } failure started_at finished_at } } }`)
  expect(status.errors).toBeUndefined()
  expect(status.data.archiveStatus.sources.map(({ slug }: { slug: string }) => slug)).toEqual(['sample'])
  const forget = 'mutation ($source: String!) { archiveForget(source: $source) { source records others } }'
  expect((await operate(forget, { source: 'sample' })).data.archiveForget).toEqual({
    source: 'sample',
    records: status.data.archiveStatus.sources[0].records,
    others: sampleFrames().length,
  })
  expect((await operate(forget, { source: 'nothing' })).errors).toMatchObject([
    { extensions: { errors: { source: [expect.any(String)] } } },
  ])
})

test('the operator can read the invariants', async () => {
  expect((await operate('{ invariantViolations { invariant team_id subject detail } }')).data).toEqual({ invariantViolations: [] })
})
