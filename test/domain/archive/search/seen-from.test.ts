import { expect, it } from 'vitest'
import type { StoredRecord } from '#domain/archive/record.ts'
import { seenFrom } from '#domain/archive/search/seen-from.ts'

const centre = { latitude: 32.785, longitude: -96.795 }
const cell = {
  precision: 'grid',
  evidence_kind: 'radar',
  ...centre,
  end_latitude: null,
  end_longitude: null,
  corners: null,
} as StoredRecord
const milesFrom = (north: number, east: number, record: Partial<StoredRecord> = {}) =>
  seenFrom({ latitude: centre.latitude + north, longitude: centre.longitude + east }, 5, [{ ...cell, ...record }])[0]?.distance_miles

it('puts a radar cell over every place within half its side of 0.01 degrees', () => {
  for (const north of [-0.0049, 0, 0.0049]) for (const east of [-0.0049, 0, 0.0049]) expect(milesFrom(north, east)).toBe(0)
})

it("measures to the cell's centre from every place beyond", () => {
  expect(milesFrom(0.0051, 0)).toBeCloseTo(0.352, 2)
  expect(milesFrom(-0.0051, 0)).toBeCloseTo(0.352, 2)
  expect(milesFrom(0, 0.0051)).toBeCloseTo(0.296, 2)
  expect(milesFrom(0, -0.0051)).toBeCloseTo(0.296, 2)
})

it('uses only the point of a ground report', () => {
  expect(milesFrom(0.0049, 0, { precision: 'point', evidence_kind: 'ground' })).toBeCloseTo(0.339, 2)
})

it('leaves out records beyond the radius and keeps records without a point', () => {
  expect(milesFrom(0.0723, 0)).toBeCloseTo(4.995, 2)
  expect(milesFrom(0.0725, 0)).toBeUndefined()
  expect(milesFrom(3, 3, { precision: 'county', latitude: null, longitude: null })).toBeNull()
})
