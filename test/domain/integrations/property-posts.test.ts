import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { deliver } from '#domain/integrations/deliver.ts'
import { findDelivery, listDeliveries, resendDelivery } from '#domain/integrations/deliveries.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { changeProperty } from '#domain/properties/change.ts'
import { addContact, changeContact, removeContact } from '#domain/properties/contacts.ts'
import { createProperty } from '#domain/properties/create.ts'
import { findProperty } from '#domain/properties/find.ts'
import { removeProperty } from '#domain/properties/remove.ts'
import { HOUR, MINUTE } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'

const PERSON = { name: 'Jane Quillfeather', email: 'jane.quillfeather@example.org', phone: '+1 405 555 0142', notes: 'asks for Jane' }
const NOTES = 'the gate code is 4711'
const events: EventName[] = ['property.created', 'property.updated', 'property.archived']
const everything = { page: 1, per_page: 100 }

let world: World
let caller: Caller
let receiver: Receiver
let well: boolean
beforeEach(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  caller = await aCaller(world, await aTeam(world))
  well = true
  receiver = await openReceiver((response) => response.writeHead(well ? 204 : 500).end())
})
afterEach(() => receiver.close())

it('are built when they are sent: a contact removed before then is in none', async () => {
  await register()
  const { id } = await aProperty()
  await world.drain()
  well = false
  const contact = await addContact(world.app, caller, id, PERSON)
  await world.drain()
  expect(posted().at(-1)).toMatchObject({ event: 'property.updated', data: [{ contacts: [{ email: PERSON.email }] }] })
  await removeContact(world.app, caller, id, contact.id)
  receiver.posts.length = 0
  well = true
  world.clock.advance(MINUTE)
  await world.drain()
  expect(posted()).toHaveLength(2)
  for (const post of posted()) expect(post).toMatchObject({ event: 'property.updated', changed: ['contacts'], data: [{ contacts: [] }] })
  expect(JSON.stringify(receiver.posts)).not.toContain('Quillfeather')
})

it('are not sent for a contact set to its current value, so a receiver that writes back starts no loop', async () => {
  await register()
  const { id } = await aProperty()
  const contact = await addContact(world.app, caller, id, PERSON)
  await addContact(world.app, caller, id, { name: 'Ann', primary: false })
  await world.drain()
  receiver.posts.length = 0
  const before = await findProperty(world.app, caller, id)
  world.clock.advance(MINUTE)
  for (const same of [{}, PERSON, { primary: true }, { role: 'owner' as const, company: null }])
    expect(await changeContact(world.app, caller, id, contact.id, same)).toEqual(contact)
  await world.drain()
  expect(posted()).toEqual([])
  expect(await findProperty(world.app, caller, id)).toEqual(before)
  await changeContact(world.app, caller, id, contact.id, { primary: false })
  await world.drain()
  expect(posted()).toMatchObject([{ changed: ['contacts'], data: [{ contacts: [{ name: 'Ann', primary: true }, { primary: false }] }] }])
})

it('have the same bytes in every attempt if nothing changed, and otherwise state what changed', async () => {
  well = false
  await register()
  const { id } = await aProperty()
  await addContact(world.app, caller, id, PERSON)
  await world.app.db.delivery.deleteMany({ where: { event: 'property.updated' } })
  for (let attempt = 1; attempt <= 3; attempt++) {
    await world.drain()
    world.clock.advance(HOUR)
  }
  expect(receiver.posts).toHaveLength(3)
  expect(new Set(receiver.posts.map(({ body }) => body)).size).toBe(1)
  await changeProperty(world.app, caller, id, { label: 'The new name', reference: null })
  receiver.posts.length = 0
  well = true
  await world.drain()
  const current = await findProperty(world.app, caller, id)
  const [saved, changed] = posted()
  expect(saved).toMatchObject({
    event: 'property.created',
    subject: 'Property saved: The new name',
    headline: 'The new name is saved',
    changed: [],
  })
  expect(changed).toMatchObject({ event: 'property.updated', changed: ['label', 'reference'], reason: 'change' })
  for (const { data } of [saved, changed]) expect(JSON.stringify(data)).toBe(JSON.stringify([current]))
  expect((await ledger()).map(({ subject }) => subject)).toEqual(['Property changed: The new name', 'Property saved: The new name'])
})

it('leave no contact and no notes in the ledger, the events, the outbox or a repeated post', async () => {
  for (const channel of ['webhook', 'chat_a', 'chat_b']) await register(channel)
  const { id } = await aProperty()
  const contact = await addContact(world.app, caller, id, PERSON)
  await changeContact(world.app, caller, id, contact.id, { company: 'Quillfeather & Sons' })
  expect(await dump()).not.toMatch(/quillfeather|555 0142|gate code/i)
  await world.drain()
  expect(await dump()).not.toMatch(/quillfeather|555 0142|gate code/i)
  const webhook = (await ledger()).find((row) => row.channel === 'webhook')
  const { body } = await findDelivery(world.app, caller, webhook?.id as string)
  const kept = JSON.parse(body as string)
  const { contacts: _, notes: __, ...shown } = await findProperty(world.app, caller, id)
  expect(kept).toMatchObject({ id: webhook?.id, event: 'property.updated', data: [shown] })
  expect(Object.keys(kept.data[0])).toEqual(Object.keys(shown))

  await removeContact(world.app, caller, id, contact.id)
  await world.drain()
  receiver.posts.length = 0
  await resendDelivery(world.app, caller, webhook?.id as string)
  await world.drain()
  expect(posted()).toMatchObject([{ id: webhook?.id, data: [{ id, contacts: [] }] }])
})

it('are skipped for a deleted property, except the post of its removal', async () => {
  well = false
  await register()
  const { id } = await aProperty()
  await changeProperty(world.app, caller, id, { reference: 'Quillfeather' })
  await world.drain()
  await removeProperty(caller, id)
  receiver.posts.length = 0
  well = true
  world.clock.advance(MINUTE)
  await world.drain()
  expect(posted()).toMatchObject([
    {
      event: 'property.archived',
      subject: 'Property removed',
      headline: 'A property was removed',
      link: null,
      changed: [],
      reason: 'removed',
    },
  ])
  expect(posted()[0].data).toEqual([{ id, object: 'property', removed: true }])
  expect(receiver.posts[0]?.body).not.toMatch(/Quillfeather|Main St|HQ/)
  const skipped = { status: 'skipped', failure_reason: 'The property was removed before this was sent.' }
  expect(await ledger()).toMatchObject([{ status: 'sent', subject: 'Property removed' }, skipped, skipped])
})

it('of an archived property report its removal if that came before the post', async () => {
  await register()
  const { id } = await aProperty()
  await world.drain()
  well = false
  await changeProperty(world.app, caller, id, { status: 'archived' })
  await world.drain()
  await removeProperty(caller, id)
  well = true
  world.clock.advance(MINUTE)
  await world.drain()
  expect(posted().at(-1)).toMatchObject({ event: 'property.archived', reason: 'removed', data: [{ id, removed: true }] })
  expect((await ledger()).map(({ status }) => status)).toEqual(['sent', 'sent'])
})

it('go to chats without contacts and notes', async () => {
  for (const channel of ['chat_a', 'chat_b']) await register(channel)
  const { id } = await aProperty()
  await addContact(world.app, caller, id, PERSON)
  await world.drain()
  expect(receiver.posts).toHaveLength(4)
  expect(JSON.stringify(receiver.posts)).not.toMatch(/quillfeather|555 0142|gate code/i)
})

it('are recorded only under a valid lease after a worker stalled', async () => {
  await register()
  await aProperty()
  const [row] = await ledger()
  const late = { ...world.app, poster: { ...world.app.poster, post: takeOver } }
  await deliver(late, row?.id as string)
  expect((await ledger())[0]).toMatchObject({ status: 'queued', failure_reason: null })

  async function takeOver() {
    await world.app.db.delivery.updateMany({ data: { lease_token: '00000000-0000-4000-8000-000000000000' } })
    return { status: 204, headers: {}, text: '' }
  }
})

// biome-ignore lint/suspicious/noExplicitAny: what receivers parse
const posted = (): any[] => receiver.posts.map(({ body }) => JSON.parse(body))

const register = (channel = 'webhook') => registerDestination(world.app, caller, { name: channel, channel, url: receiver.url, events })

const aProperty = () =>
  createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', label: 'HQ', reference: 'A-7', notes: NOTES })

async function ledger() {
  return (await listDeliveries(world.app, caller, everything)).data
}

/** Everything stored about posts. */
async function dump(): Promise<string> {
  const { rows } = await world.app.pool.query<{ dump: string }>(
    'SELECT concat((SELECT json_agg(d) FROM deliveries d), (SELECT json_agg(e) FROM events e), (SELECT json_agg(o) FROM outbox o)) AS dump',
  )
  return rows[0]?.dump as string
}
