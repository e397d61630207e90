import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import type { Sent } from '#test/support/rest-call.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let token: string
let ids: Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: the description as it is served
let paths: Record<string, Record<string, any>>
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world))).token
  ids = await records()
  paths = (await call('GET', '/openapi.json')).body.paths
})
afterAll(() => rest.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, more: Sent = {}) =>
  rest.call(method, path, { token, ...(body !== undefined && { body }), ...more })
const balance = async () => (await call('GET', '/credits')).body.data.balance
const window = { window_start: '2024-01-01', window_end: '2024-01-31' }
const street = '1 Main St, Moore, OK 73160'

async function records(): Promise<Record<string, string>> {
  const made = async (path: string, body: unknown) => (await call('POST', path, body)).body.data.id
  const property = await made('/properties', { address: street })
  return {
    property,
    contact: String(await made(`/properties/${property}/contacts`, { name: 'Ada' })),
    report: await made('/reports', { address: street, ...window }),
    territory: await made('/territories', { name: 'North', kind: 'radius', latitude: 35.3, longitude: -97.5, radius_miles: 3 }),
    integration: await made('/integrations', { name: 'A', channel: 'webhook', url: 'https://example.com/', events: ['digest.sent'] }),
    exposure: '1',
  }
}

describe('all faults of a body', () => {
  it('of a report are reported at once: types, values, dates against each other, unknown keys, the layout', async () => {
    const before = await balance()
    const body = {
      address: 'x',
      window_start: '2024-02-30',
      window_end: '2999-01-01',
      radius_miles: '5',
      reference: ['a'],
      recipient: 'y'.repeat(161),
      property_id: randomUUID(),
      layout: { sections: ['cover'], imagery: 'aerial', maps: null, map: { base: 'satellite' } },
      radius: 5,
    }
    const answer = await call('POST', '/reports', body)
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
    expect(answer.body.errors).toEqual({
      address: ['The address must have 3 to 255 characters.'],
      window_start: ['The window start must be a date, written YYYY-MM-DD.'],
      window_end: ['The window end must not be in the future.'],
      radius_miles: ['The radius must be a number: 1 to 100 miles.'],
      reference: ['The reference must be one value, not a list.'],
      recipient: ['The recipient must have at most 160 characters.'],
      property_id: ['There is no property with this id.'],
      'layout.sections.0': [expect.stringMatching(/^A section must be one of summary, /)],
      'layout.imagery': ['The imagery must be a list.'],
      'layout.maps': ['There is no field called maps: did you mean map?'],
      'layout.map.base': ['The base of the map must be one of plain, streets, aerial.'],
      radius: ['There is no field called radius: did you mean radius_miles?'],
    })
    expect(answer.body.message).toBe('The address must have 3 to 255 characters. (and 11 more errors)')
    expect(await balance()).toBe(before)
  })

  it('of a destination are reported at once, its channel and its address among them', async () => {
    const { body } = await call('POST', '/integrations', {
      name: '',
      channel: 'email',
      url: 'http://169.254.169.254/',
      events: [],
      active: 'on',
    })
    expect(body.errors).toEqual({
      name: ['The name is required.'],
      channel: ['The channel must be one of webhook, chat_a, chat_b.'],
      url: [expect.stringMatching(/^The url may not be posted to: /)],
      events: ['Choose at least one event.'],
      active: ['Active must be true or false.'],
    })
    for (const url of ['https://hooks.example.com:0/weather', 'http://127.0.0.1:00/'])
      expect(
        (await call('POST', '/integrations', { name: 'Hook', channel: 'webhook', url, events: ['report.completed'] })).body.errors,
      ).toEqual({
        url: ['The url must not have port 0: nothing can be posted there.'],
      })
    const missing = await call('POST', '/integrations', {})
    expect(missing.body.errors).toMatchObject({ events: ['Choose at least one event.'], url: ['The url is required.'] })
    const strange = await call('POST', '/integrations', { events: ['digest.sent', 'storm.seen', 3] })
    expect(strange.body.errors).toMatchObject({
      'events.1': [expect.stringMatching(/^There is no event called storm\.seen; the events are exposure\.detected, /)],
      'events.2': ['An event must be text.'],
    })
  })

  it('of a territory are reported at once, including an address that is not found', async () => {
    const { body } = await call('POST', '/territories', {
      kind: 'radius',
      colour: 'pink',
      address: 'Nowhere at all 99999999',
      radius_miles: 0.1,
      notes: 5,
    })
    expect(body.errors).toEqual({
      name: ['The name is required.'],
      colour: ['The colour must be one of petrol, slate, moss, rust, plum, sand.'],
      notes: ['The notes must be text.'],
      radius_miles: ['The radius must be 0.5 to 100 miles.'],
      address: ['The address was not found.'],
    })
    const places = await call('POST', '/territories', { kind: 'places', place_ids: [1, 2.5, 99999999], name: 'A' })
    expect(places.body.errors).toEqual({
      radius_miles: ['The radius is required.'],
      'place_ids.1': ['The id of a place must be a whole number, 1 or more.'],
    })
  })

  it('of a change are reported at once, including fields that cannot be cleared', async () => {
    const { body } = await call('PATCH', `/properties/${ids.property}`, {
      kind: null,
      watch_radius_miles: 11,
      tags: ['ok', 5, ''],
      label: null,
      notes: {},
    })
    expect(body.errors).toEqual({
      kind: ['The kind cannot be cleared.'],
      watch_radius_miles: ['The watch radius must be 0.5 to 10 miles.'],
      'tags.1': ['A tag must be text.'],
      'tags.2': ['A tag must have 1 to 40 characters.'],
      notes: ['The notes must be text.'],
    })
  })

  it('are each named if every value has a wrong type, in sentences without column names', async () => {
    let count = 0
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const schema = operation.requestBody?.content['application/json'].schema
        if (!schema || operation.operationId === 'exposures.acknowledge') continue
        const names = Object.keys(schema.properties)
        const body = Object.fromEntries(names.map((name) => [name, name === 'layout' ? 7 : { wrong: true }]))
        const answer = await call(method.toUpperCase() as 'POST', filled(path), body)
        const named = names.filter((name) => !(name === 'geometry' || name === 'kind' || name === 'place_ids') || answer.body.errors[name])
        expect([operation.operationId, answer.status, Object.keys(answer.body.errors).sort()]).toEqual([
          operation.operationId,
          422,
          named.sort(),
        ])
        for (const sentence of Object.values<string[]>(answer.body.errors).flat()) {
          count += 1
          // Values of a closed set are quoted as they are sent.
          const own = sentence.replace(/ must be one of .*/, '.')
          expect(own).toMatch(/^[A-Z][^_]*\.$/)
          expect(own).not.toMatch(/radius miles|place ids|watch radius miles|property id/i)
        }
      }
    }
    expect(count).toBeGreaterThan(60)
  })
})

const filled = (path: string) => path.replace('/api/v1', '').replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)

describe('an unknown key in a body that charges', () => {
  const charging: [name: string, path: () => string, body: object][] = [
    ['a report', () => '/reports', { address: street, ...window }],
    ['a report for a property', () => `/properties/${ids.property}/reports`, {}],
    ['a batch', () => '/reports/batch', { reports: [{ address: street, ...window }] }],
  ]

  it.each(charging)('of %s is 422, names the nearest key, costs nothing and does not use up the key', async (_name, path, body) => {
    const before = await balance()
    const headers = { 'idempotency-key': randomUUID() }
    const misspelt = await call(
      'POST',
      path(),
      { ...body, radius: 5, windowStart: '2024-01-01', constructor: 1, '\u0000\u0001': 1 },
      { headers },
    )
    expect(misspelt.status).toBe(422)
    expect(misspelt.body.errors).toMatchObject({
      radius: ['There is no field called radius: did you mean radius_miles?'],
      windowStart: ['There is no field called windowStart: did you mean window_start?'],
      constructor: [expect.stringMatching(/^There is no field called constructor: /)],
    })
    expect(await balance()).toBe(before)
    expect((await call('POST', path(), body, { headers })).status).toBe(202)
  })

  it('of a row rejects the row, with all of its faults, and charges the others', async () => {
    const before = await balance()
    const row = { address: street, ...window }
    const { status, body } = await call('POST', '/reports/batch', {
      reports: [row, { ...row, miles: 3, address: 'x' }, { ...row, recipient: 'Ada' }, null],
    })
    expect([status, body.accepted, body.rejected, body.credits_spent]).toEqual([207, 1, 3, 1])
    expect(body.results.map(({ message }: { message: string | null }) => message)).toEqual([
      null,
      'The address must have 3 to 255 characters. There is no field called miles: did you mean radius_miles?',
      expect.stringMatching(/^There is no field called recipient: the fields are address, /),
      'A report must be an object.',
    ])
    expect(await balance()).toBe(before - 1)
  })

  it('is reported if it repeats a parameter of the path', async () => {
    const { body } = await call('POST', `/properties/${ids.property}/reports`, { property: ids.property, address: street })
    expect(Object.keys(body.errors)).toEqual(['property', 'address'])
  })

  it('is named for the first hundred items of a list when there are thousands', async () => {
    const unknown = Array.from({ length: 5000 }, () => 'q')
    const events = await call('POST', '/integrations', { name: 'A', channel: 'webhook', url: 'https://example.com/', events: unknown })
    expect([events.status, Object.keys(events.body.errors)]).toEqual([422, Array.from({ length: 100 }, (_, at) => `events.${at}`)])
    const { status, body } = await call('POST', '/reports', {
      address: street,
      ...window,
      layout: { sections: unknown, map: { layers: unknown } },
    })
    expect([status, Object.keys(body.errors).length]).toEqual([422, 200])
  })

  it('is repeated only up to a limit when there are thousands', async () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${'k'.repeat(100)}${at}`, at]))
    const answer = await call('POST', '/reports', { address: street, ...window, ...body })
    expect(answer.status).toBe(422)
    expect(answer.text.length).toBeLessThan(5000)
  })
})

describe('filters', () => {
  it('are validated together with the page', async () => {
    const { status, body } = await call('GET', `/reports?status=done&property=${randomUUID()}&address=%20%20&page=0&per_page=ten`)
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      status: ['The status must be one of pending, complete, failed.'],
      property: ['There is no property with this id.'],
      address: ['The address must have 1 to 100 characters.'],
      page: ['The page must be 1 or more.'],
      per_page: ['The page size must be a whole number, 1 to 100.'],
    })
    const events = await call(
      'GET',
      `/reports/${ids.report}/events?type=meteor&from=2024-02-02&to=2024-02-01&min_hail_in=-1&observed=maybe`,
    )
    expect(events.body.errors).toEqual({
      type: ['There is no record type of this name.'],
      to: ['The last day must be on or after the first.'],
      min_hail_in: ['The smallest hail must be 0 inches or more.'],
      observed: ['Observed must be true or false.'],
    })
    const playback = await call('GET', '/playback?date=today&south=40&north=30&west=-200')
    expect(playback.body.errors).toEqual({
      date: ['The date must be a date, written YYYY-MM-DD.'],
      south: ['The south must be below the north.'],
      west: ['The west must be -180 to 180 degrees.'],
      east: ['The east is required.'],
    })
  })

  it('that take one value refuse a list in any form', async () => {
    let requestCount = 0
    for (const [path, { get }] of Object.entries(paths)) {
      const filters = get?.parameters?.filter((parameter: { in: string }) => parameter.in === 'query') ?? []
      for (const { name } of filters) {
        for (const query of [`${name}[]=x`, `${name}[0]=x`, `${name}=x&${name}=y`]) {
          requestCount += 1
          const { status, body } = await call('GET', `${filled(path)}?${query}`)
          // An exposure that does not exist is reported first.
          if (path.includes('{exposure}')) continue
          expect([path, query, status, body.errors?.[name]]).toEqual([
            path,
            query,
            422,
            [expect.stringMatching(/ must be one value, not a list\.$/)],
          ])
        }
      }
    }
    expect(requestCount).toBeGreaterThan(100)
  })

  it('that are blank count as absent, and an empty search is 422', async () => {
    for (const path of ['/properties?search=', '/reports?address=', '/places?search=']) {
      for (const blank of ['', '%20', '%20%09%20']) {
        const { status, body } = await call('GET', path + blank)
        expect([path + blank, status, Object.keys(body.errors ?? {})]).toEqual([
          path + blank,
          422,
          [path.includes('address') ? 'address' : 'search'],
        ])
      }
    }
    expect((await call('GET', '/properties?search=%20moore%20')).body.meta.total).toBe(1)
  })

  it('of a tag ignore case', async () => {
    await call('PATCH', `/properties/${ids.property}`, { tags: ['Roof', 'VIP'] })
    for (const tag of ['roof', 'ROOF', 'vip'])
      expect([tag, (await call('GET', `/properties?tag=${tag}`)).body.meta.total]).toEqual([tag, 1])
    expect((await call('GET', '/properties?tag=roo')).body.meta.total).toBe(0)
  })

  it('find a letter with an accent in either form of Unicode', async () => {
    const forms = ['Café', 'Cafe\u0301']
    expect((await call('PATCH', `/properties/${ids.property}`, { tags: [...forms].reverse(), label: forms[1] })).body.data).toMatchObject({
      tags: ['Café'],
      label: 'Café',
    })
    const { data: report } = (await call('POST', '/reports', { ...window, address: `1 ${forms[1]} Row, Moore, OK 73160` })).body
    expect(report.address.query).toContain(forms[1])
    for (const form of forms)
      for (const path of ['/properties?tag=', '/properties?search=', '/reports?address='])
        expect([path, form, (await call('GET', path + encodeURIComponent(form))).body.meta.total]).toEqual([path, form, 1])
  })
})

it('a record that does not exist is 404 before any filter, page or body is validated', async () => {
  const unknownId = randomUUID()
  for (const [method, path, body] of [
    ['GET', `/properties/${unknownId}/contacts?page=0`],
    ['GET', `/properties/${unknownId}/exposures?kind=storm`],
    ['GET', `/reports/${unknownId}/events?page=0&type=x`],
    ['GET', `/integrations/${unknownId}/deliveries?status=x`],
    ['PATCH', `/properties/${unknownId}`, { kind: 5 }],
    ['POST', `/properties/${unknownId}/reports`, { radius: 5 }],
    ['POST', `/properties/${unknownId}/contacts`, {}],
    ['PATCH', `/territories/${unknownId}`, { colour: 5 }],
    ['POST', `/territories/${unknownId}/status`, {}],
    ['PATCH', `/integrations/${unknownId}`, { events: [] }],
    ['POST', '/exposures/2147483647/acknowledge', { dismiss: 'yes' }],
  ] as const)
    expect([path, (await call(method, path, body)).status]).toEqual([path, 404])
})
