import type { ResultOf, VariablesOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'
import { bands, counted, countedType, day, days as daysText, miles } from '../parts/format.ts'
import { locatedTo } from '../parts/located-to.ts'
import { type Column, Table } from '../parts/table.tsx'

export const PREVIEW = graphql(`
  query ReportPreview($address: String, $latitude: Float, $longitude: Float, $start: Date!, $end: Date!, $radius: Float, $loss: Date, $reference: String, $recipient: String, $property: UUID) {
    reportPreview(address: $address, latitude: $latitude, longitude: $longitude, window_start: $start, window_end: $end, radius_miles: $radius, date_of_loss: $loss, reference: $reference, recipient: $recipient, property_id: $property) {
      address { street city state postal_code latitude longitude precision }
      failure_message
      window { start end radius_miles narrowed_by_plan }
      coverage { summary }
      event_count
      records_without_point
      types { label event_count evidence_kinds }
      day_count
      days { date records hail { ground { range } radar { range } } wind { ground { range } instrument { range } } tornado relation }
      cost balance
    }
  }
`)

export type PreviewVariables = VariablesOf<typeof PREVIEW>
type Preview = NonNullable<ResultOf<typeof PREVIEW>['reportPreview']>
type Day = Preview['days'][number]

const precisionLabels = {
  point: 'to the point',
  range: `to the ${locatedTo.range}`,
  zip: `to the centre of the ${locatedTo.zip}; distances are measured from there`,
  city: `to the centre of the ${locatedTo.city}; distances are measured from there`,
} as const

const columns: Column<Day>[] = [
  {
    label: 'Day',
    short: true,
    show: ({ date, relation }) => (
      <>
        {day(date)} {relation === 'date_of_loss' && <span className="badge">Date of loss</span>}
        {relation === 'near' && <span className="badge">Near date of loss</span>}
      </>
    ),
  },
  { label: 'Records', number: true, show: ({ records }) => records },
  { label: 'Hail', show: ({ hail }) => bands('size', ['', hail.ground], ['by radar', hail.radar]) || '–' },
  { label: 'Wind', show: ({ wind }) => bands('speed', ['reported', wind.ground], ['measured', wind.instrument]) || '–' },
  { label: 'Tornado', show: ({ tornado }) => (tornado ? 'Reported' : '–') },
]

/** Scrolls to the preview: on a narrow screen it is below the form and the map. */
const scrollIntoView = (part: HTMLElement | null) => part?.scrollIntoView({ block: 'nearest' })

/** What a report would contain, before it is paid for. */
export function ReportPreview({ preview }: { preview: Preview }) {
  if (preview.failure_message !== null)
    return (
      <section className="panel" aria-label="Preview">
        <div className="notice bad" role="alert">
          A report would fail: {preview.failure_message}
        </div>
      </section>
    )
  const { address, window, coverage, event_count, records_without_point: areal, types, day_count, days, cost, balance } = preview
  return (
    <section className="panel apart-above" aria-label="Preview" ref={scrollIntoView}>
      <div role="status">
        <h2>{event_count === 0 ? 'No records in this window' : `${counted(event_count, 'record')} on ${counted(day_count, 'day')}`}</h2>
      </div>
      <p>
        Located at {address.latitude}, {address.longitude}, {address.precision && precisionLabels[address.precision]}.{' '}
        {daysText(window.start, window.end)}, within {miles(window.radius_miles)}
        {window.narrowed_by_plan && ', limited by your plan'}.
      </p>
      {types.length > 0 && (
        <p>
          By type: {types.map(countedType).join(', ')}.
          {areal > 0 && ` ${areal} of them ${areal === 1 ? 'names' : 'name'} a county or a forecast zone, not a point.`}
        </p>
      )}
      <p className="soft small">{coverage?.summary}</p>
      {days.length > 0 && <Table caption="Days with records" columns={columns} rows={days} keyOf={({ date }) => date} />}
      {days.length < day_count && <p className="soft small">The {days.length} most severe days are shown.</p>}
      <p className="soft small apart-above">
        A preview is not evidence: it shows ranges of sizes and cites no records. The report costs {cost} of your{' '}
        {counted(balance, 'credit')}.
      </p>
    </section>
  )
}
