import type { Source } from '#domain/archive/sources/source.ts'

/** Hourly values of airport stations: they corroborate, and are never cited records. */
export const observations = {
  id: 'asos',
  slug: 'observations',
  label: 'Airport weather stations',
  lane: 'record',
  evidence_kind: 'instrument',
  methodology: 'Hourly gust and precipitation of automated airport stations, as each station sent them.',
  /** https://www.weather.gov/wrh/timeseries?site=KDFW: the key starts with the station. */
  cite: (record) => `https://www.weather.gov/wrh/timeseries?site=${record.source_key.split('/')[0]}`,
} as const satisfies Source
