import createClient from 'openapi-fetch'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'
import type { paths } from '../../clients/typescript/contract.d.ts'

let world: World
let rest: Rest
let baseUrl: string
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  // The Standard Webhooks library reads the system's clock.
  world.clock.set(new Date())
  rest = await openRest(world)
  baseUrl = await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
  await seedSample(world.app)
  token = (await aToken(world, await aTeam(world))).token
})
afterAll(() => rest.close())

it('openapi-fetch with the generated types, without our client, goes from a place to a verified report', async () => {
  const receiver = await openReceiver()
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })

  const { data: places } = await api.GET('/api/v1/places', { params: { query: { search: 'Frisco, TX' } } })
  const frisco = places?.data.find(({ name }) => name === 'Frisco')
  expect(frisco).toMatchObject({ state: 'TX' })

  const { data: destination } = await api.POST('/api/v1/integrations', {
    body: { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['report.completed'] },
  })
  const { address, window_start, window_end } = sampleStorm
  const { data: ordered, response } = await api.POST('/api/v1/reports', {
    body: { address, window_start, window_end, date_of_loss: sampleStorm.storm_date },
    params: { header: { 'Idempotency-Key': 'order-1' } },
  })
  expect(response.status).toBe(202)
  const report = String(ordered?.data.id)
  const params = { path: { report } }
  const { error: early } = await api.GET('/api/v1/reports/{report}/verification', { params })
  expect(early).toMatchObject({ status: 409, code: 'report_not_ready' })

  await world.drain()
  const { data: read } = await api.GET('/api/v1/reports/{report}', { params })
  expect(read?.data).toMatchObject({ status: 'complete', date_of_loss: sampleStorm.storm_date })
  expect(read?.data.days?.find(({ relation }) => relation === 'date_of_loss')).toMatchObject({ date: sampleStorm.storm_date })

  const { data: events } = await api.GET('/api/v1/reports/{report}/events', { params: { ...params, query: { per_page: 2 } } })
  expect(events?.data.map(({ provenance }) => typeof provenance.citation_url)).toEqual(['string', 'string'])
  expect(events?.meta.total).toBe(read?.data.event_count)

  const { data: verification } = await api.GET('/api/v1/reports/{report}/verification', { params })
  expect(verification?.data.fingerprint).toBe(read?.data.fingerprint)

  const { data: repeated } = await api.POST('/api/v1/reports', {
    body: { address, window_start, window_end, date_of_loss: sampleStorm.storm_date },
    params: { header: { 'Idempotency-Key': 'order-1' } },
  })
  expect(repeated?.data.id).toBe(report)
  const { error: refused } = await api.GET('/api/v1/reports', { params: { query: { property: 'none' } } })
  expect(refused).toMatchObject({ code: 'validation_failed', errors: { property: [expect.any(String)] } })

  await receiver.close()
  expect(receiver.posts).toHaveLength(1)
  for (const { headers, body } of receiver.posts)
    expect(new Webhook(String(destination?.secret)).verify(body, headers as Record<string, string>)).toMatchObject({
      event: 'report.completed',
      data: [{ id: report }],
    })
})
