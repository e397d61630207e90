import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { authenticate } from '#domain/access/authenticate.ts'
import { chargeRequests } from '#domain/access/rate-limit.ts'
import { generateToken, revokeToken } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import { openLimiter } from '#domain/engines/limiter.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

const bearer = (token: string) => `Bearer ${token}`
const limitedTo = (rate_limit_per_minute: number): App => ({ ...world.app, config: { ...world.app.config, rate_limit_per_minute } })
const refusalOf = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => Promise.reject(new Error('was admitted')),
    (fault) => fault,
  )

test('returns the team, plan and abilities of a token', async () => {
  const team = await aTeam(world, { plan: 'business', name: 'Storm desk', limit_overrides: { properties: 7 } })
  const { token, prefix } = await aToken(world, team, ['reports:read'])
  const { caller, rate } = await authenticate(world.app, bearer(token))
  expect(caller.team).toEqual({
    id: team.id,
    name: 'Storm desk',
    timezone: 'America/Chicago',
    on_trial: false,
    lapsed: false,
    created_at: team.created_at,
  })
  expect(caller.plan).toMatchObject({ tier: 'business', properties: 7, territories: 60 })
  expect([...caller.abilities]).toEqual(['reports:read'])
  expect(caller.token).toMatchObject({ name: 'Test', prefix, expires_at: null, last_used_at: world.clock.now() })
  expect(rate).toEqual({ limit: 120, remaining: 119, reset_at: new Date(world.clock.now().getTime() + 60_000) })
  expect(await caller.db.token.count()).toBe(1)
})

test('refuses missing, malformed, unknown, expired and revoked tokens with the same error', async () => {
  const team = await aTeam(world)
  const expired = await aToken(world, team, [], new Date(world.clock.now().getTime()))
  const revoked = await aToken(world, team)
  await authenticate(world.app, bearer(revoked.token))
  await revokeToken(world.app.db, revoked.prefix)
  for (const header of [
    undefined,
    '',
    'Basic abc',
    'Bearer',
    bearer('wt_short'),
    bearer(generateToken()),
    bearer(expired.token),
    bearer(revoked.token),
  ]) {
    expect(await refusalOf(authenticate(world.app, header))).toMatchObject({ code: 'unauthenticated', status: 401 })
  }
})

test('admits a write again a second later: a token that was revoked or has lost an ability meanwhile is refused', async () => {
  const team = await aTeam(world)
  const token = await aToken(world, team, ['reports:read', 'reports:write'])
  const { caller } = await authenticate(world.app, bearer(token.token))
  const later = performance.now() + 1000
  const requireAdmittedLater = async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    await caller.requireAdmitted().finally(() => clock.mockRestore())
  }
  await requireAdmittedLater()
  await world.app.db.token.update({ where: { prefix: token.prefix }, data: { abilities: ['reports:read'] } })
  expect(await refusalOf(requireAdmittedLater())).toMatchObject({ code: 'missing_ability', details: { required_ability: 'reports:write' } })
  await revokeToken(world.app.db, token.prefix)
  expect(await refusalOf(requireAdmittedLater())).toMatchObject({ code: 'unauthenticated', status: 401 })
})

test('refuses a token with a wrong checksum without a query', async () => {
  const pool = { query: () => Promise.reject(new Error('the database was asked')) } as unknown as App['pool']
  const attempt = authenticate({ ...world.app, pool }, bearer(`${generateToken().slice(0, -1)}-`))
  expect(await refusalOf(attempt)).toMatchObject({ code: 'unauthenticated' })
})

test('records the last use of a token at most once a minute', async () => {
  const { token, prefix } = await aToken(world, await aTeam(world))
  const written = async () => (await world.app.db.token.findUniqueOrThrow({ where: { prefix } })).last_used_at
  const first = world.clock.now()
  expect((await authenticate(world.app, bearer(token))).caller.token.last_used_at).toEqual(first)
  world.clock.advance(59_999)
  expect((await authenticate(world.app, bearer(token))).caller.token.last_used_at).toEqual(first)
  expect(await written()).toEqual(first)
  world.clock.advance(1)
  expect((await authenticate(world.app, bearer(token))).caller.token.last_used_at).toEqual(world.clock.now())
  expect(await written()).toEqual(world.clock.now())
})

test('admits 20 of 60 concurrent requests under a limit of 20', async () => {
  const app = limitedTo(20)
  const { token } = await aToken(world, await aTeam(world))
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => authenticate(app, bearer(token))))
  const admitted = results.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.rate.remaining] : []))
  expect(admitted.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, place) => place))
  for (const answer of results) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'rate_limited', status: 429 })
})

test('a rate-limit refusal states when the request will be admitted, and it is admitted then', async () => {
  const app = limitedTo(2)
  const { token } = await aToken(world, await aTeam(world))
  const first = world.clock.now()
  await authenticate(app, bearer(token))
  world.clock.advance(20_500)
  await authenticate(app, bearer(token))
  const refusal = await refusalOf(authenticate(app, bearer(token)))
  expect(refusal.details).toEqual({ retry_after: 40, rate: { limit: 2, remaining: 0, reset_at: new Date(first.getTime() + 60_000) } })
  world.clock.advance(39_499)
  expect(await refusalOf(authenticate(app, bearer(token)))).toMatchObject({ code: 'rate_limited' })
  world.clock.advance(1)
  expect((await authenticate(app, bearer(token))).rate.remaining).toBe(0)
})

test('charges additional root fields all together or not at all', async () => {
  const app = limitedTo(10)
  const { token } = await aToken(world, await aTeam(world))
  const { caller } = await authenticate(app, bearer(token))
  expect((await chargeRequests(app, caller, 6)).remaining).toBe(3)
  expect(await refusalOf(chargeRequests(app, caller, 4))).toMatchObject({ code: 'rate_limited', details: { rate: { remaining: 3 } } })
  expect((await chargeRequests(app, caller, 3)).remaining).toBe(0)
})

test('limits an address that sends refused credentials, but not a valid token from that address', async () => {
  const { token } = await aToken(world, await aTeam(world))
  const codes = new Map<string, number>()
  for (let round = 0; round < 31; round++) {
    const refusals = await Promise.all(
      Array.from({ length: 10 }, () => refusalOf(authenticate(world.app, bearer('wt_wrong'), '203.0.113.9'))),
    )
    for (const { code } of refusals) codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  expect(Object.fromEntries(codes)).toEqual({ unauthenticated: 300, rate_limited: 10 })
  expect(await refusalOf(authenticate(world.app, undefined, '203.0.113.10'))).toMatchObject({ code: 'unauthenticated' })
  expect(await refusalOf(authenticate(world.app, undefined, '::ffff:203.0.113.9'))).toMatchObject({ code: 'rate_limited' })
  await authenticate(world.app, bearer(token), '203.0.113.9')
})

test('a client that was refused is not counted again for a second, however much it sends', async () => {
  let hits = 0
  const { limiter } = world.app
  const counting: App['limiter'] = {
    in_database: limiter.in_database,
    hit: (...hit) => {
      hits += 1
      return limiter.hit(...hit)
    },
    close: async () => {},
  }
  const app = { ...world.app, limiter: counting }
  const attempt = async () => (await refusalOf(authenticate(app, bearer('wt_wrong'), '203.0.113.77'))).code
  const codes = await Promise.all(Array.from({ length: 301 }, attempt))
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(1)
  expect(new Set(await Promise.all(Array.from({ length: 100 }, attempt)))).toEqual(new Set(['rate_limited']))
  expect(hits).toBe(301)
  world.clock.advance(1000)
  expect([await attempt(), hits]).toEqual(['rate_limited', 302])
  world.clock.advance(58_999)
  expect([await attempt(), hits]).toEqual(['rate_limited', 303])
  world.clock.advance(1)
  expect([await attempt(), hits]).toEqual(['unauthenticated', 304])
})

test('counts the addresses of one IPv6 network as one client', async () => {
  const codeFrom = async (address: string) => (await refusalOf(authenticate(world.app, bearer('wt_wrong'), address))).code
  const codes = await Promise.all(Array.from({ length: 301 }, (_, nth) => codeFrom(`2001:db8:0:7::${(nth + 1).toString(16)}`)))
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(1)
  expect(await codeFrom('2001:db8:0:8::1')).toBe('unauthenticated')
})

for (const backend of redisIsHere ? ['database', 'redis'] : ['database']) {
  test(`a forged token with a known prefix does not use the real token's limit and counts against its address (${backend})`, async () => {
    const redis = backend === 'redis' ? await startRedis() : null
    const limiter = openLimiter({ redis_url: redis?.url ?? null }, world.app.pool, world.app.log)
    const app = { ...limitedTo(10), limiter }
    try {
      // The database counts until the connection to Redis is established.
      do await limiter.hit('first', 1, 1, null)
      while (redis && limiter.in_database && (await pause(20, true)))
      const { token, prefix } = await aToken(world, await aTeam(world))
      const forged = forgedWith(prefix)
      const codes = []
      for (let sent = 0; sent < 302; sent++) codes.push((await refusalOf(authenticate(app, bearer(forged), '203.0.113.7'))).code)
      expect(new Set(codes.slice(0, 300))).toEqual(new Set(['unauthenticated']))
      expect(codes.slice(300)).toEqual(['rate_limited', 'rate_limited'])
      const { caller, rate } = await authenticate(app, bearer(token))
      expect(rate.remaining).toBe(9)
      expect((await chargeRequests(app, caller, 4)).remaining).toBe(5)
      expect((await authenticate(app, bearer(token))).rate.remaining).toBe(4)
    } finally {
      await limiter.close()
      await redis?.stop()
    }
  })
}

test('judges each of several concurrent tokens separately', async () => {
  const app = limitedTo(3)
  const team = await aTeam(world)
  const tokens = await Promise.all([aToken(world, team), aToken(world, team), aToken(world, team)])
  const headers = [...tokens.map(({ token }) => token), generateToken()].flatMap((token) => Array.from({ length: 5 }, () => bearer(token)))
  const outcomes = await Promise.all(
    headers.map((header) =>
      authenticate(app, header).then(
        ({ caller, rate }) => `${caller.token.prefix} ${rate.remaining}`,
        ({ code }) => code,
      ),
    ),
  )
  const one = ({ prefix }: { prefix: string }) => [`${prefix} 2`, `${prefix} 1`, `${prefix} 0`, 'rate_limited', 'rate_limited']
  expect(outcomes).toEqual([...tokens.flatMap(one), ...Array.from({ length: 5 }, () => 'unauthenticated')])
})

test('a database failure fails every waiting request with the original error, and the next request queries again', async () => {
  const { token } = await aToken(world, await aTeam(world))
  let down = true
  const query = (statement: object) => (down ? Promise.reject(new Error('the database is away')) : world.app.pool.query(statement as never))
  const app = { ...world.app, pool: { query } as unknown as App['pool'] }
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => authenticate(app, bearer(token))))
  for (const answer of results) expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'the database is away' } })
  down = false
  // Redis counted the failed requests too.
  expect((await authenticate(app, bearer(token))).rate.remaining).toBe(app.limiter.in_database ? 119 : 115)
})

test('for any sequence of requests, admits at most the limit in any 60 seconds and refuses none that fits', async () => {
  const team = await aTeam(world)
  const waits = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30_000 }), fc.constantFrom(59_999, 60_000))
  const bursts = fc.array(fc.record({ wait: waits, requests: fc.integer({ min: 1, max: 7 }) }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(bursts, async (sent) => {
      const app = limitedTo(5)
      const { token } = await aToken(world, team)
      const counted: number[] = []
      for (const { wait, requests } of sent) {
        world.clock.advance(wait)
        const now = world.clock.now().getTime()
        const free = 5 - counted.filter((at) => at > now - 60_000).length
        const answers = await Promise.all(
          Array.from({ length: requests }, () => authenticate(app, bearer(token)).catch((refusal: Refusal) => refusal)),
        )
        const admitted = answers.flatMap((answer) => (answer instanceof Refusal ? [] : [answer.rate.remaining]))
        expect(admitted).toEqual(Array.from({ length: Math.min(free, requests) }, (_, place) => free - place - 1))
        counted.push(...admitted.map(() => now))
        for (const answer of answers)
          if (answer instanceof Refusal) expect(answer.details.rate?.reset_at).toEqual(new Date((counted.at(-5) as number) + 60_000))
      }
    }),
    { numRuns: 40 },
  )
})

/** A well-formed token that was never issued, with the prefix of another token. */
function forgedWith(prefix: string): string {
  const body = prefix.padEnd(33, '0')
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const checksum = createHash('sha256').update(body).digest().readUInt32BE(0)
  const letters = [5, 4, 3, 2, 1, 0].map((place) => digits[Math.floor(checksum / 62 ** place) % 62])
  return body + letters.join('')
}
