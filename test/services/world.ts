import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import { inject } from 'vitest'
import { closeApp } from '#domain/app.ts'
import type { Config } from '#domain/kernel/config.ts'
import { openWorlds } from '#test/support/open-worlds.ts'
import { NETWORKS, OPERATOR_KEY, openTestApp } from '#test/support/shape.ts'
import type { World } from '#test/support/world.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'

export type { World }
export { OPERATOR_KEY }

/** A rate limit that no test reaches, the same as in the processes. */
const UNLIMITED = 1_000_000
const DRAINED_WITHIN_MS = 90_000

/**
 * Replaces the world of test/support when the whole service runs: teams are made in its database, and its own
 * workers run staged jobs. Its clock is the system's, and its settings are those of its processes.
 * @throws Error for anything that needs a world of one process
 */
export async function openWorld({ replace, config = {} }: { replace?: object; config?: Partial<Config> } = {}): Promise<World> {
  refuse({ replace, config })
  const { base_urls, blobs, database_url, redis_url } = inject('service')
  const app = await openTestApp({ base_url: base_urls[0], blobs }, database_url)
  const redis = new Redis(redis_url)
  const generation = new Queue('report.generate' satisfies BuiltJob, { connection: { url: redis_url } })
  const owner = new pg.Pool({ connectionString: database_url, max: 2, allowExitOnIdle: true })
  let violationsExpected = false
  const world: World = {
    app,
    owner,
    clock: { now: () => app.clock.now(), set: stand, advance: pass },
    keepPending: () => generation.pause(),
    async drain() {
      await generation.resume()
      const ends = Date.now() + DRAINED_WITHIN_MS
      while (await atWork()) {
        if (Date.now() > ends) throw new Error('the workers are not done')
        await new Promise((later) => setTimeout(later, 50))
      }
    },
    expectViolations() {
      violationsExpected = true
    },
    async checkInvariants() {
      if (violationsExpected) return
      const { rows } = await app.pool.query('SELECT invariant, subject, detail FROM invariant_violations')
      if (rows.length) throw new Error(`invariants are broken: ${JSON.stringify(rows)}`)
    },
    async close() {
      if (!openWorlds.delete(world)) return
      redis.disconnect()
      await generation.close()
      await closeApp(app)
      await owner.end()
    },
  }
  openWorlds.add(world)
  return world

  /** Whether a job is staged, waits or runs: a row leaves the outbox in the transaction that hands it to the queue. */
  async function atWork(): Promise<boolean> {
    const { rowCount } = await app.pool.query('SELECT FROM outbox LIMIT 1')
    const counts = await Promise.all(builtJobs.flatMap((name) => ['wait', 'active'].map((list) => redis.llen(`bull:${name}:${list}`))))
    return Boolean(rowCount) || counts.some((count) => count > 0)
  }
}

/** Longer than any step by which a test separates two moments. */
const STEP_MAX_MS = 2000

/** Time passes by itself: a test that advances the clock waits instead. */
function pass(ms: number): void {
  if (ms > STEP_MAX_MS) stand()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function stand(): never {
  throw new Error('the clock of the running service is the system’s')
}

function refuse({ replace, config }: { replace: object | undefined; config: Partial<Config> }): void {
  const { rate_limit_per_minute, webhook_allowed_networks, ...others } = config
  const fits =
    !replace &&
    Object.keys(others).length === 0 &&
    (rate_limit_per_minute === undefined || (rate_limit_per_minute > 1000 && rate_limit_per_minute < UNLIMITED)) &&
    (webhook_allowed_networks === undefined || String(webhook_allowed_networks) === NETWORKS)
  if (!fits) throw new Error('the running service has other settings')
}
