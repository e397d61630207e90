import { expect, test } from 'vitest'
import { isOverAddress, onePerEpisode } from '#domain/evidence/episodes.ts'
import { aCell, aDayCell, after, aRecord } from '../reports/record-factories.ts'

test('keeps the largest cell of an episode, and the largest over the address from half an inch', () => {
  const small = aCell({ hail_size_in: 0.5, begins_at: after(0) })
  const over = aCell({ hail_size_in: 0.75, begins_at: after(2) })
  const largest = aCell({ hail_size_in: 2.1, miles_north: 4, begins_at: after(40) })
  expect(onePerEpisode([small, over, largest, aCell({ hail_size_in: 1.9, miles_north: 3, begins_at: after(42) })], true)).toEqual([
    over,
    largest,
  ])
})

test('below half an inch, drops the cell over the address in favour of the largest', () => {
  const largest = aCell({ hail_size_in: 1.2, miles_north: 2 })
  expect(onePerEpisode([aCell({ hail_size_in: 0.49 }), largest], true)).toEqual([largest])
})

test('scans up to 60 minutes apart are one episode; further apart, they are two', () => {
  expect(
    onePerEpisode([aCell({ begins_at: after(0) }), aCell({ begins_at: after(60) }), aCell({ begins_at: after(120) })], true),
  ).toHaveLength(1)
  expect(onePerEpisode([aCell({ begins_at: after(0) }), aCell({ begins_at: after(61) })], true)).toHaveLength(2)
})

test('if the place is only a centre, no cell is over it', () => {
  const largest = aCell({ hail_size_in: 1.2, miles_north: 2 })
  expect(onePerEpisode([aCell({ hail_size_in: 0.9 }), largest], false)).toEqual([largest])
})

test('reports pass through unchanged', () => {
  const records = [aRecord(), aCell(), aRecord()]
  expect(onePerEpisode(records, true)).toEqual(records)
})

test('accepts scans in any order, and an episode lasts to the end of its longest scan', () => {
  const [early, late, next] = [
    aCell({ begins_at: after(0), ends_at: after(90), hail_size_in: 2 }),
    aCell({ begins_at: after(140), hail_size_in: 1 }),
    aCell({ begins_at: after(260), hail_size_in: 1.5 }),
  ]
  const short = aCell({ begins_at: after(10), ends_at: after(11), hail_size_in: 0.4 })
  for (const scans of [
    [early, short, late, next],
    [next, late, short, early],
    [late, next, early, short],
  ])
    expect(new Set(onePerEpisode(scans, true))).toEqual(new Set([early, next]))
})

test('keeps the nearest of equally large cells, and of equally near ones the one with the lowest id', () => {
  const far = aCell({ hail_size_in: 2, miles_north: 4 })
  const near = aCell({ hail_size_in: 2, miles_north: 3 })
  expect(onePerEpisode([far, near], false)).toEqual([near])
  expect(onePerEpisode([near, far], false)).toEqual([near])
  const [first, second] = [aCell({ hail_size_in: 2 }), aCell({ hail_size_in: 2 })]
  expect(onePerEpisode([second, first], false)).toEqual([first])
})

test('from exactly half an inch, only a grid cell counts as over the address', () => {
  const largest = aCell({ hail_size_in: 2.1, miles_north: 4 })
  const half = aCell({ hail_size_in: 0.5 })
  expect(onePerEpisode([half, largest], true)).toEqual([half, largest])
  const signature = aCell({ hail_size_in: 1, precision: 'point', source: 'nexrad_hail' })
  expect(onePerEpisode([signature, largest], true)).toEqual([largest])
  expect(isOverAddress(signature, true)).toBe(false)
  expect(isOverAddress(aRecord({ precision: 'grid', distance_miles: 0 }), true)).toBe(false)
  expect(isOverAddress(aCell({ miles_north: 1 }), true)).toBe(false)
})

test('a cell of unknown size counts as zero, and stays if it is the only one', () => {
  const unknown = aCell({ hail_size_in: null })
  expect(onePerEpisode([unknown], true)).toEqual([unknown])
  const small = aCell({ hail_size_in: 0.1, miles_north: 3 })
  expect(onePerEpisode([unknown, small], true)).toEqual([small])
})

test('keeps the nearest of cells with the same size', () => {
  const [near, far] = [aCell({ hail_size_in: 1.5, miles_north: 2 }), aCell({ hail_size_in: 1.5, miles_north: 6 })]
  expect(onePerEpisode([near, far], true)).toEqual([near])
  expect(onePerEpisode([far, near], true)).toEqual([near])
})

test("keeps a day's largest cell beside the scans if no scan of its hours is as large", () => {
  const scan = aCell({ hail_size_in: 1.5, miles_north: 2 })
  const day = (hail_size_in: number, miles_north = 4) => aDayCell({ hail_size_in, miles_north })
  expect(onePerEpisode([scan, day(1.5)], true)).toEqual([scan])
  expect(onePerEpisode([scan, day(1.49)], true)).toEqual([scan])
  const more = day(1.51)
  expect(onePerEpisode([scan, more], true)).toEqual([scan, more])
  const [least, most] = [day(1.6, 3), day(1.7, 3)]
  expect(onePerEpisode([least, most], true)).toEqual([most])
  // A storm after midnight belongs to the hours of a grid that ends after it, whatever its date.
  const late = aCell({ hail_size_in: 2, miles_north: 2, occurred_on: '2025-05-29', begins_at: new Date('2025-05-29T05:00:00Z') })
  expect(onePerEpisode([late, more], true)).toEqual([late])
  const next = aCell({ hail_size_in: 2, miles_north: 2, occurred_on: '2025-05-29', begins_at: new Date('2025-05-29T05:00:01Z') })
  expect(onePerEpisode([next, more], true)).toEqual([next, more])
  const at = (begins_at: string) => aCell({ hail_size_in: 2, miles_north: 2, begins_at: new Date(begins_at) })
  const [first, before] = [at('2025-05-28T05:00:00Z'), at('2025-05-28T04:59:59Z')]
  expect(onePerEpisode([first, more], true)).toEqual([first])
  expect(onePerEpisode([before, more], true)).toEqual([before, more])
})

test('each day keeps its own largest cell', () => {
  const [day, other] = [aDayCell({ hail_size_in: 1.2 }), aDayCell({ hail_size_in: 1.1, occurred_on: '2025-06-02' })]
  expect(onePerEpisode([day, other], true)).toEqual([day, other])
})

test("keeps a day's largest cell over the address if no scan over it is as large", () => {
  const [scan, over] = [aCell({ hail_size_in: 3, miles_north: 2 }), aDayCell({ hail_size_in: 1 })]
  expect(onePerEpisode([scan, over], true)).toEqual([scan, over])
  expect(onePerEpisode([scan, over], false)).toEqual([scan])
  const scanned = aCell({ hail_size_in: 1 })
  expect(onePerEpisode([scan, scanned, over], true)).toEqual([scan, scanned])
  expect(onePerEpisode([scan, aDayCell({ hail_size_in: 0.49 })], true)).toEqual([scan])
  const half = aDayCell({ hail_size_in: 0.5 })
  expect(onePerEpisode([scan, half], true)).toEqual([scan, half])
  const most = aDayCell({ hail_size_in: 3.1, miles_north: 1 })
  expect(onePerEpisode([most, over], true)).toEqual([most, over])
})
