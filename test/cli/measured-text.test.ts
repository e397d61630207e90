import { expect, it } from 'vitest'
import { measuredText } from '../../cli/screens/reports.ts'

const nothing = { hail_size_in: null, wind_gust_mph: null, wind_speed_mph: null } as Parameters<typeof measuredText>[0]

it.each([
  [{ hail_size_in: 1.5 }, null, '1.50 in'],
  [{ wind_gust_mph: 58, wind_speed_mph: 40 }, null, 'gust 58 mph'],
  [{ wind_speed_mph: 40 }, null, 'sustained 40 mph'],
  [{}, 'EF1', 'EF1'],
  [{}, null, ''],
])('of %o and the rating %s, a cited record says %j', (measured, rating, said) => {
  expect(measuredText({ ...nothing, ...measured }, rating)).toBe(said)
})
