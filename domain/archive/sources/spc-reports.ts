import type { Source } from '#domain/archive/sources/source.ts'

/** Daily reports of the Storm Prediction Center: preliminary, amended for days. */
export const spcReports = {
  id: 'noaa_spc_reports',
  slug: 'spc-reports',
  label: 'NOAA Storm Prediction Center daily reports',
  lane: 'record',
  evidence_kind: 'ground',
  methodology:
    'Preliminary reports that the Storm Prediction Center compiles each day, 1200 to 1200 UTC, from the local storm reports of National Weather Service offices; they are amended for some days and are not quality-controlled.',
  /** https://www.spc.noaa.gov/climo/reports/240513_rpts.html */
  cite: (record) => `https://www.spc.noaa.gov/climo/reports/${record.source_key.slice(2, 8)}_rpts.html`,
} as const satisfies Source
