import fc from 'fast-check'
import { expect, test } from 'vitest'
import { at, curveThrough, sizeWhere } from './curve.ts'

test('a power law is found again from its own values', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), fc.double({ min: -1, max: 2, noNaN: true }), (factor, exponent) => {
      const curve = curveThrough([1e5, 1e6, 1e7].map((size) => ({ size, value: at({ factor, exponent }, size) })))
      expect(curve.exponent).toBeCloseTo(exponent, 6)
      expect(at(curve, 1e8) / at({ factor, exponent }, 1e8)).toBeCloseTo(1, 6)
    }),
  )
})

test('the fit of values between two lines goes through their middle', () => {
  const curve = curveThrough([
    { size: 10, value: 2 },
    { size: 10, value: 8 },
    { size: 1000, value: 4 },
  ])
  expect(at(curve, 10)).toBeCloseTo(4, 9)
  expect(curve.exponent).toBeCloseTo(0, 9)
})

test('a bound is reached at the size that the curve gives, and never without growth', () => {
  expect(sizeWhere({ factor: 2, exponent: 1 }, 500)).toBeCloseTo(250, 9)
  expect(sizeWhere({ factor: 2, exponent: 0 }, 500)).toBe(Number.POSITIVE_INFINITY)
})

test('a single size, or a value without a logarithm, gives no curve', () => {
  expect(() => curveThrough([{ size: 5, value: 1 }])).toThrow('two sizes')
  expect(() =>
    curveThrough([
      { size: 5, value: 0 },
      { size: 6, value: 1 },
    ]),
  ).toThrow('no logarithm')
})
