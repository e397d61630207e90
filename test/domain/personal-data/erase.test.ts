import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { issueToken, revokeToken } from '#domain/access/tokens.ts'
import { eventNames } from '#domain/events/catalogue.ts'
import { emitExposureEvents } from '#domain/exposures/exposure-events.ts'
import { listExposures } from '#domain/exposures/find.ts'
import { buildBody } from '#domain/integrations/build-body.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { lease } from '#domain/integrations/lease.ts'
import { erasePersonalData } from '#domain/personal-data/erase.ts'
import { findPersonalData } from '#domain/personal-data/find.ts'
import { textColumns } from '#domain/personal-data/text-columns.ts'
import { adjust } from '#domain/plans/credits.ts'
import { createProperties } from '#domain/properties/batch.ts'
import { changeProperty } from '#domain/properties/change.ts'
import { addContact, removeContact } from '#domain/properties/contacts.ts'
import { createProperty } from '#domain/properties/create.ts'
import { findProperty } from '#domain/properties/find.ts'
import { findReport } from '#domain/reports/find.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import { createTerritory } from '#domain/territories/create.ts'
import type { Team } from '#generated/prisma/client.ts'
import { anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { sweep } from '#workers/sweeper.ts'

const EMAIL = 'jane.quillfeather@example.org'
const PERSON = { name: 'Jane Quillfeather', email: EMAIL, phone: '+1 (405) 555-0142' }
/** Any trace of the person. */
const TRACE = /quillfeather|555.{0,3}0142/i

let world: World
let team: Team
let caller: Caller
beforeEach(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  team = await aTeam(world)
  caller = await aCaller(world, team)
})

describe('a person', () => {
  let receiver: Receiver
  let well: boolean
  let home: string
  let house: string
  let report: string

  /** Is a contact of two properties, is named in every text field, and is in sent and waiting posts. */
  beforeEach(async () => {
    well = true
    receiver = await openReceiver((response) => response.writeHead(well ? 204 : 500).end())
    for (const channel of ['webhook', 'chat_a', 'chat_b'])
      await registerDestination(world.app, caller, {
        name: `Jane Quillfeather's ${channel}`,
        channel,
        url: receiver.url,
        events: eventNames,
      })
    const named = {
      label: "Jane Quillfeather's house",
      reference: `${EMAIL}, (405) 555-0142`,
      tags: ['roof', EMAIL],
      notes: 'call 405.555.0142',
    }
    home = (await createProperty(world.app, caller, { address: 'Jane Quillfeather, 1 Main St, Moore, OK 73160', ...named })).id
    house = (await createProperty(world.app, caller, { address: '2 Main St, Moore, OK 73160', label: 'HQ' })).id
    await addContact(world.app, caller, home, PERSON)
    await addContact(world.app, caller, home, { name: 'Ann Other', company: 'Jane Quillfeather Ltd', notes: `knows ${EMAIL}` })
    await addContact(world.app, caller, house, { name: 'Ann Other', email: 'ann@example.org' })
    await addContact(world.app, caller, house, { ...PERSON, name: 'JANE  QUILLFEATHER', email: EMAIL.toUpperCase(), primary: true })
    await addContact(world.app, caller, house, { name: 'Jane Quillfeather', role: 'tenant' })
    const territory = { kind: 'radius', latitude: 35.3, longitude: -97.5, radius_miles: 2 }
    await createTerritory(world.app, caller, { name: 'around Jane Quillfeather', notes: EMAIL, ...territory }, null)
    const window = { window_start: '2026-01-01', window_end: '2026-05-01' }
    const input = { address: '1 Main St, Moore, OK 73160', ...window, property_id: home, reference: EMAIL, recipient: 'Jane Quillfeather' }
    report = (await requestReport(world.app, caller, input, null)).report.id
    await requestReport(
      world.app,
      caller,
      { ...input, address: 'c/o Jane Quillfeather, 1 Main St, Moore, OK 73160', recipient: null },
      null,
    )
    const key = { key: 'k', method: 'POST', path: '/api/v1/properties/batch', body: {} }
    await createProperties(
      world.app,
      caller,
      { properties: [{ address: '3 Main St, Moore, OK 73160', notes: EMAIL }, { kind: EMAIL }] },
      key,
    )
    await issueToken(world.app.db, { team_id: team.id, name: 'laptop of Jane Quillfeather', abilities: [], expires_at: null })
    await adjust(world.app.db, team.id, 3, `asked by ${EMAIL}`, world.clock.now())
    for (const named of ['jane quillfeather', 'quillfeather jane', 'tel 1 405 555 0142', '4055550142', 'jane quillfeather example org'])
      await world.app.db.geocodeAnswer.create({
        data: { provider: 'census', query_key: `${named} 1 main st moore ok`, answer: { street: 'x' } },
      })
    await world.drain()
    well = false
    const seen = await anExposure(world, team, { property_id: home, headline: "Hail up to 1.75 in at Jane Quillfeather's house" })
    const event = { name: 'exposure.detected' as const, escalation: null }
    await world.app.db.$transaction((tx) =>
      emitExposureEvents(tx, world.app, team.id, [{ id: seen, event, warning_key: null }], world.clock.now()),
    )
    await changeProperty(world.app, caller, house, { reference: 'B-1' })
    await world.drain()
  })

  it('is found in every record with an excerpt, and nothing of another team is found', async () => {
    const otherCaller = await aCaller(world, await aTeam(world))
    const otherProperty = await createProperty(world.app, otherCaller, { address: '1 Main St, Moore, OK 73160', notes: EMAIL })
    await addContact(world.app, otherCaller, otherProperty.id, PERSON)
    const found = await findPersonalData(world.app, caller, ` ${EMAIL.toUpperCase()} `)
    expect(found.contacts.map(({ contact, property_name }) => [contact.name, contact.email, property_name])).toEqual([
      ['Jane Quillfeather', EMAIL, "Jane Quillfeather's house"],
      ['JANE  QUILLFEATHER', EMAIL.toUpperCase(), 'HQ'],
      ['Jane Quillfeather', null, 'HQ'],
    ])
    const places = [...new Set(found.mentions.map(({ record, field }) => `${record}.${field}`))]
    expect(places.sort()).toEqual([
      'contact.company',
      'contact.notes',
      'credit_transaction.description',
      'credit_transaction.note',
      'delivery.body',
      'delivery.subject',
      'event.content',
      'event.subject',
      'exposure.headline',
      'integration.name',
      'property.label',
      'property.notes',
      'property.query',
      'property.reference',
      'property.street',
      'property.tags',
      'report.query',
      'report.recipient',
      'report.reference',
      'report.street',
      'territory.name',
      'territory.notes',
      'token.name',
    ])
    for (const { excerpt, kept_because } of found.mentions) {
      expect(excerpt).toMatch(TRACE)
      expect(excerpt.length).toBeLessThan(200)
      expect(kept_because).toBeNull()
    }
    expect(JSON.stringify(found)).not.toContain(otherProperty.id)
    expect((await findPersonalData(world.app, otherCaller, EMAIL)).contacts).toHaveLength(1)
    const empty = { contacts: [], mentions: [], namesakes: [] }
    expect(await findPersonalData(world.app, caller, 'nobody@example.org')).toEqual({
      object: 'personal_data',
      email: 'nobody@example.org',
      ...empty,
    })
  })

  it('is erased from every table and document, and is in no later post', async () => {
    expect(await dump()).toMatch(TRACE)
    const before = await findPersonalData(world.app, caller, EMAIL)
    world.clock.advance(1000)
    const erased = await erasePersonalData(world.app, caller, EMAIL)
    expect(erased.contacts.map(({ contact_id }) => contact_id)).toEqual(before.contacts.map(({ contact }) => contact.id))
    const placesOf = (mentions: { record: string; id: string; field: string }[]) =>
      mentions.map(({ record, id, field }) => `${record} ${id} ${field}`)
    expect(placesOf(erased.mentions).sort()).toEqual(placesOf(before.mentions).sort())
    expect([erased.kept, erased.namesakes, erased.documents.length]).toEqual([[], [], 2])
    expect(JSON.stringify({ ...erased, email: '' })).not.toMatch(TRACE)
    expect(await dump()).not.toMatch(TRACE)
    expect(await findPersonalData(world.app, caller, EMAIL)).toMatchObject({ contacts: [], mentions: [] })

    const property = await findProperty(world.app, caller, home)
    expect(property).toMatchObject({ label: "[erased]'s house", reference: '[erased], [erased]', tags: ['roof'], notes: 'call [erased]' })
    expect(property.contacts).toMatchObject([{ name: 'Ann Other', company: '[erased] Ltd', notes: 'knows [erased]', primary: true }])
    expect((await findProperty(world.app, caller, house)).contacts).toMatchObject([{ name: 'Ann Other', primary: true }])
    expect(await findReport(world.app, caller, report)).toMatchObject({
      reference: null,
      recipient: null,
      status: 'complete',
      pdf: { status: null },
    })

    receiver.posts.length = 0
    well = true
    world.clock.advance(3_600_000)
    await world.drain()
    const posts = receiver.posts.map(({ body }) => JSON.parse(body))
    expect(JSON.stringify(receiver.posts)).not.toMatch(TRACE)
    const announced = posts.filter(({ event, changed }) => event === 'property.updated' && changed.includes('contacts'))
    expect(announced.map(({ data, changed }) => [data[0].id, changed]).sort()).toEqual(
      [
        [home, ['contacts', 'label', 'reference', 'address', 'tags', 'notes']],
        [house, ['contacts']],
      ].sort(),
    )
    expect(posts.filter(({ event }) => event === 'report.pdf_ready')).toHaveLength(2)
    expect(await findReport(world.app, caller, report)).toMatchObject({ pdf: { status: 'ready' } })
    expect(await dump()).not.toMatch(TRACE)
  })

  it('is not kept by a client that syncs: exposures that showed the name are returned again', async () => {
    const at = (columns: Parameters<typeof anExposure>[2]) => anExposure(world, team, { date: '2026-04-01', ...columns })
    const territory = await world.app.db.territory.findFirstOrThrow({ where: { team_id: team.id } })
    const shown = [
      await at({ property_id: home }),
      await at({ territory_id: territory.id }),
      await at({ property_id: house, headline: 'Hail at Jane Quillfeather' }),
    ]
    await at({ property_id: house, date: '2026-04-02' })
    const since = '2000-01-01T00:00:00Z'
    const { data } = await listExposures(world.app, caller, { since })
    const cursor = data
      .map(({ last_seen_at }) => last_seen_at)
      .sort()
      .at(-1)
    await erasePersonalData(world.app, caller, EMAIL)
    await world.drain()
    const again = await listExposures(world.app, caller, { since: cursor })
    expect(again.data.map(({ id }) => id)).toEqual(expect.arrayContaining(shown))
    expect(again.data.map(({ subject, date }) => [subject.id, date])).not.toContainEqual([house, '2026-04-02'])
    expect(JSON.stringify(again)).not.toMatch(TRACE)
  })

  it('leaves the amounts of the ledger unchanged', async () => {
    const rows = () => world.app.db.creditTransaction.findMany({ orderBy: { id: 'asc' }, omit: { description: true, note: true } })
    const before = await rows()
    await erasePersonalData(world.app, caller, EMAIL)
    expect(await rows()).toEqual(before)
    await expect(world.app.pool.query("UPDATE credit_transactions SET description = 'x'")).rejects.toThrow('never rewritten')
    const erasing = "BEGIN; SET LOCAL weather.erasing = 'on'; UPDATE credit_transactions SET amount = amount + 1; COMMIT"
    await expect(world.app.pool.query(erasing)).rejects.toThrow('permission denied')
    await expect(world.owner.query(erasing)).rejects.toThrow('never rewritten')
  })

  it('erased while a document is printed is not in the stored document', async () => {
    const { renderReport } = await import('#domain/reports/document/render.ts')
    await world.app.db.document.deleteMany()
    await world.app.db.report.updateMany({ data: { pdf_status: null } })
    const printer = {
      ...world.app.printer,
      async print(...args: Parameters<typeof world.app.printer.print>) {
        await erasePersonalData(world.app, caller, EMAIL)
        return world.app.printer.print(...args)
      },
    }
    await renderReport({ ...world.app, printer }, report)
    expect(await world.app.db.document.count({ where: { report_id: report } })).toBe(0)
    expect(await findReport(world.app, caller, report)).toMatchObject({ recipient: null, pdf: { status: null } })
    await world.drain()
    expect(await world.app.db.document.count({ where: { report_id: report } })).toBe(1)
  })
})

it('a person erased while a post is sent is not in the stored post, and the post is sent again without them', async () => {
  let erasing: Promise<unknown> | undefined
  const receiver = await openReceiver(async (response) => {
    await (erasing ??= erasePersonalData(world.app, caller, EMAIL))
    response.writeHead(204).end()
  })
  const events = ['property.updated' as const]
  await registerDestination(world.app, caller, { name: 'Receiver', channel: 'webhook', url: receiver.url, events })
  const { id } = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', label: `Home, ${EMAIL}` })
  await changeProperty(world.app, caller, id, { reference: 'B-1' })
  await world.drain()
  expect(await dump()).not.toMatch(TRACE)
  expect(receiver.posts.map(({ body }) => TRACE.test(body))).toEqual([true, false, false])
  const statuses = await world.app.db.delivery.findMany({ select: { status: true, attempts: true } })
  expect(statuses).toEqual([
    { status: 'sent', attempts: 1 },
    { status: 'sent', attempts: 1 },
  ])
  await receiver.close()
})

it('a body built before the erasure is neither stored nor posted', async () => {
  const receiver = await openReceiver()
  await registerDestination(world.app, caller, { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['exposure.detected'] })
  const { id } = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', label: `Home, ${EMAIL}` })
  const seen = await anExposure(world, team, { property_id: id, headline: `Hail at Home, ${EMAIL}` })
  const event = { name: 'exposure.detected' as const, escalation: null }
  await world.app.db.$transaction((tx) =>
    emitExposureEvents(tx, world.app, team.id, [{ id: seen, event, warning_key: null }], world.clock.now()),
  )
  const { id: delivery } = await world.app.db.delivery.findFirstOrThrow()
  const leased = await lease(world.app, delivery)
  expect(JSON.stringify(leased?.content)).toMatch(TRACE)
  await erasePersonalData(world.app, caller, EMAIL)
  expect(await buildBody(world.app, leased as NonNullable<typeof leased>)).toBeNull()
  await world.drain()
  expect(await dump()).not.toMatch(TRACE)
  expect(receiver.posts.map(({ body }) => TRACE.test(body))).toEqual([false])
  await receiver.close()
})

describe('a document file that a killed worker left without a row', () => {
  const left = async (key: string) => (await world.app.blobs.get(key)) !== null
  let home: string
  beforeEach(async () => {
    home = (await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160' })).id
    await addContact(world.app, caller, home, PERSON)
  })
  const aReport = async () => {
    const window = { window_start: '2026-01-01', window_end: '2026-05-01' }
    const input = { address: '1 Main St, Moore, OK 73160', ...window, property_id: home, recipient: PERSON.name }
    return (await requestReport(world.app, caller, input, null)).report.id
  }

  it('is deleted with the person', async () => {
    const id = await aReport()
    const [key, draft] = [`reports/${id}/left.pdf`, `reports/${id}/left.pdf.draft`]
    for (const one of [key, draft]) await world.app.blobs.put(one, Buffer.from(PERSON.name))
    await erasePersonalData(world.app, caller, EMAIL)
    await world.drain()
    expect([await left(key), await left(draft)]).toEqual([false, false])
  })

  it('is deleted once the store answers, if it failed during the erasure; then the document is printed again', async () => {
    const id = await aReport()
    await world.drain()
    const { key: printed } = await world.app.db.document.findFirstOrThrow({ where: { report_id: id } })
    const key = `reports/${id}/left.pdf`
    await world.app.blobs.put(key, Buffer.from(PERSON.name))
    const failing = vi.spyOn(world.app.blobs, 'clear').mockRejectedValue(new Error('the store does not answer'))
    world.clock.advance(1000)
    const { documents } = await erasePersonalData(world.app, caller, EMAIL)
    expect(documents).toEqual([id])
    expect(await findReport(world.app, caller, id)).toMatchObject({ recipient: null, pdf: { status: null } })
    await expect(world.drain()).rejects.toThrow('the store does not answer')
    failing.mockRestore()
    expect([await left(key), await left(printed)]).toEqual([true, true])

    await world.app.pool.query("UPDATE lasting_jobs SET due_at = due_at - interval '61 seconds'")
    await sweep(world.app)
    await world.drain()
    const { key: again } = await world.app.db.document.findFirstOrThrow({ where: { report_id: id } })
    expect([await left(key), await left(again)]).toEqual([false, true])
    expect(await findReport(world.app, caller, id)).toMatchObject({ pdf: { status: 'ready' } })
    expect(await dump()).not.toMatch(TRACE)
  })

  it('is deleted when the next document is stored, and with the report', async () => {
    const id = await aReport()
    const key = `reports/${id}/left.pdf`
    await world.app.blobs.put(key, Buffer.from(PERSON.name))
    await world.drain()
    const { key: kept } = await world.app.db.document.findFirstOrThrow({ where: { report_id: id } })
    expect([await left(key), await left(kept)]).toEqual([false, true])
    await world.app.blobs.put(key, Buffer.from(PERSON.name))
    await removeReport(world.app, caller, id)
    expect([await left(key), await left(kept)]).toEqual([false, false])
  })
})

describe('other people', () => {
  it('with the same name stay, and then the name alone identifies nobody', async () => {
    const one = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', notes: `Jane Quillfeather ${EMAIL}` })
    const other = await createProperty(world.app, caller, { address: '2 Main St, Moore, OK 73160' })
    await addContact(world.app, caller, one.id, PERSON)
    const sameName = await addContact(world.app, caller, other.id, { name: 'jane quillfeather', email: 'jq@example.net' })
    const erased = await erasePersonalData(world.app, caller, EMAIL)
    expect(erased.namesakes).toEqual([{ contact_id: sameName.id, property_id: other.id }])
    expect((await findProperty(world.app, caller, one.id)).notes).toBe('Jane Quillfeather [erased]')
    expect((await findProperty(world.app, caller, other.id)).contacts).toMatchObject([{ name: 'jane quillfeather' }])
  })

  it('with the same telephone number keep it, unless they also have the same name', async () => {
    const one = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160' })
    const other = await createProperty(world.app, caller, { address: '2 Main St, Moore, OK 73160', notes: 'the office: 405 555 0142' })
    await addContact(world.app, caller, one.id, PERSON)
    await addContact(world.app, caller, other.id, { name: 'Jane Quillfeather', phone: '405-555-0142' })
    await addContact(world.app, caller, other.id, { name: 'Bob', phone: '405-555-0142' })
    const { contacts } = await erasePersonalData(world.app, caller, EMAIL)
    expect(contacts).toHaveLength(2)
    const left = await findProperty(world.app, caller, other.id)
    expect(left).toMatchObject({ notes: 'the office: 405 555 0142', contacts: [{ name: 'Bob', phone: '405-555-0142', primary: true }] })
  })

  it('with a number that ends like the person’s keep it as a whole', async () => {
    const notes = 'Gate 555-0142, Bob 405-555-0142, Eve 9725550142, claim CLM-5550142'
    const one = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', notes })
    const other = await createProperty(world.app, caller, { address: '2 Main St, Moore, OK 73160' })
    await addContact(world.app, caller, one.id, { ...PERSON, phone: '555-0142' })
    const phones = async () => (await findProperty(world.app, caller, other.id)).contacts.map(({ phone }) => phone)
    await erasePersonalData(world.app, caller, EMAIL)
    expect((await findProperty(world.app, caller, one.id)).notes).toBe(notes.replace('Gate 555-0142', 'Gate [erased]'))
    await addContact(world.app, caller, one.id, { ...PERSON, phone: '555-0142' })
    await addContact(world.app, caller, other.id, { name: 'Bob', phone: '405-555-0142', notes: 'or 555-0142' })
    await erasePersonalData(world.app, caller, EMAIL)
    expect(await phones()).toEqual(['405-555-0142'])
    expect((await findProperty(world.app, caller, other.id)).contacts).toMatchObject([{ notes: 'or 555-0142' }])
  })

  it('with another extension of the same number keep it', async () => {
    const { id } = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', notes: 'the office: 405 555 0142' })
    await addContact(world.app, caller, id, { ...PERSON, phone: '405-555-0142 x12' })
    await addContact(world.app, caller, id, { name: 'Bob', phone: '405-555-0142 x34' })
    await erasePersonalData(world.app, caller, EMAIL)
    const left = await findProperty(world.app, caller, id)
    expect(left).toMatchObject({ notes: 'the office: 405 555 0142', contacts: [{ name: 'Bob', phone: '405-555-0142 x34' }] })
  })
})

it('a telephone number is erased wherever it is written, although the contact has it with an extension', async () => {
  const notes = 'call (405) 555-0142, or 405-555-0142 x12, or 4055550142 ext. 305; office 405 555 9999'
  const { id } = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', notes })
  await addContact(world.app, caller, id, { ...PERSON, phone: '405-555-0142 ext. 12' })
  const found = await findPersonalData(world.app, caller, EMAIL)
  expect(found.mentions).toMatchObject([{ record: 'property', id, field: 'notes' }])
  await erasePersonalData(world.app, caller, EMAIL)
  expect((await findProperty(world.app, caller, id)).notes).toBe(
    'call [erased], or [erased] x12, or [erased] ext. 305; office 405 555 9999',
  )
})

it('a person whose contact was already deleted is found by the address', async () => {
  const { id } = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160', notes: `${EMAIL}, Jane Quillfeather` })
  const contact = await addContact(world.app, caller, id, PERSON)
  await removeContact(world.app, caller, id, contact.id)
  const { contacts, mentions } = await erasePersonalData(world.app, caller, EMAIL)
  expect([contacts, mentions]).toEqual([[], [{ object: 'mention', record: 'property', id, field: 'notes', kept_because: null }]])
  expect((await findProperty(world.app, caller, id)).notes).toBe('[erased], Jane Quillfeather')
})

it('text that somebody writes beside the name during the erasure stays', async () => {
  const one = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160' })
  const other = await createProperty(world.app, caller, { address: '2 Main St, Moore, OK 73160', notes: `Ask ${EMAIL}` })
  await addContact(world.app, caller, one.id, PERSON)
  const writer = await world.owner.connect()
  await writer.query('BEGIN')
  await writer.query('UPDATE properties SET notes = $2 WHERE id = $1', [other.id, `Gate code 4711. Ask ${EMAIL}`])
  const erasing = erasePersonalData(world.app, caller, EMAIL)
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  await writer.query('COMMIT')
  writer.release()
  await erasing
  expect((await findProperty(world.app, caller, other.id)).notes).toBe('Gate code 4711. Ask [erased]')
})

it('an address stays if erasing it would give two properties one address, and it is reported; other texts do not stay', async () => {
  const address = '1 Main St, Moore, OK 73160'
  const named = { label: `Home of ${EMAIL}`, notes: `ask ${EMAIL}`, reference: EMAIL, tags: ['roof', EMAIL] }
  const { id } = await createProperty(world.app, caller, { address: `${EMAIL} ${address}`, ...named })
  await world.app.db.property.updateMany({ data: { located: false, address_key: null, latitude: null, longitude: null } })
  await createProperty(world.app, caller, { address: `[erased] ${address}` })
  const { kept, mentions } = await erasePersonalData(world.app, caller, EMAIL)
  expect(kept).toMatchObject([{ record: 'property', id, field: 'query', kept_because: expect.stringContaining('another property') }])
  const erased = mentions.filter(({ record }) => record === 'property').map(({ field }) => field)
  expect(erased).toEqual(['label', 'reference', 'tags', 'notes'])
  expect(await findProperty(world.app, caller, id)).toMatchObject({
    address: { query: `${EMAIL} ${address}` },
    ...{ label: 'Home of [erased]', notes: 'ask [erased]', reference: null, tags: ['roof'] },
  })
  const { content } = await world.app.db.event.findFirstOrThrow({ where: { name: 'property.updated' } })
  expect(content).toMatchObject({ changed: ['label', 'reference', 'tags', 'notes'] })
})

it('a place with coordinates keeps the keys of its point when its name is erased', async () => {
  const here = { latitude: 33.2, longitude: -97.1 }
  const there = { latitude: 33.3, longitude: -97.2 }
  const { id } = await createProperty(world.app, caller, { address: 'Jane Quillfeather farm', ...here })
  const other = await createProperty(world.app, caller, { address: 'Barn of Jane Quillfeather', ...there })
  await addContact(world.app, caller, id, PERSON)
  const { kept } = await erasePersonalData(world.app, caller, EMAIL)
  expect(kept).toEqual([])
  for (const [property, address, point] of [
    [id, '[erased] farm', here],
    [other.id, 'Barn of [erased]', there],
  ] as const) {
    expect(await findProperty(world.app, caller, property)).toMatchObject({ address: { query: address } })
    const again = createProperty(world.app, caller, { address: 'Another name', ...point })
    await expect(again).rejects.toMatchObject({ code: 'duplicate_address', details: { existing_id: property } })
  }
  const { query_key } = await world.app.db.property.findUniqueOrThrow({ where: { id } })
  expect(query_key).toBe('erased farm @33.20000, -97.10000')
})

it('the team itself is reported and left to the operator', async () => {
  await world.app.db.team.updateMany({ data: { email: EMAIL } })
  const { kept } = await erasePersonalData(world.app, caller, EMAIL)
  expect(kept).toEqual([
    { object: 'mention', record: 'team', id: team.id, field: 'email', kept_because: 'It is the team itself. The operator can change it.' },
  ])
})

it('the account of a member is found by their address, and stays; members of other teams are not found', async () => {
  const { id } = await world.app.db.person.create({ data: { email: EMAIL, name: 'Jane Quillfeather' } })
  await world.app.db.membership.create({ data: { team_id: (await aTeam(world)).id, person_id: id, role: 'owner' } })
  expect((await findPersonalData(world.app, caller, EMAIL)).mentions).toEqual([])
  await world.app.db.membership.create({ data: { team_id: team.id, person_id: id, role: 'viewer' } })
  const kept = { object: 'mention', record: 'member', id, kept_because: expect.stringContaining('An owner can remove them') }
  expect((await findPersonalData(world.app, caller, EMAIL.toUpperCase())).mentions).toEqual([
    { ...kept, field: 'email', excerpt: EMAIL },
    { ...kept, field: 'name', excerpt: 'Jane Quillfeather' },
  ])
  expect(await erasePersonalData(world.app, caller, EMAIL)).toMatchObject({
    mentions: [],
    kept: [
      { ...kept, field: 'email' },
      { ...kept, field: 'name' },
    ],
  })
  expect(await world.app.db.person.findUnique({ where: { id } })).toMatchObject({ email: EMAIL, name: 'Jane Quillfeather' })
  await world.app.db.person.updateMany({ data: { name: null } })
  expect((await findPersonalData(world.app, caller, EMAIL)).mentions).toMatchObject([{ field: 'email' }])
})

it('refuses an invalid address and changes nothing', async () => {
  for (const email of ['', 'jane', 'a b@c', 'x'.repeat(300)])
    for (const ask of [findPersonalData, erasePersonalData])
      await expect(ask(world.app, caller, email)).rejects.toMatchObject({
        code: 'validation_failed',
        details: { errors: { email: [expect.any(String)] } },
      })
  // Characters that are wildcards in a search.
  const { id } = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160' })
  await addContact(world.app, caller, id, PERSON)
  for (const email of ['%@%', '_@_', 'jane_quillfeather@example.org'])
    expect((await erasePersonalData(world.app, caller, email)).contacts).toEqual([])
})

it('is searched for by one request of a team at a time, and only a few wait', async () => {
  let [open, most] = [0, 0]
  const db = new Proxy(caller.db, {
    get: (target, key) =>
      key === '$transaction'
        ? async (...sent: Parameters<typeof target.$transaction>) => {
            most = Math.max(most, ++open)
            return target.$transaction(...sent).finally(() => open--)
          }
        : Reflect.get(target, key),
  })
  const searches = Array.from({ length: 17 }, () => findPersonalData(world.app, { ...caller, db }, EMAIL))
  const outcomes = await Promise.allSettled(searches)
  expect(most).toBe(1)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'rate_limited' } }])
})

it('is not searched for by a token that was revoked before its turn came', async () => {
  const late = await aCaller(world, caller.team)
  await revokeToken(world.app.db, late.token.prefix)
  const first = findPersonalData(world.app, caller, EMAIL)
  const waiting = [findPersonalData, erasePersonalData].map((ask) =>
    expect(ask(world.app, late, EMAIL)).rejects.toMatchObject({ code: 'unauthenticated' }),
  )
  await Promise.all([first, ...waiting])
})

it('leaves located addresses that only contain the letters of a name', async () => {
  const others = ['100 main st moore ok 73160', '7 astoria ave', '12 jane st quillfeather ok']
  const named = ['s t 9 elm st moore ok', 't s 9 elm st moore ok', 'jane quillfeathers house 1 main st moore ok', 'c o quillfeather jane']
  for (const query_key of [...others, ...named])
    await world.app.db.geocodeAnswer.create({ data: { provider: 'census', query_key, answer: { street: 'x' } } })
  const { id } = await createProperty(world.app, caller, { address: '1 Main St, Moore, OK 73160' })
  for (const name of ['S T', '!! ??', 'Jane Quillfeather']) await addContact(world.app, caller, id, { name, email: EMAIL })
  await erasePersonalData(world.app, caller, EMAIL)
  const { rows } = await world.owner.query<{ query_key: string }>('SELECT query_key FROM geocode_answers')
  expect(rows.map(({ query_key }) => query_key).sort()).toEqual(others.toSorted())
})

describe('the table of searched columns', () => {
  /** Text columns of teams' tables without words from people: texts of the service itself, names, codes and hashes. */
  const others = [
    'contacts.email contacts.role contacts.source',
    'alert_addresses.hash alert_mails.failure_reason alert_mails.status',
    'alert_rules.evidence alert_rules.kinds alert_rules.pace alert_rules.quiet_from alert_rules.quiet_until',
    'credit_transactions.kind',
    'deliveries.address_hint deliveries.channel deliveries.event deliveries.failure_reason deliveries.kind deliveries.status',
    'digests.status documents.key documents.sha256 events.name events.traceparent',
    'exposures.evidence exposures.kind exposures.warning exposures.warning_key',
    'idempotency_keys.body_hash idempotency_keys.method idempotency_keys.path',
    'integrations.address_hint integrations.channel integrations.events integrations.last_failure integrations.switched_off_for',
    'invitations.invited_by invitations.role memberships.role',
    'properties.address_key properties.city properties.county properties.county_fips properties.kind properties.postal_code properties.precision',
    'properties.failure_reason properties.query_key properties.state properties.status',
    'reports.city reports.county reports.county_fips reports.coverage_summary reports.failure_reason reports.fingerprint reports.headline',
    'reports.day_of_loss reports.days',
    'reports.layout reports.pdf_status reports.plan_tier reports.postal_code reports.precision reports.source_vintages',
    'reports.methodology_version reports.sources_searched reports.state reports.status reports.unplaced_zones',
    'territories.colour territories.geometry territories.kind territories.status',
    'tokens.abilities tokens.hash tokens.prefix watch_cells.subject',
    'audit_log.actor audit_log.actor_kind audit_log.after audit_log.before audit_log.changed audit_log.hash audit_log.network',
    'audit_log.operation audit_log.previous_hash audit_log.request_id audit_log.target_id audit_log.target_kind',
    'audit_chains.anchor_hash audit_chains.hash',
    'teams.limit_overrides teams.paper teams.plan teams.timezone',
  ].flatMap((line) => line.split(' '))

  /** Findings and cited records contain only the agencies' records. */
  it('has every column of a team in which people write', async () => {
    const { rows } = await world.app.pool.query<{ table: string; column: string }>(`
      SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       WHERE c.table_schema = 'public' AND c.udt_name IN ('text', 'varchar', '_text', 'json', 'jsonb')
         AND (c.table_name = 'teams' OR EXISTS (SELECT FROM information_schema.columns o
              WHERE o.table_schema = 'public' AND o.table_name = c.table_name AND o.column_name = 'team_id'))
         AND c.table_name NOT IN ('findings', 'report_records', 'invariant_violations')`)
    const searched = textColumns.flatMap(({ table, columns }) => Object.keys(columns).map((column) => `${table}.${column}`))
    const allColumns = rows.map(({ table, column }) => `${table}.${column}`)
    expect(allColumns.filter((column) => !others.includes(column)).sort()).toEqual([...new Set(searched)].sort())
  })
})

/** Every row of every table, including the queue's schema. */
async function dump(): Promise<string> {
  const { rows } = await world.app.pool.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'partitions') AND tablename NOT IN ('places', '_prisma_migrations')`,
  )
  const parts = await Promise.all(
    rows.map(({ name }) => world.app.pool.query<{ all: string }>(`SELECT string_agg(t::text, E'\\n') AS all FROM ${name} t`)),
  )
  return parts.map(({ rows: [row] }) => row?.all ?? '').join('\n')
}
