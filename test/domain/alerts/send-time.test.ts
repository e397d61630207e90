import { expect, it } from 'vitest'
import { sendTime } from '#domain/alerts/send-time.ts'

const quiet = { pace: 'at_once', quiet_from: '22:00', quiet_until: '06:30' } as const
const digest = { pace: 'digest', quiet_from: null, quiet_until: null } as const
const sent = (rule: Parameters<typeof sendTime>[0], now: string, zone = 'America/Chicago') =>
  sendTime(rule, new Date(now), zone).toISOString()

it('a mail goes at once outside quiet hours, and at their end within them, also across midnight', () => {
  const noon = '2026-07-01T17:00:30.000Z'
  expect(sent(quiet, noon)).toBe(noon)
  expect(sent({ ...quiet, quiet_from: null, quiet_until: null }, '2026-07-01T05:00:00Z')).toBe('2026-07-01T05:00:00.000Z')
  // 21:59, 22:00, 03:10 and 06:30 in Chicago.
  expect(sent(quiet, '2026-07-02T02:59:59.000Z')).toBe('2026-07-02T02:59:59.000Z')
  expect(sent(quiet, '2026-07-02T03:00:00.000Z')).toBe('2026-07-02T11:30:00.000Z')
  expect(sent(quiet, '2026-07-02T08:10:20.000Z')).toBe('2026-07-02T11:30:00.000Z')
  expect(sent(quiet, '2026-07-02T11:30:00.000Z')).toBe('2026-07-02T11:30:00.000Z')
  // Within one day: 12:00 to 13:00.
  expect(sent({ ...quiet, quiet_from: '12:00', quiet_until: '13:00' }, noon)).toBe('2026-07-01T18:00:00.000Z')
})

it('quiet hours end by local time on nights when the clock changes', () => {
  // 8 March 2026: 02:00 CST is 03:00 CDT. 1 November 2026: 02:00 CDT is 01:00 CST.
  expect(sent(quiet, '2026-03-08T05:00:00Z')).toBe('2026-03-08T11:30:00.000Z')
  expect(sent(quiet, '2026-11-01T04:00:00Z')).toBe('2026-11-01T12:30:00.000Z')
  // 02:30 does not exist: quiet hours end when the clock jumps past it.
  expect(sent({ ...quiet, quiet_until: '02:30' }, '2026-03-08T07:45:00Z')).toBe('2026-03-08T08:00:00.000Z')
  // 01:30 occurs twice: quiet hours end at the first.
  expect(sent({ ...quiet, quiet_until: '01:30' }, '2026-11-01T05:00:00Z')).toBe('2026-11-01T06:30:00.000Z')
})

it("a digest waits for seven in the morning in the team's time zone and for the end of quiet hours", () => {
  expect(sent(digest, '2026-07-01T17:00:00Z')).toBe('2026-07-02T12:00:00.000Z')
  expect(sent(digest, '2026-07-01T11:59:30Z')).toBe('2026-07-01T12:00:00.000Z')
  expect(sent(digest, '2026-03-07T20:00:00Z')).toBe('2026-03-08T12:00:00.000Z')
  expect(sent(digest, '2026-07-01T17:00:00Z', 'Pacific/Honolulu')).toBe('2026-07-01T17:00:00.000Z')
  expect(sent({ ...digest, quiet_from: '20:00', quiet_until: '09:15' }, '2026-07-01T17:00:00Z')).toBe('2026-07-02T14:15:00.000Z')
})
