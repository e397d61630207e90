import { expect, test } from 'vitest'
import { confidenceOf } from '#domain/reports/confidence.ts'
import { corroboration } from '#domain/reports/corroborate.ts'
import { aCell, aCounty, after, aRecord } from './made.ts'

type Records = ReturnType<typeof aRecord>[]
const of = (records: Records, precise = true) => confidenceOf(records, corroborationOf(records), precise)
const corroborationOf = (records: Records) => corroboration(records, [])
const measured = { type: 'thunderstorm_wind', evidence_kind: 'instrument', qualifier: 'measured', wind_gust_mph: 61 } as const
const surveyed = { type: 'tornado', qualifier: 'surveyed', precision: 'path', end_latitude: 33.3, end_longitude: -96.82 } as const

test('high: a primary report that another record corroborates', () => {
  expect(of([aRecord(), aCell({ miles_north: 8 })])).toBe('high')
  expect(of([aRecord({ miles_north: 3.1 }), aCell({ miles_north: 8 })])).toBe('medium')
})

test('high: a measured value within 3 miles', () => {
  expect(of([aRecord({ ...measured, miles_north: 2.9 })])).toBe('high')
  expect(of([aRecord({ ...measured, miles_north: 3.1 })])).toBe('medium')
  expect(of([aRecord({ ...measured, qualifier: 'estimated' })])).toBe('medium')
  expect(of([aRecord({ ...measured, evidence_kind: 'ground' })])).toBe('medium')
})

test('high: a surveyed tornado path within a mile', () => {
  expect(of([aRecord({ ...surveyed, distance_miles: 1 })])).toBe('high')
  expect(of([aRecord({ ...surveyed, distance_miles: 1.01 })])).toBe('medium')
  expect(of([aRecord({ ...surveyed, distance_miles: 0.2, qualifier: 'estimated' })])).toBe('medium')
})

test('medium: a report within 10 miles by itself; beyond, low', () => {
  expect(of([aRecord({ distance_miles: 10 })])).toBe('medium')
  expect(of([aRecord({ distance_miles: 10.01 })])).toBe('low')
})

test('radar alone: medium from an inch over the address, else low', () => {
  expect(of([aCell({ hail_size_in: 1 })])).toBe('medium')
  expect(of([aCell({ hail_size_in: 4 })])).toBe('medium')
  expect(of([aCell({ hail_size_in: 0.99 })])).toBe('low')
  expect(of([aCell({ hail_size_in: 3, miles_north: 1 })])).toBe('low')
})

test('low: only records that name a county', () => {
  expect(of([aCounty(), aCounty()])).toBe('low')
})

test('the best day decides', () => {
  expect(
    of([
      aRecord({ distance_miles: 12 }),
      aRecord(),
      aCell(),
      aRecord({ occurred_on: '2025-07-01', begins_at: after(60 * 24 * 30), distance_miles: 12 }),
    ]),
  ).toBe('high')
})

test('a day of preliminary reports alone is at most medium', () => {
  expect(of([aRecord({ preliminary: true }), aCell()])).toBe('medium')
  expect(of([aRecord({ preliminary: true }), aRecord({ miles_north: 5 }), aCell()])).toBe('high')
  const final_day = [aRecord({ occurred_on: '2025-03-01', begins_at: after(-100_000), miles_north: 5 })]
  expect(of([...final_day, aRecord({ preliminary: true }), aCell()])).toBe('medium')
})

test('a place that is only a centre is at most medium, and no cell is over it', () => {
  expect(of([aRecord(), aCell()], false)).toBe('medium')
  expect(of([aCell({ hail_size_in: 2 })], false)).toBe('low')
})
