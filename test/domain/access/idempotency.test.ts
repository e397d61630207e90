import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { findOutcome, type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import { HOUR } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { sweep } from '#workers/sweeper.ts'

let world: World
let caller: Caller
beforeAll(async () => {
  world = await openWorld()
  caller = await aCaller(world, await aTeam(world))
})

let keys = 0
const aRequest = (parts: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  key: `key-${++keys}`,
  method: 'POST',
  path: '/api/v1/properties',
  body: { label: 'A' },
  ...parts,
})

/** Work that inserts a row and returns its id. */
const save =
  (as: Caller = caller) =>
  (tx: Pick<ScopedTx, 'territory'>) =>
    tx.territory
      .create({
        data: {
          team_id: as.team.id,
          name: 'T',
          kind: 'radius',
          description: '',
          definition: {},
          geometry: '{}',
          area_sq_miles: 1,
          centre_latitude: 0,
          centre_longitude: 0,
          west: 0,
          south: 0,
          east: 0,
          north: 0,
        },
      })
      .then(({ id }) => ({ id }))

const saved = (as: Caller = caller) => as.db.territory.count()

test('the first request does the work; a retry returns its outcome and does nothing', async () => {
  const request = aRequest()
  const before = await saved()
  const first = await once(caller, request, save())
  expect(first.replayed).toBe(false)
  expect(await once(caller, request, save())).toEqual({ outcome: first.outcome, replayed: true })
  expect(await findOutcome(world.app, caller, request)).toEqual({ outcome: first.outcome })
  expect(await saved()).toBe(before + 1)
})

test('without a key, every request does the work', async () => {
  const before = await saved()
  await once(caller, null, save())
  expect((await once(caller, null, save())).replayed).toBe(false)
  expect(await saved()).toBe(before + 2)
})

test('refuses the same key with another method, path or body, on any endpoint', async () => {
  const request = aRequest()
  expect(await findOutcome(world.app, caller, request)).toBeNull()
  await once(caller, request, save())
  for (const other of [{ method: 'PUT' }, { path: '/api/v1/reports' }, { body: { label: 'B' } }, { body: null }]) {
    await expect(once(caller, { ...request, ...other }, save())).rejects.toMatchObject({ code: 'idempotency_key_reused', status: 409 })
    await expect(findOutcome(world.app, caller, { ...request, ...other })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  }
})

test('compares bodies as JSON: the order of keys does not matter, the order of rows does', async () => {
  const request = aRequest({ body: { a: [1, { x: null, y: 2 }], b: 'é' } })
  await once(caller, request, save())
  expect((await once(caller, { ...request, body: JSON.parse('{ "b":"\\u00e9", "a":[1.0,{"y":2,"x":null}] }') }, save())).replayed).toBe(
    true,
  )
  await expect(once(caller, { ...request, body: { a: [{ x: null, y: 2 }, 1], b: 'é' } }, save())).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
})

test('a key belongs to its team', async () => {
  const other = await aCaller(world, await aTeam(world))
  const request = aRequest()
  await once(caller, request, save())
  expect((await once(other, { ...request, body: { label: 'theirs' } }, save(other))).replayed).toBe(false)
  expect(await saved(other)).toBe(1)
})

test('work that fails leaves no rows and the key unused', async () => {
  const request = aRequest()
  const before = await saved()
  const failing = async (tx: ScopedTx) => {
    await save()(tx)
    throw new Error('the work failed')
  }
  await expect(once(caller, request, failing)).rejects.toThrow('the work failed')
  expect(await findOutcome(world.app, caller, request)).toBeNull()
  expect(await saved()).toBe(before)
  expect((await once(caller, { ...request, body: 'another' }, save())).replayed).toBe(false)
})

test('while the first request is running, a second is refused and may retry', async () => {
  const request = aRequest()
  let finish = () => {}
  const waiting = new Promise<void>((resolve) => {
    finish = resolve
  })
  let markStarted = () => {}
  const started = new Promise<void>((resolve) => {
    markStarted = resolve
  })
  const first = once(caller, request, async (tx) => {
    markStarted()
    await waiting
    return save()(tx)
  })
  await started
  await expect(once(caller, request, save())).rejects.toMatchObject({
    code: 'idempotency_in_flight',
    status: 409,
    details: { retry_after: 1 },
  })
  finish()
  await first
  expect((await once(caller, request, save())).replayed).toBe(true)
})

test('50 concurrent requests with one key do the work once', async () => {
  const request = aRequest()
  const before = await saved()
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => once(caller, request, save())))
  const done = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'idempotency_in_flight' })
  expect(done.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(new Set(done.map(({ outcome }) => outcome.id)).size).toBe(1)
  expect(await saved()).toBe(before + 1)
})

test('for any sequence of requests, each key does its work once', async () => {
  const sent = fc.array(fc.record({ key: fc.integer({ min: 0, max: 3 }), body: fc.integer({ min: 0, max: 1 }), fails: fc.boolean() }), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(sent, async (requests) => {
      const run = ++keys
      const kept = new Map<number, number>()
      for (const { key, body, fails } of requests) {
        const before = await saved()
        const answer = await once(caller, aRequest({ key: `run-${run}-${key}`, body }), async (tx) => {
          if (fails) throw new Error('fails')
          return save()(tx)
        }).catch((fault) => fault as Error & { code?: string })
        const known = kept.get(key)
        if (known === undefined) {
          if (!fails) kept.set(key, body)
          expect('replayed' in answer ? answer.replayed : 'failed').toBe(fails ? 'failed' : false)
          expect(await saved()).toBe(before + (fails ? 0 : 1))
        } else {
          expect('replayed' in answer ? answer.replayed : answer.code).toBe(known === body ? true : 'idempotency_key_reused')
          expect(await saved()).toBe(before)
        }
      }
    }),
    { numRuns: 12 },
  )
})

test('a key expires after 24 hours, with or without the sweep', async () => {
  const request = aRequest()
  await once(caller, request, save())
  await world.app.pool.query(`UPDATE idempotency_keys SET created_at = now() - interval '23 hours 59 minutes' WHERE key = $1`, [
    request.key,
  ])
  expect((await once(caller, request, save())).replayed).toBe(true)
  await world.app.pool.query(`UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second' WHERE key = $1`, [request.key])
  expect(await findOutcome(world.app, caller, request)).toBeNull()
  expect((await once(caller, { ...request, body: 'new' }, save())).replayed).toBe(false)
  world.clock.advance(25 * HOUR)
  await sweep(world.app)
  expect(await caller.db.idempotencyKey.count()).toBe(0)
})

test('retries work that the database aborts because of a deadlock', async () => {
  const locked = [0, 0]
  let attempts = 0
  const both = (first: number, second: number) => async (tx: Parameters<Parameters<typeof once>[2]>[0]) => {
    attempts++
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(${first})::text, ${caller.team.id}::uuid AS team_id`
    locked[first - 1] = 1
    while (locked.includes(0)) await setImmediate()
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(${second})::text, ${caller.team.id}::uuid AS team_id`
    return { first }
  }
  const [one, other] = await Promise.all([once(caller, null, both(1, 2)), once(caller, null, both(2, 1))])
  expect([one.outcome, other.outcome]).toEqual([{ first: 1 }, { first: 2 }])
  expect(attempts).toBe(3)
})
