import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import { ask } from '../../api/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { day, inches } from '../../parts/format.ts'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { useCurrentSession } from '../../signed-in.tsx'
import { OrderReports } from '../order-reports.tsx'
import { StormDay } from './storm-day.tsx'
import { DAY_EXPOSURES, type ReachedPlace, reachedPlaces, SWATH_PLACES } from './touched.ts'

/** A storm day: played over one of the places that it reached, beside the list of all of them. */
export function DayPlaces({ date }: { date: string }) {
  const { place: requestedPlace } = useSearch({ from: '/framed/storms' })
  const exposuresQuery = useQuery({ queryKey: ['exposures', 'touched', date], queryFn: () => ask(DAY_EXPOSURES, { date }) })
  const stormQuery = useQuery({ queryKey: ['storm-days', date], queryFn: () => ask(SWATH_PLACES, { date }) })
  const exposures = exposuresQuery.data?.exposures
  const storm = stormQuery.data?.stormDay
  const places = useMemo(() => reachedPlaces(exposures?.data ?? [], storm?.places ?? []), [exposures, storm])
  const content = useMemo(() => places.map((one) => one.content), [places])
  const [ordering, setOrdering] = useState(false)
  const navigate = useNavigate({ from: '/storms' })
  // During playback the address has an older moment than the one that is shown.
  const moment = useRef<string | undefined>(undefined)
  const onMoment = useCallback((at: string | undefined) => {
    moment.current = at
  }, [])
  const show = (place: string) =>
    navigate({ search: (before) => ({ ...before, day: date, place, ...(moment.current && { at: moment.current }) }), replace: true })
  const { team } = useCurrentSession()
  const failed = [exposuresQuery, stormQuery].find(({ isLoadingError }) => isLoadingError)
  if (failed?.error) return <Failed error={failed.error} retry={() => failed.refetch()} />
  if (exposuresQuery.isPending || stormQuery.isPending) return <Loading what="the places of this day" />
  const selected = places.find(({ id }) => id === requestedPlace) ?? places[0]
  if (!selected)
    return (
      <Empty title={`No exposures on ${day(date)}`}>
        <p>
          The radar data in the archive also puts none of your places inside a hail swath. That does not show that no storm came: a report
          shows what is on record.
        </p>
      </Empty>
    )
  const hasExposed = places.some(({ exposure, subject }) => exposure && subject === 'property')
  const smallestBand = storm?.day.bands[0]?.from_in
  return (
    <div className="storm-day">
      <div>
        <StormDay date={date} place={selected.id} view={selected.view} places={content} onMoment={onMoment} />
      </div>
      <section className="panel">
        <div className="panel-head row">
          <h2>Places reached</h2>
          {team.role !== 'viewer' && places.some(({ subject }) => subject === 'property') && (
            <Button onPress={() => setOrdering(true)}>Order reports</Button>
          )}
        </div>
        {ordering && (
          <OrderReports
            selection={{ storm: date, ...(!hasExposed && smallestBand && { at_least_in: smallestBand }) }}
            close={() => setOrdering(false)}
          />
        )}
        <ul className="touched">
          {places.map((one) => (
            <PlaceItem key={one.id} place={one} isSelected={one === selected} show={show} />
          ))}
        </ul>
        <OmittedCounts date={date} exposures={exposures?.meta.total ?? 0} inside={storm?.total ?? 0} shown={places} />
      </section>
    </div>
  )
}

interface PlaceItemProps {
  place: ReachedPlace
  isSelected: boolean
  /** Shows the day over the place with this id. */
  show: (id: string) => void
}

function PlaceItem({ place: { id, name, subject, exposure, inside }, isSelected, show }: PlaceItemProps) {
  return (
    <li>
      <strong>{name}</strong>
      {inside && (
        <p className="soft small">
          Radar estimated up to {inches(inside.size_in)}
          {precisionNotes[inside.precision ?? 'point']}. {inside.source === 'sample' && <span className="badge">Sample</span>}
        </p>
      )}
      {exposure && <p className="soft small">{exposure.headline}</p>}
      <div className="row">
        <Button aria-label={`Show ${name}`} aria-pressed={isSelected} onPress={() => show(id)}>
          Show
        </Button>
        {exposure ? (
          <Link to="/exposures/$id" params={{ id: String(exposure.id) }} aria-label={`Exposure of ${name}`}>
            Exposure
          </Link>
        ) : (
          <Link to={subject === 'property' ? '/properties/$id' : '/territories/$id'} params={{ id }} aria-label={`Page of ${name}`}>
            {subject === 'property' ? 'Property' : 'Territory'}
          </Link>
        )}
      </div>
    </li>
  )
}

/** The point of the estimate, if it is not the place itself. */
const precisionNotes = { point: '', range: '', zip: ' at the centre of its ZIP code', city: ' at the centre of its city' } as const

interface Counts {
  date: string
  exposures: number
  inside: number
  shown: readonly ReachedPlace[]
}

/** States how many places of a large day are not in the list. */
function OmittedCounts({ date, exposures, inside, shown }: Counts) {
  const of = (count: number, total: number) => `${count} of ${total.toLocaleString('en-US')}`
  const estimated = shown.filter((one) => one.inside).length
  const reported = shown.filter((one) => one.exposure).length
  return (
    <>
      {inside > estimated && (
        <p className="soft small">{of(estimated, inside)} places under radar-estimated hail: those with the largest estimates.</p>
      )}
      {exposures > reported && (
        <p className="soft small">
          {of(reported, exposures)} exposures: the{' '}
          <Link to="/inbox" search={{ state: 'all', kind: 'record', from: date, to: date }}>
            inbox
          </Link>{' '}
          has all of them.
        </p>
      )}
    </>
  )
}
