import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { counted, day, inches } from '../../parts/format.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import { withShown } from './with-shown.ts'

const DAYS = graphql(`
  query StormDays($to: Date) { stormDays(to: $to) { data { date largest_in property_count territory_count sources } next_to } }
`)

type Days = NonNullable<ResultOf<typeof DAYS>['stormDays']>
type Found = UseInfiniteQueryResult<{ pages: Days[] }>

/** The list takes the service up to a second to compute, and grows by only one day per day. */
const FRESH_MS = 5 * 60_000

const noDays: Days = { data: [], next_to: null }

/** Reads the days on which radar put one of the team's places inside a hail swath, newest first. */
export function useStormDays(): Found {
  return useInfiniteQuery({
    queryKey: ['storm-days'],
    queryFn: async ({ pageParam: to }) => (await ask(DAYS, { to })).stormDays ?? noDays,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_to }) => next_to,
    staleTime: FRESH_MS,
  })
}

/** The days to choose from, each with the largest estimate and the number of places. */
export function StormDays({ found, shown }: { found: Found; shown: string | undefined }) {
  const days = (found.data?.pages ?? []).flatMap(({ data }) => data)
  const listed = withShown(days, shown)
  return (
    <section className="panel" aria-labelledby="storm-days">
      <h2 id="storm-days">Hail days at your places</h2>
      {found.isPending && <Loading what="the storm days" />}
      {found.error && !found.isFetching && (
        <Failed heading="h3" error={found.error} retry={() => (found.isFetchNextPageError ? found.fetchNextPage() : found.refetch())} />
      )}
      {found.data && days.length === 0 && !found.hasNextPage && (
        <p>
          No radar data in the archive puts one of your places inside a hail swath. That does not prove that no hail fell. The{' '}
          <Link to="/inbox">inbox</Link> lists the storm days that were found at watched places. You can choose any date below.
        </p>
      )}
      {(days.length > 0 || found.hasNextPage) && (
        <>
          <p className="soft small">
            Sizes are the largest radar estimate of the day at a watched place, not measurements. Days with wind and tornadoes are in the
            inbox.
          </p>
          <ol className="storm-days">
            {listed.map((one) => (
              <li key={one.date}>
                <Link to="/storms" search={{ day: one.date }} aria-current={one.date === shown ? 'date' : undefined}>
                  <strong>{day(one.date)}</strong>
                  {'largest_in' in one ? (
                    <>
                      {one.sources.includes('sample') && <span className="badge">Sample</span>}
                      <span>up to {inches(one.largest_in)}</span>
                      <span className="soft small">{placesOf(one)}</span>
                    </>
                  ) : (
                    <span className="soft small">Shown below</span>
                  )}
                </Link>
              </li>
            ))}
            {found.hasNextPage && (
              <li>
                <Button isPending={found.isFetchingNextPage} onPress={() => found.fetchNextPage()}>
                  Earlier days
                </Button>
              </li>
            )}
          </ol>
        </>
      )}
    </section>
  )
}

/** "12 properties, 1 territory". */
function placesOf({ property_count, territory_count }: Days['data'][number]): string {
  const parts = [
    property_count > 0 && counted(property_count, 'property', 'properties'),
    territory_count > 0 && counted(territory_count, 'territory', 'territories'),
  ]
  return parts.filter(Boolean).join(', ')
}
