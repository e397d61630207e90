import { expect, test } from 'vitest'
import type { Day } from '../../cli/screens/day.ts'
import { endOf, panelLines } from '../../cli/screens/playback.tsx'

const hail = (minute: number) => ({ at: `2025-05-28T23:${minute}:00Z`, type: 'hail', magnitude_in: 1.75, latitude: 33, longitude: -97 })
const day: Day = {
  date: '2025-05-28',
  place: { name: 'HQ', latitude: 33, longitude: -97 },
  moments: [],
  swaths: [],
  context: {
    reports: [hail(10), { ...hail(20), type: 'flash_flood', magnitude_in: null }, hail(30)],
    warnings: [{ label: 'Tornado Warning', issued: '2025-05-28T23:00:00Z', expires: '2025-05-28T23:45:00Z' }],
  },
  meta: { largest_of: null, timezone: 'America/Chicago' },
}
const textsIn = (height: number) => panelLines(day, '2025-05-28T23:15:00Z', height).map(({ text }) => text)

test('the panel of a day counts the reports and warnings that do not fit', () => {
  const whole = [
    'Reports of the day, CDT',
    '18:10 hail 1.75 in',
    '18:20 flash flood',
    '18:30 hail 1.75 in',
    '',
    'Warnings, CDT',
    '18:00 to 18:45 Tornado Warning',
  ]
  expect(textsIn(7)).toEqual(whole)
  expect(textsIn(6)).toEqual([...whole.slice(0, 5), 'and 1 warning more'])
  expect(textsIn(3)).toEqual([...whole.slice(0, 2), 'and 2 reports, 1 warning more'])
})

test('the panel of a day counts the reports that name a county or a zone and no point', () => {
  const areal = { ...day, meta: { ...day.meta, reports_without_point: 25 } }
  expect(panelLines(areal, '2025-05-28T23:15:00Z', 9).map(({ text }) => text)[4]).toBe('25 reports without a point')
})

test('without moments the whole day is past, its evening too, which has the next date in UTC', () => {
  const evening = { ...hail(10), at: '2025-05-29T01:10:00Z' }
  const warning = { label: 'Tornado Warning', issued: '2025-05-28T23:00:00Z', expires: '2025-05-29T00:45:00Z' }
  const lines = panelLines({ ...day, context: { reports: [evening], warnings: [warning] } }, endOf(day, 0), 9)
  expect(lines.filter(({ tone }) => tone === 'quiet' || tone === 'alarm')).toEqual([])
})
