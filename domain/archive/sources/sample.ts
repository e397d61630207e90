import type { Source } from '#domain/archive/sources/source.ts'

/** The made-up storm day of a first start: it shows what a report is, and says wherever it stands that it is made up. */
export const sample = {
  id: 'sample',
  slug: 'sample',
  label: 'Sample, made up',
  lane: 'record',
  evidence_kind: 'ground',
  methodology: 'Made up to show what a report looks like: no such storm is on record.',
  /** The format is Storm Events'; there is no page of a record that no agency holds. */
  cite: () => 'https://www.ncdc.noaa.gov/stormevents/',
} as const satisfies Source
