import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operatorRoles } from '#domain/closed-sets.ts'
import { openLog } from '#domain/engines/log.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { type BrowserSession, openBrowser, signIn, tokenOf } from '#test/support/browser-session.ts'
import { MINUTE } from '#test/support/clock.ts'
import { aTeam } from '#test/support/factories.ts'
import { type ForgingProvider, openForgingProvider, openProvider, type TestProvider } from '#test/support/identity-provider.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

let provider: TestProvider
let world: World
let rest: Rest
let team: Team

beforeAll(async () => {
  provider = await openProvider(['roofers.example', 'adjusters.example'])
  world = await openWorld({ config: { oidc: provider.settings } })
  rest = await openRest(world)
  team = await aTeam(world)
})
beforeEach(() => world.clock.advance(2 * MINUTE))
afterAll(async () => {
  await rest?.close()
  await provider?.close()
})

/** A user's account at the provider. */
function account(id: string, claims: object = {}): void {
  provider.current = id
  provider.accounts[id] = { email: `${id}@roofers.example`, email_verified: true, name: `The ${id}`, ...claims }
}

const begin = async (browser: BrowserSession, return_to?: string): Promise<string> =>
  (await browser.call('/sign-in/company', { return_to })).body.url

/** Returns to the console as a browser does: from the provider's page, without the console's header. */
async function comeBack(browser: BrowserSession, url: string) {
  const { pathname, search } = new URL(url)
  const headers = { cookie: browser.cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const answer = await rest.fastify.inject({ method: 'GET', url: pathname + search, headers })
  const session = answer.cookies.find(({ name, value }) => name === 'weather_session' && value !== '')
  if (session) browser.cookie = `weather_session=${session.value}`
  return { status: answer.statusCode, to: answer.headers.location, signed_in: session !== undefined }
}

/** The whole way to the provider and back. */
async function enter(browser = openBrowser(world, rest.fastify), return_to?: string) {
  const answer = await comeBack(browser, await provider.walk(await begin(browser, return_to)))
  return { browser, ...answer }
}

const refusedFor = (reason: string) => ({ status: 303, to: `/app/sign-in?refused=${reason}`, signed_in: false })

test('the sign-in page offers company sign-in by the name of its host', async () => {
  const { body } = await openBrowser(world, rest.fastify).call('/sign-in/ways')
  expect(body).toEqual({ mail: false, company: '127.0.0.1' })
})

test('a first-time user of a team that the provider names becomes a viewer, lands on the requested page, and can sign in again by the account', async () => {
  account('ann', { teams: [team.id, 'nonsense', '00000000-0000-7000-8000-000000000000'] })
  const { browser, ...answer } = await enter(undefined, '/app/reports?page=2')
  expect(answer).toEqual({ status: 303, to: '/app/reports?page=2', signed_in: true })
  expect((await browser.call('/session')).body).toMatchObject({
    person: { email: 'ann@roofers.example', name: 'The ann' },
    teams: [{ id: team.id, role: 'viewer' }],
  })
  const entry = await world.app.db.auditEntry.findFirst({ where: { team_id: team.id, operation: 'joinByCompany' } })
  expect(entry).toMatchObject({ actor_kind: 'person', target_kind: 'member', after: { role: 'viewer' } })
  await world.app.db.membership.updateMany({
    where: { team_id: team.id, person: { email: 'ann@roofers.example' } },
    data: { role: 'analyst' },
  })
  // The address at the provider changed: the account identifies the person.
  account('ann', { email: 'ann.smith@roofers.example', teams: [team.id] })
  const again = await enter()
  expect((await again.browser.call('/session')).body).toMatchObject({
    person: { email: 'ann@roofers.example' },
    teams: [{ role: 'analyst' }],
  })
  expect(await world.app.db.identity.count({ where: { subject: 'ann' } })).toBe(1)
})

test.each([
  ['cleo', "SELECT FROM people WHERE email = 'cleo@roofers.example' FOR NO KEY UPDATE"],
  [
    'cora',
    'SELECT FROM audit_chains WHERE team_id = (SELECT min(team_id::text)::uuid FROM audit_chains WHERE team_id = ANY ($1)) FOR UPDATE',
  ],
])('joining two teams waits for concurrent changes to them, without a deadlock: %s', async (name, lockStatement) => {
  const ids = [(await aTeam(world)).id, (await aTeam(world)).id].sort()
  for (const id of ids) await world.owner.query('INSERT INTO audit_chains (team_id) VALUES ($1) ON CONFLICT DO NOTHING', [id])
  const email = `${name}@roofers.example`
  await signIn(world, rest.fastify, team.id, email, 'analyst')
  account(name, { teams: ids.toReversed() })
  const other = await world.owner.connect()
  await other.query('BEGIN')
  await other.query(lockStatement, lockStatement.includes('$1') ? [ids] : [])
  const entering = enter()
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  for (const id of ids) await other.query('SELECT FROM audit_chains WHERE team_id = $1 FOR UPDATE', [id])
  await other.query('COMMIT')
  other.release()
  expect((await entering).signed_in).toBe(true)
})

test('company sign-in accepts no invitation: it offers those of each team, and the person joins those that they accept', async () => {
  const known = await signIn(world, rest.fastify, team.id, 'bea@roofers.example', 'analyst')
  const [wanted, unwanted, late] = [await aTeam(world, { name: 'Wanted' }), await aTeam(world, { name: 'Unwanted' }), await aTeam(world)]
  for (const [one, role] of [
    [wanted, 'owner'],
    [unwanted, 'viewer'],
    [late, 'viewer'],
    [team, 'analyst'],
  ] as const)
    await createOperatorLink(world.app, { team_id: one.id, email: 'bea@roofers.example', role })
  await world.app.db.invitation.updateMany({ where: { team_id: late.id }, data: { expires_at: world.clock.now() } })
  account('bea')
  const { browser, signed_in } = await enter()
  expect(signed_in).toBe(true)
  const { body } = await browser.call('/session')
  expect(body.person.id).toBe((await known.call('/session')).body.person.id)
  expect(body.teams).toMatchObject([{ id: team.id, role: 'analyst' }])
  expect(body.invitations).toMatchObject([
    { team: { id: wanted.id, name: 'Wanted' }, role: 'owner' },
    { team: { id: unwanted.id, name: 'Unwanted' }, role: 'viewer' },
  ])
  const [first, second] = body.invitations
  expect(await browser.call('/invitations/accept', { id: first.id })).toMatchObject({ status: 200, body: { team_id: wanted.id } })
  expect(await browser.call('/invitations/decline', { id: second.id })).toMatchObject({ status: 204 })
  for (const [id, way] of [
    [first.id, 'accept'],
    [second.id, 'accept'],
    [second.id, 'decline'],
    ['x', 'accept'],
  ])
    expect(await browser.call(`/invitations/${way}`, { id })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await browser.call('/session')).body).toMatchObject({
    teams: [
      { id: team.id, role: 'analyst' },
      { id: wanted.id, role: 'owner' },
    ],
    invitations: [],
  })
  const entries = await world.app.db.auditEntry.findMany({ where: { actor: body.person.id, team_id: { in: [wanted.id, unwanted.id] } } })
  expect(entries.map(({ operation, target_kind, before, after }) => [operation, target_kind, before, after])).toEqual([
    ['acceptInvitation', 'member', null, { role: 'owner' }],
    ['declineInvitation', 'invitation', { role: 'viewer' }, null],
  ])
})

test('a first-time user with nothing but an invitation is signed in, and is in no team before they accept it', async () => {
  const other = await aTeam(world)
  await createOperatorLink(world.app, { team_id: other.id, email: 'bob@roofers.example', role: 'analyst' })
  account('bob')
  const { browser, signed_in } = await enter()
  expect(signed_in).toBe(true)
  const { body } = await browser.call('/session')
  expect(body).toMatchObject({ teams: [], invitations: [{ team: { id: other.id }, role: 'analyst' }] })
  await browser.call('/invitations/accept', { id: body.invitations[0].id })
  expect((await browser.call('/session')).body.teams).toMatchObject([{ id: other.id, role: 'analyst' }])
})

test('an invitation to an address is offered to nobody else, nor in a session that began with a link which was passed on', async () => {
  const other = await aTeam(world)
  await createOperatorLink(world.app, { team_id: other.id, email: 'bo@roofers.example', role: 'owner' })
  const id = (await world.app.db.invitation.findFirstOrThrow({ where: { team_id: other.id } })).id
  const handedOver = await signIn(world, rest.fastify, team.id, 'bo@roofers.example', 'viewer')
  await world.app.db.session.updateMany({ where: { person: { email: 'bo@roofers.example' } }, data: { handed_over: true } })
  const stranger = await signIn(world, rest.fastify, team.id, 'bill@roofers.example', 'viewer')
  for (const browser of [handedOver, stranger]) {
    expect((await browser.call('/session')).body.invitations).toEqual([])
    for (const way of ['accept', 'decline']) expect((await browser.call(`/invitations/${way}`, { id })).status).toBe(404)
  }
  expect(await world.app.db.invitation.count({ where: { id } })).toBe(1)
  expect((await openBrowser(world, rest.fastify).call('/invitations/accept', { id })).status).toBe(401)
})

test('an invitation to a new address at the provider is offered in the sessions that began there', async () => {
  account('bel', { teams: team.id })
  await enter()
  const other = await aTeam(world)
  await createOperatorLink(world.app, { team_id: other.id, email: 'bel.smith@roofers.example', role: 'viewer' })
  account('bel', { email: 'bel.smith@roofers.example' })
  const { browser } = await enter()
  const { body } = await browser.call('/session')
  expect(body.person).not.toHaveProperty('company_email')
  expect(body.invitations).toMatchObject([{ team: { id: other.id } }])
  expect((await browser.call('/invitations/accept', { id: body.invitations[0].id })).status).toBe(200)
  const mailed = await signIn(world, rest.fastify, team.id, 'bel@roofers.example', 'viewer')
  await createOperatorLink(world.app, { team_id: other.id, email: 'bel.smith@roofers.example', role: 'owner' })
  expect((await mailed.call('/session')).body.invitations).toEqual([])
})

test('a member who accepts an invitation gets its role, but a team keeps its only owner', async () => {
  const own = await aTeam(world)
  await signIn(world, rest.fastify, own.id, 'dina@roofers.example', 'owner')
  account('dina')
  const { browser } = await enter()
  await signIn(world, rest.fastify, own.id, 'first@roofers.example', 'owner')
  const offered = async () => (await browser.call('/session')).body.invitations[0].id
  await createOperatorLink(world.app, { team_id: own.id, email: 'dina@roofers.example', role: 'viewer' })
  const owners = { team_id: own.id, person: { email: 'first@roofers.example' } }
  await world.app.db.membership.updateMany({ where: owners, data: { role: 'viewer' } })
  expect(await browser.call('/invitations/accept', { id: await offered() })).toMatchObject({
    status: 422,
    body: { errors: { role: [expect.any(String)] } },
  })
  expect((await browser.call('/session')).body.teams).toMatchObject([{ id: own.id, role: 'owner' }])
  await world.app.db.membership.updateMany({ where: owners, data: { role: 'owner' } })
  expect((await browser.call('/invitations/accept', { id: await offered() })).status).toBe(200)
  const { body } = await browser.call('/session')
  expect(body.teams).toMatchObject([{ id: own.id, role: 'viewer' }])
  await signIn(world, rest.fastify, own.id, 'dina@roofers.example', 'analyst')
  const entries = await world.app.db.auditEntry.findMany({
    where: { team_id: own.id, actor: body.person.id },
    orderBy: { sequence: 'asc' },
  })
  expect(entries.map(({ before, after }) => [before, after])).toEqual([
    [null, { role: 'owner' }],
    [{ role: 'owner' }, { role: 'viewer' }],
    [{ role: 'viewer' }, { role: 'analyst' }],
  ])
})

test('an invitation that is accepted twice at once is accepted once, and one that is revoked at the same moment gives no place', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'ben@roofers.example', 'analyst')
  const [other, revoking] = [await aTeam(world), await aTeam(world)]
  for (const { id } of [other, revoking]) await createOperatorLink(world.app, { team_id: id, email: 'ben@roofers.example', role: 'owner' })
  const [first, second] = (await browser.call('/session')).body.invitations.map(({ id }: { id: string }) => id)
  const statuses = await Promise.all([1, 2].map(async () => (await browser.call('/invitations/accept', { id: first })).status))
  expect(statuses.sort()).toEqual([200, 404])
  expect(await world.app.db.auditEntry.count({ where: { team_id: other.id, operation: 'acceptInvitation' } })).toBe(1)
  const takingBack = await world.owner.connect()
  await takingBack.query('BEGIN')
  await takingBack.query('DELETE FROM invitations WHERE team_id = $1', [revoking.id])
  const accepting = browser.call('/invitations/accept', { id: second })
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  await takingBack.query('COMMIT')
  takingBack.release()
  expect((await accepting).status).toBe(404)
  expect((await browser.call('/session')).body.teams.map(({ id }: { id: string }) => id)).toEqual([team.id, other.id])
})

test('whoever joins by an invitation ends what began with a link that was passed on', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'bix@roofers.example', 'analyst')
  const passedOn = await signIn(world, rest.fastify, team.id, 'bix@roofers.example', 'analyst')
  const last = { person: { email: 'bix@roofers.example' } }
  const newest = await world.app.db.session.findFirstOrThrow({ where: last, orderBy: { id: 'desc' } })
  await world.app.db.session.update({ where: { id: newest.id }, data: { handed_over: true } })
  await createOperatorLink(world.app, { team_id: (await aTeam(world)).id, email: 'bix@roofers.example', role: 'viewer' })
  const { body } = await browser.call('/session')
  expect((await browser.call('/invitations/accept', { id: body.invitations[0].id })).status).toBe(200)
  expect((await passedOn.call('/session')).status).toBe(401)
})

test('a new user who opens an invitation and signs in by the company at the same moment joins the team once', async () => {
  const { url } = await createOperatorLink(world.app, { team_id: team.id, email: 'eva@roofers.example', role: 'analyst' })
  account('eva')
  const holding = await world.owner.connect()
  await holding.query('BEGIN')
  await holding.query('SELECT FROM audit_chains WHERE team_id = $1 FOR UPDATE', [team.id])
  const opening = openBrowser(world, rest.fastify).call('/sign-in/link', { token: tokenOf(url) })
  await waitUntil(async () => (await lockWaits(world.owner)) === 1)
  const entering = enter()
  await waitUntil(async () => (await lockWaits(world.owner)) === 2)
  await holding.query('COMMIT')
  holding.release()
  expect((await opening).status).toBe(200)
  const { browser, signed_in } = await entering
  expect(signed_in).toBe(true)
  expect((await browser.call('/session')).body.teams).toMatchObject([{ id: team.id, role: 'analyst' }])
})

test('a person who is deleted while signing in by the company is refused as someone without a place', async () => {
  account('fay', { teams: team.id })
  await enter()
  await world.app.db.membership.deleteMany({ where: { person: { email: 'fay@roofers.example' } } })
  account('fay')
  const forgetting = await world.owner.connect()
  await forgetting.query('BEGIN')
  await forgetting.query("DELETE FROM people WHERE email = 'fay@roofers.example'")
  const entering = enter()
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  await forgetting.query('COMMIT')
  forgetting.release()
  expect(await entering).toMatchObject(refusedFor('no_place'))
})

test('a new user who signs in with two browsers at the same moment is one person, signed in in both', async () => {
  const other = await aTeam(world)
  await world.owner.query('INSERT INTO audit_chains (team_id) VALUES ($1) ON CONFLICT DO NOTHING', [other.id])
  account('gus', { teams: other.id })
  const holding = await world.owner.connect()
  await holding.query('BEGIN')
  await holding.query('SELECT FROM audit_chains WHERE team_id = $1 FOR UPDATE', [other.id])
  const first = enter()
  await waitUntil(async () => (await lockWaits(world.owner)) === 1)
  const second = enter()
  await waitUntil(async () => (await lockWaits(world.owner)) === 2)
  await holding.query('COMMIT')
  holding.release()
  expect([(await first).signed_in, (await second).signed_in]).toEqual([true, true])
  expect(await world.app.db.identity.count({ where: { subject: 'gus' } })).toBe(1)
})

test.each([
  ['  Zoe Roof ', 'Zoe Roof'],
  ['Zoe\u202efooR', null],
  ['Zoe\u0000', null],
  ['Z'.repeat(81), null],
  ['  ', null],
])('a name at the provider is kept as one that the person could give themselves: %j', async (name, kept) => {
  const id = `zoe${world.clock.now().getTime()}`
  account(id, { name, teams: team.id })
  const { browser, signed_in } = await enter()
  expect(signed_in).toBe(true)
  expect((await browser.call('/session')).body.person).toMatchObject({ email: `${id}@roofers.example`, name: kept })
})

test('signing in ends the browser’s earlier session and sets a new cookie', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'cy@roofers.example', 'viewer')
  const before = browser.cookie
  account('dee', { teams: team.id })
  const url = await provider.walk(await begin(browser))
  const signInCookie = browser.cookie
  browser.cookie = `${before}; ${signInCookie}`
  expect((await comeBack(browser, url)).signed_in).toBe(true)
  expect(browser.cookie).not.toBe(before)
  const old = openBrowser(world, rest.fastify)
  old.cookie = before
  expect((await old.call('/session')).status).toBe(401)
})

test.each([
  ['an address that the provider does not vouch for', 'eve', { email_verified: false }, 'no_address'],
  ['one that it vouches for in other words', 'eve2', { email_verified: 'true' }, 'no_address'],
  ['an address of another domain', 'eve3', { email: 'eve@elsewhere.example' }, 'no_address'],
  ['one that ends like the domain', 'eve4', { email: 'eve@evilroofers.example' }, 'no_address'],
  ['one beneath the domain', 'eve5', { email: 'eve@x.roofers.example' }, 'no_address'],
  ['no address', 'eve6', { email: undefined }, 'no_address'],
  ['nobody whom a team has a place for', 'eve7', {}, 'no_place'],
  ['a claim of teams that names none', 'eve8', { teams: { id: 'x' } }, 'no_place'],
])('refuses %s, and stores nothing about them', async (_what, id, claims, reason) => {
  account(id, claims)
  const { browser: _, ...answer } = await enter()
  expect(answer).toEqual(refusedFor(reason))
  expect(await world.app.db.identity.count({ where: { subject: id } })).toBe(0)
  expect(await world.app.db.person.count({ where: { email: { startsWith: 'eve' } } })).toBe(0)
})

test('an address that the provider gave to another user, or that belongs to an operator, does not open the earlier account', async () => {
  account('fay', { teams: team.id })
  expect((await enter()).signed_in).toBe(true)
  account('fay-the-second', { email: 'fay@roofers.example', teams: team.id })
  expect(await enter()).toMatchObject(refusedFor('other_account'))
  await signIn(world, rest.fastify, team.id, 'root@roofers.example', 'viewer')
  await world.app.db.person.update({ where: { email: 'root@roofers.example' }, data: { operator_roles: [...operatorRoles] } })
  account('root', { teams: team.id })
  expect(await enter()).toMatchObject(refusedFor('other_account'))
})

test('a sign-in that another browser began, that nobody began, that is too old, or that was used already signs nobody in', async () => {
  account('gil', { teams: team.id })
  const browser = openBrowser(world, rest.fastify)
  const url = await provider.walk(await begin(browser))
  // Planted: the link of an attacker's own sign-in, opened in a browser that began none or another.
  expect(await comeBack(openBrowser(world, rest.fastify), url)).toEqual(refusedFor('expired'))
  const other = openBrowser(world, rest.fastify)
  await begin(other)
  expect(await comeBack(other, url)).toEqual(refusedFor('not_accepted'))
  const late = openBrowser(world, rest.fastify)
  const old = await provider.walk(await begin(late))
  world.clock.advance(11 * MINUTE)
  expect(await comeBack(late, old)).toEqual(refusedFor('expired'))
  const twice = openBrowser(world, rest.fastify)
  const good = await provider.walk(await begin(twice))
  const cookie = twice.cookie
  expect((await comeBack(twice, good)).signed_in).toBe(true)
  twice.cookie = cookie
  expect(await comeBack(twice, good)).toEqual(refusedFor('expired'))
})

test('one sign-in too many of a network is refused as that, not as a provider that does not respond', async () => {
  account('max', { teams: team.id })
  const browser = openBrowser(world, rest.fastify)
  const url = await provider.walk(await begin(browser))
  while ((await openBrowser(world, rest.fastify).call('/sign-in/company', {})).status !== 429);
  expect(await comeBack(browser, url)).toEqual(refusedFor('too_many'))
})

test('a response with another issuer, another state or an error is refused', async () => {
  account('hal', { teams: team.id })
  for (const change of [
    (url: URL) => url.searchParams.set('iss', 'https://elsewhere.example'),
    (url: URL) => url.searchParams.set('state', 'another'),
    (url: URL) => url.searchParams.append('state', 'another'),
    (url: URL) => url.searchParams.set('code', 'another'),
    (url: URL) => url.searchParams.delete('code'),
    (url: URL) => url.searchParams.set('error', 'access_denied'),
  ]) {
    const browser = openBrowser(world, rest.fastify)
    const url = new URL(await provider.walk(await begin(browser)))
    change(url)
    expect(await comeBack(browser, url.href)).toEqual(refusedFor('not_accepted'))
  }
  expect(await world.app.db.identity.count({ where: { subject: 'hal' } })).toBe(0)
})

test.each(['//elsewhere.example', 'https://elsewhere.example/app/', '/\\elsewhere.example', '/app/\n//elsewhere.example', '/appetite'])(
  'leads to the inbox, and not to %j',
  async (return_to) => {
    account('ivy', { teams: team.id })
    expect((await enter(undefined, return_to)).to).toBe('/app/inbox')
  },
)

test('only the console can start a sign-in: no other site, form or link can', async () => {
  const browser = openBrowser(world, rest.fastify)
  for (const headers of [{ 'x-weather-console': undefined }, { origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await browser.call('/sign-in/company', {}, headers)).status).toBe(401)
  expect(await rest.fastify.inject({ method: 'HEAD', url: '/app/sign-in/company' })).toMatchObject({ statusCode: 303 })
})

test('the cookie of a sign-in in progress is stored as a hash', async () => {
  const browser = openBrowser(world, rest.fastify)
  await begin(browser)
  const secret = browser.cookie.split('=')[1] ?? ''
  const { rows } = await world.owner.query('SELECT * FROM company_sign_ins')
  expect(JSON.stringify(rows)).not.toContain(secret)
})

describe('a provider whose responses are forged', () => {
  const CLAIMS = { sub: 'kim', email: 'kim@roofers.example', email_verified: true, teams: [] as string[] }
  let forger: ForgingProvider
  let install: { world: World; rest: Rest; lines: string[] }

  beforeAll(async () => {
    forger = await openForgingProvider(['roofers.example'])
    const lines: string[] = []
    const log = openLog('warn', { write: (line: string) => void lines.push(line) })
    const own = await openWorld({ config: { oidc: forger.settings }, replace: { log } })
    install = { world: own, rest: await openRest(own), lines }
    CLAIMS.teams = [(await aTeam(own)).id]
  })
  afterAll(async () => {
    await install?.rest.close()
    await forger?.close()
  })

  /** Signs in at it with an ID token that is a changed copy of a genuine one. */
  async function enterWith(forgery: Parameters<ForgingProvider['forge']>[1]) {
    const browser = openBrowser(install.world, install.rest.fastify)
    const url = new URL(await begin(browser))
    const back = forger.forge(url, forgery, CLAIMS)
    const { pathname, search } = new URL(back)
    const answer = await install.rest.fastify.inject({ method: 'GET', url: pathname + search, headers: { cookie: browser.cookie } })
    return answer.headers.location
  }

  test('signs a user in with a genuine token', async () => {
    expect(await enterWith({})).toBe('/app/inbox')
  })

  test.each<[string, Parameters<ForgingProvider['forge']>[1]]>([
    ['is for another client', { claims: { aud: 'another' } }],
    ['is of another issuer', { claims: { iss: 'https://elsewhere.example' } }],
    ['answers another browser', { claims: { nonce: 'another' } }],
    ['answers nobody', { claims: { nonce: undefined } }],
    ['is over', { claims: { exp: 1_700_000_000 } }],
    ['says not whose it is', { claims: { sub: undefined } }],
    ['is not signed', { header: { alg: 'none' }, unsigned: true }],
    ['is signed by another key', { anotherKey: true }],
    ['is signed with the secret of the client', { header: { alg: 'HS256' }, bySecret: true }],
    ['is missing', { missing: true }],
  ])('signs nobody in if the token %s', async (_how, forgery) => {
    expect(await enterWith(forgery)).toBe('/app/sign-in?refused=not_accepted')
  })

  test('vouches for an address where it gives it: the token does not for that of the userinfo endpoint', async () => {
    const address = 'lee@roofers.example'
    const enter = (email_verified: unknown) =>
      enterWith({ claims: { sub: 'lee', email: undefined }, user_info: { sub: 'lee', email: address, email_verified } })
    expect(await enter(false)).toBe('/app/sign-in?refused=no_address')
    expect(await enter(undefined)).toBe('/app/sign-in?refused=no_address')
    expect(await enter(true)).toBe('/app/inbox')
  })

  test('is reported as unavailable while it is', async () => {
    expect(await enterWith({ away: true })).toMatch(/refused=(?:away|not_accepted)$/)
  })

  test('leaves none of its claims about a user in the log', () => {
    expect(install.lines.length).toBeGreaterThan(5)
    expect(install.lines.join('')).not.toMatch(/kim|eyJ/)
  })
})
