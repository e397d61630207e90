import { expect, test } from 'vitest'
import { composeAlertMail, type MailedDay } from '#domain/alerts/compose-mail.ts'

const windDay: MailedDay = {
  id: 7,
  headline: 'Thunderstorm wind up to 69.6 mph measured 0.8 mi N of HQ on 2025-05-28',
  date: '2025-05-28',
  place: { name: 'HQ', subject: 'property', centre: null },
  largest_measured_in: null,
  largest_detected_in: null,
  max_gust_mph: 69.6,
  reports: 1,
  tornado: 0,
  nearest_miles: 0.8,
  provisional: false,
  sample: false,
  words: [{ source_label: 'Local storm reports, preliminary', qualifier: 'measured' }],
}
const textOf = (overrides: Partial<MailedDay>) =>
  composeAlertMail([{ ...windDay, ...overrides }], {
    team_name: 'Team',
    rule_name: 'Wind',
    console_url: 'https://weather.example/app',
    stop_url: 'https://weather.example/stop',
  }).text

test('a gust is stated as its record does: rounding would lift it over a threshold', () => {
  expect(textOf({})).toContain('Highest gust: 69.6 mph\n')
  expect(textOf({ max_gust_mph: 70 })).toContain('Highest gust: 70 mph\n')
})

test('a source whose records have no figure is not said to leave open how one was obtained', () => {
  const source_label = 'Local storm reports, preliminary'
  const words: MailedDay['words'] = [
    { source_label, qualifier: null },
    { source_label, qualifier: 'unknown' },
  ]
  expect(textOf({ words })).toContain(
    'Sources: Local storm reports, preliminary; Local storm reports, preliminary (not stated whether measured)\n',
  )
})

test('counts the reports, and calls no funnel cloud a tornado', () => {
  const text = textOf({ reports: 2, tornado: 1, max_gust_mph: null })
  expect(text).toContain('  Reports: 2\n  Tornado or funnel cloud reports: 1\n')
  expect(textOf({ reports: 0, largest_detected_in: 1.5 })).not.toContain('Reports')
})
