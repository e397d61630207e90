import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { day, localDate, moment } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Empty, Failed } from '../../parts/states.tsx'
import { StepChart } from '../../parts/step-chart.tsx'
import { useCurrentSession } from '../../signed-in.tsx'

const LEDGER = graphql(`
  query Ledger($page: Int, $per_page: Int) {
    creditTransactions(page: $page, per_page: $per_page) {
      data { id kind amount balance_after description note report_id created_at }
      meta { current_page last_page total from to path per_page }
    }
  }
`)

type Transaction = NonNullable<ResultOf<typeof LEDGER>['creditTransactions']>['data'][number]

/** The number of transactions in the chart: the most that one request returns. */
const CHART_TRANSACTIONS = 100

/** The credit balance as a chart, and a table of all transactions. */
export function Ledger() {
  const { team } = useCurrentSession()
  const queries = useQueryClient()
  const { page } = useSearch({ from: '/framed/account' })
  const navigate = useNavigate({ from: '/account' })
  const chart = useQuery({ queryKey: ['ledger', 'drawn'], queryFn: () => ask(LEDGER, { per_page: CHART_TRANSACTIONS }) })
  const found = useQuery({
    queryKey: ['ledger', page],
    queryFn: () => ask(LEDGER, { page: page ?? 1, per_page: 10 }),
    placeholderData: keepPreviousData,
  })
  const points = (chart.data?.creditTransactions?.data ?? [])
    .map(({ created_at, balance_after }) => ({ at: Date.parse(created_at), value: balance_after }))
    .reverse()
  return (
    <section>
      <h2>Credits</h2>
      {/* If the table could not be loaded either, the table shows that, and its retry reads both again. */}
      {chart.isLoadingError && !found.isLoadingError && (
        <Failed heading="h3" what="The balance chart" error={chart.error} retry={() => chart.refetch()} />
      )}
      {points.length > 1 && (
        <div className="panel">
          <p className="soft small">Balance over the last {points.length} transactions</p>
          <StepChart
            title="The balance of credits. The table below lists each transaction."
            points={points}
            format={(at) => day(localDate(at))}
          />
        </div>
      )}
      <Listing<Transaction>
        what="the ledger"
        heading="h3"
        found={{ ...found, refetch: () => queries.refetchQueries({ queryKey: ['ledger'] }) }}
        page={found.data?.creditTransactions}
        empty={
          <Empty heading="h3" title="No credit transactions yet">
            <p>A report costs one credit, charged when you create it.</p>
            {team.role !== 'viewer' && (
              <Link className="button" to="/reports/new">
                Create a report
              </Link>
            )}
          </Empty>
        }
        go={(to) => navigate({ search: { page: to } })}
        caption="Credit transactions, newest first"
        keyOf={({ id }) => id}
        columns={[
          { label: 'When', short: true, show: ({ created_at }) => moment(created_at) },
          {
            label: 'Description',
            freeText: true,
            show: ({ description, note, report_id }) => (
              <>
                {description} {note && <span className="soft">{note}</span>}{' '}
                {report_id && (
                  <Link to="/reports/$id" params={{ id: report_id }}>
                    View report
                  </Link>
                )}
              </>
            ),
          },
          { label: 'Credits', number: true, show: ({ amount }) => amount.toLocaleString('en-US', { signDisplay: 'exceptZero' }) },
          { label: 'Balance', number: true, show: ({ balance_after }) => balance_after.toLocaleString('en-US') },
        ]}
      />
    </section>
  )
}
