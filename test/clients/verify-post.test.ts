import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type Post, type TestPost, verifyPost, WeatherSignatureError } from 'weather-report-client'
import type { TestPayload } from '#domain/integrations/payload.ts'
import { newSigningSecret, signatureHeaders } from '#domain/integrations/signature.ts'
import { openRest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const NOW = new Date('2026-05-20T12:00:00Z')
const later = (seconds: number) => ({ now: NOW.getTime() + seconds * 1000 })
const body = JSON.stringify({ event: 'report.completed', headline: 'Hail at Ærø, 1.75 in' })

describe('a post', () => {
  const [secret, other] = [newSigningSecret(), newSigningSecret()]
  let headers: Record<string, string>
  beforeAll(() => {
    headers = signatureHeaders(secret, 'delivery-1', body, NOW)
  })

  it('is read if the service signed it, as text and as bytes, with any headers object', async () => {
    for (const seconds of [-300, 0, 300]) expect(await verifyPost(headers, body, secret, later(seconds))).toEqual(JSON.parse(body))
    expect(await verifyPost(new Headers(headers), new TextEncoder().encode(body), secret, later(0))).toEqual(JSON.parse(body))
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    expect(await verifyPost(upper, body, secret, later(0))).toEqual(JSON.parse(body))
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    expect(await verifyPost(lists, body, secret, later(0))).toEqual(JSON.parse(body))
  })

  it('is read under the old secret and the new one during rotation, and under any of several signatures', async () => {
    expect(await verifyPost(headers, body, [other, secret], later(0))).toEqual(JSON.parse(body))
    const both = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` }
    expect(await verifyPost(both, body, secret, later(0))).toEqual(JSON.parse(body))
  })

  it('is read under a secret in the older form, in the other base64 alphabet', async () => {
    const old = `whsec_${'-_'.repeat(21)}A`
    expect(await verifyPost(signatureHeaders(old, 'd', body, NOW), body, old, later(0))).toEqual(JSON.parse(body))
  })

  it.each<[string, () => Promise<Post>]>([
    ['a changed byte', () => verifyPost(headers, body.replace('1.75', '1.76'), secret, later(0))],
    ['another secret', () => verifyPost(headers, body, other, later(0))],
    ['no secret', () => verifyPost(headers, body, [], later(0))],
    ['another id', () => verifyPost({ ...headers, 'webhook-id': 'delivery-2' }, body, secret, later(0))],
    ['an hour ago', () => verifyPost(headers, body, secret, later(301))],
    ['an hour ahead', () => verifyPost(headers, body, secret, later(-301))],
    ['less tolerance', () => verifyPost(headers, body, secret, { ...later(11), toleranceSeconds: 10 })],
    ['a time that is none', () => verifyPost({ ...headers, 'webhook-timestamp': 'soon' }, body, secret, later(0))],
    ['two ids', () => verifyPost({ ...headers, 'webhook-id': ['delivery-1', 'delivery-1'] }, body, secret, later(0))],
    ['no signature', () => verifyPost({}, body, secret, later(0))],
    ['half a signature', () => verifyPost({ ...headers, 'webhook-signature': 'v1,AAAA' }, body, secret, later(0))],
    ['no base64', () => verifyPost({ ...headers, 'webhook-signature': 'v1,§' }, body, secret, later(0))],
  ])('is refused with %s', async (_, verified) => {
    await expect(verified()).rejects.toThrow(WeatherSignatureError)
  })

  it('is not checked against an invalid secret', async () => {
    for (const none of ['', 'secret', 'whsec_', 'whsec_§', undefined as unknown as string]) {
      const verified = verifyPost(headers, body, none, later(0))
      await expect(verified).rejects.toThrow('A signing secret is missing, or is not whsec_ and base64: check the setting.')
      await expect(verified).rejects.not.toBeInstanceOf(WeatherSignatureError)
    }
  })

  it('is read under the valid one of two secrets, in either order; an invalid one is reported if neither signed', async () => {
    for (const none of ['', 'secret', undefined as unknown as string])
      for (const secrets of [
        [none, secret],
        [secret, none],
      ])
        expect(await verifyPost(headers, body, secrets, later(0))).toEqual(JSON.parse(body))
    await expect(verifyPost(headers, body, ['secret', other], later(0))).rejects.toThrow(TypeError)
  })
})

it('a real post has the type of its event', async () => {
  const world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  world.clock.set(new Date())
  const rest = await openRest(world)
  const receiver = await openReceiver()
  const { token } = await aToken(world, await aTeam(world))
  const destination = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['property.created'] }
  const { data: registered, secret } = (await rest.call('POST', '/integrations', { token, body: destination })).body
  await rest.call('POST', '/properties', { token, body: { address: '100 Main Street, Frisco, TX 75034', label: 'Ærø' } })
  await world.drain()
  await rest.call('POST', `/integrations/${registered.id}/test`, { token })
  await Promise.all([receiver.close(), rest.close()])

  expect(receiver.posts).toHaveLength(2)
  for (const { headers, body: sent } of receiver.posts) {
    const post = await verifyPost(headers, sent, secret)
    if (post.event === 'test') expect([post.kind, post.data]).toEqual(['test', []])
    else if (post.event === 'property.created') expect(post.data).toMatchObject([{ label: 'Ærø' }])
    else throw new Error(post.event)
    await expect(verifyPost(headers, sent, newSigningSecret())).rejects.toThrow(WeatherSignatureError)
  }
})

it('the test of a destination has the type of what the service posts', () => {
  expectTypeOf<TestPayload>().toExtend<TestPost>()
  expectTypeOf<TestPost>().toExtend<TestPayload>()
  expectTypeOf<Extract<Post, { event: 'test' }>>().toEqualTypeOf<TestPost>()
})
