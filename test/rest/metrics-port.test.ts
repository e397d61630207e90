import { once } from 'node:events'
import { get as httpGet } from 'node:http'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openMetrics } from '#domain/engines/metrics.ts'
import { openMetricsPort } from '#rest/metrics.ts'
import { parseScrape } from '#test/support/scrape.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { metrics_port: 0 } })
})
afterAll(() => world.close())

it('serves the metrics and a probe on a separate port, and nothing else there', async () => {
  const port = await openMetricsPort(world.app)
  const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port?.port}${path}`, { method })
  const answer = await at('/metrics')
  expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  expect(parseScrape(await answer.text()).get('weather_database_up')).toBe(1)
  expect((await at('/metrics', 'POST')).status).toBe(404)
  // A probe that read the metrics would begin a new measurement of the event loop.
  const read = vi.spyOn(world.app.metrics, 'read')
  expect([(await at('/healthz')).status, read.mock.calls.length]).toEqual([200, 0])
  read.mockRestore()
  expect((await at('/api/v1')).status).toBe(404)
  const request = httpGet({ host: '127.0.0.1', port: port?.port, path: 'http://worker.example/metrics' })
  const [{ statusCode }] = await once(request, 'response')
  expect(statusCode).toBe(200)
  await port?.close()
  await expect(at('/metrics')).rejects.toThrow()
})

it('reports that the database is reachable, even if counting the waiting work times out', async () => {
  const locking = await world.owner.connect()
  try {
    await locking.query('BEGIN; LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE')
    const read = parseScrape((await world.app.metrics.read()).text)
    expect([read.get('weather_database_up'), read.get('weather_outbox_jobs')]).toEqual([1, undefined])
  } finally {
    await locking.query('ROLLBACK')
    locking.release()
  }
  expect(parseScrape((await world.app.metrics.read()).text).get('weather_outbox_jobs')).toBe(0)
})

it('opens no port if none is set', async () => {
  expect(await openMetricsPort({ ...world.app, config: { ...world.app.config, metrics_port: null } })).toBeNull()
})

it('serves the metrics of the process itself if the rest cannot be read', async () => {
  const metrics = openMetrics()
  metrics.refusals.inc({ code: 'not_found' })
  metrics.measure({ steady: { help: 'Read from memory.' } }, () => [{ name: 'steady', value: 3 }])
  let answers = true
  metrics.measure({ shaky: { help: 'Read from elsewhere.' }, shaky_by: { help: 'The same.', labels: ['kind'] } }, async () => {
    if (!answers) throw new Error('elsewhere is away')
    return [
      { name: 'shaky', value: 1 },
      { name: 'shaky_by', labels: { kind: 'a' }, value: 1 },
    ]
  })
  // Without the series that start at 0.
  const read = async () => new Map([...parseScrape((await metrics.read()).text)].filter(([, value]) => value > 0))
  expect(await read()).toEqual(
    new Map([
      ['weather_refusals_total{code="not_found"}', 1],
      ['steady', 3],
      ['shaky', 1],
      ['shaky_by{kind="a"}', 1],
    ]),
  )
  answers = false
  expect([...(await read()).keys()]).toEqual(['weather_refusals_total{code="not_found"}', 'steady'])
})
