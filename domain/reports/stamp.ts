import { joinList } from '#domain/kernel/text.ts'
import type { ReportView } from '#domain/reports/view.ts'

/** What a document and a post state about the whole report: the first of these that applies. */
export type Stamp = 'SAMPLE' | 'INCOMPLETE' | 'PROVISIONAL' | 'FINAL'

/** @param coverage of a complete report */
export function stampOf({ complete, provisional, sources_searched, unplaced_zone_records }: ReportView['coverage']): Stamp {
  if (sources_searched.includes('sample')) return 'SAMPLE'
  if (!complete || (unplaced_zone_records ?? 0) > 0) return 'INCOMPLETE'
  return provisional ? 'PROVISIONAL' : 'FINAL'
}

/** States whether a report is authoritative, and if not, all that is wrong: "Not authoritative: records are missing and provisional". */
export function authorityOf({ complete, provisional, sources_searched, unplaced_zone_records }: ReportView['coverage']): string {
  const faults = [
    ...(complete ? [] : ['missing']),
    ...((unplaced_zone_records ?? 0) > 0 ? ['not placed'] : []),
    ...(provisional ? ['provisional'] : []),
    ...(sources_searched.includes('sample') ? ['made up'] : []),
  ]
  return faults.length === 0 ? 'Authoritative: complete, final records' : `Not authoritative: records are ${joinList(faults)}`
}
