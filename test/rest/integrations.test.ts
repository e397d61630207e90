import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

let world: World
let rest: Rest
let token: string
/** Every response of the test as it was sent: none may contain an address. */
const answers: string[] = []
const receivers: Receiver[] = []
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000, webhook_allowed_networks: ['127.0.0.0/8'] } })
  rest = await openRest(world)
})
afterAll(() => rest.close())
beforeEach(async () => {
  token = (await aToken(world, await aTeam(world))).token
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
  expect(answers.splice(0).join('\n')).not.toContain('secret-path')
})

type Method = Parameters<Rest['call']>[0]
const call = async (method: Method, path: string, body?: unknown, as = token) => {
  const answer = await rest.call(method, path, { token: as, body })
  answers.push(answer.text)
  return answer
}
const fits = (shape: keys.Shape, value: unknown) => expect(keys.differences(shape, value)).toEqual([])
const refused = (answer: Awaited<ReturnType<typeof call>>, status: number, code: string) => {
  expect([answer.status, answer.body.code]).toEqual([status, code])
  fits(keys.errorBody, answer.body)
}

const address = 'https://hooks.example.com/secret-path-a1b2'
const wanted = { name: 'CRM', channel: 'webhook', url: address, events: ['property.created', 'report.completed'] }
const register = async (input: object = {}) => (await call('POST', '/integrations', { ...wanted, ...input })).body
const listening = async (...answer: Parameters<typeof openReceiver>) => {
  const receiver = await openReceiver(...answer)
  receivers.push(receiver)
  return receiver
}

describe('a destination', () => {
  it('is registered with its secret, shown without it, and shows a hint of its address', async () => {
    const made = await call('POST', '/integrations', wanted)
    expect(made.status).toBe(201)
    fits(keys.registered, made.body)
    expect(made.body.data).toMatchObject({
      name: 'CRM',
      channel: 'webhook',
      address_hint: 'https://hooks.example.com/…a1b2',
      events: ['property.created', 'report.completed'],
      active: true,
      signed: true,
      failing: false,
      last_sent_at: null,
      last_failure: null,
      links: { deliveries: expect.stringMatching(`/integrations/${made.body.data.id}/deliveries$`) },
    })
    const found = await call('GET', `/integrations/${made.body.data.id}`)
    expect(found).toMatchObject({ status: 200, body: { data: made.body.data } })
    fits(keys.data(keys.integration), found.body)
    expect(found.text).not.toContain('whsec_')
  })

  it.each(['chat_a', 'chat_b'])('of %s authenticates by its address: it has no secret to show, read or rotate', async (channel) => {
    const made = await register({ channel, active: false })
    fits(keys.registeredByAddress, made)
    expect(made.data).toMatchObject({ signed: false, active: false })
    refused(await call('GET', `/integrations/${made.data.id}/secret`), 409, 'no_signing_secret')
    refused(await call('POST', `/integrations/${made.data.id}/secret`), 409, 'no_signing_secret')
  })

  it('is listed newest first, and can be filtered by channel, by event and by whether it is active', async () => {
    const first = (await register({ name: 'first', events: ['digest.sent'] })).data
    world.clock.advance(1000)
    const second = (await register({ name: 'second', channel: 'chat_a', active: false })).data
    const all = await call('GET', '/integrations')
    expect(all.status).toBe(200)
    fits(keys.page(keys.integration), all.body)
    expect(all.body.meta).toMatchObject({ total: 2, current_page: 1 })
    const ids = async (query: string) => (await call('GET', `/integrations?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual([second.id, first.id])
    expect(await ids('channel=chat_a')).toEqual([second.id])
    expect(await ids('channel=chat_b')).toEqual([])
    expect(await ids('event=digest.sent')).toEqual([first.id])
    for (const [value, found] of [
      ['true', first],
      ['1', first],
      ['false', second],
      ['0', second],
    ] as const)
      expect(await ids(`active=${value}`)).toEqual([found.id])
    expect(await ids('per_page=1&page=2')).toEqual([first.id])
    for (const [query, field] of [
      ['channel=fax', 'channel'],
      ['event=storm', 'event'],
      ['active=perhaps', 'active'],
    ] as const) {
      const answer = await call('GET', `/integrations?${query}`)
      refused(answer, 422, 'validation_failed')
      expect(Object.keys(answer.body.errors)).toEqual([field])
    }
  })

  it('is changed only in the fields sent; another channel needs another url, and adds or removes the secret', async () => {
    const { data: made, secret } = await register()
    const path = `/integrations/${made.id}`
    world.clock.advance(1000)
    const renamed = await call('PATCH', path, { name: 'Renamed', active: false })
    fits(keys.data(keys.integration), renamed.body)
    expect(renamed.body.data).toEqual({ ...made, name: 'Renamed', active: false, updated_at: renamed.body.data.updated_at })
    expect(renamed.body.data.updated_at > made.updated_at).toBe(true)
    expect((await call('GET', `${path}/secret`)).body.secret).toBe(secret)

    const { name, channel, events, active } = renamed.body.data
    for (const same of [{}, { name, channel, events, active, url: address }]) {
      world.clock.advance(1000)
      expect((await call('PATCH', path, same)).body).toEqual(renamed.body)
    }

    refused(await call('PATCH', path, { channel: 'chat_a' }), 409, 'url_required')
    const moved = await call('PATCH', path, { channel: 'chat_a', url: 'https://chat.example.com/secret-path-c3d4' })
    expect(moved.body.data).toMatchObject({ channel: 'chat_a', signed: false, address_hint: 'https://chat.example.com/…c3d4' })
    refused(await call('GET', `${path}/secret`), 409, 'no_signing_secret')
    await call('PATCH', path, { channel: 'webhook', url: address })
    expect((await call('GET', `${path}/secret`)).body.secret).not.toBe(secret)
  })

  it('is refused with every fault at once, by field, on creation and on change alike', async () => {
    const { data: made } = await register()
    const faults = { name: '', url: 'https://10.0.0.1/secret-path', events: ['property.created', 'storm'], channel: 'chat_a' }
    for (const answer of [await call('POST', '/integrations', faults), await call('PATCH', `/integrations/${made.id}`, faults)]) {
      refused(answer, 422, 'validation_failed')
      expect(Object.keys(answer.body.errors).sort()).toEqual(['events.1', 'name', 'url'])
    }
    const bare = await call('POST', '/integrations', {})
    expect(Object.keys(bare.body.errors).sort()).toEqual(['channel', 'events', 'name', 'url'])
    for (const body of [
      { channel: 'fax' },
      { events: [] },
      { events: 'property.created' },
      { active: 'perhaps' },
      { name: 7 },
      { url: null },
      { url: '' },
    ])
      refused(await call('PATCH', `/integrations/${made.id}`, body), 422, 'validation_failed')
  })

  it('is limited to ten on every plan, inactive ones included; removing one makes room', async () => {
    const made: { data: { id: string } }[] = []
    for (let nth = 0; nth < 10; nth++) made.push(await register({ active: nth % 2 === 0 }))
    refused(await call('POST', '/integrations', wanted), 409, 'destination_cap_reached')
    const removed = await call('DELETE', `/integrations/${made[0]?.data.id}`)
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await call('POST', '/integrations', wanted)).status).toBe(201)
  })

  it('of another team is not found by any endpoint', async () => {
    const { data: made } = await register()
    const other = (await aToken(world, await aTeam(world))).token
    for (const id of [made.id, randomUUID(), 'x'])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { name: 'mine' }],
        ['POST', '/test'],
        ['GET', '/secret'],
        ['POST', '/secret'],
        ['GET', '/deliveries'],
        ['DELETE', ''],
      ] as const)
        refused(await call(method, `/integrations/${id}${path}`, body, other), 404, 'not_found')
    expect((await call('GET', '/integrations', undefined, other)).body.data).toEqual([])
    expect((await call('GET', '/integrations/deliveries', undefined, other)).body.data).toEqual([])
    expect((await call('GET', `/integrations/${made.id}`)).body.data).toEqual(made)
  })
})

describe('the catalogue', () => {
  it('lists the ten events', async () => {
    const { status, body } = await call('GET', '/integrations/events')
    expect(status).toBe(200)
    fits(keys.integrationEvents, body)
    expect(body.data).toHaveLength(10)
  })
})

describe('a signing secret', () => {
  it('can be read again unchanged, and is rotated at once', async () => {
    const { data: made, secret } = await register()
    const read = await call('GET', `/integrations/${made.id}/secret`)
    expect(read.status).toBe(200)
    fits(keys.signingSecret, read.body)
    expect(read.body).toMatchObject({ integration_id: made.id, secret })
    const rotated = await call('POST', `/integrations/${made.id}/secret`)
    expect(rotated.status).toBe(200)
    fits(keys.rotatedSecret, rotated.body)
    expect(rotated.body.secret).not.toBe(secret)
    expect((await call('GET', `/integrations/${made.id}/secret`)).body.secret).toBe(rotated.body.secret)
  })

  it('is kept by no cache, in whichever response it is', async () => {
    const made = await call('POST', '/integrations', wanted)
    const path = `/integrations/${made.body.data.id}/secret`
    const all = [made, await call('GET', path), await call('POST', path)]
    expect(all.map(({ body, headers }) => [typeof body.secret, headers['cache-control']])).toEqual(all.map(() => ['string', 'no-store']))
    expect((await call('GET', '/integrations')).headers['cache-control']).toBeUndefined()
  })
})

describe('a post', () => {
  const { webhooks } = new Stripe('sk_test_unused')
  const accept = (receiver: Receiver, secret: string, { change = (body: string) => body, late = 0 } = {}) => {
    const { headers, body } = receiver.posts.at(-1) as Receiver['posts'][number]
    const header = String(headers['x-service-signature'])
    return webhooks.constructEvent(change(body), header, secret, 300, undefined, world.clock.now().getTime() + late * 1000)
  }

  it('of an event is accepted by another implementation, and appears in both ledgers', async () => {
    const receiver = await listening()
    const { data: made, secret } = await register({ url: receiver.url })
    await call('POST', '/properties', { address: '1 Main St, Moore, OK 73160', name: 'HQ' })
    await world.drain()
    expect(accept(receiver, secret)).toMatchObject({ object: 'property', event: 'property.created', team_name: expect.any(String) })
    expect(() => accept(receiver, secret, { change: (body) => body.replace('Moore', 'Noore') })).toThrow()
    expect(() => accept(receiver, secret, { late: 302 })).toThrow()
    await call('POST', `/integrations/${made.id}/secret`)
    await call('POST', `/integrations/${made.id}/test`)
    expect(() => accept(receiver, secret)).toThrow()
    expect(accept(receiver, (await call('GET', `/integrations/${made.id}/secret`)).body.secret)).toMatchObject({ object: 'test' })

    for (const path of ['/integrations/deliveries', `/integrations/${made.id}/deliveries`]) {
      const ledger = await call('GET', path)
      expect(ledger.status).toBe(200)
      fits(keys.page(keys.delivery), ledger.body)
      expect(ledger.body.data.map(({ kind, status }: { kind: string; status: string }) => [kind, status]).sort()).toEqual([
        ['event', 'sent'],
        ['test', 'sent'],
      ])
      expect((await call('GET', `${path}?status=failed`)).body.meta.total).toBe(0)
      expect((await call('GET', `${path}?status=sent&per_page=1`)).body.meta).toMatchObject({ total: 2, last_page: 2 })
      refused(await call('GET', `${path}?status=lost`), 422, 'validation_failed')
    }
    await call('DELETE', `/integrations/${made.id}`)
    expect((await call('GET', '/integrations/deliveries')).body.data).toMatchObject([
      { integration_id: made.id },
      { integration_id: made.id },
    ])
    refused(await call('GET', `/integrations/${made.id}/deliveries`), 404, 'not_found')
  })

  it('of a test shows nothing of the address that the receiver repeats', async () => {
    const receiver = await listening((response) => response.writeHead(404).end(`Cannot POST ${response.req.url} (k=secret-path a1b2)`))
    const { data: made } = await register({ url: `${new URL(receiver.url).origin}/services/T0/secret-path-a1b2?k=secret-path%20a1b2` })
    const { body } = await call('POST', `/integrations/${made.id}/test`)
    expect(body.detail).toBe('The destination answered 404. It said: Cannot POST /…/T0/…?k=… (k=…)')
  })

  it('of a test is 200 if it arrived, and 502 with the same body if it was refused', async () => {
    const { data: made } = await register({ url: (await listening()).url })
    const arrived = await call('POST', `/integrations/${made.id}/test`)
    expect(arrived.status).toBe(200)
    fits(keys.integrationTest, arrived.body)
    expect(arrived.body).toMatchObject({ integration_id: made.id, delivered: true })
    const broken = await listening((response) => response.writeHead(503).end('maintenance\u001b[2J'))
    await call('PATCH', `/integrations/${made.id}`, { url: broken.url })
    const lost = await call('POST', `/integrations/${made.id}/test`)
    expect(lost.status).toBe(502)
    fits(keys.integrationTest, lost.body)
    expect(lost.body).toMatchObject({ delivered: false, detail: 'The destination answered 503. It said: maintenance [2J' })
    await broken.close()
    receivers.splice(receivers.indexOf(broken), 1)
    const undelivered = await call('POST', `/integrations/${made.id}/test`)
    expect(undelivered).toMatchObject({
      status: 502,
      body: { delivered: false, detail: expect.stringMatching(/^The destination (refused|closed)/) },
    })
    expect((await call('GET', `/integrations/${made.id}`)).body.data).toMatchObject({
      last_sent_at: expect.any(String),
      last_failure: expect.stringMatching(/^The destination/),
    })
  })
})
