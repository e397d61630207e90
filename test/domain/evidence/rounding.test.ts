import { expect, it } from 'vitest'
import { hundredths, isoSeconds } from '#domain/evidence/rounding.ts'

it('shows two decimals, never -0, and null for an unknown value', () => {
  expect([1.234, 1.235, 2, -1.239].map(hundredths)).toEqual([1.23, 1.24, 2, -1.24])
  expect(Object.is(hundredths(-0.001), 0)).toBe(true)
  expect(hundredths(null)).toBeNull()
})

it('shows a time in whole seconds', () => {
  expect(isoSeconds(new Date('2025-05-28T23:10:59.999Z'))).toBe('2025-05-28T23:10:59Z')
})
