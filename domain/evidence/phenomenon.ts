import type { RecordType } from '#domain/archive/families.ts'

/** What was seen, whatever its name: only records of one phenomenon can corroborate one another. */
export type Phenomenon = 'hail' | 'wind' | 'tornado' | 'flooding' | RecordType

const shared: Partial<Record<RecordType, Phenomenon>> = {
  hail: 'hail',
  marine_hail: 'hail',
  thunderstorm_wind: 'wind',
  marine_thunderstorm_wind: 'wind',
  high_wind: 'wind',
  strong_wind: 'wind',
  marine_high_wind: 'wind',
  marine_strong_wind: 'wind',
  tornado: 'tornado',
  funnel_cloud: 'tornado',
  waterspout: 'tornado',
  flood: 'flooding',
  flash_flood: 'flooding',
}

export function phenomenonOf({ type }: { type: RecordType }): Phenomenon {
  return shared[type] ?? type
}
