import { expect, test } from 'vitest'
import { formatPoint, pointOf } from '../../console/map/box.ts'

test('a point of a map that was moved around the world is one that the service takes', () => {
  const shown = (lng: number) => formatPoint(pointOf({ lng, lat: 13.44 }))
  expect(shown(-215.25)).toBe('13.44000, 144.75000')
  expect([-96.82411, 540 - 96.5, -180, 180].map((lng) => pointOf({ lng, lat: 0 }).longitude)).toEqual([-96.82411, 83.5, -180, 180])
})
