import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { openLog } from '#domain/engines/log.ts'
import type { Mail } from '#domain/engines/mail.ts'
import { emit } from '#domain/events/emit.ts'
import { changeDestination, registerDestination } from '#domain/integrations/destinations.ts'
import { findDestination } from '#domain/integrations/find.ts'
import { acknowledgeSwitchedOff } from '#domain/integrations/switched-off.ts'
import type { Team } from '#generated/prisma/client.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'

const ADDRESS = 'team@example.org'

let world: World
let team: Team
let caller: Caller
let receiver: Receiver
let integration: { id: string; address_hint: string }
const mailed: Parameters<Mail['send']>[0][] = []
let refusal: Error | null
beforeEach(async () => {
  mailed.length = 0
  refusal = null
  const send = async (message: (typeof mailed)[number]) => {
    if (refusal) throw refusal
    mailed.push(message)
  }
  world = await openWorld({
    config: { webhook_allowed_networks: ['127.0.0.0/8'] },
    replace: { mail: { configured: true, send, close: () => {} } },
  })
  team = await aTeam(world, { name: 'Roofers', email: ADDRESS })
  caller = await aCaller(world, team)
  receiver = await openReceiver((response) => response.writeHead(410).end())
  const input = { name: 'CRM', channel: 'webhook', url: receiver.url, events: ['exposure.detected' as const] }
  ;({ integration } = await registerDestination(world.app, caller, input))
})
afterEach(() => receiver.close())

it('a destination that is gone is switched off once, shown as such, and mailed to the team', async () => {
  expect(await shown()).toMatchObject({ active: true, switched_off: null })
  await happen()
  await happen()
  await world.drain()
  const reason = 'The destination answered 410: it is gone for good.'
  const at = world.clock.now().toISOString()
  expect(await shown()).toMatchObject({ active: false, switched_off: { at, reason, acknowledged_at: null } })
  expect(mailed).toHaveLength(1)
  expect(mailed[0]).toMatchObject({ to: ADDRESS, subject: 'Destination switched off: CRM' })
  for (const text of ['"CRM"', integration.address_hint, 'Roofers', reason, `/app/destinations/${integration.id}`])
    expect(mailed[0]?.text).toContain(text)
  expect(mailed[0]?.text).toMatch(/ was switched off on \d{4}-\d\d-\d\d, \d{1,2}:\d\d [AP]M C[DS]T\.$/m)
  expect(mailed[0]?.text).not.toContain('secret-path')
})

it('a name that reverses text does not reverse the mail that quotes it', async () => {
  await changeDestination(world.app, caller, integration.id, { name: '\u202eMRC\u2069' })
  await happen()
  await world.drain()
  const [mail] = mailed
  expect(mail?.subject).toBe('Destination switched off: MRC')
  expect(mail?.text).toContain('The destination "MRC" (')
})

it('a response from an earlier address does not switch it off, and the delivery goes to the new address', async () => {
  const arriving = await openReceiver((response) => response.writeHead(204).end())
  await receiver.close()
  // The receiver responds 410 while its owner sets the new address.
  receiver = await openReceiver(async (response) => {
    await changeDestination(world.app, caller, integration.id, { url: arriving.url })
    response.writeHead(410).end()
  })
  await changeDestination(world.app, caller, integration.id, { url: receiver.url })
  await happen()
  await world.drain()
  expect([receiver.posts.length, arriving.posts.length]).toEqual([1, 1])
  expect(await shown()).toMatchObject({ active: true, switched_off: null, failing: false, last_failure: null })
  expect(await world.app.db.delivery.findMany({ select: { status: true, attempts: true } })).toEqual([{ status: 'sent', attempts: 2 }])
  expect(mailed).toEqual([])
  await arriving.close()
})

it('the notice stays until somebody acknowledges it or activates the destination again', async () => {
  await happen()
  await world.drain()
  world.clock.advance(1000)
  const known = { acknowledged_at: world.clock.now().toISOString() }
  expect(await acknowledgeSwitchedOff(world.app, caller, integration.id)).toMatchObject({ active: false, switched_off: known })
  world.clock.advance(1000)
  expect(await acknowledgeSwitchedOff(world.app, caller, integration.id)).toMatchObject({ switched_off: known })
  const otherCaller = await aCaller(world, await aTeam(world))
  await expect(acknowledgeSwitchedOff(world.app, otherCaller, integration.id)).rejects.toMatchObject({ code: 'not_found' })
  await changeDestination(world.app, caller, integration.id, { active: true })
  expect(await shown()).toMatchObject({ active: true, switched_off: null })
  await changeDestination(world.app, caller, integration.id, { active: false })
  expect(await shown()).toMatchObject({ active: false, switched_off: null })
  expect(await acknowledgeSwitchedOff(world.app, caller, integration.id)).toMatchObject({ switched_off: null })
})

it('the mail is retried if the mail server is unavailable, and the address is in no log', async () => {
  const lines: string[] = []
  world.app.log = openLog('debug', new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }))
  refusal = Object.assign(new Error(`550 <${ADDRESS}> is not here`), { code: 'EENVELOPE', rejected: [ADDRESS] })
  await happen()
  await world.drain()
  expect(mailed).toEqual([])
  expect(lines.join('')).toContain('the mail server did not accept the message (EENVELOPE)')
  expect(lines.join('')).not.toContain(ADDRESS)
  refusal = null
  const { switched_off_at } = await world.app.db.integration.findUniqueOrThrow({ where: { id: integration.id } })
  await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 second'")
  const { reissueDurable } = await import('#domain/kernel/durable-jobs.ts')
  await reissueDurable(world.app)
  await world.drain()
  const host = new URL(world.app.config.base_url).hostname
  expect(mailed).toMatchObject([{ message_id: `<${integration.id}.${switched_off_at?.getTime()}@${host}>` }])
  expect(await world.app.db.durableJob.count()).toBe(0)
})

it('the mail is tried for a day if the mail server is away, and not sent once somebody has acknowledged it', async () => {
  refusal = Object.assign(new Error('away'), { code: 'ECONNECTION' })
  await happen()
  await world.drain()
  const { reissueDurable } = await import('#domain/kernel/durable-jobs.ts')
  const waits: number[] = []
  for (;;) {
    const { rows } = await world.app.pool.query('SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM lasting_jobs')
    if (rows.length === 0) break
    waits.push(rows[0].minutes)
    await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 second'")
    await reissueDurable(world.app)
    await world.drain().catch((fault: Error) => expect(fault.message).toContain('ECONNECTION'))
  }
  expect(waits).toEqual([1, 2, 4, 8, ...Array<number>(24).fill(60)])

  await changeDestination(world.app, caller, integration.id, { active: true })
  await happen()
  await world.drain()
  await acknowledgeSwitchedOff(world.app, caller, integration.id)
  refusal = null
  await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 second'")
  await reissueDurable(world.app)
  await world.drain()
  expect(mailed).toEqual([])
  expect(await world.app.db.durableJob.count()).toBe(0)
})

it('no mail is sent without an address or for a destination that is active again', async () => {
  await world.app.db.team.updateMany({ data: { email: null } })
  await happen()
  await world.drain()
  await world.app.db.team.updateMany({ data: { email: ADDRESS } })
  await changeDestination(world.app, caller, integration.id, { active: true })
  await happen()
  await world.app.db.outboxJob.updateMany({ data: { due_at: null } })
  const { deliver } = await import('#domain/integrations/deliver.ts')
  const { id } = await world.app.db.delivery.findFirstOrThrow({ where: { status: 'queued' } })
  await deliver(world.app, id)
  await changeDestination(world.app, caller, integration.id, { active: true })
  await world.drain()
  expect(mailed).toEqual([])
})

const shown = () => findDestination(world.app, caller, integration.id)

const happen = () =>
  world.app.db.$transaction((tx) =>
    emit(tx, 'exposure.detected', { team_id: team.id, subject: 'Hail', exposure_ids: [7] }, exposureContent('HQ')),
  )
