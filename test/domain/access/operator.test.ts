import { expect, test } from 'vitest'
import { operatorOf } from '#domain/access/operator.ts'

const KEY = 'wo_0123456789abcdefghij'

test('the operator is whoever sends the key as a bearer', () => {
  expect(operatorOf({ operator_key: KEY }, `Bearer ${KEY}`)).toEqual({ operator: true })
  expect(operatorOf({ operator_key: KEY }, `bearer  ${KEY}`)).toEqual({ operator: true })
})

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  KEY,
  `Basic ${KEY}`,
  `Bearer ${KEY}x`,
  `Bearer ${KEY.slice(0, -1)}`,
  `Bearer ${KEY} ${KEY}`,
])('a header of %j is no operator', (authorization) => {
  expect(operatorOf({ operator_key: KEY }, authorization)).toBeNull()
})

test('where no key is set there is no operator', () => {
  for (const sent of [undefined, 'Bearer ', 'Bearer null', 'Bearer wo_']) expect(operatorOf({ operator_key: null }, sent)).toBeNull()
})
