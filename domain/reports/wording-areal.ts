import type { RecordType } from '#domain/archive/families.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { counted, countyName, listed, typeName } from '#domain/reports/phrases.ts'

/** Records that name a county or a forecast zone: no distance is invented for them. */
export function arealSentences(type: RecordType, records: NearbyRecord[]): string[] {
  const [counties, zones] = [
    records.filter(({ precision }) => precision === 'county'),
    records.filter(({ precision }) => precision === 'zone'),
  ]
  return [
    ...(counties.length > 0 ? [arealSentence(type, counties, 'county record', counties.map(countyName), 'the county')] : []),
    ...(zones.length > 0
      ? [
          arealSentence(
            type,
            zones,
            'zone record',
            zones.map(({ county, zone }) => county ?? zone ?? 'a forecast zone'),
            'a forecast zone',
          ),
        ]
      : []),
  ]
}

function arealSentence(type: RecordType, records: NearbyRecord[], kind: string, names: string[], area: string): string {
  const records_name = records.length === 1 ? 'the record names' : 'the records name'
  const latest = records
    .map(({ occurred_on }) => occurred_on)
    .sort()
    .at(-1)
  return `${counted(records.length, kind)} of ${typeName(type)} for ${listed([...new Set(names)].sort())}; ${records_name} ${area}, not a point. Most recent on ${latest}.`
}
