import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextMoment } from '#domain/watches/next-moment.ts'
import type { Property, Team, Territory } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { addExposure, aKeptProperty, aKeptTerritory, anExposure, aWarning } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

let world: World
let rest: Rest
let team: Team
let token: string
let property: Property
let territory: Territory
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
})
afterAll(() => rest.close())
beforeEach(async () => {
  team = await aTeam(world)
  token = (await aToken(world, team)).token
  property = await aKeptProperty(world, team)
  territory = await aKeptTerritory(world, team)
})

type Method = Parameters<Rest['call']>[0]
const call = (method: Method, path: string, body?: unknown) => rest.call(method, path, { token, body })
const fits = (shape: keys.Shape, value: unknown) => expect(keys.differences(shape, value)).toEqual([])
const ids = async (query: string, path = '/exposures'): Promise<number[]> => {
  const { status, body } = await call('GET', `${path}?${query}`)
  expect(status).toBe(200)
  return body.data.map((exposure: { id: number }) => exposure.id)
}
const onProperty = (columns = {}) => anExposure(world, team, { property_id: property.id, ...columns })
const onTerritory = (columns = {}) => anExposure(world, team, { territory_id: territory.id, ...columns })
const aWarned = (columns = {}) =>
  onProperty({ kind: 'warning', warning_key: randomUUID(), warning: aWarning, sources: 1, evidence: [], ...columns })

describe('an exposure', () => {
  it('shows every key, whether a storm day or a warning', async () => {
    const storm = await onProperty({
      hail: 2,
      reports: 2,
      largest_measured_in: 1.75,
      nearest_miles: 0.8,
      evidence: ['ground'],
      record_ids: [7],
    })
    const found = await call('GET', `/exposures/${storm}`)
    expect(found.status).toBe(200)
    fits(keys.data(keys.recordExposure), found.body)
    expect(found.body.data).toMatchObject({
      date: '2026-05-20',
      subject: { id: property.id, object: 'property', name: 'HQ' },
      families: { hail: 2, wind: 0, tornado: 0, other: 0 },
      links: { subject: expect.stringMatching(`/properties/${property.id}$`), report: null },
    })
    world.clock.set(new Date('2026-05-20T23:30:00Z'))
    const warned = await aWarned()
    const warning = await call('GET', `/exposures/${warned}`)
    fits(keys.data(keys.warningExposure), warning.body)
    expect(warning.body.data.warning).toEqual({
      ...aWarning,
      in_force: true,
      periods: [{ from: aWarning.issued_at, until: aWarning.ends_at }],
    })
    world.clock.set(new Date('2026-05-20T23:45:00Z'))
    expect((await call('GET', `/exposures/${warned}`)).body.data.warning.in_force).toBe(false)
    const listed = await call('GET', '/exposures')
    fits(keys.page(keys.exposure), listed.body)
    expect((await call('GET', `/exposures/${await onTerritory()}`)).body.data).toMatchObject({
      subject: { id: territory.id, object: 'territory', name: 'North' },
      links: { subject: expect.stringMatching(`/territories/${territory.id}$`) },
    })
  })

  it('can be acknowledged, dismissed and reopened; each state replaces the one before', async () => {
    const id = await onProperty()
    const at = (action: string, body?: unknown) => call('POST', `/exposures/${id}/${action}`, body)
    const states: [string, unknown, boolean, boolean][] = [
      ['acknowledge', undefined, true, false],
      ['acknowledge', { dismiss: true }, false, true],
      ['acknowledge', { dismiss: false }, true, false],
      ['reopen', undefined, false, false],
      ['acknowledge', { dismiss: true }, false, true],
      ['reopen', {}, false, false],
    ]
    let last = (await call('GET', `/exposures/${id}`)).body.data.last_seen_at
    for (const [action, body, acknowledged, dismissed] of states) {
      const { status, body: answer } = await at(action, body)
      expect(status).toBe(200)
      fits(keys.data(keys.recordExposure), answer)
      expect([answer.data.acknowledged_at !== null, answer.data.dismissed_at !== null]).toEqual([acknowledged, dismissed])
      expect(answer.data.last_seen_at > last).toBe(true)
      last = answer.data.last_seen_at
      world.clock.advance(1000)
      const again = await at(action, body)
      expect([again.status, again.body.data]).toEqual([200, answer.data])
    }
    expect((await at('acknowledge', { dismiss: 'yes' })).body.errors).toHaveProperty('dismiss')
  })

  it('of another team, with an unknown id or a malformed id is not found', async () => {
    const otherTeam = await aTeam(world)
    const place = await aKeptProperty(world, otherTeam)
    const area = await aKeptTerritory(world, otherTeam)
    const foreign = await anExposure(world, otherTeam, { property_id: place.id })
    for (const id of [foreign, 99_999_999, 99_999_999_999, 'abc', '1.5', '-1']) {
      expect((await call('GET', `/exposures/${id}`)).status).toBe(404)
      expect((await call('POST', `/exposures/${id}/acknowledge`, { dismiss: true })).status).toBe(404)
      expect((await call('POST', `/exposures/${id}/reopen`)).status).toBe(404)
    }
    for (const path of [
      `/properties/${place.id}`,
      `/properties/${randomUUID()}`,
      `/territories/${area.id}`,
      `/territories/${randomUUID()}`,
    ])
      expect((await call('GET', `${path}/exposures?kind=no`)).status).toBe(404)
    expect(await ids('')).toEqual([])
    expect(await world.app.db.exposure.findUniqueOrThrow({ where: { id: foreign } })).toMatchObject({
      acknowledged_at: null,
      dismissed_at: null,
    })
  })
})

describe('the listing', () => {
  it('is in order of date, newest first, and every filter narrows it', async () => {
    const old = await onProperty({ date: '2026-04-01', largest_measured_in: 1 })
    const area = await onTerritory({ date: '2026-05-01', largest_measured_in: 1.75 })
    const radar = await onProperty({ date: '2026-05-20', largest_detected_in: 3 })
    const warned = await aWarned({ date: '2026-05-20' })
    expect(await ids('')).toEqual([warned, radar, area, old])
    expect(await ids('from=2026-05-01&to=2026-05-01')).toEqual([area])
    expect(await ids('from=2026-05-02')).toEqual([warned, radar])
    expect(await ids('to=2026-04-30')).toEqual([old])
    expect(await ids('kind=warning')).toEqual([warned])
    expect(await ids('kind=record')).toEqual([radar, area, old])
    expect(await ids('subject=territory')).toEqual([area])
    expect(await ids('subject=property')).toEqual([warned, radar, old])
    expect(await ids('min_measured_in=1')).toEqual([area, old])
    expect(await ids('min_measured_in=1.01')).toEqual([area])
    await call('POST', `/exposures/${old}/acknowledge`)
    await call('POST', `/exposures/${area}/acknowledge`, { dismiss: true })
    expect(await ids('open=true')).toEqual([warned, radar])
    expect(await ids('open=false')).toEqual([area, old])
    expect(await ids('', `/properties/${property.id}/exposures`)).toEqual([warned, radar, old])
    expect(await ids('kind=record&open=true', `/properties/${property.id}/exposures`)).toEqual([radar])
    expect(await ids('', `/territories/${territory.id}/exposures`)).toEqual([area])
    expect(await ids('subject=property', `/territories/${territory.id}/exposures`)).toEqual([])
  })

  it('takes the largest last_seen_at as its cursor, to the microsecond', async () => {
    const [first, second] = [await onProperty({ date: '2026-05-01' }), await onProperty({ date: '2026-05-02' })]
    const moment = async (id: number): Promise<string> => (await call('GET', `/exposures/${id}`)).body.data.last_seen_at
    expect(await ids(`since=${await moment(first)}`)).toEqual([second])
    expect(await ids(`since=${await moment(second)}`)).toEqual([])
    await call('POST', `/exposures/${first}/acknowledge`)
    expect(await ids(`since=${await moment(second)}`)).toEqual([first])
    for (const since of ['00:00:00%2B01:00', '00:00:00%2B16:00', '00:00:00-23:59', '24:00:00.5Z', '00:00Z'])
      expect(await ids(`since=2000-01-01T${since}`)).toEqual([second, first])
  })

  describe('read by a client that syncs over several pages', () => {
    /** Reads all pages by their links, with something committed after each; returns the rows as "id moment". */
    const sync = async (since: string, between: () => Promise<unknown> = async () => {}, path = '/exposures'): Promise<string[]> => {
      const found: string[] = []
      let next: string | null = `${path}?since=${since}&per_page=2`
      while (next !== null) {
        const { status, body } = await call('GET', next)
        expect(status).toBe(200)
        found.push(...body.data.map(({ id, last_seen_at }: { id: number; last_seen_at: string }) => `${id} ${last_seen_at}`))
        next = body.links.next?.replace(/^.*\/api\/v1/, '') ?? null
        if (next !== null) await between()
      }
      return found
    }
    const BEGIN = '2000-01-01T00:00:00Z'
    const idsOf = (found: string[]) => found.map((row) => Number(row.split(' ')[0]))
    const cursorOf = (found: string[]) =>
      found
        .map((row) => row.split(' ')[1] as string)
        .sort()
        .at(-1) as string
    const once = (work: () => Promise<unknown>) => {
      let done = false
      return async () => {
        if (!done) await work()
        done = true
      }
    }
    const days = (count: number) => Array.from({ length: count }, (_, day) => `2026-05-0${count - day}`)

    it('gets what one transaction puts on a page that was read and on one that was not', async () => {
      const made: number[] = []
      for (const date of days(5)) made.push(await onProperty({ date }))
      const added: number[] = []
      const storm = once(() =>
        world.app.db.$transaction(async (tx) => {
          const moment = await nextMoment(tx, team.id, world.clock.now())
          added.push(await addExposure(tx, world.clock.now(), team.id, { property_id: property.id, date: '2026-05-20' }, moment))
          await tx.$executeRaw`UPDATE exposures SET reports = 9, last_seen_at = ${moment}::timestamptz WHERE id = ${made[4]}`
        }),
      )
      const first = await sync(BEGIN, storm)
      expect(idsOf(first)).toEqual(made.slice(0, 4))
      expect(idsOf(await sync(cursorOf(first)))).toEqual([...added, made[4]])
    })

    it.each(['/exposures', '/properties'])(
      'gets the rest after rows of the first page are removed or leave the filter: %s',
      async (list) => {
        const path = list === '/exposures' ? list : `/properties/${property.id}/exposures`
        const made: number[] = []
        for (const date of days(7)) made.push(await onProperty({ date }))
        const found = await sync(
          `${BEGIN}&open=true`,
          once(async () => {
            await world.app.db.exposure.delete({ where: { id: made[0] as number } })
            await call('POST', `/exposures/${made[1]}/acknowledge`)
          }),
          path,
        )
        expect(idsOf(found)).toEqual(made)
      },
    )

    it('gets each row once, and a page past the rest is empty', async () => {
      for (const date of days(4)) await onProperty({ date })
      const found = await sync(
        BEGIN,
        once(() => onProperty({ date: '2026-05-20' })),
      )
      expect(new Set(idsOf(found)).size).toBe(4)
      const { body } = await call('GET', `/exposures?since=${BEGIN}&per_page=2`)
      const after = new URL(body.links.next).searchParams.get('after') as string
      const rest = await call('GET', `/exposures?since=${BEGIN}&per_page=2&page=2&after=${after.replace(/,.*/, ',2000-01-01,1')}`)
      expect(rest.body).toMatchObject({ data: [], links: { next: null }, meta: { total: 2 } })
      expect((await call('GET', '/exposures?per_page=2')).body.links.next).not.toContain('after')
    })

    it.each([
      'x',
      '2026-05-20T00:00:00Z',
      '2026-05-20T00:00:00Z,2026-05-20',
      '2026-05-20T00:00:00Z,2026-02-30,1',
      '2026-05-20T00:00:00Z,2026-05-20,9999999999',
      '2026-05-20T00:00:00Z,2026-05-20,1,2',
    ])('refuses a position that no link has: %s', async (after) => {
      const { status, body } = await call('GET', `/exposures?after=${after}`)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['after']])
    })
  })

  it('refuses requests whose empty answer could mislead', async () => {
    for (const [query, field] of [
      ['since=yesterday', 'since'],
      ['since=2026-05-20', 'since'],
      ['since=2026-05-20T12:00:00', 'since'],
      ['since=2026-02-30T12:00:00Z', 'since'],
      ['since=2026-05-20T12:00:00%2B24:00', 'since'],
      ['since=9999-12-31T23:59:59-01:00', 'since'],
      ['since=0001-01-01T00:00:00%2B01:00', 'since'],
      ['from=2026-02-30', 'from'],
      ['to=20260501', 'to'],
      ['from=2026-05-02&to=2026-05-01', 'to'],
      ['kind=storm', 'kind'],
      ['open=maybe', 'open'],
      ['subject=report', 'subject'],
      ['min_measured_in=big', 'min_measured_in'],
      ['min_measured_in=-1', 'min_measured_in'],
      ['page=0', 'page'],
    ] as const) {
      for (const path of ['/exposures', `/properties/${property.id}/exposures`, `/territories/${territory.id}/exposures`]) {
        const { status, body } = await call('GET', `${path}?${query}`)
        expect([status, Object.keys(body.errors ?? {})], `${path}?${query}`).toEqual([422, [field]])
      }
    }
  })

  it('keeps its filters in its links', async () => {
    for (const day of ['2026-05-01', '2026-05-02', '2026-05-03']) await onProperty({ date: day })
    const { body } = await call('GET', `/properties/${property.id}/exposures?open=true&per_page=2&from=2026-05-01`)
    expect(body.meta).toMatchObject({ total: 3, per_page: 2, last_page: 2 })
    expect(body.links.next).toMatch(new RegExp(`/api/v1/properties/${property.id}/exposures\\?.*open=true.*page=2$`))
    const next = await call('GET', body.links.next.split('/api/v1')[1])
    expect(next.body.data).toHaveLength(1)
  })
})
