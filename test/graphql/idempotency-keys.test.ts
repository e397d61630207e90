import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ALERT_RULES_MAX } from '#domain/alerts/rules.ts'
import { INSTALL } from '#domain/audit/audit-log.ts'
import type { Property, Team } from '#generated/prisma/client.ts'
import { aKeptProperty } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { type Graph, type GraphAnswer, openGraph } from './graph.ts'

let world: World
let graph: Graph
let team: Team
let token: string
let property: Property
beforeAll(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  graph = await openGraph(world.app)
})
afterAll(() => graph.close())
beforeEach(async () => {
  team = await aTeam(world)
  token = (await aToken(world, team)).token
  property = await aKeptProperty(world, team, { latitude: 33.15, longitude: -96.82, label: 'Depot' })
})

const db = () => world.app.db
const ofTeam = () => ({ where: { team_id: team.id } })
const codes = ({ errors }: GraphAnswer) => errors?.map(({ extensions }) => extensions.code)
const audited = (operation: string) => db().auditEntry.count({ where: { team_id: team.id, operation } })

/** Each mutation with a key and a letter for its content, and the number of times it was done. */
const ofTheTeam: Record<string, { ask: (key: string, letter: string) => string; made: () => Promise<number> }> = {
  createContact: {
    ask: (key, letter) => `createContact(property: "${property.id}", name: "${letter}", idempotency_key: "${key}") { id name }`,
    made: () => db().contact.count(ofTeam()),
  },
  createAlertRule: {
    ask: (key, letter) =>
      `createAlertRule(name: "${letter}", recipients: ["stranger@example.com"], idempotency_key: "${key}") { id name recipients { email } }`,
    made: () => db().alertRule.count(ofTeam()),
  },
  createIntegration: {
    ask: (key, letter) =>
      `createIntegration(name: "${letter}", channel: webhook, url: "http://127.0.0.1:9/", events: ["exposure.detected"], idempotency_key: "${key}") { secret data { id name } }`,
    made: () => db().integration.count(ofTeam()),
  },
}
const ofTheOperator: typeof ofTheTeam = {
  adminTopUp: {
    ask: (key, letter) => `adminTopUp(team: "${team.id}", amount: ${letter === 'A' ? 5 : 6}, idempotency_key: "${key}") { team balance }`,
    made: () => db().creditTransaction.count({ where: { team_id: team.id, kind: 'top_up' } }),
  },
  adminAdjustCredits: {
    ask: (key, letter) =>
      `adminAdjustCredits(team: "${team.id}", amount: -5, note: "${letter}", idempotency_key: "${key}") { team balance }`,
    made: () => db().creditTransaction.count({ where: { team_id: team.id, kind: 'adjustment' } }),
  },
  adminCreateTeam: {
    ask: (key, letter) => `adminCreateTeam(name: "${letter} of ${team.id}", plan: "free", idempotency_key: "${key}") { id name balance }`,
    made: () => db().team.count({ where: { name: { endsWith: team.id } } }),
  },
}

describe.each([
  ...Object.entries(ofTheTeam).map(([name, one]) => [name, { ...one, send: (query: string) => graph.ask(token, query) }] as const),
  ...Object.entries(ofTheOperator).map(
    ([name, one]) => [name, { ...one, send: (query: string) => graph.ask(OPERATOR_KEY, query) }] as const,
  ),
])('%s under a key', (name, { ask, made, send }) => {
  let key: string
  beforeEach(() => {
    key = `${name}-${team.id}`
  })
  const sent = (letter = 'A') => send(`mutation { ${ask(key, letter)} }`)

  it('is done once, and a repeat returns the same', async () => {
    const first = await sent()
    expect(first.errors).toBeUndefined()
    const second = await sent()
    expect([second.errors, second.data]).toEqual([undefined, first.data])
    expect(await made()).toBe(1)
    expect(name === 'adminCreateTeam' ? 1 : await audited(name)).toBe(1)
  })

  it('is done once for ten concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => sent()))
    expect(await made()).toBe(1)
    const done = answers.filter(({ errors }) => !errors)
    expect(done.length).toBeGreaterThan(0)
    for (const { data } of done) expect(data).toEqual(done[0]?.data)
    for (const answer of answers) expect([undefined, ['idempotency_in_flight']]).toContainEqual(codes(answer))
  })

  it('refuses a different request, and a refused request does not use up the key', async () => {
    const refused = await send(
      `mutation { ${ask(key, 'A').replace(/(name|note): "[^"]*"|amount: 5/, (_, field) => (field ? `${field}: ""` : 'amount: 0'))} }`,
    )
    expect(codes(refused)).toEqual(['validation_failed'])
    expect((await sent('A')).errors).toBeUndefined()
    expect(codes(await sent('B'))).toEqual(['idempotency_key_reused'])
    expect(await made()).toBe(1)
  })

  it('is done each time without a key', async () => {
    const query = `mutation { ${ask('', 'A').replace(', idempotency_key: ""', '')} }`
    for (let times = 0; times < 2; times += 1) expect((await send(query)).errors).toBeUndefined()
    expect(await made()).toBe(2)
  })
})

it('an operator’s key belongs to the install, whichever operator key sends it, and does not affect the keys of teams', async () => {
  const issue = 'mutation { issueOperatorKey(name: "Second", roles: ["billing"]) { key } }'
  const second = (await graph.ask(OPERATOR_KEY, issue)).data.issueOperatorKey.key
  const contact = `mutation { ${ofTheTeam.createContact?.ask('shared', 'A')} }`
  const credit = `mutation { ${ofTheOperator.adminTopUp?.ask('shared', 'A')} }`
  const [made] = [await graph.ask(token, contact), await graph.ask(OPERATOR_KEY, credit)]
  expect((await graph.ask(second, credit)).data).toEqual({ adminTopUp: { team: team.id, balance: team.balance + 5 } })
  expect((await graph.ask(token, contact)).data).toEqual(made.data)
  const rows = await db().idempotencyKey.findMany({ where: { key: 'shared' }, select: { team_id: true } })
  expect(rows.map(({ team_id }) => team_id).toSorted()).toEqual([INSTALL, team.id].toSorted())
})

it('an operator’s repeat with the same credits for another team is refused', async () => {
  const credit = (id: string) => `mutation { adminTopUp(team: "${id}", amount: 5, idempotency_key: "one-of-two") { balance } }`
  expect((await graph.ask(OPERATOR_KEY, credit(team.id))).errors).toBeUndefined()
  expect(codes(await graph.ask(OPERATOR_KEY, credit((await aTeam(world)).id)))).toEqual(['idempotency_key_reused'])
})

it('a repeat returns 404 once the created record is removed', async () => {
  const contact = `mutation { ${ofTheTeam.createContact?.ask('gone', 'A')} }`
  const { id } = (await graph.ask(token, contact)).data.createContact
  await graph.ask(token, `mutation { deleteContact(property: "${property.id}", contact: ${id}) }`)
  expect(codes(await graph.ask(token, contact))).toEqual(['not_found'])
  expect(await db().contact.count(ofTeam())).toBe(0)
})

it('a key stores no secret: a repeat returns the destination’s current secret', async () => {
  const register = `mutation { ${ofTheTeam.createIntegration?.ask('sealed', 'A')} }`
  const { secret, data } = (await graph.ask(token, register)).data.createIntegration
  const rows = await db().idempotencyKey.findMany(ofTeam())
  expect(rows.map(({ outcome }) => outcome)).toEqual([{ integration_id: data.id }])
  const rotate = `mutation { rotateIntegrationSecret(integration: "${data.id}") { secret } }`
  const rotated = (await graph.ask(token, rotate)).data.rotateIntegrationSecret.secret
  expect(rotated).not.toBe(secret)
  expect((await graph.ask(token, register)).data.createIntegration).toEqual({ secret: rotated, data })
})

it('a repeat succeeds even if the first request took the last place of the team', async () => {
  const rule = (key: string) => `mutation { ${ofTheTeam.createAlertRule?.ask(key, 'A')} }`
  await db().alertRule.createMany({ data: Array.from({ length: ALERT_RULES_MAX - 1 }, () => ({ team_id: team.id, name: 'B' })) })
  for (const key of ['last', 'last']) expect((await graph.ask(token, rule(key))).errors).toBeUndefined()
  expect(codes(await graph.ask(token, rule('beyond')))).toEqual(['validation_failed'])
  const destination = (nth: number) => `mutation { ${ofTheTeam.createIntegration?.ask(`place-${nth}`, `D${nth}`)} }`
  for (let nth = 0; nth < 10; nth += 1) expect((await graph.ask(token, destination(nth))).errors).toBeUndefined()
  expect((await graph.ask(token, destination(9))).errors).toBeUndefined()
  expect(codes(await graph.ask(token, destination(10)))).toEqual(['destination_cap_reached'])
})
