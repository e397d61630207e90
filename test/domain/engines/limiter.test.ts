import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Limiter, openLimiter } from '#domain/engines/limiter.ts'
import { openLog } from '#domain/engines/log.ts'
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

    test('slides the window: hits older than 60 s no longer count', async () => {
      const which = fresh()
      expect(await hit(which, 2, 1, 0)).toEqual({ limit: 2, allowed: true, remaining: 1, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 2, 1, 30_000)).toEqual({ limit: 2, allowed: true, remaining: 0, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 2, 1, 59_999)).toEqual({ limit: 2, allowed: false, remaining: 0, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 2, 1, 60_000)).toEqual({ limit: 2, allowed: true, remaining: 0, reset_at: new Date(start + 90_000) })
    })

    test('allows exactly the limit of 50 concurrent hits', async () => {
      const which = fresh()
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => hit(which, 12, 1, 0)))
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(12)
    })

    test('counts a cost whole or not at all; a refusal states when it would fit', async () => {
      const which = fresh()
      await hit(which, 5, 2, 0)
      await hit(which, 5, 2, 10_000)
      expect(await hit(which, 5, 3, 20_000)).toEqual({ limit: 5, allowed: false, remaining: 1, reset_at: new Date(start + 60_000) })
      expect(await hit(which, 5, 5, 20_000)).toMatchObject({ allowed: false, reset_at: new Date(start + 70_000) })
      expect(await hit(which, 5, 1, 20_000)).toMatchObject({ allowed: true, remaining: 0 })
    })

    test('a clock slightly behind another does not widen the window', async () => {
      const which = fresh()
      await hit(which, 2, 1, 1_000)
      await hit(which, 2, 1, 1_000)
      expect(await hit(which, 2, 1, 0)).toMatchObject({ allowed: false })
      expect(await hit(which, 2, 1, 60_999)).toMatchObject({ allowed: false })
      expect(await hit(which, 2, 1, 61_000)).toMatchObject({ allowed: true })
    })

    test('a clock set back by an hour locks nobody out: hits in its future are dropped', async () => {
      const which = fresh()
      await hit(which, 2, 2, 3_600_000)
      expect(await hit(which, 2, 1, 10_000)).toEqual({ limit: 2, allowed: true, remaining: 1, reset_at: new Date(start + 70_000) })
      expect(await hit(which, 2, 2, 10_000)).toMatchObject({ allowed: false, reset_at: new Date(start + 70_000) })
      expect(await hit(which, 2, 2, 70_000)).toMatchObject({ allowed: true, remaining: 0 })
    })

    test("uses the store's time if no time is given", async () => {
      const which = fresh()
      const { reset_at } = await limiter.hit(which, 1, 1, null)
      expect(Math.abs(reset_at.getTime() - 60_000 - Date.now())).toBeLessThan(30_000)
      expect(await limiter.hit(which, 1, 1, null)).toEqual({ limit: 1, allowed: false, remaining: 0, reset_at })
    })

    test('for any sequence of hits, allows exactly what the definition allows', async () => {
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

test('counts in the database while Redis is unreachable', async () => {
  const limiter = openLimiter({ redis_url: 'redis://127.0.0.1:9' }, world.app.pool, world.app.log)
  const which = fresh()
  const verdicts = await Promise.all(Array.from({ length: 5 }, () => limiter.hit(which, 3, 1, new Date(start))))
  expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(3)
  await limiter.close()
})

test.runIf(redisIsHere).each(['killed', 'frozen'])(
  'counts in the database while Redis is %s, and in Redis again when it returns',
  async (how) => {
    const other = await startRedis()
    const limiter = openLimiter({ redis_url: other.url }, world.app.pool, world.app.log)
    await connected(limiter)
    const which = fresh()
    const hit = () => limiter.hit(which, 2, 1, new Date(start))
    await hit()
    await (how === 'killed' ? other.kill() : other.freeze())
    expect((await Promise.all(Array.from({ length: 9 }, hit))).filter(({ allowed }) => allowed)).toHaveLength(2)
    expect(await hit()).toMatchObject({ allowed: false, remaining: 0 })
    await (how === 'killed' ? other.start() : other.thaw())
    await connected(limiter)
    await limiter.close()
    await other.stop()
  },
)

test('logs a lost Redis once, not at each attempt to reconnect', async () => {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => lines.push(line) })
  const limiter = openLimiter({ redis_url: 'redis://127.0.0.1:9' }, world.app.pool, log)
  await pause(1000)
  await limiter.close()
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the rate limiter has lost Redis'])
})

/** A limiter counts in the database until its connection is established. */
async function connected(limiter: Limiter): Promise<void> {
  do await limiter.hit(fresh(), 1, 1, new Date(start))
  while (limiter.in_database && (await pause(20, true)))
}
