import { expect, test } from 'vitest'
import { type Box, unite } from '../../console/map/box.ts'
import {
  cornersOf,
  cornersOfRings,
  editableRings,
  isPlain,
  numericGeometry,
  parseCorners,
  readShapeFile,
  shapeFileText,
  shapeOfCorners,
} from '../../console/map/shape.ts'

const ring = '[[-97.5000,35.10],[-97.123456789012345,35.1],[-97.2,35.3000],[-97.5000,35.10]]'
const polygon = `{"type":"Polygon","coordinates":[${ring}]}`
const two = `{"type":"MultiPolygon","coordinates":[[${ring}],[[[-96.0,35],[-95.90,35],[-95.9,35.10],[-96.0,35]]]]}`

test.each([
  ['a Polygon', polygon, polygon],
  ['a MultiPolygon', two, two],
  ['a Feature', `{"type":"Feature","properties":{"name":"North"},"geometry":${polygon}}`, polygon],
  ['a collection of one', `{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":${two}}]}`, two],
])('%s comes out of the form byte for byte as it went in', (_what, file, shape) => {
  const read = readShapeFile(file)
  expect(isPlain(read)).toBe(true)
  const through = shapeOfCorners(cornersOf(read))
  expect(through && shapeFileText(through)).toBe(`${shape}\n`)
  expect(numericGeometry(read)).toEqual(JSON.parse(shape))
})

test.each([
  ['holes', `{"type":"Polygon","coordinates":[${ring},${ring}]}`],
  ['heights', '{"type":"Polygon","coordinates":[[[1.0,2.0,3.00],[2,2,3],[2,3,3],[1.0,2.0,3.00]]]}'],
  ['powers of ten', '{"type":"Polygon","coordinates":[[[1e1,2.0],[2,2],[2,3],[1e1,2.0]]]}'],
  ['a ring that is not closed', '{"type":"Polygon","coordinates":[[[1,2],[2,2],[2,3]]]}'],
  ['a last position written otherwise than the first', '{"type":"Polygon","coordinates":[[[1,2],[2,2],[2,3],[1.0,2]]]}'],
])('details that corners cannot express are kept as sent: %s', (_what, file) => {
  const read = readShapeFile(file)
  expect(isPlain(read)).toBe(false)
  expect(shapeFileText(read)).toBe(`${file}\n`)
})

test.each([
  ['{"type":"Point","coordinates":[1,2]}', 'The file contains no Polygon or MultiPolygon.'],
  ['{"type":"Polygon"}', 'The file contains no Polygon or MultiPolygon.'],
  ['{"type":"Polygon","coordinates":[1234]}', 'The coordinates of the Polygon are not lists of numbers.'],
  ['{"type":"Polygon","coordinates":[[null,[1,2],[2,2],[1,2]]]}', 'The coordinates of the Polygon are not lists of numbers.'],
  ['{"type":"Polygon","coordinates":[[["1","2"],["2","2"],["2","3"],["1","2"]]]}', 'The coordinates of the Polygon are not lists'],
  ['{"type":"MultiPolygon","coordinates":[[[1,2],[2,2],[2,3],[1,2]]]}', 'The coordinates of the MultiPolygon are not lists'],
  ['null', 'The file contains no Polygon or MultiPolygon.'],
  ['no json', 'The file is not JSON.'],
  [`{"type":"FeatureCollection","features":[${polygon},${polygon}]}`, 'The file contains 2 shapes, but a territory has one.'],
])('a file without exactly one shape is refused with a sentence: %s', (file, message) => {
  expect(() => readShapeFile(file)).toThrow(message)
})

test('a corner that is moved on the map gets new digits; the others keep theirs', () => {
  const before = readShapeFile(polygon)
  const [rings = []] = editableRings(before)
  const moved = rings.map((position, at) => (at === 1 ? [-97.0000004, 35.12345678] : position))
  expect(cornersOfRings([moved], before)).toBe('35.10, -97.5000\n35.123457, -97\n35.3000, -97.2')
})

test('corners are read in common notations, and an invalid one is named by its line', () => {
  expect(parseCorners('33.15, -96.82\n 33.1 -96.8\r\n33;-96\n\n\n1,2\n')).toEqual([
    [
      ['-96.82', '33.15'],
      ['-96.8', '33.1'],
      ['-96', '33'],
    ],
    [['2', '1']],
  ])
  expect(() => parseCorners('33.15, -96.82\nMoore')).toThrow('Line 2 is not a corner')
  expect(shapeOfCorners('33.15, -96.82\n33.1, -96.8')).toBeNull()
  expect(shapeOfCorners('')).toBeNull()
})

test('the box around any number of corners is theirs', () => {
  const boxes = Array.from({ length: 300_000 }, (_, at): Box => [-90 - at / 10_000, 30 + at / 10_000, -90 - at / 10_000, 30 + at / 10_000])
  expect(unite(boxes)).toEqual([-119.9999, 30, -90, 59.9999])
  expect(unite([])).toBeNull()
})
