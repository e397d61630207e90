import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operatorRoles, teamRoles } from '#domain/closed-sets.ts'
import { setOperator } from '#domain/people/operators.ts'
import { deleteTeamlessPeople } from '#domain/people/person.ts'
import type { Team } from '#generated/prisma/client.ts'
import { operatorSchema } from '#graphql/schema.ts'
import { rootsOf } from '#test/graphql/field-document.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { type BrowserSession, openBrowser, signIn, tokenOf } from '#test/support/browser-session.ts'
import { DAY, MINUTE } from '#test/support/clock.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let team: Team
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  team = await aTeam(world)
})
beforeEach(() => world.clock.advance(2 * MINUTE))
afterAll(() => rest.close())

const asOperator = { 'x-weather-operator': '1' }

async function signInAsOperator(email: string, roles: string[]): Promise<BrowserSession> {
  const { link } = await setOperator(world.app, { email, roles })
  const browser = openBrowser(world, rest.fastify)
  const { status, body } = await browser.call('/sign-in/link', { token: tokenOf(link?.url ?? '') })
  expect([status, body]).toEqual([200, { return_to: '/app/operator', team_id: null }])
  return browser
}

const { query, names: fields, documentOf } = rootsOf(operatorSchema, 'read')

test.each(teamRoles)('a team’s %s reaches no operation of the operator over any interface', async (role) => {
  const browser = await signIn(world, rest.fastify, team.id, `${role}@example.com`, role)
  const before = await world.app.db.person.count({ where: { operator_roles: { isEmpty: false } } })
  for (const [kind, name] of fields) {
    const plain = await browser.ask(documentOf(kind, name))
    expect([name, plain.errors?.[0]?.message]).toEqual([name, expect.stringContaining(`Cannot query field "${name}"`)])
    const raised = await browser.ask(documentOf(kind, name), {}, asOperator)
    expect([name, raised.status, raised.errors?.[0]?.extensions.code]).toEqual([name, 403, 'missing_role'])
    world.clock.advance(MINUTE)
  }
  expect(await world.app.db.person.count({ where: { operator_roles: { isEmpty: false } } })).toBe(before)
})
test.each(operatorRoles)('an operator with the role %s reaches the same operations as a key with that role', async (role) => {
  const browser = await signInAsOperator(`${role}@operators.example`, [role])
  for (const [name, { extensions }] of Object.entries(query)) {
    const { errors } = await browser.ask(documentOf('query', name), {}, asOperator)
    const open = role === 'all' || extensions.operator_role === role
    expect([name, errors?.[0]?.extensions.code === 'missing_role']).toEqual([name, !open])
  }
})

test('an operator’s actions are logged under their own name, and they have no access to a team’s data', async () => {
  const browser = await signInAsOperator('ops@operators.example', ['all'])
  const { data, errors } = await browser.ask(`mutation { adminTopUp(team: "${team.id}", amount: 5) { balance } }`, {}, asOperator)
  expect([errors, data.adminTopUp.balance > 0]).toEqual([undefined, true])
  const { id } = await world.app.db.person.findUniqueOrThrow({ where: { email: 'ops@operators.example' } })
  const { rows } = await world.owner.query(
    'SELECT actor_kind, actor, operation FROM audit_log WHERE team_id = $1 ORDER BY sequence DESC LIMIT 1',
    [team.id],
  )
  expect(rows).toEqual([{ actor_kind: 'person', actor: id, operation: 'adminTopUp' }])
  expect((await browser.ask('{ people { id } }')).status).toBe(401)
  expect((await browser.call('/session')).body).toMatchObject({ teams: [], person: { operator_roles: ['all'] } })
})

test('a removed operator loses access at the next request', async () => {
  const browser = await signInAsOperator('was@operators.example', ['read'])
  expect((await browser.ask('{ adminTeams { id } }', {}, asOperator)).status).toBe(200)
  await setOperator(world.app, { email: 'was@operators.example', roles: [] })
  expect((await browser.ask('{ adminTeams { id } }', {}, asOperator)).status).toBe(401)
})

test('a session from before the person became an operator never gets operator rights', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'early@example.com', 'viewer')
  await setOperator(world.app, { email: 'early@example.com', roles: ['all'] })
  expect((await browser.ask('{ adminTeams { id } }', {}, asOperator)).status).toBe(401)
})

test('an owner who invites an operator or a member of another team, and has the link, is not signed in as that person', async () => {
  await signInAsOperator('target@operators.example', ['all'])
  const other = await aTeam(world)
  await signIn(world, rest.fastify, other.id, 'elsewhere@example.com', 'owner')
  const owner = await signIn(world, rest.fastify, team.id, 'grasping@example.com', 'owner')
  for (const email of ['target@operators.example', 'elsewhere@example.com']) {
    const { data } = await owner.ask(`mutation { invitePerson(email: "${email}", role: "viewer") { link { url } } }`)
    const token = tokenOf(data.invitePerson.link.url)
    const attacker = openBrowser(world, rest.fastify)
    expect((await attacker.call('/sign-in/link', { token })).status).toBe(401)
    expect((await owner.call('/sign-in/link', { token })).status).toBe(401)
    expect(attacker.cookie).toBe('')
  }
})

test('the invited person can still take the place: signed in as themselves, by the same link', async () => {
  const owner = await signIn(world, rest.fastify, team.id, 'inviting@example.com', 'owner')
  const self = await signInAsOperator('invited@operators.example', ['read'])
  const { data } = await owner.ask('mutation { invitePerson(email: "invited@operators.example", role: "viewer") { link { url } } }')
  const token = tokenOf(data.invitePerson.link.url)
  expect((await owner.call('/sign-in/link', { token })).status).toBe(401)
  expect(await self.call('/sign-in/link', { token })).toMatchObject({ status: 200, body: { team_id: team.id } })
})

test('a session from a link that one owner passed on never reaches another team that the person joins', async () => {
  const other = await aTeam(world)
  const [owner, otherOwner] = [
    await signIn(world, rest.fastify, team.id, 'x-owner@example.com', 'owner'),
    await signIn(world, rest.fastify, other.id, 'y-owner@example.com', 'owner'),
  ]
  const invited = async (by: BrowserSession, email: string) => {
    const { data } = await by.ask(`mutation { invitePerson(email: "${email}", role: "viewer") { link { url } } }`)
    return { token: tokenOf(data.invitePerson.link.url) }
  }
  const remove = async (email: string) => {
    const { id } = await world.app.db.person.findUniqueOrThrow({ where: { email } })
    expect((await owner.ask(`mutation { removePerson(person: "${id}") }`)).errors).toBeUndefined()
  }
  const people = ['removed@example.com', 'again@example.com', 'proven@example.com'] as const
  for (const email of people) {
    const self = openBrowser(world, rest.fastify)
    if (email === 'proven@example.com') {
      self.cookie = (await signIn(world, rest.fastify, team.id, email, 'viewer')).cookie
      await remove(email)
    }
    const somebody = openBrowser(world, rest.fastify)
    expect((await somebody.call('/sign-in/link', await invited(owner, email))).status).toBe(200)
    if (email !== 'proven@example.com') await remove(email)
    if (email === 'again@example.com') expect((await self.call('/sign-in/link', await invited(owner, email))).status).toBe(200)
    expect(await self.call('/sign-in/link', await invited(otherOwner, email))).toMatchObject({ status: 200, body: { team_id: other.id } })
    expect([email, (await somebody.call('/session')).status]).toEqual([email, 401])
    expect([email, (await self.call('/session')).status]).toEqual([email, 200])
    world.clock.advance(2 * MINUTE)
  }
  const { rows } = await world.owner.query(
    'SELECT p.email, s.handed_over FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = ANY ($1) ORDER BY p.email',
    [people],
  )
  expect(rows).toEqual([
    { email: 'again@example.com', handed_over: true },
    { email: 'proven@example.com', handed_over: false },
    { email: 'removed@example.com', handed_over: true },
  ])
})

test('roles are removed only from a person who is known: a mistyped address removes nobody, and creates nobody', async () => {
  const email = 'mistyped@operators.example'
  await expect(setOperator(world.app, { email, roles: [] })).rejects.toMatchObject({
    code: 'validation_failed',
    details: { errors: { email: ['There is no person with this e-mail address.'] } },
  })
  expect(await world.app.db.person.count({ where: { email } })).toBe(0)
  // To remove them again changes nothing.
  await setOperator(world.app, { email, roles: ['read'] })
  for (const _ of [1, 2])
    expect(await setOperator(world.app, { email: email.toUpperCase(), roles: [] })).toMatchObject({ email, roles: [] })
})

test('an invalid role or address is named; an operator without a team is not deleted', async () => {
  await expect(setOperator(world.app, { email: 'nobody', roles: ['root\u0007'] })).rejects.toMatchObject({
    details: { errors: { email: [expect.any(String)], roles: [expect.stringContaining(' root: ')] } },
  })
  await setOperator(world.app, { email: 'stays@operators.example', roles: ['read'] })
  world.clock.advance(40 * DAY)
  await deleteTeamlessPeople(world.app)
  expect(await world.app.db.person.count({ where: { email: 'stays@operators.example' } })).toBe(1)
})
