import { expect, it } from 'vitest'
import { bandOf, escalationOf, postedAfter } from '#domain/exposures/escalation.ts'

it('puts a size into the band that it has reached', () => {
  const sizes = [null, 0.74, 0.75, 0.99, 1, 1.49, 1.5, 1.75, 1.99, 2, 2.74, 2.75, 3.99, 4, 6]
  expect(sizes.map(bandOf)).toEqual([null, null, 0.75, 0.75, 1, 1, 1.5, 1.75, 1.75, 2, 2, 2.75, 2.75, 4, 4])
})

it('tells of a band once, even where a storm shrinks and grows again', () => {
  const at = (largest_measured_in: number | null, tornado = 0) => ({ largest_measured_in, tornado })
  const told = postedAfter({ posted_band_in: null, posted_tornado: false }, at(1.75))
  expect(told).toEqual({ posted_band_in: 1.75, posted_tornado: false })
  expect(escalationOf(told, at(1), at(1.75))).toBeNull()
  expect(escalationOf(told, at(1.75), at(2))).toEqual({ from_in: 1.75, to_in: 2, tornado: false })
  expect(escalationOf(told, at(1.75), at(1.75, 1))).toEqual({ from_in: 1.75, to_in: 1.75, tornado: true })
  expect(escalationOf(postedAfter(told, at(1.75, 1)), at(1.75), at(1.75, 2))).toBeNull()
})
