import { expect, test } from 'vitest'
import { hoursUnlessLocalDay, largestOfText } from '#domain/reports/wording/largest-of-hours.ts'
import { aCell, aDayCell } from '../record-factories.ts'

const chicago = 'America/Chicago'
const hours = (begins_at: string, ends_at: string) => ({ begins_at: new Date(begins_at), ends_at: new Date(ends_at) })
const grid = (begins_at: string, ends_at: string) => aDayCell(hours(begins_at, ends_at))

test('a moment is not a maximum of hours', () => {
  expect([largestOfText(aCell(), chicago), hoursUnlessLocalDay(aCell(), chicago)]).toEqual([null, null])
})

test('names the hours of the local day as the day, and other hours by local time', () => {
  const day = grid('2025-05-28T05:00:00Z', '2025-05-29T05:00:00Z')
  expect([largestOfText(day, chicago), hoursUnlessLocalDay(day, chicago)]).toEqual(['largest of the day', null])
  expect(hoursUnlessLocalDay(day, 'America/New_York')).toBe('24 hours to 1:00 AM EDT of the next day')
  expect(largestOfText(day, 'America/Denver')).toBe('largest of the 24 hours to 11:00 PM MDT of that day')
  expect(hoursUnlessLocalDay(grid('2025-05-27T10:00:00Z', '2025-05-28T04:30:00Z'), chicago)).toBe(
    'hours from 5:00 AM CDT of the day before to 11:30 PM CDT of the day before',
  )
})

test('a day of 25 hours counts as the day, and 24 of its hours do not', () => {
  const autumn = (ends_at: string) => aDayCell({ occurred_on: '2025-11-02', ...hours('2025-11-02T05:00:00Z', ends_at) })
  expect(largestOfText(autumn('2025-11-03T06:00:00Z'), chicago)).toBe('largest of the day')
  expect(largestOfText(autumn('2025-11-03T05:00:00Z'), chicago)).toBe('largest of the 24 hours to 11:00 PM CST of that day')
})

test('does not claim that stored moments cover the whole day', () => {
  const source_key = 'mesh_day/moments/2025-05-28T05:00:00Z/2025-05-29T05:00:00Z/31.8/2184/3317'
  const kept = aDayCell({ source_key })
  expect([largestOfText(kept, chicago), hoursUnlessLocalDay(kept, chicago)]).toEqual(['largest of the moments held of the day', null])
})
