import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../api/graphql.ts'
import { day } from '../parts/format.ts'
import { Listing } from '../parts/listing.tsx'
import { Empty } from '../parts/states.tsx'

const TERRITORIES = graphql(`
  query Territories($page: Int) {
    territories(page: $page) {
      data { id name kind description status area_sq_miles last_activity_on }
      meta { current_page last_page total from to path per_page }
    }
  }
`)

type Territory = NonNullable<ResultOf<typeof TERRITORIES>['territories']>['data'][number]

/** The areas that the team watches. */
export function TerritoriesPage() {
  const { page = 1 } = useSearch({ from: '/framed/territories' })
  const navigate = useNavigate({ from: '/territories' })
  const found = useQuery({ queryKey: ['territories', page], queryFn: () => ask(TERRITORIES, { page }), placeholderData: keepPreviousData })
  return (
    <>
      <header className="page-head">
        <h1>Territories</h1>
      </header>
      <Listing<Territory>
        what="the territories"
        found={found}
        page={found.data?.territories}
        empty={
          <Empty title="No territories yet">
            <p>
              A territory tells you of every storm that crosses it. Draw one with <code>weather territories add</code>.
            </p>
          </Empty>
        }
        go={(next) => navigate({ search: { page: next } })}
        caption="Territories, the newest first"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', show: ({ name }) => name },
          { label: 'What', show: ({ description }) => description },
          {
            label: 'Area',
            number: true,
            show: ({ area_sq_miles }) => `${area_sq_miles.toLocaleString('en-US', { maximumFractionDigits: 1 })} sq mi`,
          },
          { label: 'Last storm', show: ({ last_activity_on }) => (last_activity_on ? day(last_activity_on) : '–') },
          { label: 'Status', show: ({ status }) => <span className={status === 'watching' ? 'badge good' : 'badge'}>{status}</span> },
        ]}
      />
    </>
  )
}
