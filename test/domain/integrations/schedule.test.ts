import { expect, it } from 'vitest'
import { ATTEMPTS_MAX, holdSeconds, nextAttempt, RETRY_DELAYS_SECONDS } from '#domain/integrations/schedule.ts'

const NOW = new Date('2026-05-20T12:00:00Z')
const failed = { status: 500, timed_out: false, retry_after: undefined }
const secondsUntil = (at: Date | null) => (at ? (at.getTime() - NOW.getTime()) / 1000 : null)

it('makes ten attempts over about 51.6 hours, with each wait varied by up to a fifth', () => {
  expect(ATTEMPTS_MAX).toBe(10)
  expect(RETRY_DELAYS_SECONDS.reduce((sum, wait) => sum + wait, 0) / 3600).toBeCloseTo(51.6, 1)
  for (const [index, wait] of RETRY_DELAYS_SECONDS.entries()) {
    expect(secondsUntil(nextAttempt(index + 1, failed, NOW, 0))).toBeCloseTo(wait * 0.8)
    expect(secondsUntil(nextAttempt(index + 1, failed, NOW, 0.5))).toBeCloseTo(wait)
    expect(secondsUntil(nextAttempt(index + 1, failed, NOW, 1))).toBeCloseTo(wait * 1.2)
  }
  expect(nextAttempt(10, failed, NOW, 0.5)).toBeNull()
})

it('waits at least a minute after a 429 or a timeout', () => {
  expect(secondsUntil(nextAttempt(1, { ...failed, status: 429 }, NOW, 0.5))).toBe(60)
  expect(secondsUntil(nextAttempt(1, { status: null, timed_out: true, retry_after: undefined }, NOW, 0.5))).toBe(60)
  expect(secondsUntil(nextAttempt(5, { ...failed, status: 429 }, NOW, 0.5))).toBe(7200)
})

it('honours a Retry-After of up to an hour, in seconds or as a date', () => {
  const retryDelay = (status: number, retry_after: string) =>
    secondsUntil(nextAttempt(1, { status, timed_out: false, retry_after }, NOW, 0.5))
  expect(retryDelay(503, '1800')).toBe(1800)
  expect(retryDelay(429, 'Wed, 20 May 2026 12:30:00 GMT')).toBe(1800)
  expect(retryDelay(503, '3601')).toBe(10)
  expect(retryDelay(503, 'soon')).toBe(10)
  expect(retryDelay(503, '-5')).toBe(10)
  expect(retryDelay(500, '1800')).toBe(10)
})

it('fails at once for a receiver that is gone', () => {
  expect(nextAttempt(1, { ...failed, status: 410 }, NOW, 0.5)).toBeNull()
})

it('accepts a Retry-After of one second to one hour, and nothing malformed', () => {
  const retryDelay = (retry_after?: string) => secondsUntil(nextAttempt(1, { status: 503, timed_out: false, retry_after }, NOW, 0.5))
  expect(retryDelay('3600')).toBe(3600)
  expect(retryDelay(undefined)).toBe(10)
  for (const text of ['0', 'in 1800', '1800 s', '', 'Wed, 20 May 2026 13:00:01 GMT', 'Wed, 20 May 2026 11:00:00 GMT'])
    expect(retryDelay(text)).toBe(10)
  expect(retryDelay('Wed, 20 May 2026 13:00:00 GMT')).toBe(3600)
})

it("uses the longest of its schedule, the receiver's request and its minimum pause", () => {
  const at = (attempts: number, status: number | null, retry_after?: string, timed_out = false) =>
    secondsUntil(nextAttempt(attempts, { status, timed_out, retry_after }, NOW, 0.5))
  expect(at(3, 429, '20')).toBe(300)
  expect(at(1, 429, '20')).toBe(60)
  expect(at(1, 503, '20')).toBe(20)
  expect(at(1, null, undefined, true)).toBe(60)
  expect(at(1, null)).toBe(10)
})

it('holds a destination as long as a 429 or 503 asks for, at most an hour', () => {
  const held = (status: number | null, retry_after?: string, holds = 0) => holdSeconds({ status, retry_after }, holds, NOW)
  expect([held(429, '1'), held(429, '3600'), held(503, '1800'), held(503, 'Wed, 20 May 2026 12:30:00 GMT')]).toEqual([1, 3600, 1800, 1800])
  expect([held(503), held(503, '3601'), held(503, 'soon'), held(500, '30'), held(410, '30'), held(null)]).toEqual([0, 0, 0, 0, 0, 0])
  expect([0, 1, 2, 5, 6, 2000].map((holds) => held(429, undefined, holds))).toEqual([1, 2, 4, 32, 60, 60])
  expect([held(429, '3601'), held(429, 'soon', 3), held(429, '30', 3)]).toEqual([1, 8, 30])
})
