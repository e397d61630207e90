import { expect, it } from 'vitest'
import { bearingOf, centreOf, isOver, measuredFrom, milesText, placeText } from '#domain/evidence/distance-text.ts'
import { aCell, aRecord, frisco } from '../reports/record-factories.ts'

const zip = { ...frisco, precision: 'zip' } as const
const city = { ...frisco, precision: 'city' } as const

it('names the address, or the centre from which distances are measured', () => {
  expect(measuredFrom(frisco)).toBe('the address')
  expect(measuredFrom(zip)).toBe('the centre of ZIP 75034')
  expect(measuredFrom(city)).toBe('the centre of Frisco')
  expect(centreOf({ ...zip, postal_code: null })).toBe('the centre of Frisco')
})

it('gives hundredths of a mile from an address and tenths from a centre', () => {
  expect(milesText(0.843, true)).toBe('0.84 mi')
  expect(milesText(0.843, false)).toBe('0.8 mi')
})

it('only an area or a radar cell can be over a place', () => {
  const at = (precision: 'point' | 'path' | 'area' | 'grid', distance_miles: number) => isOver(aRecord({ precision, distance_miles }))
  expect([at('area', 0), at('grid', 0), at('point', 0), at('path', 0)]).toEqual([true, true, false, false])
  expect([at('area', 0.01), at('grid', 0.01)]).toEqual([false, false])
})

it('states where the nearest part of a record is', () => {
  const record = (overrides: Parameters<typeof aRecord>[0]) => aRecord({ miles_north: 2, ...overrides })
  expect(placeText(record({}), frisco)).toBe('2.00 mi N')
  expect(placeText(record({}), zip)).toBe('2.0 mi N')
  expect(placeText(record({ precision: 'path', distance_miles: 0.4 }), frisco)).toBe('path 0.40 mi N')
  expect(placeText(record({ precision: 'area', distance_miles: 0 }), frisco)).toBe('area over this location')
  expect(placeText(aCell({}), frisco)).toBe('over this location')
  expect(placeText(record({ precision: 'area', distance_miles: 0 }), city)).toBe('area over the centre of Frisco')
})

it('has a direction from a twentieth of a mile', () => {
  expect(bearingOf({ distance_miles: 0.05, bearing_degrees: 90 })).toBe('E')
  expect(bearingOf({ distance_miles: 0.049, bearing_degrees: 90 })).toBeNull()
  expect(bearingOf({ distance_miles: null, bearing_degrees: null })).toBeNull()
})
