import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { day, days, inches, milesPerHour, moment, NEAREST, nearestOf } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Empty } from '../../parts/states.tsx'

const EXPOSURES = graphql(`
  query PropertyExposures($id: UUID!, $page: Int) {
    propertyExposures(property: $id, page: $page, per_page: 10) {
      data {
        id kind date headline observed acknowledged_at dismissed_at report_id
        largest_measured_in largest_detected_in max_gust_mph nearest_miles
        subject { object precision }
      }
      meta { current_page last_page total from to }
    }
  }
`)
const REPORTS = graphql(`
  query PropertyReports($id: UUID!, $page: Int) {
    reports(property: $id, page: $page, per_page: 10) {
      data { id status headline created_at window { start end } }
      meta { current_page last_page total from to }
    }
  }
`)

type Exposure = NonNullable<ResultOf<typeof EXPOSURES>['propertyExposures']>['data'][number]
type Report = NonNullable<ResultOf<typeof REPORTS>['reports']>['data'][number]

interface Props {
  property: string
  /** The day that the map shows. */
  shown: string | null
  show: (date: string) => void
}

/** The page of a list of the property, which is in the address so that Back leads to it; and a function that goes to another. */
function usePage(list: 'exposures' | 'reports'): [number, (page: number) => void] {
  const { [list]: page = 1 } = useSearch({ from: '/framed/properties/$id' })
  const navigate = useNavigate({ from: '/properties/$id' })
  return [page, (to) => void navigate({ search: (before) => ({ ...before, [list]: to }), resetScroll: false })]
}

/** Storm days and warnings at a property, newest first. */
export function Exposures({ property, shown, show }: Props) {
  const [page, go] = usePage('exposures')
  const found = useQuery({
    queryKey: ['exposures', property, page],
    queryFn: () => ask(EXPOSURES, { id: property, page }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="exposures">
      <h2 id="exposures">Exposures</h2>
      <Listing<Exposure>
        what="the exposures"
        heading="h3"
        found={found}
        page={found.data?.propertyExposures}
        empty={
          <Empty heading="h3" title="No exposures yet">
            <p>
              Storm days and warnings within the watch radius appear here. An empty list does not show that no storm came: a report shows
              what is on record.
            </p>
          </Empty>
        }
        go={go}
        caption="Exposures of the property, newest first"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Day', short: true, show: ({ date }) => day(date) },
          {
            label: 'Exposure',
            freeText: true,
            show: ({ id, headline, kind }) => (
              <>
                <Link to="/exposures/$id" params={{ id: String(id) }}>
                  {headline}
                </Link>{' '}
                {kind === 'warning' && <span className="badge warn">Warning</span>}
              </>
            ),
          },
          { label: 'Hail reported', number: true, show: (one) => inches(one.largest_measured_in) },
          { label: 'Hail by radar', number: true, show: (one) => inches(one.largest_detected_in) },
          { label: 'Gust', number: true, show: (one) => milesPerHour(one.max_gust_mph) },
          { label: NEAREST, number: true, show: nearestOf },
          {
            label: 'Map',
            show: ({ date }) => (
              <Button aria-label={`Show ${day(date)} on the map`} aria-pressed={date === shown} onPress={() => show(date)}>
                Show
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}

/** Reports filed under a property, newest first. */
export function Reports({ property }: { property: string }) {
  const [page, go] = usePage('reports')
  const found = useQuery({
    queryKey: ['reports', property, page],
    queryFn: () => ask(REPORTS, { id: property, page }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="reports">
      <h2 className="apart-above" id="reports">
        Reports
      </h2>
      <Listing<Report>
        what="the reports"
        heading="h3"
        found={found}
        page={found.data?.reports}
        empty={<p className="soft">This property has no reports yet.</p>}
        go={go}
        caption="Reports about the property, newest first"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Requested', short: true, show: ({ created_at }) => moment(created_at) },
          { label: 'Window', show: ({ window }) => days(window.start, window.end) },
          {
            label: 'Report',
            show: ({ id, headline, status }) => (
              <Link to="/reports/$id" params={{ id }}>
                {headline ?? (status === 'pending' ? 'In progress' : 'Failed')}
              </Link>
            ),
          },
        ]}
      />
    </section>
  )
}
