import type { ReportView } from '#domain/reports/view.ts'

/** What a document and a post state about the whole report: the first of these that applies. */
export type Stamp = 'SAMPLE' | 'INCOMPLETE' | 'PROVISIONAL' | 'FINAL'

/** @param coverage of a complete report */
export function stampOf({ complete, provisional, sources_searched, unplaced_zone_records }: ReportView['coverage']): Stamp {
  if (sources_searched.includes('sample')) return 'SAMPLE'
  if (!complete || (unplaced_zone_records ?? 0) > 0) return 'INCOMPLETE'
  return provisional ? 'PROVISIONAL' : 'FINAL'
}
