import { once } from 'node:events'
import http from 'node:http'
import { expect, test } from 'vitest'
import { rowOf } from '../../cli/commands/command.ts'
import { exposureColumns } from '../../cli/commands/exposure-listing.ts'
import { exposures, layoutOf } from '../../cli/screens/exposures.ts'
import { properties } from '../../cli/screens/properties.ts'
import type { Schemas } from '../../cli/service.ts'

const hailDay = {
  kind: 'record',
  date: '2025-05-28',
  subject: { id: 'p', object: 'property', name: 'HQ', precision: 'point' },
  headline: 'Hail up to 1.75 in reported 0.8 mi NNE of HQ on 2025-05-28',
  reports: 1,
  sources: 2,
  families: { hail: 1, wind: 0, tornado: 0, other: 0 },
  largest_measured_in: 1.75,
  largest_detected_in: 2,
  max_gust_mph: null,
  nearest_miles: 0,
  provisional: true,
  evidence: ['ground', 'radar'],
  record_ids: [1, 2],
  warning: null,
  first_seen_at: '2025-05-29T00:00:00.000000Z',
  last_seen_at: '2025-05-29T00:00:00.000000Z',
  notified_at: null,
  acknowledged_at: null,
  dismissed_at: null,
  report_id: null,
} as unknown as Schemas['Exposure']

const textOf = (overrides: object) =>
  layoutOf({ ...hailDay, ...overrides })(100, { unicode: true, colour: false } as Parameters<ReturnType<typeof layoutOf>>[1])
    .map(({ text }) => text)
    .join('\n')

test('the sources of a storm day are not called those of its reports: one of them may be radar', () => {
  const text = textOf({})
  expect(text).toContain('1 report: hail 1, wind 0, tornado or funnel cloud 0, other 0\n2 sources; evidence: ground, radar')
  expect(text).toContain('hail reported 1.75 in, hail estimated by radar 2.00 in, nearest 0.00 mi')
})

test('all records of a territory are inside it: its card and its row give no distance', () => {
  const text = textOf({ subject: { id: 't', object: 'territory', name: 'Frisco', precision: null } })
  expect(text).toContain('hail estimated by radar 2.00 in, records inside the territory\n')
  const territory = { ...hailDay, subject: { ...hailDay.subject, object: 'territory' as const } }
  const miles = [territory, { ...territory, nearest_miles: null }, hailDay].map((one) => rowOf(one, exposureColumns).miles)
  expect(miles).toEqual(['inside', null, 0])
})

const noThreats = {
  ...{ tornado: null, flash_flood: null, damage: null },
  ...{ max_hail_in: null, hail_basis: null, max_gust_mph: null, wind_basis: null },
}

test('the card of a warning counts no reports and no sizes: a warning is not evidence', () => {
  const ends_at = '2025-05-28T23:45:00Z'
  const warning = { event: 'Tornado Warning', severity: 'extreme', periods: [], ends_at, in_force: false, threats: noThreats }
  const text = textOf({ kind: 'warning', warning, reports: 0, sources: 1, largest_measured_in: null, nearest_miles: null, evidence: [] })
  expect(text).toContain('Tornado Warning, extreme, until 2025-05-28 23:45 UTC')
  expect(text).not.toMatch(/report:|source:|no sizes/)
})

test('the card of a warning has its tags, and one that states no end is in force until further notice', () => {
  const until = '2025-05-29T05:00:00Z'
  const warning = {
    ...{ event: 'Flood Warning', severity: 'severe', ends_at: null, expires_at: until, cancelled_at: null, in_force: true },
    periods: [{ from: '2025-05-28T23:00:00Z', until }],
    threats: { ...noThreats, flash_flood: 'radar_indicated', max_hail_in: 1.75, hail_basis: 'observed', damage: 'considerable' },
  }
  const text = textOf({ kind: 'warning', warning })
  expect(text).toContain('Flood Warning, severe, until further notice (newest message: 2025-05-29 05:00 UTC)')
  expect(text).toContain('flash flood radar indicated, hail up to 1.75 in (observed), threat tag considerable')
  expect(textOf({ kind: 'warning', warning: { ...warning, cancelled_at: until } })).toContain('severe, until 2025-05-29 05:00 UTC')
})

test('a storm day is opened in a browser on its own page, a warning on its agency’s', () => {
  const connection = { url: 'https://weather.example.com', token: null, operator_key: null }
  const citation_url = 'https://mesonet.agron.iastate.edu/vtec/'
  expect([
    exposures.detailsUrl(connection, { ...hailDay, id: 12 }),
    exposures.detailsUrl(connection, { ...hailDay, id: 12, warning: { citation_url } as Schemas['Warning'] }),
  ]).toEqual(['https://weather.example.com/map?exposure=12', citation_url])
})

test('a property is opened in a browser where it is on the map, if that is known', () => {
  const connection = { url: 'https://weather.example.com', token: null, operator_key: null }
  const urlAt = (latitude: number | null, longitude: number | null) =>
    properties.detailsUrl(connection, { address: { latitude, longitude } } as Schemas['PropertyWithContacts'])
  expect([urlAt(33.15, -96.82), urlAt(null, null)]).toEqual([
    'https://weather.example.com/map#at=33.15,-96.82,12',
    'https://weather.example.com/map',
  ])
})

test('the warnings above the list are counted, as far as they are read', async () => {
  const warning = { event: 'Tornado Warning', periods: [], ends_at: '2025-05-28T23:45:00Z', in_force: true }
  let total = 5
  const server = http.createServer((request, response) => {
    expect(request.url).toContain('per_page=100')
    const data = Array.from({ length: 5 }, (_, id) => ({ ...hailDay, id, kind: 'warning', warning }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, links: {}, meta: { total } }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const banner = () => exposures.banner({ url: `http://127.0.0.1:${port}`, token: 'wt_x', operator_key: null })
  const shown = 'Tornado Warning until 2025-05-28 23:45 UTC: HQ'
  expect(await banner()).toEqual([shown, shown, shown, 'and 2 more in force: /warning'])
  total = 300
  expect((await banner()).at(-1)).toBe('and at least 2 more in force: /warning')
  server.close()
})
