import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import type { Sent } from '#test/support/rest-call.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
})
afterAll(() => rest.close())
beforeEach(async () => {
  token = (await aToken(world, await aTeam(world))).token
})

type Method = Parameters<Rest['call']>[0]
const call = (method: Method, path: string, body?: unknown, more: Sent = {}) => rest.call(method, path, { token, body, ...more })
const fits = (shape: keys.Shape, value: unknown) => expect(keys.differences(shape, value)).toEqual([])
const save = async (body: Record<string, unknown>) => (await call('POST', '/properties', body)).body.data

describe('a property', () => {
  it('is saved with every key, found, changed and removed', async () => {
    const made = await call('POST', '/properties', { address: '100 N Broadway Ave, Moore, OK 73160', tags: ['roof'] })
    expect(made.status).toBe(201)
    fits(keys.data(keys.propertyWithContacts), made.body)
    expect(made.body.data).toMatchObject({
      name: '100 N Broadway Ave',
      label: null,
      kind: 'other',
      status: 'watching',
      watch_radius_miles: 1,
      address: { query: '100 N Broadway Ave, Moore, OK 73160', city: 'Moore', state: 'OK', county_fips: '40027' },
      contacts: [],
    })
    const { id } = made.body.data
    const path = `/properties/${id}`
    const found = await call('GET', path)
    expect([found.status, found.body]).toEqual([200, made.body])
    const changed = await call('PATCH', path, { label: 'HQ', watch_radius_miles: 2.5, reference: 'R-1', notes: 'a\nb' })
    expect(changed.status).toBe(200)
    fits(keys.data(keys.propertyWithContacts), changed.body)
    expect(changed.body.data).toMatchObject({
      name: 'HQ',
      label: 'HQ',
      watch_radius_miles: 2.5,
      reference: 'R-1',
      notes: 'a\nb',
      tags: ['roof'],
    })
    const listed = await call('GET', '/properties')
    fits(keys.page(keys.property), listed.body)
    expect(listed.body.data).toHaveLength(1)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
  })

  it('that cannot be located has null for its address', async () => {
    const { status, body } = await call('POST', '/properties', { address: 'Nowhere at all, Zzyzxville' })
    expect(status).toBe(201)
    fits(keys.data(keys.unlocatedPropertyWithContacts), body)
    expect(body.data.name).toBe('Nowhere at all, Zzyzxville')
    const enriched = await call('POST', `/properties/${body.data.id}/enrich`)
    expect([enriched.status, enriched.body.code]).toEqual([409, 'property_not_located'])
  })

  it('is saved only once at an address', async () => {
    const { id } = await save({ address: '100 N Broadway Ave, Moore, OK 73160' })
    const again = await call('POST', '/properties', { address: '100 north broadway avenue,  MOORE OK 73160-1234' })
    expect(again.status).toBe(409)
    fits(keys.errorBody, again.body)
    expect(again.body).toMatchObject({ code: 'duplicate_address', existing_id: id, message: expect.stringContaining(id) })
  })

  it('is refused by field, with all faults at once', async () => {
    const { status, body } = await call('POST', '/properties', {
      address: 'x',
      label: '',
      reference: 'r'.repeat(101),
      watch_radius_miles: 0.4,
      tags: ['', 't'.repeat(41)],
      notes: 'n'.repeat(5001),
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(['address', 'label', 'notes', 'reference', 'tags.0', 'tags.1', 'watch_radius_miles'])
    expect((await call('POST', '/properties', {})).body.errors).toEqual({ address: ['The address is required.'] })
    expect((await call('POST', '/properties', { address: 'Moore, OK', kind: 'castle' })).body.errors).toHaveProperty('kind')
    expect((await call('POST', '/properties', { address: 'Moore, OK', status: 'asleep' })).body.errors).toHaveProperty('status')
    expect((await call('POST', '/properties', { address: 'Moore, OK', tags: 'roof' })).body.errors).toHaveProperty('tags')
    expect(
      (await call('POST', '/properties', { address: 'Moore, OK', tags: Array.from({ length: 11 }, (_, n) => `t${n}`) })).body.errors,
    ).toHaveProperty('tags')
  })

  it('cannot have a radius beyond the plan, and a lapsed plan refuses new properties, radius changes and reports', async () => {
    const team = await aTeam(world, { plan: 'professional' })
    token = (await aToken(world, team)).token
    const far = await call('POST', '/properties', { address: 'Moore, OK', watch_radius_miles: 5.01 })
    fits(keys.errorBody, far.body)
    expect(far).toMatchObject({ status: 402, body: { code: 'plan_limit', limit: 'watch_radius', required_plan: 'business' } })
    expect((await call('POST', '/properties', { address: 'Moore, OK', watch_radius_miles: 10.01 })).status).toBe(422)
    const batch = await call('POST', '/properties/batch', { properties: [{ address: 'Moore, OK', watch_radius_miles: 10 }] })
    expect(batch.body.results).toMatchObject([{ status: 'rejected', message: expect.stringContaining('5 mi'), property: null }])
    const { id } = await save({ address: 'Moore, OK', watch_radius_miles: 5 })
    expect((await call('PATCH', `/properties/${id}`, { watch_radius_miles: 6 })).body.limit).toBe('watch_radius')
    await world.app.db.team.update({ where: { id: team.id }, data: { lapsed_at: world.clock.now() } })
    for (const [method, path, body] of [
      ['POST', '/properties', { address: 'Norman, OK' }],
      ['POST', '/properties/batch', { properties: [{ address: 'Norman, OK' }] }],
      ['PATCH', `/properties/${id}`, { watch_radius_miles: 1 }],
      ['POST', `/properties/${id}/enrich`, {}],
      ['POST', `/properties/${id}/reports`, {}],
    ] as const) {
      expect([path, await call(method, path, body)]).toMatchObject([path, { status: 402, body: { limit: 'lapsed' } }])
    }
    expect((await call('GET', `/properties/${id}`)).status).toBe(200)
    expect((await call('PATCH', `/properties/${id}`, { notes: 'later' })).status).toBe(200)
  })

  it('has fields that null clears where they may be empty, and nowhere else', async () => {
    const { id } = await save({ address: 'Moore, OK', label: 'HQ', reference: 'R', notes: 'N', tags: ['a'] })
    const cleared = await call('PATCH', `/properties/${id}`, { label: null, reference: null, notes: null })
    expect(cleared.body.data).toMatchObject({ label: null, reference: null, notes: null, tags: ['a'] })
    const refused = await call('PATCH', `/properties/${id}`, {
      address: null,
      kind: null,
      status: null,
      watch_radius_miles: null,
      tags: null,
    })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors).sort()).toEqual(['address', 'kind', 'status', 'tags', 'watch_radius_miles'])
  })
})

describe('the listing', () => {
  beforeEach(async () => {
    await save({ address: '1 Main St, Moore, OK 73160', label: '100% Roof_A', tags: ['Roof', 'north'] })
    world.clock.advance(1000)
    await save({ address: '2 Main St, Dallas, TX 75202', reference: 'acme\\7', status: 'paused' })
    world.clock.advance(1000)
    await save({ address: '3 Elm St, Denver, CO 80202', status: 'archived', tags: ['roof'] })
  })
  const names = async (query: string) => (await call('GET', `/properties?${query}`)).body.data.map(({ name }: { name: string }) => name)

  it.each([
    ['', ['3 Elm St', '2 Main St', '100% Roof_A']],
    ['status=watching', ['100% Roof_A']],
    ['status=paused', ['2 Main St']],
    ['status=archived', ['3 Elm St']],
    ['tag=Roof', ['3 Elm St', '100% Roof_A']],
    ['tag=ROOF', ['3 Elm St', '100% Roof_A']],
    ['tag=none', []],
    ['search=100%25', ['100% Roof_A']],
    ['search=f_a', ['100% Roof_A']],
    ['search=_', ['100% Roof_A']],
    ['search=%25', ['100% Roof_A']],
    ['search=ACME%5C7', ['2 Main St']],
    ['search=main%20st', ['2 Main St', '100% Roof_A']],
    ['search=denver,%20co%2080202', ['3 Elm St']],
    ['search=zzz', []],
    ['search=main&status=paused', ['2 Main St']],
    ["search='%3B--", []],
  ])('filtered by %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  it.each(['status=gone', 'search=', `search=${'x'.repeat(101)}`, 'tag=', 'page=0', 'page=x', 'per_page=x'])(
    'refuses %s',
    async (query) => {
      expect((await call('GET', `/properties?${query}`)).status).toBe(422)
    },
  )

  it('pages, and keeps its filters in the links', async () => {
    const { body } = await call('GET', '/properties?search=main&per_page=1')
    fits(keys.page(keys.property), body)
    expect(body.meta).toMatchObject({ total: 2, last_page: 2, per_page: 1, from: 1, to: 1 })
    expect(body.links.next).toContain('search=main')
    const past = await call('GET', '/properties?page=9')
    expect([past.body.data, past.body.meta.total]).toEqual([[], 3])
  })
})

describe('contacts', () => {
  it('have every key, and one of them is primary', async () => {
    const { id } = await save({ address: 'Moore, OK' })
    const path = `/properties/${id}/contacts`
    const ann = await call('POST', path, { name: 'Ann' })
    expect(ann.status).toBe(201)
    fits(keys.data(keys.contact), ann.body)
    expect(ann.body.data).toMatchObject({ name: 'Ann', role: 'owner', primary: true, source: 'reported', company: null })
    const bob = await call('POST', path, { name: 'Bob', role: 'adjuster', email: 'bob@example.com', primary: true })
    expect(bob.body.data).toMatchObject({ primary: true, role: 'adjuster' })
    const listed = await call('GET', path)
    fits(keys.page(keys.contact), listed.body)
    expect(listed.body.data.map(({ name, primary }: { name: string; primary: boolean }) => [name, primary])).toEqual([
      ['Bob', true],
      ['Ann', false],
    ])
    const stepped = await call('PATCH', `${path}/${bob.body.data.id}`, { primary: false, phone: '555' })
    expect(stepped.body.data).toMatchObject({ primary: false, phone: '555' })
    expect((await call('GET', `/properties/${id}`)).body.data.contacts).toMatchObject([{ name: 'Ann', primary: true }, { name: 'Bob' }])
    expect((await call('PATCH', `${path}/${ann.body.data.id}`, { name: null, email: null })).body.errors).toEqual({
      name: ['The name cannot be cleared.'],
    })
    expect((await call('DELETE', `${path}/${ann.body.data.id}`)).status).toBe(204)
    expect((await call('GET', path)).body.data).toMatchObject([{ name: 'Bob', primary: true }])
    expect((await call('PATCH', `${path}/${bob.body.data.id}`, { primary: false })).body.data.primary).toBe(true)
    expect((await call('POST', path, { name: ' ', email: 'nobody', role: 'king' })).status).toBe(422)
  })

  it('of another property, or unknown ones, are not found', async () => {
    const property = await save({ address: 'Moore, OK' })
    const other = await save({ address: 'Norman, OK' })
    const { id } = (await call('POST', `/properties/${property.id}/contacts`, { name: 'Ann' })).body.data
    for (const path of [`${other.id}/contacts/${id}`, `${property.id}/contacts/999999`, `${property.id}/contacts/x`]) {
      expect((await call('PATCH', `/properties/${path}`, { name: 'B' })).status).toBe(404)
      expect((await call('PATCH', `/properties/${path}`, { name: 7, role: 'king' })).status).toBe(404)
      expect((await call('DELETE', `/properties/${path}`)).status).toBe(404)
    }
  })
})

describe('a batch', () => {
  const rows = [
    { address: '1 Main St, Moore, OK 73160' },
    { address: '1 MAIN ST, moore OK 73160' },
    { address: 7 },
    { address: 'Moore, OK', tags: [1] },
    null,
  ]

  it('returns a result for each row', async () => {
    const { status, body } = await call('POST', '/properties/batch', { properties: rows })
    expect(status).toBe(207)
    fits(keys.propertyBatch, body)
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual([
      'created',
      'duplicate',
      'rejected',
      'rejected',
      'rejected',
    ])
    expect(body.results[1].property.id).toBe(body.results[0].property.id)
    expect(body).toMatchObject({
      submitted: 5,
      created: 1,
      duplicate: 1,
      rejected: 3,
      skipped: 0,
      plan_limit_reached: false,
      required_plan: null,
    })
  })

  it('is 201 if all rows are created, and 200 with the same result if repeated under its key', async () => {
    const headers = { 'idempotency-key': 'k1' }
    const body = { properties: [{ address: 'Moore, OK' }, { address: 'Norman, OK' }] }
    const first = await call('POST', '/properties/batch', body, { headers })
    const again = await call('POST', '/properties/batch', body, { headers })
    expect([first.status, again.status, again.headers['idempotent-replay']]).toEqual([201, 200, 'true'])
    expect(again.body).toEqual(first.body)
    expect((await call('GET', '/properties')).body.meta.total).toBe(2)
    const reused = await call('POST', '/properties/batch', { properties: [{ address: 'Edmond, OK' }] }, { headers })
    expect([reused.status, reused.body.code]).toEqual([409, 'idempotency_key_reused'])
  })

  it.each([{}, { properties: [] }, { properties: Array.from({ length: 101 }, () => ({ address: 'Moore, OK' })) }, { properties: {} }])(
    'without a list of 1 to 100 rows is refused as a whole',
    async (body) => {
      const { status, body: answer } = await call('POST', '/properties/batch', body)
      expect([status, Object.keys(answer.errors)]).toEqual([422, ['properties']])
    },
  )

  it('stops when the plan is full, and states which tier allows more', async () => {
    token = (await aToken(world, await aTeam(world, { plan: 'professional', limit_overrides: { properties: 2 } }))).token
    const properties = ['Moore, OK', 'Norman, OK', 'Edmond, OK', 'Moore, OK'].map((address) => ({ address }))
    const { status, body } = await call('POST', '/properties/batch', {
      properties: [...properties, { address: 'Tulsa, OK', status: 'archived' }],
    })
    expect(status).toBe(207)
    fits(keys.propertyBatch, body)
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['created', 'created', 'skipped', 'duplicate', 'created'])
    expect(body).toMatchObject({ plan_limit_reached: true, required_plan: 'business', skipped: 1 })
  })
})

describe('a report for a property', () => {
  it('takes its address, its radius and the whole of what the plan reaches', async () => {
    world.clock.set('2026-05-20T18:00:00Z')
    token = (await aToken(world, await aTeam(world, { plan: 'professional' }))).token
    const { id } = await save({ address: 'Moore, OK', watch_radius_miles: 0.5 })
    const headers = { 'idempotency-key': 'r1' }
    const made = await call('POST', `/properties/${id}/reports`, { recipient: 'Ann' }, { headers })
    expect(made.status).toBe(202)
    fits(keys.data(keys.pendingReport), made.body)
    expect(made.body.data).toMatchObject({
      property_id: id,
      recipient: 'Ann',
      address: { query: 'Moore, OK' },
      window: { start: '2016-05-20', end: '2026-05-20', radius_miles: 1, narrowed_by_plan: false },
    })
    const again = await call('POST', `/properties/${id}/reports`, { recipient: 'Ann' }, { headers })
    expect([again.status, again.body.data.id]).toEqual([200, made.body.data.id])
    expect((await call('GET', `/reports?property=${id}`)).body.meta.total).toBe(1)
    expect((await call('POST', `/properties/${id}/reports`, { window_start: '2020-01-02', window_end: '2020-01-01' })).status).toBe(422)
    expect((await call('POST', `/properties/${id}/reports`, { layout: ['summary'] })).body.limit).toBe('layout')
    expect((await call('DELETE', `/properties/${id}`)).status).toBe(204)
    expect((await call('GET', `/reports/${made.body.data.id}`)).body.data.property_id).toBeNull()
  })

  it('ends today in the United States at the latest, wherever the team is', async () => {
    world.clock.set('2026-05-20T12:30:00Z')
    token = (await aToken(world, await aTeam(world, { timezone: 'Pacific/Auckland' }))).token
    const { id } = await save({ address: 'Nowhere at all' })
    const made = await call('POST', `/properties/${id}/reports`, {})
    expect([made.status, made.body.data?.window.end]).toEqual([202, '2026-05-20'])
  })
})

describe("another team's property", () => {
  it('is not found', async () => {
    const { id } = await save({ address: 'Moore, OK' })
    const contact = (await call('POST', `/properties/${id}/contacts`, { name: 'Ann' })).body.data.id
    token = (await aToken(world, await aTeam(world))).token
    const requests: [Method, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { label: '' }],
      ['DELETE', ''],
      ['POST', '/reports', { window_start: 'x' }],
      ['POST', '/enrich'],
      ['GET', '/contacts'],
      ['POST', '/contacts', {}],
      ['PATCH', `/contacts/${contact}`, { name: null }],
      ['DELETE', `/contacts/${contact}`],
    ]
    for (const [method, path, body] of requests) {
      for (const property of [id, '0190ffff-0000-7000-8000-000000000000', 'x']) {
        const { status, body: answer } = await call(method, `/properties/${property}${path}`, body)
        expect([method, path, status, answer.code]).toEqual([method, path, 404, 'not_found'])
      }
    }
    const { body } = await call('POST', '/properties/batch', { properties: [{ address: 'Moore, OK' }] })
    expect(body.results[0].status).toBe('created')
  })
})
