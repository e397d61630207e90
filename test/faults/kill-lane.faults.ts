import { expect, it } from 'vitest'
import type { LaneName } from '#domain/closed-sets.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { listRuns } from '#domain/monitoring/runs.ts'
import { MINUTE } from '#test/support/clock.ts'
import { expectConsistent } from '#test/support/consistency.ts'
import { aDestination, aTeam } from '#test/support/factories.ts'
import { type Feeds, openFeeds } from '#test/support/feeds.ts'
import { killOnce, spawnTask } from '#test/support/process-task.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { readTime, stormFeeds } from '#test/support/storm-feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aProperty } from '../domain/exposures/storm.ts'
import { everything } from '../domain/exposures/watched-world.ts'

/** Longer than the lease of a dead process. */
const LATER = 11 * MINUTE

/** By lane: the requests at which its processes are killed, one after the other. */
const deaths: [LaneName, number[]][] = [
  ['record', [0, 3, 5, 8, 12]],
  ['warnings', [0]],
  ['surfaces', [0, 1, 12, 12]],
]

it.each(deaths)(
  'processes are killed in the %s lane, again and again: the next run catches up, and nothing is lost or duplicated',
  {
    timeout: 300_000,
  },
  async (lane, requests) => {
    const calm = await aLane()
    expect(await runLane(calm.world.app, lane)).toMatchObject({ status: 'complete' })
    await calm.world.drain()
    const expected = await all(calm.world)
    expect((await everything(calm.world)).length).toBeGreaterThan(0)
    expect((await deliveries(calm.world)).length).toBeGreaterThan(0)
    await calm.close()

    const { world, feeds, close } = await aLane()
    for (const request of requests) {
      const from = feeds.requests.length
      const task = { now: world.clock.now().toISOString(), lane, feeds: feeds.url }
      // Data from before the request are stored; the rest, and the run, are lost with the process.
      expect(await killOnce(spawnTask(world, task), () => feeds.requests.length > from + request)).toBe(true)
      world.clock.advance(LATER)
    }
    expect(await runLane(world.app, lane)).toMatchObject({ status: 'complete' })
    await world.drain()
    expect(await all(world)).toEqual(expected)
    await expectConsistent({ query: async (text) => (await world.app.pool.query(text)).rows })
    const { data } = await listRuns(world.app)
    expect(data.slice(1).map(({ failure_reason }) => failure_reason)).toEqual(requests.map(() => 'The process stopped.'))
    await close()
  },
)

/** A property watched by a team that receives every exposure. */
async function aLane(): Promise<{ world: World; feeds: Feeds; close(): Promise<void> }> {
  const [feeds, receiver] = await Promise.all([openFeeds(), openReceiver()])
  feeds.answer(stormFeeds())
  const world = await openWorld({
    replace: { http: feeds.http },
    config: { contact: 'weather@example.com', webhook_allowed_networks: ['127.0.0.0/8'] },
  })
  world.clock.set(readTime)
  const team = await aTeam(world)
  await aProperty(world, team)
  await aDestination(world, team, receiver.url, ['exposure.detected', 'exposure.escalated', 'warning.issued'])
  await world.drain()
  return {
    world,
    feeds,
    async close() {
      await Promise.all([feeds.close(), receiver.close()])
    },
  }
}

/** Every post with its outcome. */
const deliveries = async (world: World): Promise<unknown[]> =>
  (await world.app.pool.query('SELECT event, status, attempts FROM deliveries ORDER BY event, subject')).rows

/** Every exposure with how often it was announced, and the contents of the archive. */
async function all(world: World): Promise<unknown> {
  const rows = async (sql: string) => (await world.app.pool.query(sql)).rows
  return {
    exposures: await everything(world),
    deliveries: await deliveries(world),
    records: await rows('SELECT source, source_key, withdrawn_at FROM archive_records ORDER BY source, source_key'),
    warnings: await rows('SELECT source_key FROM warnings ORDER BY source_key'),
    frames: await rows('SELECT valid_at, cells FROM radar_frames ORDER BY valid_at'),
    observations: await rows(
      'SELECT station_id, observed_at, wind_gust_mph, precipitation_in FROM observations ORDER BY station_id, observed_at',
    ),
    months: await rows('SELECT source, state, month FROM coverage ORDER BY source, state, month'),
    days: await rows('SELECT source, state, day, moments FROM coverage_days ORDER BY source, state, day'),
  }
}
