import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { openEnrichment } from '#domain/engines/enrichment.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import type { JobPayloads } from '#domain/kernel/outbox.ts'
import { erasePersonalData } from '#domain/personal-data/erase.ts'
import { createProperties } from '#domain/properties/batch.ts'
import { changeProperty } from '#domain/properties/change.ts'
import { CONTACTS_MAX } from '#domain/properties/check-contact.ts'
import { addContact, changeContact, removeContact } from '#domain/properties/contacts.ts'
import { createProperty } from '#domain/properties/create.ts'
import { enrichProperty } from '#domain/properties/enrich.ts'
import { findProperty } from '#domain/properties/find.ts'
import { locateProperty } from '#domain/properties/locate.ts'
import { removeProperty } from '#domain/properties/remove.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { jobs } from '#workers/jobs.ts'
import { startTestServer, type TestServer } from '../engines/test-server.ts'
import { aGeocoder, postedOf } from './property-posts.ts'

const geocoder = aGeocoder({})
let world: World
beforeAll(async () => {
  world = await openWorld({ replace: { geocode: geocoder } })
})

const callerOn = async (columns: Parameters<typeof aTeam>[1] = {}) => aCaller(world, await aTeam(world, columns))
const save = async (caller: Caller, address: string, more: object = {}) => {
  world.clock.advance(1000)
  return createProperty(world.app, caller, { address, ...more })
}
const rowOf = (id: string) => world.app.db.property.findUniqueOrThrow({ where: { id } })
const watched = async (id: string) => (await world.app.db.watchCell.count({ where: { subject_id: id } })) > 0
const unknown = (name: string) => `${name} Zzyzx Nowhere`

it('a change asks for a retry if others keep changing the address', async () => {
  geocoder.known = { K1: { street: '1 K St' } }
  const caller = await callerOn()
  const { id } = await save(caller, 'K1 St')
  let times = 0
  const finding = vi.spyOn(geocoder, 'find').mockImplementation(async () => {
    await world.owner.query('UPDATE properties SET query = $2 WHERE id = $1', [id, `K${(times += 1)} Elsewhere`])
    throw new Error('down')
  })
  await expect(changeProperty(world.app, caller, id, { address: unknown('K2') })).rejects.toMatchObject({
    code: 'engine_unavailable',
    details: { retry_after: 1 },
  })
  finding.mockRestore()
  expect((await changeProperty(world.app, caller, id, { address: unknown('K2') })).address.query).toBe(unknown('K2'))
})

it('two streets whose town is all that the geocoder knows are two properties', async () => {
  geocoder.known = { 77: { street: null, postal_code: null, precision: 'city' } }
  const caller = await callerOn()
  await save(caller, '77 Unmapped Ridge Ln, Moore, OK')
  expect((await save(caller, '77 Other New Ct, Moore, OK')).address).toMatchObject({ street: '77 Other New Ct', located: true })
  await expect(save(caller, '77 Other New Court, Moore, Oklahoma')).rejects.toMatchObject({ code: 'duplicate_address' })
})

describe('a property that was not located when it was saved', () => {
  it('is located by a job, then watched and announced', async () => {
    const caller = await callerOn()
    const { id, address } = await save(caller, unknown('A1'))
    expect([address.located, await watched(id)]).toEqual([false, false])
    expect(await world.app.db.outboxJob.count({ where: { name: 'property.locate', payload: { path: ['property_id'], equals: id } } })).toBe(
      1,
    )
    await expect(locateProperty(world.app, id)).rejects.toThrow('not located yet')
    geocoder.known = { A1: { street: '1 A St' } }
    await locateProperty(world.app, id)
    expect((await findProperty(world.app, caller, id)).address).toMatchObject({
      located: true,
      street: '1 A St',
      county: 'Cleveland',
      query: unknown('A1'),
    })
    expect(await watched(id)).toBe(true)
    await locateProperty(world.app, id)
    expect(await postedOf(world, caller.team.id)).toEqual([
      ['property.created', [], 'change'],
      ['property.updated', ['address'], 'change'],
    ])
    await removeProperty(caller, id)
    await locateProperty(world.app, id)
  })

  it('is a duplicate of another with the same words', async () => {
    const caller = await callerOn()
    const { id } = await save(caller, unknown('B1'))
    await expect(save(caller, unknown('b1').toUpperCase())).rejects.toMatchObject({
      code: 'duplicate_address',
      details: { existing_id: id },
    })
    geocoder.known = { B1: { street: '1 B St' } }
    await expect(save(caller, unknown('B1'))).rejects.toMatchObject({ code: 'duplicate_address', details: { existing_id: id } })
  })

  it('yields to an older property at its address until that is deleted', async () => {
    const caller = await callerOn()
    geocoder.known = { C1: { street: '1 C St' } }
    const older = await save(caller, 'C1 St')
    const newer = await save(caller, unknown('C2'), { notes: 'mine' })
    geocoder.known = { C: { street: '1 C St' } }
    await locateProperty(world.app, newer.id)
    const yielded = await findProperty(world.app, caller, newer.id)
    expect(yielded).toMatchObject({ status: 'paused', address: { located: true, street: '1 C St' } })
    expect(yielded.notes).toMatch(new RegExp(`^mine\\n.*${older.id}`))
    expect([await watched(older.id), await watched(newer.id)]).toEqual([true, false])
    const resume = () => changeProperty(world.app, caller, newer.id, { status: 'watching' })
    await expect(resume()).rejects.toMatchObject({ code: 'duplicate_address', details: { existing_id: older.id } })
    await removeProperty(caller, older.id)
    expect((await resume()).status).toBe('watching')
    expect([await watched(newer.id), (await rowOf(newer.id)).address_key]).toEqual([true, '1 c st|moore|ok|73160'])
  })

  it('takes its address from a newer property that was located first', async () => {
    const caller = await callerOn()
    geocoder.known = { D2: { street: '1 D St' } }
    const older = await save(caller, unknown('D1'))
    const newer = await save(caller, 'D2 St')
    geocoder.known = { D: { street: '1 D St' } }
    await locateProperty(world.app, older.id)
    expect([await watched(older.id), await watched(newer.id)]).toEqual([true, false])
    expect(await findProperty(world.app, caller, newer.id)).toMatchObject({ status: 'paused', notes: expect.stringContaining(older.id) })
    expect((await postedOf(world, caller.team.id)).slice(2)).toEqual([
      ['property.updated', ['status', 'notes'], 'change'],
      ['property.updated', ['address'], 'change'],
    ])
  })

  it('because the geocoder was slow is located to its building by the job, not to its ZIP code for good', async () => {
    const caller = await callerOn()
    geocoder.known = { 10: { street: '10 M St' }, 20: { street: '20 M St' }, 30: { street: '30 M St' }, 50: { street: '50 M St' } }
    const moved = await save(caller, '10 M St, Moore, OK 73160')
    geocoder.needs_ms = 4_000
    const created = await save(caller, '20 M St, Moore, OK 73160')
    const late = { located: false, precision: null, failure_reason: null }
    expect(created.address).toMatchObject(late)
    await changeProperty(world.app, caller, moved.id, { address: '30 M St, Moore, OK 73160' })
    const { batch } = await createProperties(world.app, caller, { properties: [{ address: '50 M St, Moore, OK 73160' }] }, null)
    const ids = [created.id, moved.id, ...batch.results.flatMap(({ property }) => property?.id ?? [])]
    expect(ids).toHaveLength(3)
    for (const id of ids) {
      expect((await findProperty(world.app, caller, id)).address).toMatchObject(late)
      await locateProperty(world.app, id)
      expect((await findProperty(world.app, caller, id)).address).toMatchObject({ located: true, precision: 'point' })
    }
    geocoder.needs_ms = 30_000
    const slowest = await save(caller, '40 M St, Moore, OK 73160')
    await locateProperty(world.app, slowest.id)
    geocoder.needs_ms = 0
    expect((await findProperty(world.app, caller, slowest.id)).address).toMatchObject({ located: true, precision: 'zip' })
  })

  it('in a batch is saved as not located, and a duplicate in the batch is reported', async () => {
    const caller = await callerOn()
    geocoder.known = { E1: { street: '1 E St' } }
    const rows = [{ address: 'E1 St' }, { address: unknown('E2') }, { address: 'E1 again' }]
    const { batch } = await createProperties(world.app, caller, { properties: rows }, null)
    expect(batch.results.map(({ status, property }) => [status, property?.address.located])).toEqual([
      ['created', true],
      ['created', false],
      ['duplicate', true],
    ])
  })
})

it('an address sent again in the same words is a duplicate, even if a geocoder now writes its street in another way', async () => {
  const caller = await callerOn()
  geocoder.known = { L1: { street: '1 L Street' } }
  const { id } = await save(caller, 'L1 Street')
  await world.app.db.$executeRaw`DELETE FROM geocode_answers`
  geocoder.known = { L1: { street: '1 L St' } }
  await expect(save(caller, 'L1 street')).rejects.toMatchObject({ code: 'duplicate_address', details: { existing_id: id } })
  const { batch } = await createProperties(world.app, caller, { properties: [{ address: 'L1 Street' }] }, null)
  expect(batch.results).toMatchObject([{ status: 'duplicate', property: { id } }])
})

describe('enriching', () => {
  let provider: TestServer | undefined
  afterEach(() => provider?.close())
  const provide = async (status: number, body: unknown) => {
    provider = await startTestServer(
      (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
    world.app.enrichment = openEnrichment({ enrichment_url: `${provider.url}/parcels?v=1`, enrichment_token: 'key' }, world.app.http)
    return provider
  }
  const staged = (id: string) =>
    world.app.db.outboxJob.count({ where: { name: 'property.enrich', payload: { path: ['property_id'], equals: id } } })

  /** Does what the staged job of a request does. */
  const enrich = async (app: App, id: string) => {
    await app.db.$transaction((tx) => stageDurable(tx, 'property.enrich', { property_id: id }))
    await runNewest(app, id)
  }
  /** Runs the newest job of a property. */
  const runNewest = async (app: App, id: string) => {
    const { payload } = await app.db.outboxJob.findFirstOrThrow({
      where: { name: 'property.enrich', payload: { path: ['property_id'], equals: id } },
      orderBy: { id: 'desc' },
    })
    await jobs['property.enrich'].run(app, payload as JobPayloads['property.enrich'])
  }

  it('locates again with the county, moves the watch and announces it', async () => {
    const caller = await callerOn()
    geocoder.known = { F1: { street: '1 F St', precision: 'zip' } }
    const { id } = await save(caller, 'F1 St')
    geocoder.known = { F1: { street: '1 F St', latitude: 35.5, longitude: -97.5, county_fips: '40109' } }
    const enriched = await enrichProperty(world.app, caller, id)
    expect(enriched).toMatchObject({ address: { latitude: 35.5, county: 'Oklahoma', county_fips: '40109' }, contacts: [] })
    expect(await world.app.db.watchCell.findFirst({ where: { subject_id: id } })).toMatchObject({ latitude: 35.5 })
    await enrichProperty(world.app, caller, id)
    expect((await postedOf(world, caller.team.id)).slice(1)).toEqual([['property.updated', ['address'], 'change']])
    expect(await staged(id)).toBe(0)
  })

  it('keeps the location if the geocoder no longer finds it or the address is taken', async () => {
    const caller = await callerOn()
    geocoder.known = { G1: { street: '1 G St' }, G2: { street: '2 G St' } }
    await save(caller, 'G1 St')
    const { id } = await save(caller, 'G2 St')
    geocoder.known = { G2: { street: '1 G St' } }
    expect((await enrichProperty(world.app, caller, id)).address.street).toBe('2 G St')
    geocoder.known = {}
    expect((await enrichProperty(world.app, caller, id)).address.street).toBe('2 G St')
  })

  it('keeps a building while the geocoder fails, even if its answer is no longer cached', async () => {
    const caller = await callerOn()
    geocoder.known = { 100: { street: '100 Q St' } }
    const { id, address } = await save(caller, '100 Q St, Moore, OK 73160')
    await world.app.db.$executeRaw`DELETE FROM geocode_answers`
    geocoder.down = true
    const enriched = await enrichProperty(world.app, caller, id)
    geocoder.down = false
    expect(enriched.address).toEqual(address)
  })

  it('asks the provider only on plans with property intelligence', async () => {
    geocoder.known = { H1: { street: '1 H St' } }
    const { requests } = await provide(200, {
      kind: 'commercial',
      contacts: [
        { name: 'Ann Owner', role: 'owner', phone: '555' },
        { name: 'x'.repeat(200) },
        { name: 'ann owner' },
        { name: 'Firm', role: 'king' },
      ],
    })
    const small = await callerOn({ plan: 'professional' })
    const without = await save(small, 'H1 St')
    await enrichProperty(world.app, small, without.id)
    expect(await staged(without.id)).toBe(0)
    const caller = await callerOn({ plan: 'business' })
    const { id } = await save(caller, 'H1 St')
    await enrichProperty(world.app, caller, id)
    expect(await staged(id)).toBe(1)
    await enrich(world.app, id)
    await enrich(world.app, id)
    const [first] = requests
    expect(first?.headers.authorization).toBe('Bearer key')
    expect(Object.fromEntries(new URL(first?.path ?? '', 'http://x').searchParams)).toEqual({
      v: '1',
      street: '1 H St',
      city: 'Moore',
      state: 'OK',
      postal_code: '73160',
      latitude: '35.3395',
      longitude: '-97.4867',
    })
    const enriched = await findProperty(world.app, caller, id)
    expect(enriched).toMatchObject({
      kind: 'commercial',
      contacts: [
        { name: 'Ann Owner', role: 'owner', phone: '555', email: null, source: 'public_record', primary: true },
        { name: 'Firm', role: 'other', source: 'public_record', primary: false },
      ],
    })
    expect(enriched.contacts).toHaveLength(2)
    expect((await postedOf(world, caller.team.id)).slice(1)).toEqual([['property.updated', ['kind', 'contacts'], 'change']])
  })

  it('changes nothing that the team wrote', async () => {
    geocoder.known = { I1: { street: '1 I St' } }
    await provide(200, { kind: 'commercial', contacts: [{ name: 'ANN', phone: '555' }] })
    const caller = await callerOn()
    const { id } = await save(caller, 'I1 St', { kind: 'land' })
    await addContact(world.app, caller, id, { name: 'Ann' })
    await enrich(world.app, id)
    expect(await findProperty(world.app, caller, id)).toMatchObject({
      kind: 'land',
      contacts: [{ name: 'Ann', phone: null, source: 'reported', primary: true }],
    })
  })

  it('adds no more contacts than a property can have', async () => {
    geocoder.known = { Q1: { street: '1 Q St' } }
    await provide(200, { kind: 'land', contacts: [{ name: 'Owner' }, { name: 'Tenant' }, { name: 'Firm' }] })
    const caller = await callerOn()
    const { id } = await save(caller, 'Q1 St')
    const owner = { team_id: caller.team.id, property_id: id, created_at: world.clock.now(), updated_at: world.clock.now() }
    const held = Array.from({ length: CONTACTS_MAX - 2 }, (_, n) => ({ ...owner, name: `Ann ${n}`, primary: n === 0 }))
    await world.app.db.contact.createMany({ data: held })
    await enrich(world.app, id)
    expect((await findProperty(world.app, caller, id)).contacts).toHaveLength(CONTACTS_MAX)
  })

  /** The App whose public records provider responds after `act` has run, the first time only. */
  const answeringAfter = (act: () => Promise<unknown>) => {
    const { enrichment } = world.app
    let calls = 0
    const find: typeof enrichment.find = async (address) => {
      const record = await enrichment.find(address)
      if (++calls === 1) await act()
      return record
    }
    return { app: { ...world.app, enrichment: { ...enrichment, find } }, times: () => calls }
  }

  it('does not restore a contact who was erased or removed while the provider was asked', async () => {
    geocoder.known = { L1: { street: '1 L St' } }
    await provide(200, {
      kind: 'land',
      contacts: [{ name: 'Ann Owner', email: 'ann@example.org' }, { name: 'Bob Tenant' }, { name: 'New' }],
    })
    const caller = await callerOn()
    const { id } = await save(caller, 'L1 St')
    await addContact(world.app, caller, id, { name: 'Ann Owner', email: 'ann@example.org' })
    const bob = await addContact(world.app, caller, id, { name: 'Bob Tenant' })
    const { app } = answeringAfter(async () => {
      await erasePersonalData(world.app, caller, 'ann@example.org')
      await removeContact(world.app, caller, id, bob.id)
    })
    await enrich(app, id)
    expect((await findProperty(world.app, caller, id)).contacts.map(({ name, primary }) => [name, primary])).toEqual([['New', true]])
  })

  it('does not restore a contact who was removed or renamed since the request', async () => {
    geocoder.known = { S1: { street: '1 S St' }, S2: { street: '2 S St' } }
    await provide(200, { kind: 'land', contacts: [{ name: 'BOB  Tenant' }, { name: 'Owner, C.' }, { name: 'New' }] })
    const caller = await callerOn()
    const [{ id }, other] = [await save(caller, 'S1 St'), await save(caller, 'S2 St')]
    const bob = await addContact(world.app, caller, id, { name: 'Bob Tenant' })
    const owner = await addContact(world.app, caller, id, { name: 'Owner, C.' })
    await enrichProperty(world.app, caller, id)
    await enrichProperty(world.app, caller, other.id)
    await removeContact(world.app, caller, id, bob.id)
    await changeContact(world.app, caller, id, owner.id, { name: 'Carol Owner' })
    for (const property of [id, other.id]) await runNewest(world.app, property)
    const names = async (property: string) => (await findProperty(world.app, caller, property)).contacts.map(({ name }) => name)
    expect(await names(id)).toEqual(['Carol Owner', 'New'])
    expect(await names(other.id)).toEqual(['BOB  Tenant', 'Owner, C.', 'New'])
  })

  it('does not restore a contact erased since the request to any property of the team, but does for another team', async () => {
    geocoder.known = { Q1: { street: '1 Q St' }, Q2: { street: '2 Q St' }, Q3: { street: '3 Q St' } }
    await provide(200, {
      kind: 'land',
      contacts: [{ name: 'ANN  Owner' }, { name: 'Owner, A.', email: 'ANN@example.org' }, { name: 'New' }],
    })
    const [caller, otherCaller] = [await callerOn(), await callerOn()]
    const first = await save(caller, 'Q1 St')
    const second = await save(caller, 'Q2 St')
    const third = await save(otherCaller, 'Q3 St')
    await addContact(world.app, caller, first.id, { name: 'Ann Owner', email: 'ann@example.org' })
    for (const [who, { id }] of [
      [caller, first],
      [caller, second],
      [otherCaller, third],
    ] as const)
      await enrichProperty(world.app, who, id)
    await erasePersonalData(world.app, caller, 'ann@example.org')
    for (const { id } of [first, second, third]) await runNewest(world.app, id)
    const names = async (who: Caller, id: string) => (await findProperty(world.app, who, id)).contacts.map(({ name }) => name)
    expect([await names(caller, first.id), await names(caller, second.id)]).toEqual([['New'], ['New']])
    expect(await names(otherCaller, third.id)).toHaveLength(3)
    // A new request, made knowingly, is different.
    await enrich(world.app, second.id)
    expect(await names(caller, second.id)).toHaveLength(3)
  })

  it('waits for a running erasure and then restores nobody', async () => {
    geocoder.known = { R1: { street: '1 R St' }, R2: { street: '2 R St' } }
    await provide(200, { kind: 'land', contacts: [{ name: 'Ann Owner' }, { name: 'New' }] })
    const caller = await callerOn()
    const [first, second] = [await save(caller, 'R1 St'), await save(caller, 'R2 St')]
    await addContact(world.app, caller, first.id, { name: 'Ann Owner', email: 'ann@example.org' })
    await enrichProperty(world.app, caller, second.id)
    const holding = await world.owner.connect()
    await holding.query('BEGIN')
    // The last lock that an erasure waits for.
    await holding.query("SELECT pg_advisory_xact_lock(hashtextextended('geocode answers', 0))")
    const erased = erasePersonalData(world.app, caller, 'ann@example.org')
    await waitUntil(async () => (await lockWaits(world.owner)) > 0)
    const enriched = runNewest(world.app, second.id)
    await waitUntil(async () => (await lockWaits(world.owner)) > 1)
    await holding.query('COMMIT')
    holding.release()
    await Promise.all([erased, enriched])
    expect((await findProperty(world.app, caller, second.id)).contacts.map(({ name }) => name)).toEqual(['New'])
  })

  it('does not restore a contact whose name was also in the address that the erasure changed', async () => {
    geocoder.known = { P1: { street: '1 P St, Attn Ann Owner' } }
    const { requests } = await provide(200, { kind: 'land', contacts: [{ name: 'Ann Owner', email: 'ann@example.org' }, { name: 'New' }] })
    const caller = await callerOn()
    const { id } = await save(caller, 'P1 St')
    await addContact(world.app, caller, id, { name: 'Ann Owner', email: 'ann@example.org' })
    const { app } = answeringAfter(() => erasePersonalData(world.app, caller, 'ann@example.org'))
    await enrich(app, id)
    expect(requests).toHaveLength(2)
    expect(new URL(requests[1]?.path ?? '', 'http://x').searchParams.get('street')).not.toContain('Ann Owner')
    expect((await findProperty(world.app, caller, id)).contacts.map(({ name }) => name)).toEqual(['New'])
  })

  it('writes nothing for the address from before a move, and asks about the new one', async () => {
    geocoder.known = { M1: { street: '1 M St' }, M2: { street: '2 M St', latitude: 35.5, longitude: -97.5, county_fips: '40109' } }
    const { requests } = await provide(200, { kind: 'land', contacts: [{ name: 'Whoever lives there' }] })
    const caller = await callerOn()
    const { id } = await save(caller, 'M1 St')
    const { app, times } = answeringAfter(() => changeProperty(world.app, caller, id, { address: 'M2 St' }))
    await enrich(app, id)
    expect(times()).toBe(2)
    expect(requests.map(({ path }) => new URL(path ?? '', 'http://x').searchParams.get('street'))).toEqual(['1 M St', '2 M St'])
    expect((await findProperty(world.app, caller, id)).contacts).toHaveLength(1)
  })

  it.each([
    [404, null, false],
    [500, {}, true],
    [200, { contacts: 'none' }, true],
  ])('takes %d %j as nothing known, or asks again later', async (status, body, again) => {
    geocoder.known = { J1: { street: '1 J St' } }
    await provide(status, body)
    const caller = await callerOn()
    const { id } = await save(caller, 'J1 St')
    await enrich(world.app, id)
    expect(await world.app.db.durableJob.count({ where: { task: { path: ['property_id'], equals: id } } })).toBe(again ? 1 : 0)
    expect((await findProperty(world.app, caller, id)).contacts).toEqual([])
  })
})
