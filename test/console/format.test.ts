import { expect, test } from 'vitest'
import { distance, inches } from '../../console/parts/format.ts'

test('a size and a distance are written as a report writes them', () => {
  expect([1.5, 2, 0.88, null].map(inches)).toEqual(['1.50 in', '2.00 in', '0.88 in', '–'])
  expect([distance(0.8, 'address'), distance(0.84, null), distance(0.84, 'zip'), distance(12, 'city')]).toEqual([
    '0.80 mi',
    '0.84 mi',
    '0.8 mi',
    '12.0 mi',
  ])
})
