import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextRenewal, startOfDay } from '#domain/plans/periods.ts'

const renewalDates = (from: string, day: number, count: number) => {
  const found: string[] = []
  let at = new Date(from)
  for (let turn = 0; turn < count; turn++) {
    at = nextRenewal(at, day)
    found.push(at.toISOString())
  }
  return found.map((text) => text.replace('T00:00:00.000Z', ''))
}

test('a plan started on the 31st renews on the last day of shorter months, and on the 31st again', () => {
  expect(renewalDates('2026-12-31T15:00:00Z', 31, 6)).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2027-06-30',
  ])
})

test('February has a 29th in leap years, but not in 2100', () => {
  expect(renewalDates('2028-01-30T00:00:00Z', 30, 2)).toEqual(['2028-02-29', '2028-03-30'])
  expect(renewalDates('2027-01-29T23:59:59Z', 29, 2)).toEqual(['2027-02-28', '2027-03-29'])
  expect(renewalDates('2100-02-01T00:00:00Z', 29, 1)).toEqual(['2100-02-28'])
  expect(renewalDates('2024-02-29T12:00:00Z', 29, 12).at(-1)).toBe('2025-02-28')
})

test('the moment of renewal belongs to the new period', () => {
  expect(nextRenewal(new Date('2026-05-10T00:00:00.000Z'), 10).toISOString()).toBe('2026-06-10T00:00:00.000Z')
  expect(nextRenewal(new Date('2026-05-09T23:59:59.999Z'), 10).toISOString()).toBe('2026-05-10T00:00:00.000Z')
})

test('every period has 28 to 31 days and begins in its own month', () => {
  const start = fc.date({ min: new Date('1999-01-01'), max: new Date('2105-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(start, fc.integer({ min: 1, max: 31 }), (from, day) => {
      const first = nextRenewal(from, day)
      const second = nextRenewal(first, day)
      const days = (second.getTime() - first.getTime()) / 86_400_000
      expect([28, 29, 30, 31]).toContain(days)
      expect((second.getUTCMonth() - first.getUTCMonth() + 12) % 12).toBe(1)
      expect(first.getTime()).toBeGreaterThan(from.getTime())
    }),
  )
})

test('a day begins at 00:00 UTC, whatever the hour of the instant', () => {
  expect(startOfDay(new Date('2026-03-10T23:59:59.999Z'))).toEqual(new Date('2026-03-10T00:00:00Z'))
  expect(startOfDay(new Date('2026-03-10T00:00:00Z'))).toEqual(new Date('2026-03-10T00:00:00Z'))
})
