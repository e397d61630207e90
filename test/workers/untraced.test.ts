import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { openRest } from '#test/support/api.ts'
import { openCollector } from '#test/support/collector.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

/** Files of OpenTelemetry's packages that this process has loaded; an earlier test may have had a collector. */
const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((file) => /@opentelemetry.(sdk|exporter|otlp)/.test(file))

it('without a collector nothing is traced, stored or loaded', async () => {
  const read_before = loaded()
  const world = await openWorld()
  const rest = await openRest(world)
  const { token } = await aToken(world, await aTeam(world))
  const body = { address: '100 Main Street, Frisco, TX 75034', window_start: '2025-01-01', window_end: '2025-01-31' }
  expect((await rest.call('POST', '/reports', { token, body })).status).toBe(202)
  expect(await world.app.db.outboxJob.findMany()).toMatchObject([{ name: 'report.generate', traceparent: null }])
  await rest.close()
  await world.close()
  expect(loaded()).toEqual(read_before)

  const { endpoint, close } = await openCollector()
  const root = { root: 'always_on', parent_based: true } as const
  const traces = { endpoint, headers: {}, service_name: 'weather', attributes: {}, sampler: root, ratio: 1 }
  await (await openWorld({ config: { traces } })).close()
  await close()
  expect(loaded().length).toBeGreaterThan(0)
})
