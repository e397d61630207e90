import type { MultiPolygon, Polygon } from 'geojson'
import { expect, it } from 'vitest'
import { officeArea } from '#domain/archive/warnings/offices.ts'
import { polygonFault } from '#domain/archive/warnings/polygon-fault.ts'
import { square } from './message.ts'

const collin = { office_id: 'KFWD', county_fips: ['48085'] }
const ring = (...corners: [number, number][]): Polygon => ({ type: 'Polygon', coordinates: [[...corners, corners[0] as [number, number]]] })

it('accepts a polygon without faults', () => {
  expect(polygonFault(square(-96.6, 33.2), collin)).toBeNull()
  expect(polygonFault({ type: 'MultiPolygon', coordinates: [square(-96.6).coordinates, square(-96.9).coordinates] }, collin)).toBeNull()
})

it.each<[string, Polygon | MultiPolygon, string]>([
  ['two corners', ring([-96.6, 33], [-96.5, 33]), 'encloses no area'],
  ['a line', ring([-96.6, 33], [-96.5, 33], [-96.4, 33]), 'encloses no area'],
  ['a bow tie', ring([-96.6, 33], [-96.5, 33.1], [-96.5, 33], [-96.6, 33.1]), 'crosses itself'],
  [
    'one part of two that crosses itself',
    {
      type: 'MultiPolygon',
      coordinates: [square(-96.6).coordinates, ring([-96.6, 33], [-96.5, 33.1], [-96.5, 33], [-96.6, 33.1]).coordinates],
    },
    'crosses itself',
  ],
  [
    'a corner with a wrong degree',
    ring([-96.7, 33], [-96.5, 33], [-96.5, 34.2], [-96.7, 33.2]),
    'lies far from the counties that its message names',
  ],
  ['another state', square(-85.4, 38.5), 'lies far from the counties that its message names'],
  ['the other end of the world', ring([179.9, 51], [-179.9, 51], [-179.9, 52], [179.9, 52]), 'lies on both sides of the 180th meridian'],
  [
    'a picture of positions',
    {
      type: 'Polygon',
      coordinates: [Array.from({ length: 1001 }, (_, n) => [-96.6 + Math.cos(n / 160) / 10, 33 + Math.sin(n / 160) / 10])],
    },
    'has 1001 positions',
  ],
])('%s: it %s', (_name, polygon, fault) => {
  expect(polygonFault(polygon, collin)).toBe(fault)
})

it('is compared with the area of its office if no county is known', () => {
  const nothing = { office_id: 'KFWD', county_fips: ['48999'] }
  expect(polygonFault(square(-96.6), nothing)).toBeNull()
  expect(polygonFault(square(-85.4, 38.5), nothing)).toBe('lies far from the area of KFWD')
  expect(polygonFault(square(-96.6), { ...nothing, office_id: 'KZZZ' })).toMatch(/KZZZ is not a known office/)
})

it('accepts a polygon around an office as its area, and refuses one around Greenwich', () => {
  for (const id of ['KOAX', 'PAFC', 'PGUM', 'PHFO', 'TJSJ', 'NSTU', 'KKEY']) {
    const { longitude, latitude } = officeArea(id) as { longitude: number; latitude: number }
    const named = { office_id: id, county_fips: [] }
    expect([id, polygonFault(square(longitude, latitude), named), polygonFault(square(0, 51.5), named)]).toEqual([
      id,
      null,
      `lies far from the area of ${id}`,
    ])
  }
})
