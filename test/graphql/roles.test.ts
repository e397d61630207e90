import { afterAll, beforeAll, expect, test } from 'vitest'
import { teamRoles } from '#domain/closed-sets.ts'
import type { Team } from '#generated/prisma/client.ts'
import { operatorSchema, personSchema, restSchema, teamSchema } from '#graphql/schema.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { type BrowserSession, openBrowser, signIn, tokenOf } from '#test/support/browser-session.ts'
import { MINUTE } from '#test/support/clock.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { type Kind, rootsOf } from './field-document.ts'

let world: World
let rest: Rest
let team: Team
let browsers: Record<(typeof teamRoles)[number], BrowserSession>
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  team = await aTeam(world)
  const signedIn = await Promise.all(
    teamRoles.map(async (role) => [role, await signIn(world, rest.fastify, team.id, `${role}@example.com`, role)]),
  )
  browsers = Object.fromEntries(signedIn)
})
afterAll(() => rest.close())

/** Typed by hand, not derived from the fields: fields for owners alone; queries for owners and analysts; mutations for everybody. */
const owners = [
  ...['people', 'invitations', 'invitePerson', 'revokeInvitation', 'changeRole', 'removePerson', 'tokens', 'issueToken', 'revokeToken'],
  ...['abilities', 'letterhead', 'setLetterhead', 'allowedOrigins', 'setAllowedOrigins'],
  ...['auditLog', 'integrationSecret', 'createIntegration', 'rotateIntegrationSecret'],
]
const analysts = ['personalData', 'reportPreview', 'reportQuote', 'territoryQuote']
const everybody = ['leaveTeam', 'createReportPdfLink']

const { names: fields, documentOf } = rootsOf(personSchema, '00000000-0000-4000-8000-000000000000')

const allowed = (kind: Kind, name: string): readonly string[] =>
  owners.includes(name)
    ? ['owner']
    : everybody.includes(name) || (kind === 'query' && !analysts.includes(name))
      ? teamRoles
      : ['owner', 'analyst']

test.each(fields)('the %s %s is only for its roles', async (kind, name) => {
  world.clock.advance(2 * MINUTE)
  for (const role of teamRoles) {
    if (name === 'leaveTeam' && role !== 'owner') continue
    const { errors } = await browsers[role].ask(documentOf(kind, name))
    const codes = (errors ?? []).map(({ extensions }) => extensions.code)
    const refused = codes.some((code) => code === 'missing_ability' || code === 'missing_role')
    expect([role, refused, codes]).toEqual([role, !allowed(kind, name).includes(role), codes])
    // The document itself is right: a role with access is refused at most for the ids that it names.
    expect(codes).not.toContain('GRAPHQL_VALIDATION_FAILED')
  }
})

test('only an owner redirects the posts of a destination; an analyst changes what it receives', async () => {
  world.clock.advance(2 * MINUTE)
  const created = await browsers.owner.ask(
    'mutation ($url: String!) { createIntegration(name: "CRM", channel: webhook, url: $url, events: ["property.created"]) { data { id } } }',
    { url: 'https://crm.example/in' },
  )
  const { id } = created.data.createIntegration.data
  const stored = () => world.app.db.integration.findUniqueOrThrow({ where: { id } })
  const before = await stored()
  const change = (browser: BrowserSession, changes: string) =>
    browser.ask(`mutation { updateIntegration(integration: "${id}", ${changes}) { name } }`)
  for (const changes of [
    'url: "https://mine.example/in"',
    'channel: chat_a, url: "https://mine.example/in"',
    'channel: webhook',
    'name: "Mine", url: "https://mine.example/in"',
  ]) {
    const { errors } = await change(browsers.analyst, changes)
    expect([changes, errors?.[0]?.extensions.code]).toEqual([changes, 'missing_role'])
  }
  expect(await stored()).toEqual(before)
  expect((await change(browsers.analyst, 'name: "Our CRM", events: ["property.updated"], active: false')).errors).toBeUndefined()
  expect((await change(browsers.viewer, 'name: "Mine"')).errors?.[0].extensions.code).toBe('missing_ability')
  expect((await change(browsers.owner, 'url: "https://crm.example/other"')).errors).toBeUndefined()
  const { token } = await aToken(world, team)
  const changed = await rest.call('PATCH', `/integrations/${id}`, { token, body: { url: 'https://crm.example/third' } })
  expect(changed.status).toBe(200)
  expect(await stored()).toMatchObject({ name: 'Our CRM', events: ['property.updated'], active: false })
})

test('subscriptions are for everybody in the team, and for nobody else', () => {
  const subscriptions = Object.values(personSchema.getSubscriptionType()?.getFields() ?? {})
  expect(subscriptions.map(({ name, extensions }) => [name, extensions.ability, extensions.owner])).toEqual([
    ['teamChanges', undefined, undefined],
  ])
  for (const schema of [teamSchema, operatorSchema, restSchema]) expect(schema.getSubscriptionType()).toBeUndefined()
})

test('operations for people only are not found by a token, whatever its abilities', async () => {
  const { token } = await aToken(world, team)
  const ofPeople = fields.filter(
    ([kind, name]) => !(name in ((kind === 'query' ? teamSchema.getQueryType() : teamSchema.getMutationType())?.getFields() ?? {})),
  )
  expect(ofPeople.map(([, name]) => name).sort()).toEqual([
    'abilities',
    'allowedOrigins',
    'archiveCoverage',
    'changeRole',
    'invitations',
    'invitePerson',
    'issueToken',
    'leaveTeam',
    'letterhead',
    'people',
    'removePerson',
    'revokeInvitation',
    'revokeToken',
    'setAllowedOrigins',
    'setLetterhead',
    'tokens',
  ])
  for (const [kind, name] of ofPeople) {
    const answer = await rest.fastify.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ query: documentOf(kind, name) }),
    })
    expect([name, answer.json().errors[0].message]).toEqual([name, expect.stringContaining(`Cannot query field "${name}"`)])
  }
})

test('an invitation that is repeated under its key, as after a lost response, replaces the first link', async () => {
  world.clock.advance(2 * MINUTE)
  const links: string[] = []
  for (const _ of [1, 2]) {
    const { data } = await browsers.owner.ask(
      'mutation { invitePerson(email: "lost@example.com", role: "viewer", idempotency_key: "k-1") { link { url } } }',
    )
    links.push(tokenOf(data.invitePerson.link.url))
  }
  const answers: number[] = []
  for (const token of links) answers.push((await openBrowser(world, rest.fastify).call('/sign-in/link', { token })).status)
  expect(answers).toEqual([410, 200])
})

test('an invitation leads into the team with its role; removal closes every page of the member', async () => {
  world.clock.advance(2 * MINUTE)
  const { owner } = browsers
  const { data, errors } = await owner.ask(
    'mutation { invitePerson(email: "New@Example.com", role: "analyst") { email role link { url } } }',
  )
  expect(errors).toBeUndefined()
  expect(data.invitePerson).toMatchObject({ email: 'new@example.com', role: 'analyst' })
  const browser = openBrowser(world, rest.fastify)
  const joined = await browser.call('/sign-in/link', { token: tokenOf(data.invitePerson.link.url) })
  expect(joined.body).toMatchObject({ team_id: team.id })
  expect((await browser.ask('{ account { team { name } } }')).data.account.team.name).toBe(team.name)
  const { data: listed } = await owner.ask('{ people { id email role } invitations { email } }')
  expect(listed.invitations).toEqual([])
  const { id } = listed.people.find(({ email }: { email: string }) => email === 'new@example.com')
  expect((await owner.ask(`mutation { removePerson(person: "${id}") }`)).data).toEqual({ removePerson: true })
  expect((await browser.ask('{ account { team { name } } }')).status).toBe(401)
  expect((await browser.call('/session')).body.teams).toEqual([])
  const { data: log } = await owner.ask('{ auditLog { data { operation actor_kind target_kind } } }')
  expect(
    log.auditLog.data
      .slice(0, 3)
      .map(({ operation, actor_kind, target_kind }: Record<string, string>) => [operation, actor_kind, target_kind]),
  ).toEqual([
    ['removePerson', 'person', 'member'],
    ['acceptInvitation', 'person', 'member'],
    ['invitePerson', 'person', 'invitation'],
  ])
})

test('the last owner cannot leave, even if two leave at the same moment', async () => {
  world.clock.advance(2 * MINUTE)
  const other = await aTeam(world)
  const one = await signIn(world, rest.fastify, other.id, 'one@example.com', 'owner')
  expect((await one.ask('mutation { leaveTeam }')).errors?.[0].extensions).toMatchObject({ code: 'validation_failed', status: 422 })
  const two = await signIn(world, rest.fastify, other.id, 'two@example.com', 'owner')
  const left = await Promise.all([one.ask('mutation { leaveTeam }'), two.ask('mutation { leaveTeam }')])
  expect(left.map(({ data }) => data.leaveTeam).sort()).toEqual([null, true].sort())
  expect(await world.app.db.membership.count({ where: { team_id: other.id, role: 'owner' } })).toBe(1)
})

test('a session can use a team of its person and no other', async () => {
  world.clock.advance(2 * MINUTE)
  const foreign = await aTeam(world)
  const query = '{ account { team { name } } }'
  for (const id of [foreign.id, 'nonsense', "' OR 1=1 --"])
    expect((await browsers.owner.ask(query, {}, { 'x-weather-team': id })).status).toBe(401)
  const second = await aTeam(world)
  await signIn(world, rest.fastify, second.id, 'owner@example.com', 'viewer')
  const inSecond = await browsers.owner.ask(query, {}, { 'x-weather-team': second.id })
  expect(inSecond.errors).toBeUndefined()
  expect(inSecond.data.account.team.name).toBe(second.name)
  expect((await browsers.owner.ask('{ people { id } }', {}, { 'x-weather-team': second.id })).errors?.[0].extensions.code).toBe(
    'missing_role',
  )
})

test('a person gets at most three invitation mails in a minute, from all teams together', async () => {
  world.clock.advance(2 * MINUTE)
  const other = await signIn(world, rest.fastify, (await aTeam(world)).id, 'elsewhere@example.com', 'owner')
  const invite = 'mutation { invitePerson(email: "asked@example.com", role: "viewer") { id } }'
  for (const owner of [browsers.owner, other, browsers.owner]) expect((await owner.ask(invite)).errors).toBeUndefined()
  expect((await other.ask(invite)).errors?.[0].extensions).toMatchObject({ code: 'rate_limited', retry_after: 60 })
  world.clock.advance(2 * MINUTE)
  expect((await other.ask(invite)).errors).toBeUndefined()
})

test('an invitation that is refused for its input does not count towards the team’s mail limit', async () => {
  world.clock.advance(2 * MINUTE)
  const owner = await signIn(world, rest.fastify, (await aTeam(world)).id, 'inviting@example.com', 'owner')
  const invite = (email: string, role = 'viewer') => owner.ask(`mutation { invitePerson(email: "${email}", role: "${role}") { id } }`)
  for (let times = 0; times < 12; times++)
    for (const refused of [invite('nobody'), invite('ann@example.com', 'king'), invite('inviting@example.com')])
      expect((await refused).errors?.[0].extensions.code).toBe('validation_failed')
  expect((await invite('nobody', 'king')).errors?.[0].extensions.errors).toEqual({
    email: [expect.any(String)],
    role: [expect.any(String)],
  })
  expect((await invite('welcome@example.com')).errors).toBeUndefined()
})

test('of the tokens that were issued under one key only one is valid: a repeat after a lost response replaces the token', async () => {
  const own = await aTeam(world)
  const owner = await signIn(world, rest.fastify, own.id, 'loses@example.com', 'owner')
  const issue = (name: string) =>
    owner.ask(
      `mutation { issueToken(name: "${name}", abilities: ["reports:read"], idempotency_key: "once") { token prefix name abilities } }`,
    )
  const answers = [await issue('One'), await issue('One'), await issue('One')]
  expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined])
  const tokens = answers.map(({ data }) => data.issueToken.token)
  const statuses = []
  for (const token of tokens) statuses.push((await rest.call('GET', '/reports', { token })).status)
  expect(statuses).toEqual([401, 401, 200])
  expect(await world.app.db.token.count({ where: { team_id: own.id, revoked_at: null } })).toBe(1)
  // Each token that was issued, and each that was revoked.
  expect(await world.app.db.auditEntry.count({ where: { team_id: own.id, operation: 'issueToken' } })).toBe(5)
  expect((await issue('Two')).errors?.[0].extensions.code).toBe('idempotency_key_reused')
  // A client has it.
  expect((await issue('One')).errors?.[0].extensions.errors.idempotency_key).toHaveLength(1)
  expect((await rest.call('GET', '/reports', { token: tokens[2] })).status).toBe(200)
})

test('each action of a person leaves an audit row with the person and the subject', async () => {
  world.clock.advance(2 * MINUTE)
  const own = await aTeam(world)
  const owner = await signIn(world, rest.fastify, own.id, 'does@example.com', 'owner')
  const other = await signIn(world, rest.fastify, own.id, 'leaves@example.com', 'owner')
  const { data } = await owner.ask('{ people { id email } }')
  const id = data.people.find(({ email }: { email: string }) => email === 'leaves@example.com').id
  const invited = await owner.ask('mutation { invitePerson(email: "soon@example.com", role: "viewer") { id } }')
  await owner.ask(`mutation { revokeInvitation(id: "${invited.data.invitePerson.id}") }`)
  const issued = await owner.ask('mutation { issueToken(name: "One", abilities: ["reports:read"]) { prefix } }')
  await owner.ask(`mutation { revokeToken(prefix: "${issued.data.issueToken.prefix}") { prefix } }`)
  await owner.ask(`mutation { changeRole(person: "${id}", role: "analyst") { id } }`)
  expect((await other.ask('mutation { leaveTeam }')).data).toEqual({ leaveTeam: true })
  const operator = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' }
  const query = `mutation { adminPersonLink(team: "${own.id}", email: "given@example.com", role: "viewer") { url } }`
  expect(
    (await rest.fastify.inject({ method: 'POST', url: '/graphql', headers: operator, payload: { query } })).json().errors,
  ).toBeUndefined()
  const { rows } = await world.owner.query(
    'SELECT operation, actor_kind, target_kind FROM audit_log WHERE team_id = $1 ORDER BY sequence',
    [own.id],
  )
  expect(rows.map(({ operation, actor_kind, target_kind }) => `${operation} ${actor_kind} ${target_kind}`)).toEqual([
    'acceptInvitation person member',
    'acceptInvitation person member',
    'invitePerson person invitation',
    'revokeInvitation person invitation',
    'issueToken person token',
    'revokeToken person token',
    'changeRole person member',
    'leaveTeam person member',
    'adminPersonLink operator invitation',
  ])
})
