import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setOperator } from '#domain/people/operators.ts'
import { beginRegistration } from '#domain/people/passkeys.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { openAuthenticator, type Twist } from '#test/support/authenticator.ts'
import { type BrowserSession, openBrowser, signIn } from '#test/support/browser-session.ts'
import { MINUTE } from '#test/support/clock.ts'
import { aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let team: Team
let origin: string
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  team = await aTeam(world)
  origin = new URL(world.app.config.console_url).origin
})
beforeEach(() => world.clock.advance(2 * MINUTE))
afterAll(() => rest.close())

/** The response of a browser to its challenge. */
async function challenged(browser: BrowserSession, path: string) {
  const session = browser.cookie
  const { body: options, cookie = '', status } = await browser.call(path, {})
  expect(status).toBe(200)
  const challenge = cookie.split(';')[0] ?? ''
  browser.cookie = session
  return { options, cookie, headers: { cookie: [session, challenge].filter(Boolean).join('; ') }, challenge }
}

/** A signed-in user with a registered passkey. */
async function withPasskey(email: string) {
  const browser = await signIn(world, rest.fastify, team.id, email, 'owner')
  const device = openAuthenticator(origin)
  const { options, headers } = await challenged(browser, '/passkeys/options')
  const session = browser.cookie
  const registered = await browser.call('/passkeys', { name: 'Laptop', response: device.register(options) }, headers)
  browser.cookie = session
  expect(registered, JSON.stringify(registered.body)).toMatchObject({ status: 201, body: { name: 'Laptop', used_at: null } })
  return { browser, device, id: String(registered.body.id) }
}

const fresh = () => openBrowser(world, rest.fastify)

test('a passkey can be registered, listed, used to sign in, and removed; the audit log has the registration and the removal', async () => {
  const { browser, device, id } = await withPasskey('ann@example.com')
  const other = fresh()
  const { options, headers, cookie } = await challenged(other, '/sign-in/passkey/options')
  expect(cookie).toMatch(/^weather_challenge=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(options.allowCredentials ?? []).toEqual([])
  expect((await signedInBy(other, device.signIn(options), headers)).status).toBe(204)
  expect((await other.call('/session')).body.person.email).toBe('ann@example.com')
  const { body } = await browser.call('/passkeys')
  expect(body.passkeys).toEqual([
    { id, name: 'Laptop', backed_up: false, created_at: expect.any(String), used_at: world.clock.now().toISOString() },
  ])
  expect((await browser.call('/passkeys/remove', { id })).status).toBe(204)
  const after = fresh()
  const again = await challenged(after, '/sign-in/passkey/options')
  expect((await signedInBy(after, device.signIn(again.options), again.headers)).status).toBe(401)
  const { rows } = await world.owner.query(
    "SELECT operation FROM audit_log WHERE target_kind = 'passkey' AND target_id = $1 ORDER BY sequence",
    [id],
  )
  expect(rows.map(({ operation }) => operation)).toEqual(['registerPasskey', 'removePasskey'])
})

/** Responds to a sign-in, and keeps the session's cookie if one is set. */
async function signedInBy(browser: BrowserSession, response: unknown, headers: Record<string, string>) {
  const answer = await rest.fastify.inject({
    method: 'POST',
    url: '/app/sign-in/passkey',
    headers: { 'content-type': 'application/json', 'x-weather-console': '1', origin, 'sec-fetch-site': 'same-origin', ...headers },
    payload: JSON.stringify({ response }),
  })
  const session = answer.cookies.find(({ name }) => name === 'weather_session')
  if (session) browser.cookie = `weather_session=${session.value}`
  return { status: answer.statusCode, message: answer.body ? JSON.parse(answer.body).message : null, session: session?.value }
}

const twists: [string, Twist][] = [
  ['made for the page of another origin', { origin: 'https://evil.example' }],
  ['made for another relying party', { rp_id: 'evil.example' }],
  ['that answers another challenge', { challenge: 'A'.repeat(43) }],
  ['that is a registration', { type: 'webauthn.create' }],
  ['without a finger, a face or a PIN', { verified: false }],
  ['made in a frame of another site', { crossOrigin: true }],
  ['that names another person', { user_handle: Buffer.alloc(16, 7).toString('base64url') }],
  ['whose counter went back, as a copy’s does', { counter: 1 }],
]
test.each(twists)('a signature %s signs nobody in', async (_what, twist) => {
  const { device } = await withPasskey('bea@example.com')
  const browser = fresh()
  const { options, headers } = await challenged(browser, '/sign-in/passkey/options')
  const refused = await signedInBy(browser, device.signIn(options, twist), headers)
  expect(refused).toEqual({
    status: 401,
    message: 'This passkey was not accepted. Try again, or ask for a link by e-mail.',
    session: undefined,
  })
  const next = await challenged(browser, '/sign-in/passkey/options')
  expect((await signedInBy(browser, device.signIn(next.options, { counter: 9 }), next.headers)).status).toBe(204)
})

test('an unknown passkey, and a known one with a false signature, are refused with the same message', async () => {
  const { device } = await withPasskey('cal@example.com')
  const responses = []
  for (const one of [device, openAuthenticator(origin)]) {
    const browser = fresh()
    const { options, headers } = await challenged(browser, '/sign-in/passkey/options')
    const answer = one.signIn(options)
    responses.push(
      await signedInBy(browser, { ...answer, response: { ...answer.response, signature: 'AAAA', userHandle: 'AAAA' } }, headers),
    )
  }
  expect(responses[1]).toEqual(responses[0])
})

const forged: [string, Twist][] = [
  ['made for the page of another origin', { origin: 'https://evil.example' }],
  ['made for another relying party', { rp_id: 'evil.example' }],
  ['that answers another challenge', { challenge: 'A'.repeat(43) }],
  ['that is a signature', { type: 'webauthn.get' }],
  ['without a finger, a face or a PIN', { verified: false }],
  ['made in a frame of another site', { crossOrigin: true }],
]
test.each(forged)('a passkey %s is not stored', async (_what, twist) => {
  const browser = await signIn(world, rest.fastify, team.id, 'lou@example.com', 'viewer')
  const { options, headers } = await challenged(browser, '/passkeys/options')
  const answer = await browser.call('/passkeys', { name: 'Laptop', response: openAuthenticator(origin).register(options, twist) }, headers)
  expect(answer.status).toBe(401)
  expect(await world.app.db.passkey.count({ where: { person: { email: 'lou@example.com' } } })).toBe(0)
})

test('a person has at most twenty passkeys, even if many are added at once', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'max@example.com', 'viewer')
  const add = async () => {
    const { options, headers } = await challenged(browser, '/passkeys/options')
    return async () => {
      const session = browser.cookie
      const answer = await browser.call('/passkeys', { name: 'One more', response: openAuthenticator(origin).register(options) }, headers)
      browser.cookie = session
      return answer
    }
  }
  for (let passkeyCount = 0; passkeyCount < 19; passkeyCount++) {
    expect((await (await add())()).status).toBe(201)
    world.clock.advance(MINUTE)
  }
  const two = [await add(), await add()]
  const answers = await Promise.all(two.map((send) => send()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
  expect((await browser.call('/passkeys/options', {})).body.errors).toEqual({
    name: ['You have 20 passkeys: remove one that you no longer use.'],
  })
})

test('a challenge belongs to one browser, can be used once, successfully or not, and expires after ten minutes', async () => {
  const { device } = await withPasskey('dot@example.com')
  const [firstBrowser, secondBrowser] = [fresh(), fresh()]
  const challenge = await challenged(firstBrowser, '/sign-in/passkey/options')
  const foreign = await challenged(secondBrowser, '/sign-in/passkey/options')
  expect((await signedInBy(secondBrowser, device.signIn(challenge.options), foreign.headers)).status).toBe(401)
  expect((await signedInBy(secondBrowser, device.signIn(challenge.options), { cookie: '' })).status).toBe(401)
  const answer = device.signIn(challenge.options)
  expect((await signedInBy(firstBrowser, answer, challenge.headers)).status).toBe(204)
  expect((await signedInBy(fresh(), answer, challenge.headers)).status).toBe(401)
  // The wrong response above also used up the other browser's challenge.
  expect((await signedInBy(secondBrowser, device.signIn(foreign.options), foreign.headers)).status).toBe(401)
  const late = await challenged(firstBrowser, '/sign-in/passkey/options')
  world.clock.advance(10 * MINUTE)
  expect((await signedInBy(firstBrowser, device.signIn(late.options), late.headers)).status).toBe(401)
})

test('a registration challenge signs nobody in, and one person’s challenge registers nothing for another', async () => {
  const { browser, device } = await withPasskey('eve@example.com')
  const registering = await challenged(browser, '/passkeys/options')
  expect((await signedInBy(fresh(), device.signIn({ ...registering.options, rpId: 'localhost' }), registering.headers)).status).toBe(401)
  const other = await signIn(world, rest.fastify, team.id, 'fay@example.com', 'viewer')
  const ownChallenge = await challenged(browser, '/passkeys/options')
  const headers = { cookie: `${other.cookie}; ${ownChallenge.challenge}` }
  const planted = await other.call(
    '/passkeys',
    { name: 'Planted', response: openAuthenticator(origin).register(ownChallenge.options) },
    headers,
  )
  expect(planted.status).toBe(401)
  const signing = await challenged(fresh(), '/sign-in/passkey/options')
  const mixed = { cookie: `${browser.cookie}; ${signing.challenge}` }
  const response = openAuthenticator(origin).register({ ...signing.options, rp: { id: 'localhost' } })
  expect((await browser.call('/passkeys', { name: 'Mixed', response }, mixed)).status).toBe(401)
  expect(await world.app.db.passkey.count({ where: { person: { email: { in: ['eve@example.com', 'fay@example.com'] } } } })).toBe(1)
})

test('signing in by a passkey ends the browser’s earlier session', async () => {
  const { browser, device } = await withPasskey('gil@example.com')
  const before = browser.cookie
  const { options, headers } = await challenged(browser, '/sign-in/passkey/options')
  expect((await signedInBy(browser, device.signIn(options), headers)).session).toMatch(/^[\w-]{43}$/)
  const old = fresh()
  old.cookie = before
  expect((await old.call('/session')).status).toBe(401)
})

test('another person’s passkey cannot be removed', async () => {
  const { id } = await withPasskey('hal@example.com')
  const other = await signIn(world, rest.fastify, team.id, 'ida@example.com', 'owner')
  expect((await other.call('/passkeys/remove', { id })).status).toBe(404)
  expect(await world.app.db.passkey.count({ where: { id } })).toBe(1)
})

test('a passkey session from a link that an owner passed on ends when the person signs in by a link of their own, and when they become an operator', async () => {
  for (const [email, comes] of [
    ['jon@example.com', (of: string) => signIn(world, rest.fastify, team.id, of, 'viewer')],
    ['kim@example.com', (of: string) => setOperator(world.app, { email: of, roles: ['read'] })],
  ] as const) {
    const { device } = await withPasskey(email)
    await world.owner.query('UPDATE passkeys SET handed_over = true FROM people p WHERE p.id = person_id AND p.email = $1', [email])
    await comes(email)
    const browser = fresh()
    const { options, headers } = await challenged(browser, '/sign-in/passkey/options')
    expect((await signedInBy(browser, device.signIn(options), headers)).status).toBe(401)
  }
})

test('a session that ends during a registration registers no passkey', async () => {
  const browser = await signIn(world, rest.fastify, team.id, 'lea@example.com', 'viewer')
  const { options, headers } = await challenged(browser, '/passkeys/options')
  const other = await world.owner.connect()
  await other.query('BEGIN')
  await other.query("SELECT FROM people WHERE email = 'lea@example.com' FOR UPDATE")
  const registering = browser.call('/passkeys', { name: 'Late', response: openAuthenticator(origin).register(options) }, headers)
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  await other.query("DELETE FROM sessions USING people p WHERE p.id = person_id AND p.email = 'lea@example.com'")
  await other.query('COMMIT')
  other.release()
  expect((await registering).status).toBe(401)
  expect(await world.app.db.passkey.count({ where: { person: { email: 'lea@example.com' } } })).toBe(0)
})

test('a passkey sign-in waits for a concurrent change that ends it, without a deadlock', async () => {
  const { device } = await withPasskey('mia@example.com')
  await world.owner.query("UPDATE passkeys SET handed_over = true FROM people p WHERE p.id = person_id AND p.email = 'mia@example.com'")
  const browser = fresh()
  const { options, headers } = await challenged(browser, '/sign-in/passkey/options')
  const ending = await world.owner.connect()
  await ending.query('BEGIN')
  await ending.query("SELECT FROM people WHERE email = 'mia@example.com' FOR NO KEY UPDATE")
  const signingIn = signedInBy(browser, device.signIn(options), headers)
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  await ending.query("DELETE FROM passkeys USING people p WHERE p.id = person_id AND p.email = 'mia@example.com'")
  await ending.query('COMMIT')
  ending.release()
  expect((await signingIn).status).toBe(401)
})

test('a person who is deleted while starting to register a passkey is signed out', async () => {
  const known = { email: 'gone@example.com', name: null, operator_roles: [], session_id: '', handed_over: false, company_email: null }
  const person = { id: '00000000-0000-4000-8000-000000000000', ...known }
  await expect(beginRegistration(world.app, person, { address: '127.0.0.1' })).rejects.toMatchObject({ code: 'unauthenticated' })
})
