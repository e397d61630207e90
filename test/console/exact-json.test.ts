import { expect, test } from 'vitest'
import { digitsOf, exactShape, exactText, numbersOf, parseExact, stringifyExact } from '../../console/api/exact-json.ts'

const text = '{"type":"Polygon","coordinates":[[[-97.5000,35.0],[-97.500000000000001,1e2],[-0.0,36],[-97.5000,35.0]]]}'

test('coordinates keep every digit when they are read and sent', () => {
  const read = parseExact(`{"data":{"a":{"geometry":${text}},"n":1.50}}`) as {
    data: { a: { geometry: { coordinates: unknown } }; n: number }
  }
  const { coordinates } = read.data.a.geometry
  expect(exactText(digitsOf(coordinates) ?? '')).toBe('[[[-97.5000,35.0],[-97.500000000000001,1e2],[-0.0,36],[-97.5000,35.0]]]')
  expect(coordinates).toEqual(JSON.parse(text).coordinates)
  expect(stringifyExact({ variables: { geometry: read.data.a.geometry } })).toBe(`{"variables":{"geometry":${text}}}`)
  expect(read.data.n).toBe(1.5)
})

test('a key that is written with escapes is found too', () => {
  const read = parseExact('{"coordin\\u0061tes":[1.10,2.20]}') as { coordinates: unknown }
  expect(digitsOf(read.coordinates)).toEqual(['1.10', '2.20'])
})

test('exact digits are written at their place, and nowhere else', () => {
  expect(stringifyExact({ geometry: exactShape('Polygon', [[['1.0', '2.00']]]), name: 'A "1.0"\\', list: [1] })).toBe(
    '{"geometry":{"type":"Polygon","coordinates":[[[1.0,2.00]]]},"name":"A \\"1.0\\"\\\\","list":[1]}',
  )
  expect(numbersOf([['1.0', '2.00']])).toEqual([[1, 2]])
})
