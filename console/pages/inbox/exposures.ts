import type { ResultOf, VariablesOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { type OnWait, retryLater } from '../../api/retry-later.ts'
import type { RowsOfPage } from '../../parts/use-pages.ts'

const PAGE = graphql(`
  query Inbox($open: Boolean, $kind: ExposureKind, $from: Date, $to: Date, $min: Float, $page: Int) {
    exposures(open: $open, kind: $kind, from: $from, to: $to, min_measured_in: $min, page: $page, per_page: 100) {
      data {
        id kind date headline observed provisional sample acknowledged_at dismissed_at
        largest_measured_in largest_detected_in max_gust_mph nearest_miles
        subject { id object name precision }
        report_id
      }
      meta { total }
    }
  }
`)
const IDS = graphql(`
  query InboxIds($open: Boolean, $kind: ExposureKind, $from: Date, $to: Date, $min: Float) {
    exposureIds(open: $open, kind: $kind, from: $from, to: $to, min_measured_in: $min)
  }
`)

export type Exposure = NonNullable<ResultOf<typeof PAGE>['exposures']>['data'][number]

/** The filters of the inbox. */
export type Filters = Omit<VariablesOf<typeof PAGE>, 'page'>

/** A page of the inbox, from 1. */
export async function readPage(filters: Filters, page: number): Promise<RowsOfPage<Exposure> & { filters: Filters }> {
  const { exposures } = await retryLater(() => ask(PAGE, { ...filters, page }))
  return { filters, rows: exposures?.data ?? [], total: exposures?.meta.total ?? 0 }
}

/** The ids of all exposures that the filters find. Calls `onWait` while it waits. */
export async function readIds(filters: Filters, onWait: OnWait): Promise<number[]> {
  return (await retryLater(() => ask(IDS, filters), onWait, true)).exposureIds ?? []
}
