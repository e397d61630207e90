import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ability } from '#domain/access/abilities.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { allAbilities, aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { differences, errorBody } from './keys.ts'

/** The endpoints of the contract, typed by hand from it. */
const contract = `
GET    /                                            -
GET    /account                                     -
GET    /team                                        account:read
GET    /credits                                     account:read
GET    /credits/transactions                        account:read
GET    /monitoring/runs                             account:read
GET    /openapi.json                                -
POST   /reports                                     reports:write
GET    /reports                                     reports:read
GET    /reports/{report}                            reports:read
GET    /reports/{report}/events                     reports:read
GET    /reports/{report}/verification               reports:read
GET    /reports/{report}/pdf                        reports:export
POST   /reports/{report}/pdf/link                   reports:export
POST   /reports/batch                               reports:write
DELETE /reports/{report}                            reports:write
POST   /properties                                  properties:write
GET    /properties                                  properties:read
GET    /properties/{property}                       properties:read
PATCH  /properties/{property}                       properties:write
DELETE /properties/{property}                       properties:write
POST   /properties/batch                            properties:write
POST   /properties/{property}/reports               properties:write
GET    /properties/{property}/exposures             properties:read
POST   /properties/{property}/enrich                properties:write
GET    /properties/{property}/contacts              properties:read
POST   /properties/{property}/contacts              properties:write
PATCH  /properties/{property}/contacts/{contact}    properties:write
DELETE /properties/{property}/contacts/{contact}    properties:write
POST   /territories                                 territories:write
POST   /territories/quote                           territories:write
GET    /territories                                 territories:read
GET    /territories/{territory}                     territories:read
PATCH  /territories/{territory}                     territories:write
POST   /territories/{territory}/status              territories:write
GET    /territories/{territory}/exposures           territories:read
GET    /places                                      territories:read
DELETE /territories/{territory}                     territories:write
GET    /exposures                                   exposures:read
GET    /exposures/{exposure}                        exposures:read
POST   /exposures/{exposure}/acknowledge            exposures:write
POST   /exposures/{exposure}/reopen                 exposures:write
POST   /integrations                                integrations:write
GET    /integrations                                integrations:read
GET    /integrations/{integration}                  integrations:read
PATCH  /integrations/{integration}                  integrations:write
GET    /integrations/events                         integrations:read
POST   /integrations/{integration}/test             integrations:write
GET    /integrations/{integration}/secret           integrations:write
POST   /integrations/{integration}/secret           integrations:write
GET    /integrations/{integration}/deliveries       integrations:read
GET    /integrations/deliveries                     integrations:read
DELETE /integrations/{integration}                  integrations:write
GET    /tiles/{z}/{x}/{y}.mvt                       maps:read
GET    /playback                                    maps:read`
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path, ability] = line.split(/ +/) as [Method, string, string]
    return { method, path: path === '/' ? '' : path, ability: ability === '-' ? null : (ability as Ability) }
  })

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Row = (typeof contract)[number]

let world: World
let rest: Rest
let token: string
let foreign: Record<string, string>
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world))).token
  foreign = await recordsOfAnotherTeam()
})
afterAll(() => rest.close())

const fill = (path: string, ids: Record<string, string>) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
const tile = { z: '3', x: '1', y: '2' }
const unknownIds = {
  report: randomUUID(),
  property: randomUUID(),
  territory: randomUUID(),
  integration: randomUUID(),
  exposure: '2147483647',
  contact: '2147483647',
  ...tile,
}
const hasId = ({ path }: Row) => /\{(report|property|territory|integration|exposure|contact)\}/.test(path)
const titled = contract.map((row) => [`${row.method} ${row.path || '/'}`, row] as const)
const ask = (row: Row, bearer: string, ids: Record<string, string> = unknownIds) =>
  rest.call(row.method, fill(row.path, ids), { token: bearer })

function refused(answer: Awaited<ReturnType<Rest['call']>>, status: number, code: string) {
  expect([answer.status, answer.body?.code]).toEqual([status, code])
  expect(differences(errorBody, answer.body)).toEqual([])
  expect(answer.headers['x-request-id']).toBe(answer.body.request_id)
}

/** One record of each kind that another team could create through the API. */
async function recordsOfAnotherTeam(): Promise<Record<string, string>> {
  const { token: other } = await aToken(world, await aTeam(world))
  const make = async (path: string, body: unknown) => (await rest.call('POST', path, { token: other, body })).body?.data?.id
  const report = await make('/reports', { address: '1 Main St, Moore, OK 73160', window_start: '2024-01-01', window_end: '2024-01-31' })
  const property = await make('/properties', { address: '1 Main St, Moore, OK 73160' })
  const contact = await make(`/properties/${property}/contacts`, { name: 'Ada' })
  const territory = await make('/territories', { name: 'North', kind: 'radius', latitude: 35.3, longitude: -97.5, radius_miles: 3 })
  const integration = await make('/integrations', {
    name: 'Hook',
    channel: 'webhook',
    url: 'https://example.com/hook',
    events: ['report.completed'],
  })
  const made = { report, property, territory, integration, ...(contact && { contact: String(contact) }) }
  return { ...unknownIds, ...Object.fromEntries(Object.entries(made).filter(([, id]) => id)) }
}

describe('the table', () => {
  it('is the contract: 55 endpoints, their methods, paths and abilities', async () => {
    expect(contract).toHaveLength(55)
    const { body } = await rest.call('GET', '', { token })
    const listed = body.data.endpoints.map(({ method, path, ability }: Row) => `${method} ${path} ${ability}`)
    expect(listed.sort()).toEqual(contract.map(({ method, path, ability }) => `${method} /api/v1${path} ${ability}`).sort())
    const names = body.data.endpoints.map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(55)
  })

  it('returns 501 nowhere: every row is built', async () => {
    const answers = await Promise.all(contract.map(async (row) => ({ row, status: (await ask(row, token)).status })))
    expect(answers.filter(({ status }) => status === 501).map(({ row }) => `${row.method} ${row.path}`)).toEqual([])
  })

  it('describes every row, and only those', async () => {
    const { body } = await rest.call('GET', '/openapi.json', { token })
    const described = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(contract.map(({ method, path }) => `${method} /api/v1${path}`).sort())
  })
})

describe.each(titled)('%s', (_title, row) => {
  it('is 401 without a valid token', async () => {
    for (const headers of [
      {},
      { authorization: 'Basic Og==' },
      { authorization: `Bearer wt_${'0'.repeat(36)}` },
      { authorization: 'Bearer ' },
    ]) {
      const answer = await rest.call(row.method, fill(row.path, unknownIds), { headers: headers as Record<string, string> })
      refused(answer, 401, 'unauthenticated')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit')
    }
  })

  it('is 402 on a plan without the API, and names the tier that has it', async () => {
    const answer = await ask(row, (await aToken(world, await aTeam(world, { plan: 'starter' }))).token)
    refused(answer, 402, 'plan_limit')
    expect(answer.body).toMatchObject({ limit: 'api_access', required_plan: 'professional' })
    expect(answer.body.message).toContain('Professional')
  })

  it('is 403 without its ability, and names the ability', async () => {
    const others = allAbilities.filter((ability) => ability !== row.ability)
    const answer = await ask(row, (await aToken(world, await aTeam(world), others)).token)
    if (row.ability === null) {
      expect(answer.status).not.toBe(403)
    } else {
      refused(answer, 403, 'missing_ability')
      expect(answer.body.required_ability).toBe(row.ability)
    }
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
  })

  it('is 405 for a method that its path does not support', async () => {
    const known = contract.filter(({ path }) => path === row.path).map(({ method }) => method)
    const allowed = known.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort()
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'].filter((name) => !known.includes(name as Method))) {
      const answer = await rest.call(method as Method, fill(row.path, unknownIds), { token })
      refused(answer, 405, 'method_not_allowed')
      expect(String(answer.headers.allow).split(', ').sort()).toEqual(allowed)
    }
  })

  it('is 404 for a malformed id, an unknown id and another team’s id, all alike', async () => {
    if (!hasId(row)) return
    const malformed = Object.fromEntries(Object.keys(unknownIds).map((name) => [name, "1'--"]))
    for (const ids of [malformed, { ...malformed, exposure: '99999999999', contact: '0' }, unknownIds, foreign]) {
      const answer = await ask(row, token, ids)
      refused(answer, 404, 'not_found')
    }
  })
})

describe('the rate limit', () => {
  it('holds on every endpoint, and says when to retry', async () => {
    const slow = await openWorld({ config: { rate_limit_per_minute: 2 } })
    const limitedRest = await openRest(slow)
    const { token: limitedToken } = await aToken(slow, await aTeam(slow))
    const first = await limitedRest.call('GET', '/account', { token: limitedToken })
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
    expect(first.headers).not.toHaveProperty('x-ratelimit-reset')
    expect((await limitedRest.call('GET', '/nowhere', { token: limitedToken })).headers['x-ratelimit-remaining']).toBe('0')
    for (const row of contract) {
      const answer = await limitedRest.call(row.method, fill(row.path, unknownIds), { token: limitedToken })
      refused(answer, 429, 'rate_limited')
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '2',
        'x-ratelimit-remaining': '0',
        'retry-after': String(answer.body.retry_after),
      })
      expect(Number(answer.headers['x-ratelimit-reset'])).toBe(Math.ceil(slow.clock.now().getTime() / 1000) + answer.body.retry_after)
    }
    slow.clock.advance(60_001)
    expect((await limitedRest.call('GET', '/account', { token: limitedToken })).status).toBe(200)
    await limitedRest.close()
    await slow.close()
  })
})

/** Values that no filter accepts: `path?name=value` is 422 and names the parameter. */
const unknownFilters: [path: string, name: string, values: string[]][] = [
  ['/credits/transactions', 'kind', ['gift', '', 'Spend']],
  ['/reports', 'status', ['done', '']],
  ['/reports', 'property', ['x', randomUUID()]],
  ['/reports', 'address', ['', 'x'.repeat(101)]],
  ['/places', 'search', ['x', 'x'.repeat(101)]],
  ['/properties', 'status', ['sold', '']],
  ['/exposures', 'kind', ['storm', '']],
  ['/exposures', 'subject', ['report']],
  ['/exposures', 'open', ['maybe']],
  ['/integrations', 'channel', ['chat_c']],
  ['/integrations', 'event', ['report.lost']],
  ['/integrations', 'active', ['on']],
  ['/integrations/deliveries', 'status', ['lost']],
]
/** The same for the records of a report, which must exist first. */
const unknownEventFilters: [name: string, values: string[]][] = [
  ['type', ['meteor', 'HAIL', '']],
  ['family', ['hail', '']],
  ['from', ['yesterday', '2024-02-30', '2024-1-1', '']],
  ['to', ['2024-13-01']],
  ['min_hail_in', ['big', '']],
  ['min_gust_mph', ['1e2']],
  ['observed', ['banana', 'TRUE', 'yes', '']],
]

describe('filters', () => {
  it.each(unknownFilters)('%s refuses an unknown %s', async (path, name, values) => {
    for (const value of values) {
      const answer = await rest.call('GET', `${path}?${name}=${value}`, { token })
      refused(answer, 422, 'validation_failed')
      expect(Object.keys(answer.body.errors)).toEqual([name])
      expect(answer.body.message).toBe(answer.body.errors[name][0])
    }
  })

  it('of a report’s records refuse unknown values once the report exists', async () => {
    const body = { address: '1 Main St, Moore, OK 73160', window_start: '2024-01-01', window_end: '2024-01-31' }
    const { id } = (await rest.call('POST', '/reports', { token, body })).body.data
    for (const [name, values] of unknownEventFilters) {
      for (const value of values) {
        const answer = await rest.call('GET', `/reports/${id}/events?${name}=${value}`, { token })
        refused(answer, 422, 'validation_failed')
        expect(answer.body.errors).toHaveProperty(name)
        refused(await rest.call('GET', `/reports/${foreign.report}/events?${name}=${value}`, { token }), 404, 'not_found')
      }
    }
    refused(await rest.call('GET', `/reports/${id}/events?from=2024-02-02&to=2024-02-01`, { token }), 422, 'validation_failed')
    refused(await rest.call('GET', `/reports/${foreign.report}/events?from=2024-02-02&to=2024-02-01`, { token }), 404, 'not_found')
  })

  it('with unknown names are ignored and left out of the page links', async () => {
    const { status, body } = await rest.call('GET', '/reports?colour=red&status=pending&per_page=1', { token })
    expect(status).toBe(200)
    expect(body.links.first).toBe(`${world.app.config.base_url}/api/v1/reports?status=pending&per_page=1&page=1`)
  })
})
