import { expect, test } from 'vitest'
import { newsOf } from '#domain/integrations/news.ts'

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
  expect(newsOf('exposure.escalated', [exposure], { escalation }, 'https://weather.example').lede).toBe(lede)
})
