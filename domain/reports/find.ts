import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import type { PageOf, Paging } from '#domain/page.ts'
import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'

/** Filters as sent, null or absent where not. */
export interface ReportFilters {
  status?: string | null
  address?: string | null
  property?: string | null
}

export interface ReportEventFilters {
  type?: string | null
  family?: string | null
  from?: string | null
  to?: string | null
  min_hail_in?: number | null
  min_gust_mph?: number | null
  observed?: boolean | null
}

export async function findReport(_app: Pick<App, 'pool' | 'config'>, _caller: Caller, _id: string): Promise<ReportView> {
  throw new Error('unfinished')
}

export async function listReports(
  _app: Pick<App, 'pool' | 'config'>,
  _caller: Caller,
  _filters: ReportFilters,
  _paging: Paging,
): Promise<PageOf<ReportView>> {
  throw new Error('unfinished')
}

export async function listReportEvents(
  _app: Pick<App, 'pool' | 'config'>,
  _caller: Caller,
  _id: string,
  _filters: ReportEventFilters,
  _paging: Paging,
): Promise<PageOf<CitedRecordView>> {
  throw new Error('unfinished')
}
