import { expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { sendDigest } from '#domain/integrations/digest.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { mapVersion } from '#domain/maps/version.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

/** Processes that start the same work at the same moment, more than the shared pool has connections. For the lanes see run-lane.test.ts. */
const PROCESSES = [1, 2, 3, 4, 5, 6, 7, 8]

it('a change of the archive builds one map pyramid, in any one process', async () => {
  const world = await openWorld()
  await seedSample(world.app)
  const before = await mapVersion(world.app.pool)
  const refreshed = await Promise.all(PROCESSES.map(() => refreshMaps(world.app)))
  expect(refreshed.filter(({ lists }) => lists.length > 0)).toHaveLength(1)
  expect(await mapVersion(world.app.pool)).toBe(before + 1)
})

it('a team’s morning digest goes out once, as one event and one e-mail', async () => {
  const mailed: string[] = []
  const mail = { configured: true, send: async ({ to }: { to: string }) => void mailed.push(to), close: () => {} }
  const world = await openWorld({ replace: { mail } })
  const team = await aTeam(world, { timezone: 'UTC', email: 'team@example.com' })
  await seedSample(world.app)
  await watchSample(world.app, team.id)
  await world.drain()
  const [seen] = (
    await world.owner.query<{ day: string; noon: Date }>(
      `SELECT to_char(max(first_seen_at) + interval '1 day', 'YYYY-MM-DD') AS day, date_trunc('day', max(first_seen_at)) + interval '1 day 8 hours' AS noon FROM exposures`,
    )
  ).rows
  await world.owner.query(
    `UPDATE exposures SET notified_at = at, last_seen_at = at FROM (SELECT $1::timestamptz - interval '1 hour' AS at) announced`,
    [seen?.noon],
  )
  world.clock.set(seen?.noon as Date)
  const due = { team_id: team.id, local_date: seen?.day as string }
  await Promise.all(PROCESSES.map(() => sendDigest(world.app, due)))
  expect(await world.app.db.event.count({ where: { team_id: team.id, name: 'digest.sent' } })).toBe(1)
  await world.drain()
  expect(mailed).toEqual(['team@example.com'])
})
