import { expect, test } from 'vitest'
import { announcementOf } from '#domain/integrations/announcements.ts'

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
  [{ from_in: 1, to_in: 1.6, tornado: true }, 'Reported hail grew from 1.00 in to 1.60 in, and a tornado was reported.'],
  [{ from_in: 1.6, to_in: 1.6, tornado: true }, 'A tornado was reported.'],
  [{ from_in: 1.75, to_in: 1.6, tornado: true }, 'A tornado was reported.'],
  [{ from_in: null, to_in: null, tornado: true }, 'A tornado was reported.'],
])('a storm day that grew is told by what grew: %j', (escalation, lede) => {
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
const tell = (event: 'report.completed' | 'report.pdf_ready', said: object = {}) =>
  announcementOf(event, [{ ...report, ...said }], {}, 'https://weather.example')

test.each(['report.completed', 'report.pdf_ready'] as const)('%s: the report’s own headline, and its first statement once', (event) => {
  const { headline, lede, rows, facts } = tell(event)
  expect([headline, lede]).toEqual([report.headline, 'The first statement.'])
  expect(rows.at(-1)).toBe('The second. (Low: county records only)')
  expect(rows.join()).not.toContain('The first statement.')
  expect(rows.join().includes('works for 15 minutes')).toBe(event === 'report.pdf_ready')
  expect(facts).toContainEqual({ label: 'Address', value: '100 Main St, Frisco, TX 75034' })
  expect(facts).toContainEqual({ label: 'Confidence', value: 'High: independent evidence agrees' })
})

test('where nothing is cited, the lede says so', () => {
  const said = { headline: 'No records within 5 mi, 2025-01-01 to 2025-12-31', nothing_found: 'No records were found.', findings: [] }
  expect(tell('report.completed', said)).toMatchObject({ headline: said.headline, lede: 'No records were found.', rows: [] })
})

test.each([
  [{}, 'final'],
  [{ provisional: true }, 'provisional'],
  [{ provisional: true, complete: false }, 'incomplete'],
  [{ unplaced_zone_records: 3 }, 'incomplete'],
  [{ complete: false, sources_searched: ['sample'] }, 'sample'],
])('records of a report whose coverage is %j are said to be %s', (coverage, records) => {
  expect(tell('report.completed', { coverage: { ...complete, ...coverage } }).facts).toContainEqual({ label: 'Records', value: records })
})
