import { expect, it } from 'vitest'
import { milesBetween, milesFrom } from '#domain/evidence/record-distance.ts'
import { aCounty, aRecord, frisco } from '../reports/record-factories.ts'

/** Degrees of latitude in a mile. */
const MILE = 1 / 69.0934
const north = (miles: number) => frisco.latitude + miles * MILE
/** Miles in a degree of longitude here. */
const WIDE = 69.0934 * Math.cos((frisco.latitude * Math.PI) / 180)
const east = (miles: number) => frisco.longitude + miles / WIDE

const point = (miles_north: number) => aRecord({ miles_north })
/** A path along the meridian, from and to the given miles north. */
const path = (from: number, to: number) =>
  aRecord({ type: 'tornado', precision: 'path', miles_north: from, end_latitude: north(to), end_longitude: frisco.longitude })
/** A square with sides of four miles, centred the given miles north. */
const area = (middle: number) =>
  aRecord({
    type: 'flash_flood',
    precision: 'area',
    miles_north: middle,
    corners: [
      [east(-2), north(middle - 2)],
      [east(2), north(middle - 2)],
      [east(2), north(middle + 2)],
      [east(-2), north(middle + 2)],
    ],
  })

it('measures between the points shown for the records', () => {
  expect(milesBetween(point(0), point(3))).toBeCloseTo(3, 3)
  expect(milesBetween(point(0), { ...point(0), shown_latitude: north(5), latitude: north(9) })).toBeCloseTo(5, 3)
})

it('measures to the nearest part of a path, whichever record is the path', () => {
  expect(milesBetween(point(12), path(2, 9))).toBeCloseTo(3, 3)
  expect(milesBetween(path(2, 9), point(12))).toBeCloseTo(3, 3)
  expect(milesBetween(path(2, 9), point(5))).toBeCloseTo(0, 3)
  expect(milesFrom(north(5), east(3), path(2, 9))).toBeCloseTo(3, 2)
})

it('uses the shown point of a path if an end is unknown', () => {
  for (const unknown of [{ end_latitude: null }, { end_longitude: null }, { latitude: null }, { longitude: null }])
    expect(milesBetween(point(12), { ...path(2, 9), ...unknown })).toBeCloseTo(10, 3)
  // From the other side: an end taken as 0 degrees would be there.
  expect(milesBetween(point(-5), { ...path(2, 9), end_latitude: null })).toBeCloseTo(7, 3)
})

it('ignores the end of a record that is not a path', () => {
  expect(milesBetween(point(12), { ...path(2, 9), precision: 'point' })).toBeCloseTo(10, 3)
})

it('measures to the edge of an area, and returns zero within it', () => {
  expect(milesBetween(point(10), area(0))).toBeCloseTo(8, 2)
  expect(milesBetween(area(0), point(10))).toBeCloseTo(8, 2)
  expect(milesBetween(area(0), point(1))).toBe(0)
  expect(milesFrom(north(0), east(5), area(0))).toBeCloseTo(3, 2)
})

it('uses the shown point of an area without corners, and ignores corners of other records', () => {
  expect(milesBetween(point(10), { ...area(0), corners: [] })).toBeCloseTo(10, 3)
  expect(milesBetween(point(10), { ...area(0), corners: null })).toBeCloseTo(10, 3)
  expect(milesBetween(point(10), { ...area(0), precision: 'point' })).toBeCloseTo(10, 3)
})

it('is infinite to or from a record that names only a county', () => {
  expect(milesBetween(point(0), aCounty())).toBe(Number.POSITIVE_INFINITY)
  expect(milesBetween(aCounty(), point(0))).toBe(Number.POSITIVE_INFINITY)
  expect(milesBetween(aCounty(), aCounty())).toBe(Number.POSITIVE_INFINITY)
  for (const unknown of [{ shown_latitude: null }, { shown_longitude: null }])
    expect(milesBetween(point(0), { ...point(0), ...unknown })).toBe(Number.POSITIVE_INFINITY)
})
