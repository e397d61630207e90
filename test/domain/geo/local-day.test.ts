import { expect, it } from 'vitest'
import { dayIn } from '#domain/geo/local-day.ts'

const bounds = (date: string, timezone: string) => {
  const { from, until } = dayIn(date, timezone)
  return [from.toISOString(), until.toISOString()]
}

it("lasts from midnight to the last second of a time zone's day", () => {
  expect(bounds('2026-05-20', 'America/Chicago')).toEqual(['2026-05-20T05:00:00.000Z', '2026-05-21T04:59:59.000Z'])
  expect(bounds('2026-01-20', 'America/New_York')).toEqual(['2026-01-20T05:00:00.000Z', '2026-01-21T04:59:59.000Z'])
  expect(bounds('2026-05-20', 'UTC')).toEqual(['2026-05-20T00:00:00.000Z', '2026-05-20T23:59:59.000Z'])
})

it('has 23 or 25 hours when the clock changes', () => {
  expect(bounds('2026-03-08', 'America/Chicago')).toEqual(['2026-03-08T06:00:00.000Z', '2026-03-09T04:59:59.000Z'])
  expect(bounds('2026-11-01', 'America/Chicago')).toEqual(['2026-11-01T05:00:00.000Z', '2026-11-02T05:59:59.000Z'])
})

it('covers Guam to Samoa, where dates begin first and last', () => {
  expect(bounds('2026-05-20', 'Pacific/Guam')).toEqual(['2026-05-19T14:00:00.000Z', '2026-05-20T13:59:59.000Z'])
  expect(bounds('2026-05-20', 'Pacific/Pago_Pago')).toEqual(['2026-05-20T11:00:00.000Z', '2026-05-21T10:59:59.000Z'])
  expect(bounds('2026-05-20', 'Etc/GMT+12')).toEqual(['2026-05-20T12:00:00.000Z', '2026-05-21T11:59:59.000Z'])
  expect(bounds('2026-05-20', 'Pacific/Kiritimati')).toEqual(['2026-05-19T10:00:00.000Z', '2026-05-20T09:59:59.000Z'])
})
