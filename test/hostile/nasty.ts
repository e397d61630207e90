import fc from 'fast-check'

const nested = (depth: number, open: string, close: string) => JSON.parse(`${open.repeat(depth)}${close.repeat(depth)}`) as unknown

/** A number with a given notation, which JSON.stringify cannot write. */
export interface Written {
  written: string
}

/** Texts that have broken programs before. */
const texts = [
  '',
  ' ',
  '\t\r\n',
  '0',
  'null',
  'undefined',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE reports; --",
  "' OR '1'='1",
  '%',
  '_',
  '\\',
  '<script>alert(1)</script>',
  '{{7*7}}<%= 7*7 %>',
  '../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:127.0.0.1]:1/',
  'https://user:pass@example.com/',
  'javascript:alert(1)',
  'wt_000000000000000000000000000000000000',
  // Control characters, unpaired surrogates, characters that reverse or hide text.
  '\u0000',
  'a\u0000b',
  'a\u0007b\u001b[31m',
  'a\u0085b\u2028c\u2029d',
  '\ud800',
  'a\udc00b',
  '\udfff\ud800',
  '\u202eabc\u202c',
  '\ufeffabc',
  '\ufffe\uffff',
  // One text in two normal forms, and texts whose length changes with their case.
  'e\u0301'.repeat(30),
  '\u00e9'.repeat(30),
  'ﬁ İ ß ŉ',
  '👨‍👩‍👧‍👦'.repeat(20),
  '\u0301'.repeat(200),
  '１２３',
  '٢٠٢٥-٠١-٠١',
  // Dates and moments that are invalid or out of range.
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '+275760-09-13',
  '-271821-04-20',
  '2025-02-30',
  '2025-13-01',
  '2025-1-1',
  '2025-01-01 ',
  '2025-01-01T00:00:00Z',
  '2025-01-01T24:00:00Z',
  '2025-01-01T23:59:60Z',
  '2016-12-31T23:59:60.999999999+14:00',
  '1e3',
  '0x10',
  '1_000',
  '-0',
  'Infinity',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
]

const long = [255, 256, 5_001, 100_000].flatMap((length) => ['x'.repeat(length), '\u{1f329}'.repeat(length / 4)])

const numbers = [0, -1, 1.5, -0.5, 0.004, 99.995, 101, 2147483647, 2147483648, -2147483649, 9007199254740992, 1e21, 1e308, -1e308, 5e-324]

const numerals = [
  '9007199254740993',
  '1e400',
  '-1e400',
  '-0',
  '0e0',
  '1E+2',
  '123456789012345678901234567890',
  `0.${'1'.repeat(400)}`,
  '1.0',
]

const shapes = [
  [],
  {},
  [[]],
  [null],
  [{}],
  ['a', 1, null, {}],
  { length: 1e9 },
  { toString: 1, valueOf: 1 },
  // biome-ignore lint/suspicious/noThenProperty: an object that an await would take for a promise is what is meant
  { then: 1 },
  { toJSON: 'x' },
  { $gt: '' },
  { constructor: { prototype: { polluted: true } } },
  nested(20, '[', ']'),
  nested(40, '[', ']'),
  Array(1_001).fill(0),
  Array(200).fill({ address: '1 Main Street, Frisco, TX 75034' }),
  Array(300).fill('digest.sent'),
]

/** Texts for a query, a path or a header. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.constantFrom(...long.map((text) => text.slice(0, 2_000))) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

/** Values for a field of a body. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>(...texts) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(...long) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 1, arbitrary: fc.constantFrom(...numerals).map((written): Written => ({ written })) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...shapes) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

const square = [
  [-97, 33],
  [-96, 33],
  [-96, 34],
  [-97, 34],
  [-97, 33],
]
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings })
/** A star of long needles, where every edge crosses many others. */
const needles = (count: number) => {
  const ring = Array.from({ length: count }, (_, at) => {
    const bearing = (2 * Math.PI * at * 7) / count
    return [-97 + (at % 2 ? 1 : 0.01) * Math.cos(bearing), 33 + (at % 2 ? 1 : 0.01) * Math.sin(bearing)]
  })
  return [...ring, ring[0]]
}
/** A comb, with many corners and no crossing. */
const comb = (teeth: number) => [
  ...Array.from({ length: teeth * 2 }, (_, at) => [-97 + at / (teeth * 2), at % 2 ? 34 : 33.5]),
  [-96, 33],
  [-97, 33],
  [-97, 33.5],
]

const geometries = [
  polygon(),
  polygon([]),
  polygon(square.slice(1)),
  polygon(square.slice(0, 3)),
  polygon([square[0], square[2], square[1], square[3], square[0]]),
  polygon(square, square),
  polygon(
    square,
    square.map(([x = 0, y = 0]) => [x + 50, y]),
  ),
  polygon(square.map(([x = 0, y = 0]) => [x * 10, y])),
  polygon(square.map(([x = 0, y = 0]) => [y, x])),
  polygon(square.map(([x, y]) => [String(x), String(y)])),
  polygon(square.map(([x = 0, y = 0]) => [x, y, 1, 2])),
  polygon(square.map(([x = 0]) => [x])),
  polygon(square.map(([x = 0, y = 0]) => ({ 0: x, 1: y, length: 2 }))),
  polygon(Array(5).fill([-97, 33])),
  polygon(square.map(([x = 0]) => [x, 33])),
  polygon(square.map(([x = 0, y = 0]) => [-97 + (x + 97) * 1e-12, 33 + (y - 33) * 1e-12])),
  polygon([
    [179, 50],
    [-179, 50],
    [-179, 51],
    [179, 51],
    [179, 50],
  ]),
  polygon([
    [-180, -90],
    [180, -90],
    [180, 90],
    [-180, 90],
    [-180, -90],
  ]),
  polygon([[{ written: '-97.000000000000000000000000000000001' }, 33], ...square.slice(1, 4), [{ written: '-97.0' }, 33]]),
  polygon([[{ written: '1e400' }, 33], ...square.slice(1, 4), [{ written: '1e400' }, 33]]),
  polygon(needles(200)),
  polygon(needles(9_999)),
  polygon(comb(4_900)),
  polygon(needles(10_001)),
  polygon(...Array(5_000).fill(square)),
  polygon(...Array(20_000).fill([])),
  { type: 'MultiPolygon', coordinates: Array(100).fill([square]) },
  { type: 'MultiPolygon', coordinates: Array(101).fill([square]) },
  { type: 'MultiPolygon', coordinates: [square] },
  { type: 'MultiPolygon', coordinates: {} },
  { type: 'Polygon', coordinates: 'square' },
  { type: 'Polygon' },
  { type: 'Point', coordinates: [-97, 33] },
  { type: 'FeatureCollection', features: [] },
  { type: 'GeometryCollection', geometries: [polygon(square)] },
  { type: 'Feature', geometry: { type: 'Feature', geometry: polygon(square) } },
  { type: 'Feature', geometry: null },
  { type: 'Feature' },
  { type: 'polygon', coordinates: [square] },
  { type: ['Polygon'], coordinates: [square] },
  { ...polygon(square), crs: { type: 'name', properties: { name: 'EPSG:3857' } }, bbox: [0, 0, 0, 0] },
]

/** Shapes that have broken geometry code: unclosed, crossing, flat, infinite, of another type. */
export const nastyGeometry: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(...geometries)

/** JSON text of a value in which numbers may have a given notation. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (isWritten(part) ? `\u0001${part.written}\u0001` : part)).replace(
    /"\\u0001([^"\\]*)\\u0001"/g,
    '$1',
  )
}

function isWritten(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && 'written' in value && Object.keys(value).length === 1
}
