import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFirstTeam } from '#domain/access/first-team.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { attackGraph } from './attack-graph.ts'
import { attackRest } from './attack-rest.ts'
import { createStock, type Stock, type Target } from './stock.ts'
import { probeWire } from './wire.ts'

let world: World
let rest: Rest
let receiver: Receiver
let target: Target
let stock: Stock
beforeAll(async () => {
  world = await openWorld({
    config: {
      rate_limit_per_minute: 1_000_000,
      webhook_allowed_networks: ['127.0.0.0/8'],
      log_level: (process.env.L ?? 'silent') as never,
    },
  })
  rest = await openRest(world)
  receiver = await openReceiver()
  await seedSample(world.app)
  const { token, team_id } = await createFirstTeam(world.app)
  await watchSample(world.app, team_id)
  target = {
    base_url: await rest.fastify.listen({ host: '127.0.0.1', port: 0 }),
    token,
    other_team_token: (await aToken(world, await aTeam(world))).token,
    receiver: receiver.url,
    settle: () => world.drain(),
  }
  stock = await createStock(target)
})
afterAll(async () => {
  await rest.close()
  await receiver.close()
})

/** The small form of `npm run test:hostile`: the same requests, but fewer. */
describe('the service under hostile requests', () => {
  it.each([
    ['REST', attackRest, 200],
    ['GraphQL', attackGraph, 100],
  ] as const)(
    'responds to %s as described, whatever is sent',
    async (_name, attack, cases) => {
      const { stats } = await attack(target, stock, { seed: SEED, cases })
      expect([...stats.findings].map(([finding, { first }]) => `${finding}\n${first}`)).toEqual([])
      expect(stats.cases).toBe(cases)
      expect(stats.fit_successes).toBeGreaterThan(SHARE_MIN * stats.fit)
    },
    WITHIN_MS,
  )

  it('responds to bytes that are no request, two requests or half a request, and continues', async () => {
    expect(await probeWire(target)).toEqual([])
  })
})

const SEED = 20250528
/** Seconds on an idle machine. */
const WITHIN_MS = 120_000
/** Of the valid requests, at least this share succeeds; otherwise the generator requests records that do not exist. */
const SHARE_MIN = 0.2
