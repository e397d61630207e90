import type { Source } from '#domain/archive/sources/source.ts'

/** Hail cells of single radars from the severe weather data inventory. */
export const radarHail = {
  id: 'nexrad_hail',
  slug: 'radar-hail',
  label: 'NOAA NEXRAD hail signatures',
  lane: 'surfaces',
  evidence_kind: 'radar',
  methodology:
    'NEXRAD level III hail signatures of single radars, kept in the severe weather data inventory; the hail detection algorithm estimates the largest hail of each storm cell aloft, and its point is the cell, not the ground.',
  /** https://www.ncei.noaa.gov/pub/data/swdi/database-csv/v2/ */
  cite: () => 'https://www.ncei.noaa.gov/pub/data/swdi/database-csv/v2/',
} as const satisfies Source
