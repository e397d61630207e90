import { expect, test } from 'vitest'
import { eventExportColumns } from '#domain/exports/columns.ts'
import { cite } from '#domain/reports/cite.ts'
import { aRecord } from '../reports/record-factories.ts'

const kindOf = (overrides: Parameters<typeof aRecord>[0]) => eventExportColumns.kind?.(cite(aRecord(overrides)))

test('a record without a figure states no kind of figure', () => {
  expect([
    kindOf({ type: 'thunderstorm_wind', qualifier: 'estimated', wind_gust_mph: 60 }),
    kindOf({ type: 'thunderstorm_wind', qualifier: 'estimated' }),
    kindOf({ type: 'thunderstorm_wind', qualifier: 'measured', evidence_kind: 'instrument' }),
    kindOf({ type: 'tornado', qualifier: 'surveyed', description: 'Rated EFU by the source.' }),
    kindOf({ type: 'tornado', qualifier: 'estimated' }),
  ]).toEqual(['estimated', null, null, 'measured', null])
})
