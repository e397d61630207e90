import { expect, it } from 'vitest'
import { measuredText } from '../../cli/screens/reports.ts'

type Record = Parameters<typeof measuredText>[0]
const nothing = { hail_size_in: null, wind_gust_mph: null, wind_speed_mph: null } as Record['measurements']

it.each([
  [{ hail_size_in: 1.5 }, 'unknown', null, '1.50 in'],
  [{ wind_gust_mph: 58, wind_speed_mph: 40 }, 'measured', null, 'gust 58 mph'],
  [{ wind_gust_mph: 92 }, 'unknown', null, '92 mph'],
  [{ wind_speed_mph: 40 }, 'estimated', null, 'sustained 40 mph'],
  [{}, 'surveyed', 'EF1', 'EF1'],
  [{}, null, null, ''],
] as const)('of %o, %s, and the rating %s, a cited record says %j', (measured, qualifier, tornado_rating, said) => {
  const record = { measurements: { ...nothing, ...measured }, provenance: { qualifier }, tornado_rating } as Record
  expect(measuredText(record)).toBe(said)
})
