import type { FastifyInstance } from 'fastify'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { postSample } from '#domain/integrations/sample.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { createApiServer } from '#rest/host.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** A running service with the made-up storm day, and a report about it. */
export interface SampleService {
  world: World
  url: string
  token: string
  team: { id: string }
  /** Stops responding, and responds again at the same address. */
  stop(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** A fixed moment after the sample was compiled, so that drawings are always the same. */
const NOW = '2026-06-21T12:00:00Z'

/** Opens it on a fixed day. */
export async function openSample(): Promise<SampleService> {
  // The clock stands still, so no minute ends: all requests of a test would count together.
  const world = await openWorld({ config: { base_url: 'http://weather.test', rate_limit_per_minute: 100_000 } })
  world.clock.set(NOW)
  const team = await aTeam(world, { name: 'Sample' })
  const { token } = await aToken(world, team)
  await seedSample(world.app)
  await refreshMaps(world.app)
  await watchSample(world.app, team.id)
  await postSample(world.app, team.id)
  await world.drain()
  let api: FastifyInstance = await createApiServer(world.app)
  const url = await api.listen({ host: '127.0.0.1', port: 0 })
  const { address, window_start, window_end, radius_miles } = sampleStorm
  await fetch(`${url}/api/v1/reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ address, window_start, window_end, radius_miles, reference: 'Sample, made up' }),
  })
  await world.drain()
  return {
    ...{ world, url, token, team },
    stop: () => api.close(),
    async restart() {
      api = await createApiServer(world.app)
      await api.listen({ host: '127.0.0.1', port: Number(new URL(url).port) })
    },
    async close() {
      await api.close()
      await world.close()
    },
  }
}

/** Ids differ from run to run, and other tests check the fingerprint: their digits are drawn as x, even if a line ends inside one. */
export async function maskedIds({ world }: SampleService): Promise<(text: string) => string> {
  const tables = ['reports', 'properties', 'territories', 'integrations', 'deliveries']
  const { rows } = await world.app.pool.query<{ id: string }>(
    [...tables.map((table) => `SELECT id::text FROM ${table}`), 'SELECT fingerprint FROM reports WHERE fingerprint IS NOT NULL'].join(
      ' UNION ALL ',
    ),
  )
  const patterns = rows.map(({ id }) => new RegExp([...id].join('[\\s│]*'), 'g'))
  return (text) => patterns.reduce((masked, pattern) => masked.replace(pattern, (id) => id.replace(/[0-9a-f]/g, 'x')), text)
}
