import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Limiter, openLimiter } from '#domain/engines/limiter.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/support/redis.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let redis: RedisServer
beforeAll(async () => {
  world = await openWorld()
  if (redisIsHere) redis = await startRedis()
})
afterAll(() => redis?.stop())

const start = Date.UTC(2026, 2, 1)
let bucket = 0
const fresh = () => `bucket${++bucket}`

for (const backend of redisIsHere ? ['database', 'redis'] : ['database']) {
  describe(backend, () => {
    let limiter: Limiter
    beforeAll(async () => {
      limiter = openLimiter({ redis_url: backend === 'redis' ? redis.url : null }, world.app.pool, world.app.log)
      if (backend === 'redis') await connected(limiter)
    })
    afterAll(() => limiter.close())

    const hit = (which: string, limit: number, cost: number, ms: number) => limiter.hit(which, limit, cost, new Date(start + ms))

    test('the window slides: what is older than 60 s counts no more', async () => {
      const which = fresh()
      expect(await hit(which, 2, 1, 0)).toEqual({ limit: 2, allowed: true, remaining: 1, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 2, 1, 30_000)).toEqual({ limit: 2, allowed: true, remaining: 0, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 2, 1, 59_999)).toEqual({ limit: 2, allowed: false, remaining: 0, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 2, 1, 60_000)).toEqual({ limit: 2, allowed: true, remaining: 0, reset_at: new Date(start + 90_000) })
    })

    test('of 50 at once, exactly the limit passes', async () => {
      const which = fresh()
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => hit(which, 12, 1, 0)))
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(12)
    })

    test('a cost fits whole or is not counted; the refusal says when it would fit', async () => {
      const which = fresh()
      await hit(which, 5, 2, 0)
      await hit(which, 5, 2, 10_000)
      expect(await hit(which, 5, 3, 20_000)).toEqual({ limit: 5, allowed: false, remaining: 1, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 5, 5, 20_000)).toMatchObject({ allowed: false, reset_at: new Date(start + 70_000) })
      expect(await hit(which, 5, 1, 20_000)).toMatchObject({ allowed: true, remaining: 0 })
    })

    test('a clock that is behind another does not open the window', async () => {
      const which = fresh()
      await hit(which, 2, 1, 5_000)
      await hit(which, 2, 1, 5_000)
      expect(await hit(which, 2, 1, 0)).toMatchObject({ allowed: false })
      expect(await hit(which, 2, 1, 64_999)).toMatchObject({ allowed: false })
      expect(await hit(which, 2, 1, 65_000)).toMatchObject({ allowed: true })
    })

    test('however hits fall, it allows exactly what the definition allows', async () => {
      const hits = fc.array(
        fc.record({
          wait: fc.oneof(fc.constantFrom(0, 1, 59_999, 60_000), fc.integer({ min: 0, max: 40_000 })),
          cost: fc.integer({ min: 1, max: 4 }),
        }),
        { maxLength: 30 },
      )
      await fc.assert(
        fc.asyncProperty(hits, fc.integer({ min: 1, max: 9 }), async (sent, limit) => {
          const which = fresh()
          const counted: number[] = []
          let at = 0
          for (const { wait, cost } of sent) {
            at += wait
            const used = counted.filter((then) => then > at - 60_000).length
            const { allowed, remaining } = await hit(which, limit, cost, at)
            expect(allowed).toBe(used + cost <= limit)
            if (allowed) counted.push(...Array.from({ length: cost }, () => at))
            expect(remaining).toBe(limit - used - (allowed ? cost : 0))
          }
        }),
        { numRuns: 40 },
      )
    })
  })
}

test('a limiter that cannot be reached allows', async () => {
  const limiter = openLimiter({ redis_url: 'redis://127.0.0.1:9' }, world.app.pool, world.app.log)
  expect(await limiter.hit('any', 1, 1, new Date(start))).toEqual({
    limit: 1,
    allowed: true,
    remaining: 1,
    reset_at: new Date(start + 60_000),
  })
  await limiter.close()
})

test.runIf(redisIsHere)('a limiter that loses Redis allows', async () => {
  const other = await startRedis()
  const limiter = openLimiter({ redis_url: other.url }, world.app.pool, world.app.log)
  await connected(limiter)
  expect(await limiter.hit('one', 1, 1, new Date(start))).toMatchObject({ allowed: true })
  expect(await limiter.hit('one', 1, 1, new Date(start))).toMatchObject({ allowed: false })
  await other.stop()
  expect(await limiter.hit('one', 1, 1, new Date(start))).toMatchObject({ allowed: true })
  await limiter.close()
})

/** A limiter allows until its connection stands: counting has begun once a bucket of one refuses. */
async function connected(limiter: Limiter): Promise<void> {
  const which = fresh()
  while ((await limiter.hit(which, 1, 1, new Date(start))).allowed) await new Promise((resolve) => setImmediate(resolve))
}
