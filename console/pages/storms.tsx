import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Geometry } from 'geojson'
import type { ResultOf } from 'gql.tada'
import { useMemo, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { around, type Box } from '../map/box.ts'
import { area, type Content, place } from '../map/content.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { day } from '../parts/format.ts'
import { SelectField } from '../parts/select-field.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { useHere } from '../signed-in.tsx'
import { OrderReports } from './order-reports.tsx'
import { StormDay } from './storms/storm-day.tsx'

const DAYS = graphql(`query StormDays { exposures(kind: record, per_page: 100) { data { date } } }`)
const TOUCHED = graphql(`
  query Touched($date: Date!) {
    exposures(kind: record, from: $date, to: $date, per_page: 50) {
      data {
        id headline
        subject { id name }
        property { address { latitude longitude } }
        territory { color geometry bounds { west south east north } }
      }
      meta { total }
    }
  }
`)

type Touched = NonNullable<ResultOf<typeof TOUCHED>['exposures']>['data'][number]

/** A day over the team's places, hour by hour. */
export function StormsPage() {
  const { day: asked } = useSearch({ from: '/framed/storms' })
  const navigate = useNavigate({ from: '/storms' })
  const found = useQuery({ queryKey: ['exposures', 'days'], queryFn: () => ask(DAYS, {}) })
  if (found.isPending) return <Loading what="the storm days" />
  if (found.error) return <Failed error={found.error} retry={() => found.refetch()} />
  const days = [...new Set((found.data.exposures?.data ?? []).map(({ date }) => date))]
  const date = asked ?? days[0]
  const turn = (to: string) => navigate({ search: { ...(to && { day: to }) } })
  return (
    <>
      <header className="page-head">
        <h1>Storms</h1>
      </header>
      <div className="filters">
        {days.length > 0 && (
          <SelectField
            label="Storm days here"
            value={date && days.includes(date) ? date : ''}
            options={[
              ...(date && days.includes(date) ? [] : [['', 'Another day'] as const]),
              ...days.map((one) => [one, day(one)] as const),
            ]}
            change={turn}
          />
        )}
        <Field label="Date">
          {(tied) => <input {...tied} type="date" value={date ?? ''} onChange={(event) => turn(event.target.value)} />}
        </Field>
      </div>
      {date ? (
        <Day date={date} />
      ) : (
        <Empty title="No storm touched your places yet">
          <p>
            <Link to="/properties">Watch a property</Link> or <Link to="/territories">draw a territory</Link>, and its storm days are listed
            here. Any date can be chosen above.
          </p>
        </Empty>
      )}
    </>
  )
}

/** Miles around a property that are looked at. */
const AROUND_MILES = 25

/** Where a place lies; null of a property that was not located. */
function boxOf({ property, territory }: Touched): Box | null {
  if (territory) {
    const { west, south, east, north } = territory.bounds
    return [west - 0.2, south - 0.2, east + 0.2, north + 0.2]
  }
  const { latitude, longitude } = property?.address ?? {}
  return latitude != null && longitude != null ? around({ latitude, longitude }, AROUND_MILES) : null
}

function contentOf({ subject, property, territory }: Touched): Content[] {
  if (territory) return [area(territory.geometry as Geometry, { colour: territory.color, text: subject.name })]
  const { latitude, longitude } = property?.address ?? {}
  return latitude != null && longitude != null ? [place({ latitude, longitude }, subject.name)] : []
}

function Day({ date }: { date: string }) {
  const { place: asked } = useSearch({ from: '/framed/storms' })
  const navigate = useNavigate({ from: '/storms' })
  const found = useQuery({ queryKey: ['exposures', 'touched', date], queryFn: () => ask(TOUCHED, { date }) })
  const touched = found.data?.exposures?.data
  const content = useMemo(() => (touched ?? []).flatMap(contentOf), [touched])
  const [ordering, setOrdering] = useState(false)
  const { team } = useHere()
  if (found.isPending) return <Loading what="the places of the day" />
  if (found.error) return <Failed error={found.error} retry={() => found.refetch()} />
  const located = (touched ?? []).flatMap((one) => {
    const view = boxOf(one)
    return view ? [{ one, view }] : []
  })
  const seen = located.find(({ one }) => one.subject.id === asked) ?? located[0]
  if (!seen)
    return (
      <Empty title={`No storm of ${day(date)} touched your places`}>
        <p>Choose a day on which one did.</p>
      </Empty>
    )
  const total = found.data.exposures?.meta.total ?? located.length
  return (
    <div className="storm-day">
      <div>
        <StormDay date={date} view={seen.view} places={content} />
      </div>
      <section className="panel">
        <div className="panel-head row">
          <h2>Places it reached</h2>
          {team.role !== 'viewer' && located.some(({ one }) => one.property) && (
            <Button onPress={() => setOrdering(true)}>Order reports</Button>
          )}
        </div>
        {ordering && <OrderReports of={{ storm: date }} close={() => setOrdering(false)} />}
        <ul className="touched">
          {located.map(({ one }) => (
            <li key={one.id}>
              <strong>{one.subject.name}</strong>
              <p className="soft small">{one.headline}</p>
              <div className="row">
                <Button
                  aria-label={`Show ${one.subject.name}`}
                  aria-pressed={one === seen.one}
                  onPress={() => navigate({ search: (before) => ({ ...before, place: one.subject.id }), replace: true })}
                >
                  Show
                </Button>
                <Link to="/exposures/$id" params={{ id: String(one.id) }} aria-label={`Exposure of ${one.subject.name}`}>
                  Exposure
                </Link>
              </div>
            </li>
          ))}
        </ul>
        {total > located.length && (
          <p className="soft small">
            {located.length} of {total.toLocaleString('en-US')}: the <Link to="/inbox">inbox</Link> has all of them.
          </p>
        )}
      </section>
    </div>
  )
}
