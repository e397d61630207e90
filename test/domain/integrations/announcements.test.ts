import { expect, test } from 'vitest'
import type { EventName } from '#domain/events/catalogue.ts'
import { eventPosts } from '#domain/integrations/announcements/index.ts'
import type { AnnouncedAbout, Announcement } from '#domain/integrations/event-post.ts'

/** Builds the announcement of an event from the parts of its payload. */
function announcementOf(event: EventName, data: object[], extra: object, base_url: string, total = data.length): Announcement {
  const announce = eventPosts[event].announce as (content: object, about: AnnouncedAbout) => Announcement
  return announce({ data, ...extra }, { base_url, total })
}

const exposure = {
  headline: 'Hail 1.60 in, tornado',
  subject: { name: 'Main Street' },
  date: '2026-05-13',
  families: { hail: 2, wind: 0, tornado: 1, other: 0 },
  reports: 3,
  largest_measured_in: 1.6,
  largest_detected_in: null,
  max_gust_mph: null,
  nearest_miles: 0.5,
  id: 7,
}

test.each([
  [{ from_in: 1, to_in: 1.6, tornado: false }, 'Reported hail grew from 1.00 in to 1.60 in.'],
  [{ from_in: null, to_in: 1.6, tornado: false }, 'Reported hail grew to 1.60 in.'],
  [{ from_in: 1, to_in: 1.6, tornado: true }, 'Reported hail grew from 1.00 in to 1.60 in, and a tornado or funnel cloud was reported.'],
  [{ from_in: 1.6, to_in: 1.6, tornado: true }, 'A tornado or funnel cloud was reported.'],
  [{ from_in: 1.75, to_in: 1.6, tornado: true }, 'A tornado or funnel cloud was reported.'],
  [{ from_in: null, to_in: null, tornado: true }, 'A tornado or funnel cloud was reported.'],
])('describes a storm day that grew by what grew: %j', (escalation, lede) => {
  expect(announcementOf('exposure.escalated', [exposure], { escalation }, 'https://weather.example').lede).toBe(lede)
})

const complete = {
  complete: true,
  provisional: false,
  summary: 'Final records.',
  sources_searched: ['noaa_storm_events'],
  unplaced_zone_records: 0,
}
const report = {
  id: 'r',
  headline: 'Hail 2.00 in reported 0.8 mi SW of the centre of ZIP 75034 on 2025-05-28; 14 records in all',
  nothing_found: null,
  address: { query: '100 Main St', street: '100 Main St', city: 'Frisco', state: 'TX', postal_code: '75034' },
  window: { start: '2025-01-01', end: '2025-12-31', radius_miles: 5 },
  findings: [
    { family_label: 'Thunderstorm', statement: 'The first statement.', confidence_label: 'High: independent evidence agrees' },
    { family_label: 'Flood', statement: 'The second.', confidence_label: 'Low: county records only' },
  ],
  coverage: complete,
  links: { self: 'https://weather.example/api/v1/reports/r', pdf: 'https://weather.example/api/v1/reports/r/pdf' },
}
const announceReport = (event: 'report.completed' | 'report.pdf_ready', overrides: object = {}) =>
  announcementOf(event, [{ ...report, ...overrides }], {}, 'https://weather.example')

test.each(['report.completed', 'report.pdf_ready'] as const)(
  '%s: uses the report’s own headline, and its first statement once',
  (event) => {
    const { headline, lede, rows, facts } = announceReport(event)
    expect([headline, lede]).toEqual([report.headline, 'The first statement.'])
    expect(rows.at(-1)).toBe('The second. (Low: county records only)')
    expect(rows.join()).not.toContain('The first statement.')
    expect(rows.join().includes('works for 15 minutes')).toBe(event === 'report.pdf_ready')
    expect(facts).toContainEqual({ label: 'Address', value: '100 Main St, Frisco, TX 75034' })
    expect(facts).toContainEqual({ label: 'Confidence', value: 'High: independent evidence agrees' })
  },
)

test('a failed report gives the reason and states that it costs no credit', () => {
  const failed = { ...report, headline: null, findings: null, failure_message: 'The address was not found.', reference: 'Claim 7' }
  const { headline, lede, rows, facts, link } = announcementOf('report.failed', [failed], {}, 'https://weather.example')
  expect([headline, lede, rows]).toEqual(['Report failed: 100 Main St', 'The address was not found. It costs no credit.', []])
  expect(facts).toContainEqual({ label: 'Reference', value: 'Claim 7' })
  expect(link).toBe('https://weather.example/app/reports/r')
})

test('states in the lede if nothing is cited', () => {
  const nothingFound = {
    headline: 'No records within 5 mi, 2025-01-01 to 2025-12-31',
    nothing_found: 'No records were found.',
    findings: [],
  }
  expect(announceReport('report.completed', nothingFound)).toMatchObject({
    headline: nothingFound.headline,
    lede: 'No records were found.',
    rows: [],
  })
})

test.each([
  [{}, 'final'],
  [{ provisional: true }, 'provisional'],
  [{ provisional: true, complete: false }, 'incomplete'],
  [{ unplaced_zone_records: 3 }, 'incomplete'],
  [{ complete: false, sources_searched: ['sample'] }, 'sample'],
])('a report whose coverage is %j has %s records', (coverage, records) => {
  expect(announceReport('report.completed', { coverage: { ...complete, ...coverage } }).facts).toContainEqual({
    label: 'Records',
    value: records,
  })
})

const BASE = 'https://weather.example'
const fullExposure = {
  ...exposure,
  kind: 'record',
  subject: { name: 'HQ', object: 'property', precision: 'range' },
  largest_detected_in: 2,
  max_gust_mph: 61,
  nearest_miles: 0.5,
  observed: true,
  provisional: true,
  sample: false,
  warning: null as object | null,
}
const announce = (event: Parameters<typeof announcementOf>[0], data: object[], extra: object = {}, total?: number) =>
  announcementOf(event, data, extra as Record<string, unknown>, BASE, total)
const factsOf = (facts: { label: string; value: string }[]) => Object.fromEntries(facts.map(({ label, value }) => [label, value]))

test('describes a storm day by all that is known, as facts and as rows', () => {
  const announcement = announce('exposure.detected', [fullExposure])
  expect(announcement).toMatchObject({
    headline: fullExposure.headline,
    lede: 'HQ, 2026-05-13.',
    link: `${BASE}/map?exposure=7`,
    link_label: 'See the exposure',
  })
  expect(factsOf(announcement.facts)).toEqual({
    Date: '2026-05-13',
    Place: 'HQ',
    Reports: '3',
    'Largest hail reported': '1.60 in',
    'Largest hail estimated by radar': '2.00 in',
    'Strongest gust': '61 mph',
    'Tornado or funnel cloud reports': '1',
    Nearest: '0.50 mi',
    Records: 'preliminary',
  })
  expect(announcement.rows).toEqual(announcement.facts.map(({ label, value }) => `${label}: ${value}`))
})

test('leaves out of a storm day what is unknown', () => {
  const unknown = { largest_measured_in: null, largest_detected_in: null, max_gust_mph: null, nearest_miles: null, provisional: false }
  const { facts } = announce('exposure.detected', [{ ...fullExposure, ...unknown, families: { tornado: 0 } }])
  expect(factsOf(facts)).toEqual({ Date: '2026-05-13', Place: 'HQ', Reports: '3', Records: 'final' })
})

test.each([
  ['zip', 'HQ (only the centre of its ZIP code is known)', '0.5 mi'],
  ['city', 'HQ (only the centre of its town is known)', '0.5 mi'],
  ['point', 'HQ', '0.50 mi'],
  [null, 'HQ', '0.50 mi'],
])('a place located to its %s is called %s, and the nearest record is %s away', (precision, name, nearest) => {
  const { lede, facts } = announce('exposure.detected', [{ ...fullExposure, subject: { ...fullExposure.subject, precision } }])
  expect([lede, factsOf(facts).Place, factsOf(facts).Nearest]).toEqual([`${name}, 2026-05-13.`, name, nearest])
})

test('all records of a territory are inside it: the post gives no distance', () => {
  const { facts } = announce('exposure.detected', [
    { ...fullExposure, subject: { name: 'Frisco', object: 'territory', precision: null }, nearest_miles: 0 },
  ])
  expect(factsOf(facts).Nearest).toBe('inside')
})

test.each([
  [{ provisional: true }, 'preliminary'],
  [{ provisional: false }, 'final'],
  [{ observed: false, provisional: false }, 'radar estimates only'],
  [{ sample: true, provisional: false }, 'sample'],
])('the records of a storm day that is %j are called %s', (standing, records) => {
  expect(factsOf(announce('exposure.detected', [{ ...fullExposure, ...standing }]).facts).Records).toBe(records)
})

const warning = {
  event: 'Tornado Warning',
  ends_at: '2026-05-13T21:00:00Z',
  expires_at: '2026-05-13T20:30:00Z',
  office: { name: 'NWS Norman' },
  threats: {
    ...{ tornado: 'observed', flash_flood: null, damage: 'catastrophic' },
    ...{ max_hail_in: 1.75, hail_basis: 'radar_indicated', max_gust_mph: null, wind_basis: null },
  },
}
const warned = (name: string, content: object | null = warning) => ({
  ...fullExposure,
  subject: { ...fullExposure.subject, name },
  warning: content,
})

test('a warning over one place names the place and the end', () => {
  const announcement = announce('warning.issued', [warned('HQ')])
  expect(announcement).toMatchObject({
    lede: 'Tornado Warning over HQ until 2026-05-13 21:00 UTC.',
    rows: [],
    link: `${BASE}/map?exposure=7`,
  })
  expect(factsOf(announcement.facts)).toEqual({
    Place: 'HQ',
    Warning: 'Tornado Warning',
    Office: 'NWS Norman',
    Threats: 'tornado observed, hail up to 1.75 in (radar indicated), threat tag catastrophic',
    Until: '2026-05-13 21:00 UTC',
  })
})

test('a warning that states no end is in force until further notice, whenever its message expires', () => {
  const lede = (content: object | null) => announce('warning.issued', [warned('HQ', content)]).lede
  expect(lede({ ...warning, ends_at: null })).toBe(
    'Tornado Warning over HQ until further notice (its newest message expires 2026-05-13 20:30 UTC).',
  )
  expect(lede({ ...warning, ends_at: null, expires_at: null })).toBe('Tornado Warning over HQ until further notice.')
  expect(lede(null)).toBe('A warning over HQ.')
})

test('a warning over several places counts them all and names the first twenty', () => {
  const names = Array.from({ length: 22 }, (_, nth) => `Place ${nth + 1}`)
  const of = (count: number, total?: number) =>
    announce(
      'warning.issued',
      names.slice(0, count).map((name) => warned(name)),
      {},
      total,
    )
  expect(of(2)).toMatchObject({ lede: expect.stringContaining('over Place 1 and 1 more place until'), rows: ['Place 1', 'Place 2'] })
  expect(of(3)).toMatchObject({ lede: expect.stringContaining('over Place 1 and 2 more places until') })
  expect(factsOf(of(3).facts).Places).toBe('3')
  expect(of(22).rows).toEqual([...names.slice(0, 20), 'And 2 more.'])
  expect(of(2, 40).rows).toEqual(['Place 1', 'Place 2', 'And 38 more.'])
})

const property = {
  id: 'p',
  name: 'HQ',
  status: 'watching',
  reference: 'R-1',
  address: report.address,
  links: { self: `${BASE}/api/v1/properties/p` },
}

test.each([
  ['property.created', {}, 'HQ is saved', '100 Main St, Frisco, TX 75034'],
  ['property.updated', { changed: ['name', 'status'] }, 'HQ changed', 'Changed: name, status.'],
  ['property.archived', {}, 'HQ is no longer watched', '100 Main St, Frisco, TX 75034'],
  ['property.updated', { reason: 'sent', changed: [] }, 'HQ was sent to you', '100 Main St, Frisco, TX 75034'],
] as const)('%s %j is announced as %s', (event, extra, headline, lede) => {
  const announcement = announce(event, [property], extra)
  expect(announcement).toMatchObject({ headline, lede, rows: [], link: `${BASE}/app/properties/p`, link_label: 'See the property' })
  expect(factsOf(announcement.facts)).toEqual({ Address: '100 Main St, Frisco, TX 75034', Reference: 'R-1', Status: 'watching' })
})

test('posts only the id of a deleted property', () => {
  expect(announce('property.archived', [{ id: 'p', object: 'property', removed: true }])).toEqual({
    headline: 'A property was removed',
    lede: 'It is no longer watched.',
    rows: [],
    facts: [{ label: 'Id', value: 'p' }],
    link: null,
    link_label: null,
  })
})

test('a report links to itself, and its document to the download or, without one, to where it can be requested', () => {
  expect(announceReport('report.completed')).toMatchObject({
    link: `https://weather.example/app/reports/${report.id}`,
    link_label: 'Read the report',
  })
  expect(announceReport('report.pdf_ready')).toMatchObject({ link: report.links.pdf, link_label: 'Download the PDF' })
  expect(announce('report.pdf_ready', [report], { download: { url: `${BASE}/signed` } }).link).toBe(`${BASE}/signed`)
  expect(factsOf(announceReport('report.completed').facts)).toMatchObject({
    Report: 'complete',
    Window: '2025-01-01 to 2025-12-31, within 5 mi',
    Coverage: 'Final records.',
  })
  expect(factsOf(announceReport('report.pdf_ready').facts).Report).toBe('PDF ready')
  expect(announceReport('report.completed', { headline: null, findings: null, nothing_found: null })).toMatchObject({
    headline: '',
    lede: '',
    rows: [],
  })
})

test('a digest counts the whole day and names the first twenty', () => {
  const period = { from: '2026-05-12T12:00:00Z', to: '2026-05-13T12:00:00Z' }
  const of = (exposures: number, count: number) =>
    announce(
      'digest.sent',
      Array.from({ length: count }, () => fullExposure),
      { period, totals: { exposures, properties: 2, territories: 1, warnings: 4 }, timezone: 'America/Chicago' },
    )
  const announcement = of(30, 25)
  expect(announcement).toMatchObject({
    headline: '30 storm exposures in the 24 hours to 7 AM',
    lede: 'From 2026-05-12, 7:00 AM CDT to 2026-05-13, 7:00 AM CDT, at 2 properties and 1 territory; 4 warnings.',
    link: `${BASE}/app/inbox`,
    link_label: 'Open the inbox',
  })
  expect(announcement.rows).toHaveLength(21)
  expect(announcement.rows.at(-1)).toBe('And 10 more.')
  expect(factsOf(announcement.facts)).toEqual({ Exposures: '30', Properties: '2', Territories: '1', Warnings: '4' })
  expect(of(1, 1)).toMatchObject({ headline: '1 storm exposure in the 24 hours to 7 AM', rows: [fullExposure.headline] })
})
