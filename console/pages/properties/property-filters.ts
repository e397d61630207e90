import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { type OnWait, retryLater } from '../../api/retry-later.ts'
import { PAGE_ROWS, type RowsOfPage } from '../../parts/use-pages.ts'

/** The filters of the list. */
export interface PropertyFilters {
  search: string | null
  status: 'watching' | 'paused' | 'archived' | null
  tag: string | null
  /** Only located properties, or only the others; null for all. */
  located: boolean | null
}

const PAGE = graphql(`
  query Properties($search: String, $status: PropertyStatus, $tag: String, $located: Boolean, $page: Int) {
    properties(search: $search, status: $status, tag: $tag, located: $located, page: $page, per_page: 100) {
      data {
        id name label reference kind status tags last_activity_on
        address { query located precision failure_message }
      }
      meta { total }
    }
  }
`)

/** Five pages in one request, because the requests of a team per minute are limited. */
const FIVE_PAGES = graphql(`
  query FivePagesOfProperties($search: String, $status: PropertyStatus, $tag: String, $located: Boolean, $a: Int, $b: Int, $c: Int, $d: Int, $e: Int) {
    a: properties(search: $search, status: $status, tag: $tag, located: $located, page: $a, per_page: 100) {
      data {
        id label reference kind status tags notes watch_radius_miles last_activity_on
        address { query latitude longitude precision } sent_coordinates { latitude longitude }
      }
    }
    b: properties(search: $search, status: $status, tag: $tag, located: $located, page: $b, per_page: 100) {
      data {
        id label reference kind status tags notes watch_radius_miles last_activity_on
        address { query latitude longitude precision } sent_coordinates { latitude longitude }
      }
    }
    c: properties(search: $search, status: $status, tag: $tag, located: $located, page: $c, per_page: 100) {
      data {
        id label reference kind status tags notes watch_radius_miles last_activity_on
        address { query latitude longitude precision } sent_coordinates { latitude longitude }
      }
    }
    d: properties(search: $search, status: $status, tag: $tag, located: $located, page: $d, per_page: 100) {
      data {
        id label reference kind status tags notes watch_radius_miles last_activity_on
        address { query latitude longitude precision } sent_coordinates { latitude longitude }
      }
    }
    e: properties(search: $search, status: $status, tag: $tag, located: $located, page: $e, per_page: 100) {
      data {
        id label reference kind status tags notes watch_radius_miles last_activity_on
        address { query latitude longitude precision } sent_coordinates { latitude longitude }
      }
    }
  }
`)

export type Property = NonNullable<ResultOf<typeof PAGE>['properties']>['data'][number]
export type FullProperty = NonNullable<ResultOf<typeof FIVE_PAGES>['a']>['data'][number]

interface Page extends RowsOfPage<Property> {
  filters: PropertyFilters
}

/** A page of the list, from 1. */
export async function readPage(filters: PropertyFilters, page: number): Promise<Page> {
  const { properties } = await retryLater(() => ask(PAGE, { ...filters, page }))
  return { filters, rows: properties?.data ?? [], total: properties?.meta.total ?? 0 }
}

/**
 * Reads every property of the list once, in list order, and calls `advance` with the number read, and `onWait` while it waits.
 * @param team_id the team whose list it is, even if the person switches teams in the meantime
 */
export async function readAll(
  filters: PropertyFilters,
  total: number,
  team_id: string,
  advance: (done: number) => void,
  onWait: OnWait,
): Promise<FullProperty[]> {
  const found = new Map<string, FullProperty>()
  const pages = Math.ceil(total / PAGE_ROWS)
  for (let page = 1; page <= pages; page += 5) {
    const [a, b, c, d, e] = [page, page + 1, page + 2, page + 3, page + 4]
    const response = await retryLater(() => ask(FIVE_PAGES, { ...filters, a, b, c, d, e }, team_id), onWait, true)
    for (const part of [response.a, response.b, response.c, response.d, response.e])
      for (const row of part?.data ?? []) found.set(row.id, row)
    advance(found.size)
  }
  return [...found.values()]
}
