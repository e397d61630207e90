import { expect, it } from 'vitest'
import { featureSpans } from '#domain/archive/files/feature-spans.ts'
import { withoutZeros } from '#domain/archive/files/text.ts'

it.each([
  [
    'of a collection',
    '{"type": "FeatureCollection", "features": [ {"a": [1, 2]}, {"features": [3]} ]}',
    ['{"a": [1, 2]}', '{"features": [3]}'],
  ],
  ['under a key that is written in escapes', String.raw`{"\u0066eatures": [{"a": "]\"}"}], "x": "features"}`, [String.raw`{"a": "]\"}"}`]],
  ['of the last of two lists, as a parser takes it', '{"features": [1, 2], "features": [3]}', ['3']],
  ['of an empty list', '{"features": [ ]}', []],
  ['after a zero character between a backslash and its quote', '{"features": ["\\\0"]", 2]}', ['"\\\0"]"', '2']],
])('finds the features %s', (_what, json, expected) => {
  const file = Buffer.from(json)
  expect(featureSpans(file).map(({ start, length }) => file.toString('utf8', start, start + length))).toEqual(expected)
  expect(JSON.parse(withoutZeros(json)).features).toHaveLength(expected.length)
})
