import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../api/graphql.ts'
import { addressLine } from '../parts/address-line.ts'
import { days, moment } from '../parts/format.ts'
import { Listing } from '../parts/listing.tsx'
import { SearchAndStatus } from '../parts/search-and-status.tsx'
import { Empty } from '../parts/states.tsx'
import type { Column } from '../parts/table.tsx'
import { useCurrentSession } from '../signed-in.tsx'

const REPORTS = graphql(`
  query Reports($address: String, $status: ReportStatus, $page: Int) {
    reports(address: $address, status: $status, page: $page) {
      data { id status headline nothing_found failure_message event_count created_at reference address { query street city state } window { start end radius_miles } }
      meta { current_page last_page total from to path per_page }
    }
  }
`)

type Report = NonNullable<ResultOf<typeof REPORTS>['reports']>['data'][number]

/** How often the list is read again while a report is pending. */
const POLL_INTERVAL_MS = 3000

const COLUMNS: Column<Report>[] = [
  {
    label: 'Address',
    freeText: true,
    show: ({ id, address }) => (
      <Link to="/reports/$id" params={{ id }}>
        {addressLine(address)}
      </Link>
    ),
  },
  { label: 'Window', show: ({ window }) => `${days(window.start, window.end)}, ${window.radius_miles} mi` },
  { label: 'Finding', sentence: true, show: (one) => one.headline ?? one.nothing_found ?? one.failure_message ?? '–' },
  { label: 'Records', number: true, show: (one) => (one.status === 'complete' ? one.event_count : '–') },
  { label: 'Status', show: ({ status }) => <StatusBadge status={status} /> },
  { label: 'Requested', short: true, show: ({ created_at }) => moment(created_at) },
]

export function ReportsPage() {
  const search = useSearch({ from: '/framed/reports' })
  const navigate = useNavigate({ from: '/reports' })
  const { team } = useCurrentSession()
  const status = search.status === 'pending' || search.status === 'complete' || search.status === 'failed' ? search.status : null
  const variables = { address: search.address ?? null, status, page: search.page ?? 1 } as const
  const found = useQuery({
    queryKey: ['reports', variables],
    queryFn: () => ask(REPORTS, variables),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.reports?.data.some((one) => one.status === 'pending') ? POLL_INTERVAL_MS : false),
  })
  return (
    <>
      <header className="page-head">
        <h1>Reports</h1>
        {team.role !== 'viewer' && (
          <Link to="/reports/new" className="button primary">
            New report
          </Link>
        )}
      </header>
      <SearchAndStatus
        label="Address"
        text={search.address}
        status={search.status}
        statuses={{ complete: 'Complete', pending: 'In progress', failed: 'Failed' }}
        change={({ text, status: one }) =>
          navigate({ search: { ...(text && { address: text }), ...(one && { status: one }) }, replace: true })
        }
      />
      <Listing<Report>
        what="the reports"
        found={found}
        page={found.data?.reports}
        empty={
          search.address || search.status ? (
            <Empty title="No reports match">
              <Link className="button" to="/reports">
                Show all reports
              </Link>
            </Empty>
          ) : (
            <Empty title="No reports yet">
              <p>A report shows what the archive has on record near an address between two dates. Every figure cites its record.</p>
              {team.role !== 'viewer' && (
                <Link className="button" to="/reports/new">
                  Create the first report
                </Link>
              )}
            </Empty>
          )
        }
        go={(page) => navigate({ search: (before) => ({ ...before, page }) })}
        caption="Reports, newest first"
        keyOf={({ id }) => id}
        columns={COLUMNS}
      />
    </>
  )
}

export function StatusBadge({ status }: { status: Report['status'] }) {
  if (status === 'complete') return <span className="badge good">Complete</span>
  return status === 'failed' ? <span className="badge bad">Failed</span> : <span className="badge warn">In progress</span>
}
