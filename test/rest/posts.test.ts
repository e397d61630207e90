import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ability } from '#domain/access/abilities.ts'
import { type EventName, eventNames } from '#domain/events/catalogue.ts'
import { emitExposureEvents } from '#domain/exposures/exposure-events.ts'
import { findDelivery } from '#domain/integrations/deliveries.ts'
import { sendDigest } from '#domain/integrations/digest.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { anExposure, aWarning } from '#test/support/exposures.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let receiver: Receiver
let team: Team
let token: string
/** The data of the last post of each event, and the paths at which the API returns the same. */
const posts = new Map<EventName, string[]>()
const paths = new Map<EventName, string[]>()

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000, webhook_allowed_networks: ['127.0.0.0/8'] } })
  world.clock.set('2026-05-20T13:00:00Z')
  rest = await openRest(world)
  receiver = await openReceiver()
  team = await aTeam(world, { timezone: 'America/Chicago' })
  token = (await aToken(world, team)).token
  await ask('POST', '/integrations', { name: 'All', channel: 'webhook', url: receiver.url, events: eventNames })
  await happenAll()
  for (const { body } of receiver.posts) {
    const { event, data } = JSON.parse(body) as { event: EventName; data: object[] }
    posts.set(
      event,
      data.map((one) => JSON.stringify(one)),
    )
  }
})
afterAll(async () => {
  await receiver.close()
  await rest.close()
})

it.each(eventNames)('a post of %s carries exactly the text that the API returns, with keys in the same order', async (event) => {
  const answers = []
  for (const path of paths.get(event) ?? []) answers.push(await ask('GET', path))
  expect(answers.length).toBeGreaterThan(0)
  // The document is ready by now; it was not when the report was completed.
  const then = event === 'report.completed' ? answers.map((one) => ({ ...one, pdf: { status: null, rendered_at: null } })) : answers
  expect(posts.get(event)).toEqual(then.map((one) => JSON.stringify(one)))
})

it('the ledger shows the link to a document only to tokens that may request one', async () => {
  const { id } = await world.app.db.delivery.findFirstOrThrow({ where: { event: 'report.pdf_ready' } })
  const shownTo = async (abilities: Ability[]) => (await findDelivery(world.app, await aCaller(world, team, abilities), id)).body ?? ''
  const full = await shownTo(['integrations:read', 'reports:export'])
  expect(receiver.posts.map(({ body }) => body)).toContain(full)
  const { download, ...others } = JSON.parse(full)
  const redacted = JSON.parse(await shownTo(['integrations:read', 'reports:read']))
  const url = `${world.app.config.base_url}/download/...`
  expect(redacted).toEqual({ ...others, link: url, download: { ...download, url } })
})

it('every post matches its description, including headers', async () => {
  const { body: document } = await rest.call('GET', '/openapi.json', { token })
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(document, 'openapi')
  for (const { headers, body } of receiver.posts) {
    const payload = JSON.parse(body) as { event: EventName }
    const { parameters } = document.webhooks[payload.event].post
    const valid = ajv.compile({ $ref: `openapi#/webhooks/${payload.event}/post/requestBody/content/application~1json/schema` })
    expect([payload.event, valid(payload), valid.errors]).toEqual([payload.event, true, null])
    for (const { $ref } of parameters) {
      const { name } = document.components.parameters[$ref.split('/').at(-1)]
      expect([payload.event, name, typeof headers[name.toLowerCase()]]).toEqual([payload.event, name, 'string'])
    }
  }
  expect(receiver.posts.length).toBeGreaterThan(eventNames.length)
})

it('posts of one kind have the same keys for every event', () => {
  const keys = new Map<string, Set<string>>()
  for (const { body } of receiver.posts) {
    const payload = JSON.parse(body) as { kind: string }
    const of = keys.get(payload.kind) ?? new Set()
    keys.set(payload.kind, of.add(Object.keys(payload).sort().join(' ')))
  }
  expect([...keys.keys()].sort()).toEqual(['alert', 'digest', 'property', 'report'])
  for (const [kind, of] of keys) expect([kind, [...of]]).toEqual([kind, [[...of][0]]])
})

/** Emits each event once; the last ones have data that the API still returns. */
async function happenAll(): Promise<void> {
  const property = await ask('POST', '/properties', { address: '1 Main St, Moore, OK 73160', label: 'HQ', tags: ['roof'], notes: 'a gate' })
  const path = `/properties/${property.id}`
  await ask('POST', `${path}/contacts`, { name: 'Ann', role: 'tenant', email: 'ann@example.org', phone: '1', company: 'A', notes: 'b' })
  await world.drain()
  await ask('PATCH', path, { status: 'archived' })
  await world.drain()
  for (const event of ['property.created', 'property.updated', 'property.archived'] as const) paths.set(event, [path])
  // Its posts are made again from the property's current state.
  await world.app.db.delivery.updateMany({ where: { event: { startsWith: 'property.' } }, data: { status: 'queued', attempts: 0 } })

  const layout = { sections: ['summary', 'map'], map: { layers: ['hail'], base: 'streets' }, elements: [], imagery: [] }
  const window = { window_start: '2026-01-01', window_end: '2026-05-01' }
  const report = await ask('POST', '/reports', { address: '1 Main St, Moore, OK 73160', ...window, layout, reference: 'R', recipient: 'B' })
  for (const event of ['report.completed', 'report.pdf_ready'] as const) paths.set(event, [`/reports/${report.id}`])
  const failed = await ask('POST', '/reports', { address: '1 Nowhere Lane, Nosuchtown, ZZ', ...window, reference: 'Claim 7' })
  paths.set('report.failed', [`/reports/${failed.id}`])

  const subject = { property_id: property.id, notified_at: world.clock.now() }
  const [seen, escalated] = [await anExposure(world, team, subject), await anExposure(world, team, { ...subject, date: '2026-05-19' })]
  const warned = await anExposure(world, team, { ...subject, kind: 'warning', warning_key: 'KOUN.SV.W.1.2026', warning: aWarning as never })
  for (const [name, id] of [
    ['exposure.detected', seen],
    ['exposure.escalated', escalated],
    ['warning.issued', warned],
  ] as const) {
    paths.set(name, [`/exposures/${id}`])
    const event = { name, escalation: null }
    await world.app.db.$transaction((tx) =>
      emitExposureEvents(tx, world.app, team.id, [{ id, event, warning_key: null }], world.clock.now()),
    )
  }
  paths.set('digest.sent', [`/exposures/${warned}`, `/exposures/${seen}`, `/exposures/${escalated}`])
  world.clock.set('2026-05-21T12:00:30Z')
  await sendDigest(world.app, { team_id: team.id, local_date: '2026-05-21' })
  for (const { id } of await world.app.db.delivery.findMany({ where: { event: { startsWith: 'property.' } } }))
    await world.app.db.outboxJob.create({ data: { name: 'delivery.send', payload: { delivery_id: id } } })
  await world.drain()
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the endpoint answers
async function ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<any> {
  const answer = await rest.call(method, path, { token, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}
