import { expect, test } from 'vitest'
import { onePerEpisode } from '#domain/evidence/episodes.ts'
import { aCell, after, aRecord } from '../reports/made.ts'

test('of an episode the largest cell stays, and the largest over the address from half an inch', () => {
  const small = aCell({ hail_size_in: 0.5, begins_at: after(0) })
  const over = aCell({ hail_size_in: 0.75, begins_at: after(2) })
  const largest = aCell({ hail_size_in: 2.1, miles_north: 4, begins_at: after(40) })
  expect(onePerEpisode([small, over, largest, aCell({ hail_size_in: 1.9, miles_north: 3, begins_at: after(42) })], true)).toEqual([
    over,
    largest,
  ])
})

test('below half an inch the cell over the address is left to the largest', () => {
  const largest = aCell({ hail_size_in: 1.2, miles_north: 2 })
  expect(onePerEpisode([aCell({ hail_size_in: 0.49 }), largest], true)).toEqual([largest])
})

test('scans up to 60 minutes apart are one episode, further apart two', () => {
  expect(
    onePerEpisode([aCell({ begins_at: after(0) }), aCell({ begins_at: after(60) }), aCell({ begins_at: after(120) })], true),
  ).toHaveLength(1)
  expect(onePerEpisode([aCell({ begins_at: after(0) }), aCell({ begins_at: after(61) })], true)).toHaveLength(2)
})

test('where the place is only a centre, no cell is over it', () => {
  const largest = aCell({ hail_size_in: 1.2, miles_north: 2 })
  expect(onePerEpisode([aCell({ hail_size_in: 0.9 }), largest], false)).toEqual([largest])
})

test('reports pass untouched', () => {
  const records = [aRecord(), aCell(), aRecord()]
  expect(onePerEpisode(records, true)).toEqual(records)
})
