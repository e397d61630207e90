import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countSome, SESSION_PER_MINUTE } from '#domain/access/rate-limit.ts'
import { admitPerson } from '#domain/people/admit-person.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import { deleteTeamlessPeople } from '#domain/people/person.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import { deleteOldLinks, pathWithin } from '#domain/people/sign-in-links.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { openBrowser, signIn, tokenOf } from '#test/support/browser-session.ts'
import { DAY, HOUR, MINUTE } from '#test/support/clock.ts'
import { aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { statementsOf } from '#test/support/statements.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let team: Team
const mailed: { to: string; subject: string; text: string }[] = []

beforeAll(async () => {
  const mail = { configured: true, send: async (message: (typeof mailed)[number]) => void mailed.push(message), close: () => {} }
  world = await openWorld({ replace: { mail } })
  rest = await openRest(world)
  team = await aTeam(world)
})
beforeEach(() => {
  mailed.length = 0
  // Moves to a minute without earlier requests, for the rate limit.
  world.clock.advance(2 * MINUTE)
})
afterAll(() => rest.close())

const linkIn = (text: string) => tokenOf(/https?:\S+/.exec(text)?.[0] ?? '')

test('an invitation that is repeated under its key sends no second mail, until it is withdrawn', async () => {
  const owner = await signIn(world, rest.fastify, team.id, 'inviting@example.com', 'owner')
  const invite = () =>
    owner.ask('mutation { invitePerson(email: "new@example.com", role: "viewer", idempotency_key: "k-1") { id email link { url } } }')
  const first = (await invite()).data.invitePerson
  expect((await invite()).data.invitePerson).toEqual(first)
  await world.drain()
  expect(mailed.map(({ to }) => to)).toEqual(['new@example.com'])
  await owner.ask(`mutation { revokeInvitation(id: "${first.id}") }`)
  expect((await invite()).data.invitePerson.id).not.toBe(first.id)
  await world.drain()
  expect(mailed).toHaveLength(2)
  const other = await owner.ask('mutation { invitePerson(email: "other@example.com", role: "viewer", idempotency_key: "k-1") { id } }')
  expect(other.errors?.[0]?.extensions.code).toBe('idempotency_key_reused')
})

test('an emailed link signs in once, and the session shows who is signed in', async () => {
  await signIn(world, rest.fastify, team.id, 'ann@example.com', 'owner')
  world.clock.advance(MINUTE)
  const browser = openBrowser(world, rest.fastify)
  expect((await browser.call('/session')).status).toBe(401)
  const signedOut = await browser.ask('{ account { team { name } } }', {}, { cookie: undefined })
  expect(signedOut.errors?.[0]).toMatchObject({ message: expect.stringMatching(/^You are signed out/), extensions: { status: 401 } })
  const linkRequest = await browser.call('/sign-in', { email: ' Ann@Example.com ', return_to: '/app/reports?page=2' })
  expect(linkRequest).toMatchObject({ status: 202, body: { mailed: true } })
  await world.drain()
  expect(mailed).toMatchObject([{ to: 'ann@example.com', subject: 'Sign in to the weather desk' }])
  const token = linkIn(mailed[0]?.text ?? '')

  const signInResponse = await browser.call('/sign-in/link', { token })
  expect(signInResponse).toMatchObject({ status: 200, body: { return_to: '/app/reports?page=2', team_id: null } })
  expect(signInResponse.cookie).toMatch(/^weather_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect((await browser.call('/session')).body).toMatchObject({
    person: { email: 'ann@example.com', name: null },
    teams: [{ id: team.id, name: team.name, role: 'owner', lapsed: false }],
    sessions: [{ browser: 'Firefox on Linux', network: '127.0.0.0/24', current: true }, { current: false }],
  })
  await world.app.db.team.update({ where: { id: team.id }, data: { lapsed_at: world.clock.now() } })
  expect((await browser.call('/session')).body.teams).toMatchObject([{ lapsed: true }])
  await world.app.db.team.update({ where: { id: team.id }, data: { lapsed_at: null } })
  const again = await openBrowser(world, rest.fastify).call('/sign-in/link', { token })
  expect(again).toMatchObject({ status: 410, body: { code: 'link_expired' } })
})

test('concurrent links for one address are all issued, and the person has one place in the team', async () => {
  const place = { team_id: team.id, email: 'at-once@example.com', role: 'viewer' }
  const links = await Promise.all(Array.from({ length: 5 }, () => createOperatorLink(world.app, place)))
  expect(new Set(links.map(({ url }) => url)).size).toBe(5)
  expect(await world.app.db.invitation.count({ where: { email: place.email } })).toBe(1)
})

test('of two links of one invitation that are opened at the same moment one signs in, and the other is reported as used', async () => {
  const email = 'two-links@example.com'
  const { url } = await createOperatorLink(world.app, { team_id: team.id, email, role: 'viewer' })
  const { id: _, ...link } = await world.app.db.signInLink.findFirstOrThrow({ where: { email } })
  await world.app.db.signInLink.create({ data: { ...link, hash: hashSecret('another') } })
  const holding = await world.owner.connect()
  await holding.query('BEGIN')
  await holding.query('SELECT FROM invitations WHERE email = $1 FOR UPDATE', [email])
  const opening = [tokenOf(url), 'another'].map((token) => openBrowser(world, rest.fastify).call('/sign-in/link', { token }))
  await waitUntil(async () => (await lockWaits(world.owner)) === 2)
  await holding.query('COMMIT')
  holding.release()
  const [won, lost] = (await Promise.all(opening)).toSorted((one, other) => one.status - other.status)
  expect(won).toMatchObject({ status: 200, body: { team_id: team.id } })
  expect(lost).toMatchObject({ status: 410, body: { code: 'link_expired' }, cookie: undefined })
  expect(await world.app.db.membership.count({ where: { person: { email } } })).toBe(1)
})

test('cookies and links are stored only as hashes', async () => {
  const { url } = await createOperatorLink(world.app, { team_id: team.id, email: 'hash@example.com', role: 'viewer' })
  const browser = openBrowser(world, rest.fastify)
  await browser.call('/sign-in/link', { token: tokenOf(url) })
  const secret = browser.cookie.split('=')[1] ?? ''
  const tables = await Promise.all(['sessions', 'sign_in_links'].map((name) => world.owner.query(`SELECT * FROM ${name}`)))
  const kept = JSON.stringify(tables.map(({ rows }) => rows))
  for (const clear of [secret, tokenOf(url)]) {
    expect(kept).not.toContain(clear)
    expect(kept).toContain(createHash('sha256').update(clear).digest('hex'))
  }
})

test('neither the response nor the work done shows whether an address is known', async () => {
  await signIn(world, rest.fastify, team.id, 'known@example.com', 'viewer')
  const browser = openBrowser(world, rest.fastify)
  const known = await browser.call('/sign-in', { email: 'known@example.com' })
  const unknown = await browser.call('/sign-in', { email: 'unknown@example.com' })
  expect(unknown).toEqual(known)
  const staged = () => world.owner.query("SELECT count(*)::int AS n FROM lasting_jobs WHERE job = 'sign_in_link.mail'")
  expect((await staged()).rows).toEqual([{ n: 2 }])
  await world.drain()
  expect(mailed.map(({ to }) => to)).toEqual(['known@example.com'])
  expect(await world.app.db.signInLink.count({ where: { email: 'unknown@example.com' } })).toBe(0)
})

test('timing does not show whether an address is known: the same statements run either way', async () => {
  await signIn(world, rest.fastify, team.id, 'timed@example.com', 'viewer')
  const browser = openBrowser(world, rest.fastify)
  const ask = (email: string) => statementsOf(() => browser.call('/sign-in', { email }))
  await ask('warm@example.com')
  const known = await ask('timed@example.com')
  // Redis, if there is one, counts the request.
  expect(known.length).toBeGreaterThan(world.app.limiter.in_database ? 2 : 1)
  expect(await ask('strange@example.com')).toEqual(known)
})

test('a mail scanner that follows a link, or a browser that prefetches it, does not use it up', async () => {
  const { url } = await createOperatorLink(world.app, { team_id: team.id, email: 'scanned@example.com', role: 'viewer' })
  const token = tokenOf(url)
  for (const method of ['GET', 'HEAD'] as const)
    for (const at of ['/app/sign-in', `/app/sign-in?token=${token}`, `/app/sign-in/link?token=${token}`]) {
      const answer = await rest.fastify.inject({ method, url: at, headers: { purpose: 'prefetch', 'sec-purpose': 'prefetch' } })
      expect(answer.cookies).toEqual([])
    }
  expect((await openBrowser(world, rest.fastify).call('/sign-in/link', { token })).status).toBe(200)
})

test('no page of the console is shown in a frame of another site', async () => {
  for (const at of ['/app', '/app/', '/app/sign-in', '/app/inbox', '/app/operator/teams', '/app/nowhere/at/all']) {
    const { headers } = await rest.fastify.inject({ method: 'GET', url: at, headers: { 'sec-fetch-dest': 'iframe' } })
    expect([at, headers['x-frame-options'], headers['cross-origin-opener-policy']]).toEqual([at, 'DENY', 'same-origin'])
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
})

test('links can be requested three times a minute for an address, whoever requests them', async () => {
  const statuses = []
  for (let n = 0; n < 4; n++)
    statuses.push((await openBrowser(world, rest.fastify).call('/sign-in', { email: 'often@example.com' })).status)
  expect(statuses).toEqual([202, 202, 202, 429])
})

test('requests to the pages of an account are counted with those that the session sends to GraphQL', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'busy@example.com', 'viewer')
  const bucket = `session:${hashSecret(browser.cookie.split('=')[1] ?? '')}`
  expect((await browser.call('/session')).status).toBe(200)
  await countSome(world.app, bucket, SESSION_PER_MINUTE, SESSION_PER_MINUTE - 1)
  const requests = [
    ['/session'],
    ['/passkeys'],
    ['/person', { name: 'Busy' }],
    ['/sessions/end', {}],
    ['/passkeys/remove', { id: 'x' }],
  ] as const
  for (const [path, body] of requests)
    expect([path, await browser.call(path, body)]).toMatchObject([path, { status: 429, body: { code: 'rate_limited' } }])
  expect((await browser.ask('{ account { object } }')).status).toBe(429)
  world.clock.advance(2 * MINUTE)
  expect((await browser.call('/session')).body).toMatchObject({ person: { email: 'busy@example.com', name: null } })
})

test('an attempt with a link that is refused as one too many reads no session', async () => {
  const browser = openBrowser(world, rest.fastify)
  browser.cookie = `weather_session=${'a'.repeat(43)}`
  const attempt = () => browser.call('/sign-in/link', { token: 'b'.repeat(43) })
  const read: string[] = []
  const isOfSessions = (statement: string) => /\bsessions\b/.test(statement)
  read.push(...(await statementsOf(attempt)).filter(isOfSessions))
  expect(read).not.toEqual([])
  for (let n = 1; n < 30; n++) expect((await attempt()).status).toBe(410)
  let status = 0
  const refused = await statementsOf(async () => {
    status = (await attempt()).status
  })
  expect(status).toBe(429)
  expect(refused.filter(isOfSessions)).toEqual([])
})

/** Requests with cookies that nobody was given. */
const flood = (times: number, send: (headers: Record<string, string>) => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: times }, async () => (await send({ cookie: `weather_session=${drawSecret()}` })).status))

test('invalid cookies that arrive together are looked up together', async () => {
  const browser = openBrowser(world, rest.fastify)
  const paths: Parameters<typeof flood>[1][] = [
    (headers) => browser.call('/session', undefined, headers),
    (headers) => browser.call('/sign-out', {}, headers),
    (headers) => browser.ask('{ account { object } }', {}, headers),
    (headers) => browser.ask('{ archiveStatus { object } }', {}, { ...headers, 'x-weather-operator': '1' }),
  ]
  for (const send of paths) {
    const statements = await statementsOf(() => flood(50, send))
    const ofSessions = statements.filter((text) => /\bsessions\b/.test(text))
    expect(ofSessions.length).toBeGreaterThan(0)
    expect(ofSessions.length).toBeLessThan(10)
  }
})

test('signing out with invalid cookies counts as a failure, and deletes nothing', async () => {
  const browser = openBrowser(world, rest.fastify)
  const statuses: number[] = []
  const statements = await statementsOf(async () => {
    statuses.push(...(await flood(301, (headers) => browser.call('/sign-out', {}, headers))))
  })
  expect([statuses.filter((status) => status === 204).length, statuses.filter((status) => status === 429).length]).toEqual([300, 1])
  expect(statements.filter((text) => text.startsWith('DELETE'))).toEqual([])
  const own = await signIn(world, rest.fastify, team.id, 'signs-out@example.com', 'viewer')
  expect((await own.call('/sign-out', {})).status).toBe(204)
})

test('an operator cannot make a link that takes the role of the only owner, and an earlier one is refused with the reason', async () => {
  const own = await aTeam(world)
  const [email, other] = ['only-owner@example.com', 'second-owner@example.com']
  for (const owner of [email, other]) await signIn(world, rest.fastify, own.id, owner, 'owner')
  const earlier = await createOperatorLink(world.app, { team_id: own.id, email, role: 'analyst' })
  await world.app.db.membership.deleteMany({ where: { team_id: own.id, person: { email: other } } })
  const { status, body } = await openBrowser(world, rest.fastify).call('/sign-in/link', { token: tokenOf(earlier.url) })
  expect([status, body]).toMatchObject([422, { errors: { role: ['A team keeps at least one owner: make somebody else one first.'] } }])
  const again = (role: string) => createOperatorLink(world.app, { team_id: own.id, email: 'Only-Owner@example.com', role })
  await expect(again('analyst')).rejects.toMatchObject({ code: 'validation_failed' })
  const { url } = await again('owner')
  expect((await openBrowser(world, rest.fastify).call('/sign-in/link', { token: tokenOf(url) })).status).toBe(200)
})

test('an expired link, or one whose invitation was withdrawn, does not sign in', async () => {
  const late = await createOperatorLink(world.app, { team_id: team.id, email: 'late@example.com', role: 'viewer' })
  const revoked = await createOperatorLink(world.app, { team_id: team.id, email: 'revoked@example.com', role: 'viewer' })
  await world.app.db.invitation.deleteMany({ where: { email: 'revoked@example.com' } })
  world.clock.advance(30 * MINUTE)
  expect((await openBrowser(world, rest.fastify).call('/sign-in/link', { token: tokenOf(revoked.url) })).status).toBe(410)
  world.clock.advance(31 * MINUTE)
  expect((await openBrowser(world, rest.fastify).call('/sign-in/link', { token: tokenOf(late.url) })).status).toBe(410)
  expect(await world.app.db.person.count({ where: { email: { in: ['late@example.com', 'revoked@example.com'] } } })).toBe(0)
})

test('an earlier invitation restores neither a removed member nor their earlier role', async () => {
  const owner = await signIn(world, rest.fastify, team.id, 'keeps@example.com', 'owner')
  await signIn(world, rest.fastify, team.id, 'goes@example.com', 'owner')
  await signIn(world, rest.fastify, team.id, 'stays@example.com', 'owner')
  const [goes, stays] = [
    await createOperatorLink(world.app, { team_id: team.id, email: 'goes@example.com', role: 'owner' }),
    await createOperatorLink(world.app, { team_id: team.id, email: 'stays@example.com', role: 'owner' }),
  ]
  const idOf = async (email: string) => (await world.app.db.person.findUniqueOrThrow({ where: { email } })).id
  await owner.ask('mutation ($id: ID!) { removePerson(person: $id) }', { id: await idOf('goes@example.com') })
  await owner.ask('mutation ($id: ID!) { changeRole(person: $id, role: "viewer") { id } }', { id: await idOf('stays@example.com') })
  for (const { url } of [goes, stays])
    expect((await openBrowser(world, rest.fastify).call('/sign-in/link', { token: tokenOf(url) })).status).toBe(410)
  const roles = await world.app.db.membership.findMany({
    where: { team_id: team.id },
    select: { role: true, person: { select: { email: true } } },
  })
  const roleOf = (email: string) => roles.find(({ person }) => person.email === email)?.role
  expect([roleOf('keeps@example.com'), roleOf('goes@example.com'), roleOf('stays@example.com')]).toEqual(['owner', undefined, 'viewer'])
})

test('the address of an invitation that was revoked or accepted is deleted with its link, and an open one keeps it', async () => {
  const own = await aTeam(world)
  const left = async (email: string) => world.app.db.signInLink.count({ where: { email } })
  const owner = await signIn(world, rest.fastify, own.id, 'host@example.com', 'owner')
  for (const email of ['revoked@example.com', 'open@example.com'])
    await owner.ask('mutation ($email: String!) { invitePerson(email: $email, role: "viewer") { id } }', { email })
  const { data } = await owner.ask('{ invitations { id email } }')
  const { id } = data.invitations.find(({ email }: { email: string }) => email === 'revoked@example.com')
  await owner.ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id })
  await deleteOldLinks(world.app)
  expect(await Promise.all(['revoked@example.com', 'host@example.com', 'open@example.com'].map(left))).toEqual([0, 0, 1])
})

test('a member who accepts an invitation while being removed is removed', async () => {
  const owner = await signIn(world, rest.fastify, team.id, 'keeper@example.com', 'owner')
  await signIn(world, rest.fastify, team.id, 'leaver@example.com', 'viewer')
  const { url } = await createOperatorLink(world.app, { team_id: team.id, email: 'leaver@example.com', role: 'viewer' })
  const { id } = await world.app.db.person.findUniqueOrThrow({ where: { email: 'leaver@example.com' } })
  const holding = await world.owner.connect()
  await holding.query('BEGIN')
  // The row that opening the link locks after its invitation.
  await holding.query('SELECT FROM people WHERE id = $1 FOR UPDATE', [id])
  const opened = openBrowser(world, rest.fastify).call('/sign-in/link', { token: tokenOf(url) })
  await waitUntil(async () => (await lockWaits(world.owner)) === 1)
  const removed = owner.ask('mutation ($id: ID!) { removePerson(person: $id) }', { id })
  await waitUntil(async () => (await lockWaits(world.owner)) === 2)
  await holding.query('COMMIT')
  holding.release()
  expect([(await opened).status, (await removed).data]).toEqual([200, { removePerson: true }])
  expect(await world.app.db.membership.count({ where: { team_id: team.id, person_id: id } })).toBe(0)
})

test('an operator’s link for an owner who is being removed waits for the removal, without a deadlock', async () => {
  const place = { team_id: team.id, email: 'leaving-owner@example.com', role: 'owner' }
  await signIn(world, rest.fastify, team.id, place.email, 'owner')
  await signIn(world, rest.fastify, team.id, 'staying-owner@example.com', 'owner')
  await createOperatorLink(world.app, place)
  const removal = await world.owner.connect()
  await removal.query('BEGIN')
  await removal.query('DELETE FROM invitations WHERE team_id = $1 AND email = $2', [place.team_id, place.email])
  const link = createOperatorLink(world.app, place)
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  await removal.query('DELETE FROM memberships m USING people p WHERE p.id = m.person_id AND m.team_id = $1 AND p.email = $2', [
    place.team_id,
    place.email,
  ])
  await removal.query('COMMIT')
  removal.release()
  expect((await link).url).toContain('/app/')
})

test.each(['an operator', 'an owner'])(
  'an invitation by %s replaces one of the same address that appears at the same moment',
  async (by) => {
    const owner = await signIn(world, rest.fastify, team.id, 'inviting@example.com', 'owner')
    const email = `invited-by-${by.replace(' ', '-')}@example.com`
    // An earlier version of the service takes other locks first.
    const other = await world.owner.connect()
    await other.query('BEGIN')
    await other.query(
      "INSERT INTO invitations (id, team_id, email, role, invited_by, expires_at) VALUES (gen_random_uuid(), $1, $2, 'viewer', 'operator', now() + '1 hour')",
      [team.id, email],
    )
    const invited =
      by === 'an owner'
        ? owner
            .ask(`mutation { invitePerson(email: "${email}", role: "analyst") { link { url } } }`)
            .then(({ data }) => data.invitePerson.link)
        : createOperatorLink(world.app, { team_id: team.id, email, role: 'analyst' })
    await waitUntil(async () => (await lockWaits(world.owner)) > 0)
    await other.query('COMMIT')
    other.release()
    await invited
    const invitations = await world.app.db.invitation.findMany({ where: { team_id: team.id, email } })
    expect(invitations.map(({ role }) => role)).toEqual(['analyst'])
  },
)

test('signing in ends the browser’s earlier session, and does not adopt a planted one', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'fixed@example.com', 'viewer')
  const before = browser.cookie
  const { url } = await createOperatorLink(world.app, { team_id: team.id, email: 'fixed@example.com', role: 'viewer' })
  await browser.call('/sign-in/link', { token: tokenOf(url) })
  expect(browser.cookie).not.toBe(before)
  const old = openBrowser(world, rest.fastify)
  old.cookie = before
  expect((await old.call('/session')).status).toBe(401)
  const planted = openBrowser(world, rest.fastify)
  planted.cookie = 'weather_session=chosen-by-somebody-else'
  const link = await createOperatorLink(world.app, { team_id: team.id, email: 'fixed@example.com', role: 'viewer' })
  await planted.call('/sign-in/link', { token: tokenOf(link.url) })
  expect(planted.cookie).not.toContain('chosen')
})

test('of two cookies with the same name neither is accepted', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'tossed@example.com', 'viewer')
  browser.cookie = `weather_session=planted; ${browser.cookie}`
  expect((await browser.call('/session')).status).toBe(401)
})

test('a session ends after twelve hours without use, and after thirty days in any case', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'idle@example.com', 'viewer')
  for (let n = 0; n < 59; n++) {
    world.clock.advance(12 * HOUR - 1)
    expect((await browser.ask('{ account { team { name } } }')).status, String(n)).toBe(200)
  }
  world.clock.advance(DAY)
  expect((await browser.ask('{ account { team { name } } }')).status).toBe(401)
  const idle = await signIn(world, rest.fastify, team.id, 'idle@example.com', 'viewer')
  world.clock.advance(12 * HOUR)
  expect((await idle.call('/session')).status).toBe(401)
  await world.drain()
})

test('a session counts as used until its last request, however slow the database was', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'slow@example.com', 'viewer')
  world.clock.advance(2 * MINUTE)
  const [secret = '', requestedAt] = [/=([\w-]+)/.exec(browser.cookie)?.[1], world.clock.now()]
  const pool = new Proxy(world.app.pool, {
    get: (of, key) => (key !== 'query' ? Reflect.get(of, key) : (text: string) => of.query(text).finally(() => world.clock.advance(HOUR))),
  })
  expect(await admitPerson({ ...world.app, pool }, secret, null)).toMatchObject({ person: { email: 'slow@example.com' } })
  const kept = await world.app.db.session.findUniqueOrThrow({ where: { hash: hashSecret(secret) } })
  expect(kept.seen_at).toEqual(requestedAt)
})

test('a request that has waited has the role of now, and is refused if its person has left the team', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'waits@example.com', 'analyst')
  const caller = await admitPerson(world.app, /=([\w-]+)/.exec(browser.cookie)?.[1] ?? '', null)
  const membership = { person_id: caller?.person?.id ?? '', team_id: team.id }
  await world.app.db.membership.updateMany({ where: membership, data: { role: 'viewer' } })
  const again = await caller?.admitAgain()
  expect([again?.person?.role, again?.abilities.has('properties:write')]).toEqual(['viewer', false])
  await world.app.db.membership.deleteMany({ where: membership })
  await expect(caller?.admitAgain()).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a person in no team is deleted after a month', async () => {
  await signIn(world, rest.fastify, team.id, 'gone@example.com', 'viewer')
  await signIn(world, rest.fastify, team.id, 'stays@example.com', 'viewer')
  await world.app.db.membership.deleteMany({ where: { person: { email: 'gone@example.com' } } })
  const known = () =>
    world.app.db.person.findMany({ where: { email: { in: ['gone@example.com', 'stays@example.com'] } }, select: { email: true } })
  world.clock.advance(29 * DAY)
  await deleteTeamlessPeople(world.app)
  expect(await known()).toHaveLength(2)
  world.clock.advance(2 * DAY)
  await deleteTeamlessPeople(world.app)
  expect(await known()).toEqual([{ email: 'stays@example.com' }])
})

test('signing out ends the session and clears the cookie; a session can end other sessions', async () => {
  const first = await signIn(world, rest.fastify, team.id, 'many@example.com', 'viewer')
  const second = await signIn(world, rest.fastify, team.id, 'many@example.com', 'viewer')
  const third = await signIn(world, rest.fastify, team.id, 'many@example.com', 'viewer')
  const { body } = await first.call('/session')
  expect(body.sessions).toHaveLength(3)
  for (const sent of [{}, { id: 1 }])
    expect(await first.call('/sessions/end', sent)).toMatchObject({ status: 422, body: { errors: { id: [expect.any(String)] } } })
  expect((await first.call('/session')).body.sessions).toHaveLength(3)
  expect((await first.call('/sessions/end', { id: body.sessions.find((one: { current: boolean }) => !one.current).id })).body).toEqual({
    ended: 1,
  })
  expect((await first.call('/sessions/end', { id: null })).body).toEqual({ ended: 1 })
  expect([(await second.call('/session')).status, (await third.call('/session')).status]).toEqual([401, 401])
  const { status, cookie } = await first.call('/sign-out', {})
  expect([status, cookie]).toEqual([204, 'weather_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
})

test('only an empty text clears the own name: a request without a text is refused, and the name stays', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'named@example.com', 'viewer')
  expect((await browser.call('/person', { name: ' Ada ' })).body).toEqual({ name: 'Ada' })
  for (const sent of [{}, { name: null }, { name: ['Eve'] }])
    expect(await browser.call('/person', sent)).toMatchObject({ status: 422, body: { errors: { name: ['The name must be text.'] } } })
  expect((await browser.call('/session')).body.person.name).toBe('Ada')
  expect((await browser.call('/person', { name: '' })).body).toEqual({ name: null })
})

test('another person’s session cannot be ended, nor one that does not exist', async () => {
  const otherSession = await signIn(world, rest.fastify, team.id, 'theirs@example.com', 'viewer')
  const id = (await otherSession.call('/session')).body.sessions[0].id
  const ownSession = await signIn(world, rest.fastify, team.id, 'ours@example.com', 'owner')
  for (const none of [id, 'x', '\u0000'])
    expect([none, (await ownSession.call('/sessions/end', { id: none })).body]).toEqual([none, { ended: 0 }])
  expect((await otherSession.call('/session')).status).toBe(200)
})

const foreign: [string, Record<string, string | undefined>][] = [
  ['a form of another site', { origin: 'https://evil.example', 'x-weather-console': undefined, 'sec-fetch-site': 'cross-site' }],
  ['a script of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a page of a neighbouring host', { origin: 'http://evil.localhost:4000', 'sec-fetch-site': 'same-site' }],
  ['a page without an origin', { origin: 'null' }],
  ['a client that names no origin', { origin: undefined }],
  ['a request without the console’s header', { 'x-weather-console': undefined }],
]
test.each(foreign)('%s gets no data out of a session, and changes nothing', async (_who, headers) => {
  const browser = await signIn(world, rest.fastify, team.id, 'forged@example.com', 'owner')
  expect((await browser.ask('{ account { team { name } } }', {}, headers)).status).toBe(401)
  expect((await browser.call('/sign-out', {}, headers)).status).toBe(401)
  expect((await browser.call('/sign-in', { email: 'forged@example.com' }, headers)).status).toBe(401)
  expect((await browser.call('/session')).status).toBe(200)
})

test('a cookie gives no access to REST or to a document', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'rest@example.com', 'owner')
  const answer = await rest.call('GET', '/account', { headers: { cookie: browser.cookie, 'x-weather-console': '1' } })
  expect(answer.status).toBe(401)
})

test('a link leads back into the console and nowhere else', () => {
  expect(pathWithin('/app/reports/1?tab=map#x')).toBe('/app/reports/1?tab=map#x')
  for (const invalidPath of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/app\\..\\x',
    '/application',
    'javascript:alert(1)',
    '/app\n',
    7,
    null,
  ])
    expect(pathWithin(invalidPath as string)).toBeNull()
})

const malformed: [unknown, number, string][] = [
  ['[]', 422, 'malformed_json'],
  ['{', 422, 'malformed_json'],
  [{ email: 'no address' }, 422, 'validation_failed'],
  [{ email: ['ann@example.com'] }, 422, 'validation_failed'],
  [{ email: 'a'.repeat(5000) }, 413, 'payload_too_large'],
]
test.each(malformed)('%j is refused', async (body, status, code) => {
  expect(await openBrowser(world, rest.fastify).call('/sign-in', body)).toMatchObject({ status, body: { code } })
})

test('a person who is deleted while opening a link is asked to request a new one', async () => {
  const email = 'forgotten@example.com'
  await signIn(world, rest.fastify, team.id, email, 'viewer')
  const { id } = await world.app.db.person.findUniqueOrThrow({ where: { email } })
  await openBrowser(world, rest.fastify).call('/sign-in', { email })
  await world.drain()
  const token = linkIn(mailed.at(-1)?.text ?? '')
  const forgetting = await world.owner.connect()
  await forgetting.query('BEGIN')
  await forgetting.query('DELETE FROM memberships WHERE person_id = $1', [id])
  await forgetting.query('DELETE FROM people WHERE id = $1', [id])
  const opening = openBrowser(world, rest.fastify).call('/sign-in/link', { token })
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  await forgetting.query('COMMIT')
  forgetting.release()
  expect(await opening).toMatchObject({ status: 410, body: { code: 'link_expired' } })
})
