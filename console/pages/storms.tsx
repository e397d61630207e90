import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ask, graphql } from '../api/graphql.ts'
import { DateFilter } from '../parts/date-filter.tsx'
import { today } from '../parts/format.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { DayPlaces } from './storms/day-places.tsx'
import { StormDays, useStormDays } from './storms/days.tsx'

const NEWEST = graphql(`query NewestDay { exposures(kind: record, per_page: 1) { data { date } } }`)

/** The storm days of the team's places, and one day hour by hour. */
export function StormsPage() {
  const { day: requestedDay } = useSearch({ from: '/framed/storms' })
  const navigate = useNavigate({ from: '/storms' })
  const { team } = useCurrentSession()
  const days = useStormDays()
  // Wind and tornadoes leave no swath, so the newest exposure may be of a later day.
  const newest = useQuery({ queryKey: ['exposures', 'newest day'], queryFn: () => ask(NEWEST, {}), enabled: requestedDay === undefined })
  const newestDates = [days.data?.pages[0]?.data[0]?.date, newest.data?.exposures?.data[0]?.date]
  const date =
    requestedDay ??
    newestDates
      .filter((one) => one !== undefined)
      .sort()
      .at(-1)
  const isPending = requestedDay === undefined && (days.isPending || newest.isPending)
  return (
    <>
      <header className="page-head">
        <h1>Storms</h1>
      </header>
      <StormDays found={days} shown={date} />
      <div className="filters">
        <DateFilter
          label="Date"
          date={date}
          max={today()}
          change={(typed) => navigate({ search: { ...(typed && { day: typed }) }, replace: true })}
        />
      </div>
      {isPending && <Loading what="the newest day" />}
      {requestedDay === undefined && newest.isLoadingError && (
        <Failed what="The newest storm day" error={newest.error} retry={() => newest.refetch()} />
      )}
      {!isPending && date && <DayPlaces key={date} date={date} />}
      {!isPending && !date && !newest.error && !days.error && (
        <Empty title="No storm days yet">
          <p>Storm days at watched properties and territories appear here. You can choose any date above.</p>
          {team.role !== 'viewer' && (
            <div className="row">
              <Link className="button" to="/properties">
                Watch properties
              </Link>
              <Link className="button" to="/territories/new">
                Draw a territory
              </Link>
            </div>
          )}
        </Empty>
      )}
    </>
  )
}
