import { expect, test } from 'vitest'
import { entryBundle, grow, growingTiles, readTilePath } from '#domain/fingerprint-log/tiles.ts'

test.each([
  ['0/000', { kind: 'hashes', level: 0, index: 0, width: 256 }],
  ['1/x001/x234/067', { kind: 'hashes', level: 1, index: 1_234_067, width: 256 }],
  ['63/999.p/255', { kind: 'hashes', level: 63, index: 999, width: 255 }],
  ['entries/x001/000.p/1', { kind: 'entries', level: 0, index: 1000, width: 1 }],
] as const)('%s names a tile', (path, place) => {
  expect(readTilePath(path)).toEqual(place)
})

test.each([
  '0/0',
  '0/00',
  '0/1000',
  '0/x000/001',
  '0/001/002',
  '0/x001',
  '64/000',
  '00/000',
  '-1/000',
  '0/000.p/0',
  '0/000.p/256',
  '0/000.p/01',
  '0/000.p',
  '0/000.p/',
  '0/000/',
  '/0/000',
  'entries',
  'entries/',
  'entries/000.p/300',
  '0/x001/x000/x000/x000/x000/000',
  '0/000?',
  '../000',
])('%s names no tile', (path) => {
  expect(readTilePath(path)).toBeNull()
})

test('a bundle has the length of each entry before it', () => {
  expect(entryBundle([Buffer.from('ab'), Buffer.alloc(300, 1)]).subarray(0, 6)).toEqual(Buffer.from([0, 2, 0x61, 0x62, 1, 44]))
})

test('the growing tiles are the ones at each level that are not full', () => {
  expect(growingTiles(0)).toEqual([])
  expect(growingTiles(256)).toEqual([{ level: 1, index: 0 }])
  expect(growingTiles(70_000)).toEqual([
    { level: 0, index: 273 },
    { level: 1, index: 1 },
    { level: 2, index: 0 },
  ])
})

test('refuses to grow a tree from tiles that do not match it', () => {
  expect(() => grow(3, new Map(), [Buffer.from('4')])).toThrow('tile 0/0 does not have the hashes of a tree of 3')
  expect(() => grow(3, new Map([['0/0', Buffer.alloc(4 * 32)]]), [Buffer.from('4')])).toThrow('tile 0/0')
})
