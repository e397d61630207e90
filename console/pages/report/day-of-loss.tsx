import { useQuery } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { day, distance, inches, localMoment, miles, milesPerHour } from '../../parts/format.ts'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'

const DAY_OF_LOSS = graphql(`
  query DayOfLoss($id: UUID!) {
    report(report: $id) {
      address { precision timezone }
      day_of_loss {
        date statement
        rings {
          radius_miles records near_records
          strongest { relation hazard channel hail_size_in wind_mph tornado_rating distance_miles bearing citation_url }
        }
        warnings { relation event office_name from until citation_url }
      }
    }
  }
`)

type DayOfLoss = NonNullable<NonNullable<ResultOf<typeof DAY_OF_LOSS>['report']>['day_of_loss']>
type Ring = DayOfLoss['rings'][number]
type Strongest = Ring['strongest'][number]
type Warning = DayOfLoss['warnings'][number]

const channelVerbs = { ground: 'reported', instrument: 'measured', radar: 'estimated by radar' } as const

function figureOf({ hazard, hail_size_in, wind_mph, tornado_rating }: Strongest): string {
  if (hazard === 'hail') return hail_size_in === null ? '' : inches(hail_size_in)
  return hazard === 'wind' ? (wind_mph === null ? '' : milesPerHour(wind_mph)) : (tornado_rating ?? '')
}

/** The strongest records of a ring, each with a link to its source. */
function StrongestRecords({ ring, relation, precision }: { ring: Ring; relation: Strongest['relation']; precision: string | null }) {
  const found = ring.strongest.filter((one) => one.relation === relation)
  if (found.length === 0) return '–'
  return (
    <ul className="plain">
      {found.map((one) => (
        <li key={`${one.hazard} ${one.channel}`}>
          <OutsideLink href={one.citation_url}>
            {[one.hazard, channelVerbs[one.channel], figureOf(one)].filter(Boolean).join(' ')}
          </OutsideLink>
          , {distance(one.distance_miles, precision)} {one.bearing}
        </li>
      ))}
    </ul>
  )
}

const ringColumns = (precision: string | null): Column<Ring>[] => [
  { label: 'Within', short: true, show: ({ radius_miles }) => miles(radius_miles) },
  { label: 'On the day', number: true, show: ({ records }) => records },
  { label: 'Strongest of the day', show: (ring) => <StrongestRecords ring={ring} relation="date_of_loss" precision={precision} /> },
  { label: 'Two days before and after', number: true, show: ({ near_records }) => near_records },
  { label: 'Strongest of them', show: (ring) => <StrongestRecords ring={ring} relation="near" precision={precision} /> },
]

const warningColumns = (timezone: string | null): Column<Warning>[] => [
  { label: 'Warning', show: ({ event, citation_url }) => <OutsideLink href={citation_url}>{event}</OutsideLink> },
  { label: 'Office', show: ({ office_name }) => office_name },
  { label: 'From', short: true, show: ({ from }) => localMoment(from, timezone) },
  { label: 'Until', short: true, show: ({ until }) => localMoment(until, timezone) },
]

/** The records of the date of loss and of the two days before and after it, by distance, and the warnings that were in force. */
export function DayOfLossPart({ id }: { id: string }) {
  // A complete report never changes.
  const found = useQuery({ queryKey: ['day of loss', id], queryFn: () => ask(DAY_OF_LOSS, { id }), staleTime: Number.POSITIVE_INFINITY })
  if (found.isPending) return <Loading what="the date of loss" />
  if (found.isLoadingError) return <Failed error={found.error} retry={() => found.refetch()} />
  const report = found.data.report
  const loss = report?.day_of_loss
  if (!loss) return null
  return (
    <section className="panel apart-above" aria-label="Date of loss">
      <h2>Date of loss, {day(loss.date)}</h2>
      <p>{loss.statement}</p>
      <Table
        caption="Records by distance"
        columns={ringColumns(report.address.precision)}
        rows={loss.rings}
        keyOf={({ radius_miles }) => radius_miles}
      />
      {loss.warnings.length > 0 && (
        <Table
          caption="Official warnings over the place"
          columns={warningColumns(report.address.timezone)}
          rows={loss.warnings}
          keyOf={({ event, from, citation_url }) => `${event} ${from} ${citation_url}`}
        />
      )}
    </section>
  )
}
