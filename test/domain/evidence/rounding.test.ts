import { expect, it } from 'vitest'
import { hundredths } from '#domain/evidence/rounding.ts'

it('shows two decimals, never -0, and null for an unknown value', () => {
  expect([1.234, 1.235, 2, -1.239].map(hundredths)).toEqual([1.23, 1.24, 2, -1.24])
  expect(Object.is(hundredths(-0.001), 0)).toBe(true)
  expect(hundredths(null)).toBeNull()
})
