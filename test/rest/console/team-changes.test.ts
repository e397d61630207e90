import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTeamChanges } from '#domain/people/team-changes.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { type BrowserSession, signIn } from '#test/support/browser-session.ts'
import { aKeptProperty, aKeptTerritory } from '#test/support/exposures.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const CHANGES = 'subscription { teamChanges { subjects } }'

let world: World
let rest: Rest
let base: string
let team: Team
let other: Team
let owner: BrowserSession

beforeAll(async () => {
  world = await openWorld({ config: { base_url: 'http://127.0.0.1:1', console_url: 'http://127.0.0.1:1/app' } })
  rest = await openRest(world)
  base = await rest.fastify.listen({ port: 0, host: '127.0.0.1' })
  team = await aTeam(world)
  other = await aTeam(world)
  owner = await signIn(world, rest.fastify, team.id, 'owner@example.com', 'owner')
})
afterAll(() => rest.close())

const headersOf = ({ cookie }: BrowserSession) => ({
  cookie,
  'x-weather-console': '1',
  'x-weather-team': team.id,
  origin: 'http://127.0.0.1:1',
  'content-type': 'application/json',
})

interface Subscription {
  /** The subjects of each message. */
  messages: string[][]
  /** The refusal, or the service's reason for ending the subscription. */
  end: string | null
  stop(): void
}

function follow(session: BrowserSession): Subscription {
  const client = createClient({ url: `${base}/graphql`, headers: headersOf(session), retryAttempts: 0 })
  const subscription: Subscription = { messages: [], end: null, stop: () => client.dispose() }
  client.subscribe<{ teamChanges: { subjects: string[] } | null }>(
    { query: CHANGES },
    {
      next: ({ data, errors }) =>
        data?.teamChanges ? subscription.messages.push(data.teamChanges.subjects) : (subscription.end = String(errors?.[0]?.message)),
      error: (fault) => {
        subscription.end = fault instanceof Error ? fault.message : String(fault)
      },
      complete: () => {
        subscription.end ??= 'ended'
      },
    },
  )
  return subscription
}

/** Follows, and skips messages from before it started. */
async function followed(session: BrowserSession): Promise<Subscription> {
  const subscription = follow(session)
  await expect.poll(() => subscription.messages[0]).toEqual([])
  await expect.poll(() => listeners()).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 500))
  subscription.messages.length = 0
  return subscription
}

const listeners = async () =>
  (await world.owner.query("SELECT FROM pg_stat_activity WHERE application_name = 'weather changes' AND datname = current_database()"))
    .rowCount

/** Requests a report: a row that changes. */
const askForReport = async (of: Team) =>
  rest.call('POST', '/reports', {
    token: (await aToken(world, of)).token,
    body: { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31' },
  })

test('a report of the team is announced when it is requested and when it is done; another team’s report never is', async () => {
  const subscription = await followed(owner)
  expect((await askForReport(other)).status).toBe(202)
  expect((await askForReport(team)).status).toBe(202)
  await expect.poll(() => subscription.messages).toEqual([['reports']])
  await world.drain()
  await expect.poll(() => subscription.messages.length).toBeGreaterThan(1)
  expect([...new Set(subscription.messages.flat())]).toEqual(['reports'])
  subscription.stop()
})

test('properties and territories are announced when they are added, changed and removed', async () => {
  const subscription = await followed(owner)
  const { id } = await aKeptProperty(world, team)
  await expect.poll(() => subscription.messages).toEqual([['properties']])
  await world.app.db.property.update({ where: { id }, data: { label: 'Depot' } })
  await expect.poll(() => subscription.messages.length).toBe(2)
  await world.app.db.property.delete({ where: { id } })
  await expect.poll(() => subscription.messages.length).toBe(3)
  await aKeptTerritory(world, team)
  await expect.poll(() => subscription.messages.at(-1)).toEqual(['territories'])
  subscription.stop()
})

test('an invitation by another team is announced to the invited person, when it is sent and when it is revoked', async () => {
  const inviter = await signIn(world, rest.fastify, other.id, 'inviter@example.com', 'owner')
  const subscription = await followed(owner)
  const invited = await inviter.ask('mutation { invitePerson(email: "owner@example.com", role: "viewer") { id } }')
  await expect.poll(() => subscription.messages).toEqual([['memberships']])
  await inviter.ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id: invited.data.invitePerson.id })
  await expect.poll(() => subscription.messages.length).toBe(2)
  expect((await owner.call('/session')).body.teams).toHaveLength(1)
  subscription.stop()
})

test('many changes at once are announced together', async () => {
  const subscription = await followed(owner)
  await Promise.all(Array.from({ length: 10 }, () => askForReport(team)))
  await expect.poll(() => subscription.messages.length).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(subscription.messages.length).toBeLessThanOrEqual(4)
  subscription.stop()
})

test('a member who is removed from the team gets no more messages within a second', async () => {
  const analyst = await signIn(world, rest.fastify, team.id, 'analyst@example.com', 'analyst')
  const subscription = await followed(analyst)
  const { data } = await owner.ask('{ people { id email } }')
  const { id } = data.people.find(({ email }: { email: string }) => email === 'analyst@example.com')
  expect((await owner.ask('mutation ($id: ID!) { removePerson(person: $id) }', { id })).data).toEqual({ removePerson: true })
  await expect.poll(() => subscription.end, { timeout: 1000 }).toBe('ended')
  const again = follow(analyst)
  await expect.poll(() => again.end).toMatch(/Unauthorized/)
})

test('ending a session ends its subscriptions within a second', async () => {
  const viewer = await signIn(world, rest.fastify, team.id, 'viewer@example.com', 'viewer')
  const subscription = await followed(viewer)
  expect((await viewer.call('/sign-out', {})).status).toBe(204)
  await expect.poll(() => subscription.end, { timeout: 1000 }).toBe('ended')
})

test('a token, another site, or a client without the console’s header cannot subscribe', async () => {
  const { token } = await aToken(world, team)
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ query: CHANGES }),
      signal: AbortSignal.timeout(5000),
    })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const byToken = await ask({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  expect(byToken).toMatchObject({ type: expect.stringContaining('application/json'), text: expect.stringContaining('"errors"') })
  const { 'x-weather-console': _, ...bare } = headersOf(owner)
  for (const headers of [
    bare,
    { ...headersOf(owner), origin: 'https://evil.example' },
    { ...headersOf(owner), 'sec-fetch-site': 'cross-site' },
  ])
    expect(await ask(headers)).toMatchObject({ status: 401 })
  const got = await fetch(`${base}/graphql?query=${encodeURIComponent(CHANGES)}`, {
    headers: { ...headersOf(owner), accept: 'text/event-stream' },
  })
  expect(got.status).toBe(405)
})

test('a person can have twenty subscriptions at once, and closing a page makes room', async () => {
  const many = await signIn(world, rest.fastify, team.id, 'many@example.com', 'viewer')
  const open = Array.from({ length: 20 }, () => follow(many))
  await expect.poll(() => open.every(({ messages }) => messages.length > 0)).toBe(true)
  const refused = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { ...headersOf(many), accept: 'text/event-stream' },
    body: JSON.stringify({ query: CHANGES }),
  })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await refused.text()).toContain('At most 20 open pages')
  for (const each of open) each.stop()
  await expect
    .poll(async () => {
      const next = follow(many)
      await expect.poll(() => next.end !== null || next.messages.length > 0).toBe(true)
      next.stop()
      return next.end
    })
    .toBe(null)
})

test('a person who is removed between authorization and subscription is disconnected at once', async () => {
  await signIn(world, rest.fastify, team.id, 'late@example.com', 'viewer')
  const { rows } = await world.owner.query(
    "SELECT s.id AS session_id, p.id FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = 'late@example.com'",
  )
  const [person] = rows
  await world.owner.query('DELETE FROM memberships WHERE person_id = $1', [person.id])
  const changes = openTeamChanges(world.app)
  const ended = vi.fn()
  changes.follow({ ...(await aCaller(world, team)), person }, { changed: () => {}, ended })
  await expect.poll(() => ended.mock.calls.length).toBe(1)
  await changes.close()
})

test('a page that subscribes while the service stops is disconnected at once', async () => {
  const { rows } = await world.owner.query(
    "SELECT s.id AS session_id, p.id FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = 'owner@example.com'",
  )
  const changes = openTeamChanges(world.app)
  await changes.close()
  const ended = vi.fn()
  changes.follow({ ...(await aCaller(world, team)), person: rows[0] }, { changed: () => {}, ended })
  expect(ended).toHaveBeenCalledOnce()
})

test('the service ends every subscription when it stops, and keeps no connection open for it', async () => {
  const subscription = await followed(owner)
  const startedAt = performance.now()
  await rest.close()
  expect(performance.now() - startedAt).toBeLessThan(5000)
  await expect.poll(() => subscription.end).toBe('ended')
  await expect.poll(() => listeners()).toBe(0)
})
