import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useMemo } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { around } from '../map/box.ts'
import { circleArea, place, record } from '../map/content.ts'
import { Button } from '../parts/button.tsx'
import { day, inches, milesPerHour, moment } from '../parts/format.ts'
import { Listing } from '../parts/listing.tsx'
import { MapPart } from '../parts/map.tsx'
import { OutsideLink } from '../parts/outside-link.tsx'
import { useSay } from '../parts/passing.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { StatusBadge } from './reports.tsx'

const REPORT = graphql(`
  query Report($id: UUID!) {
    report(report: $id) {
      id status headline nothing_found failure_message event_count observation_count fingerprint created_at generated_at reference recipient
      address { query street city state postal_code county precision latitude longitude }
      window { start end radius_miles narrowed_by_plan }
      coverage { complete provisional summary sources_searched }
      findings { family family_label event_count peak_severity any_observed confidence_label statement evidence_labels }
      pdf { status rendered_at }
    }
  }
`)
const RECORDS = graphql(`
  query Records($id: UUID!, $page: Int) {
    reportEvents(report: $id, page: $page) {
      data {
        id type occurred_on description sample
        relevance { distance_miles bearing }
        measurements { hail_size_in wind_gust_mph wind_speed_mph }
        tornado_rating
        location { county state precision zone_name }
        provenance { source_label is_observed qualifier citation_url caveats }
      }
      meta { current_page last_page total from to path per_page }
    }
  }
`)
const RECORD_PLACES = graphql(`
  query RecordPlaces($id: UUID!) {
    reportEvents(report: $id, per_page: 100) {
      data { type occurred_on measurements { hail_size_in wind_gust_mph } location { latitude longitude } }
    }
  }
`)
/** A page of them: more would hide one another. */
const MAPPED_MAX = 100
const PDF_LINK = graphql(
  `mutation PdfLink($id: UUID!) { createReportPdfLink(report: $id) { ... on Download { url } ... on PdfPreparing { retry_after } } }`,
)

type Report = NonNullable<ResultOf<typeof REPORT>['report']>
type Cited = NonNullable<ResultOf<typeof RECORDS>['reportEvents']>['data'][number]

const LOOK_AGAIN_MS = 1500

/** One report: its findings, the records that they cite, its document and what verifies it. */
export function ReportPage() {
  const { id } = useParams({ from: '/framed/reports/$id' })
  const found = useQuery({
    queryKey: ['report', id],
    queryFn: () => ask(REPORT, { id }),
    refetchInterval: ({ state }) => (state.data?.report?.status === 'pending' ? LOOK_AGAIN_MS : false),
  })
  if (found.isPending) return <Loading what="the report" />
  if (found.error) return <Failed error={found.error} retry={() => found.refetch()} />
  const { report } = found.data
  return report ? <Whole report={report} /> : null
}

function Whole({ report }: { report: Report }) {
  const { address, window, coverage, findings } = report
  const title = address.street
    ? `${address.street}, ${address.city ?? ''} ${address.state ?? ''} ${address.postal_code ?? ''}`
    : address.query
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          <p className="soft">
            {day(window.start)} to {day(window.end)}, {window.radius_miles} miles around <StatusBadge status={report.status} />
          </p>
        </div>
        {report.status === 'complete' && <PdfButton id={report.id} />}
      </header>
      {report.status === 'pending' && <Loading what="the archive for this report" />}
      {report.status === 'failed' && (
        <div className="notice bad" role="alert">
          {report.failure_message} The credit was returned.
        </div>
      )}
      {report.status === 'complete' && (
        <>
          {window.narrowed_by_plan && <div className="notice">The window was narrowed to what your plan covers.</div>}
          <section className="panel">
            <h2>{report.headline ?? report.nothing_found}</h2>
            {findings?.map((finding) => (
              <p key={finding.family}>
                <strong>{finding.family_label}.</strong> {finding.statement} <span className="badge">{finding.confidence_label}</span>
              </p>
            ))}
            <p className="soft">{coverage.summary}</p>
          </section>
          <ReportMap report={report} />
          <Records id={report.id} />
          <section className="panel">
            <h2>Verification</h2>
            <dl className="facts">
              <dt>Fingerprint</dt>
              <dd className="mono">{report.fingerprint}</dd>
              <dt>Page for anybody</dt>
              <dd>
                <a href={`/verify/${report.fingerprint}`}>Verify this report</a>
              </dd>
              <dt>Made</dt>
              <dd>{moment(report.generated_at)}</dd>
              {report.reference && (
                <>
                  <dt>Reference</dt>
                  <dd>{report.reference}</dd>
                </>
              )}
            </dl>
          </section>
        </>
      )}
    </>
  )
}

/** The circle that was searched, and what was found in it. */
function ReportMap({ report: { id, address, window, event_count } }: { report: Report }) {
  const found = useQuery({ queryKey: ['records-on-map', id], queryFn: () => ask(RECORD_PLACES, { id }) })
  const { latitude, longitude } = address
  const cited = found.data?.reportEvents?.data
  const content = useMemo(() => {
    if (latitude === null || longitude === null) return []
    const point = { latitude, longitude }
    const placed = (cited ?? []).flatMap(({ location, type, occurred_on, measurements }) =>
      location.latitude === null || location.longitude === null
        ? []
        : [
            record(
              { latitude: location.latitude, longitude: location.longitude },
              type,
              `${day(occurred_on)}: ${type.replaceAll('_', ' ')} ${[
                measurements.hail_size_in && inches(measurements.hail_size_in),
                measurements.wind_gust_mph && milesPerHour(measurements.wind_gust_mph),
              ]
                .filter(Boolean)
                .join(', ')}`,
            ),
          ],
    )
    return [circleArea(point, window.radius_miles), ...placed, place(point, address.query)]
  }, [latitude, longitude, cited, window.radius_miles, address.query])
  if (latitude === null || longitude === null) return null
  return (
    <MapPart label="Map of the cited records" view={around({ latitude, longitude }, window.radius_miles)} content={content}>
      {event_count > MAPPED_MAX && (
        <p className="soft small">
          The newest {MAPPED_MAX} of {event_count} records; the table has all of them.
        </p>
      )}
    </MapPart>
  )
}

function PdfButton({ id }: { id: string }) {
  const say = useSay()
  const link = useMutation({
    mutationFn: () => printed(id),
    // The link names the service's own address; the console may stand at another name of the same machine.
    onSuccess: (url) => window.location.assign(new URL(url).pathname),
    onError: (fault) => say(fault.message),
  })
  return (
    <Button kind="first" isDisabled={link.isPending} onPress={() => link.mutate()}>
      {link.isPending ? 'Being printed …' : 'Download the PDF'}
    </Button>
  )
}

/** How a magnitude was come by, as the source states it. */
const qualifiers = {
  measured: 'measured',
  estimated: 'estimated',
  surveyed: 'surveyed',
  radar_estimated: 'by radar',
  unknown: 'measured or estimated: not stated',
} as const

/** How far, and in which direction from the address; records of a county or a zone have no distance. */
function distance({ distance_miles, bearing }: Cited['relevance']): string {
  return distance_miles === null ? '–' : `${distance_miles} mi ${bearing ?? ''}`
}

/** A document is printed when it is first asked for: it takes seconds. */
const PRINTED_WITHIN_MS = 120_000

/** Waits until the document is there. */
async function printed(id: string): Promise<string> {
  const until = Date.now() + PRINTED_WITHIN_MS
  while (Date.now() < until) {
    const { createReportPdfLink: link } = await ask(PDF_LINK, { id })
    if (link && 'url' in link) return link.url
    await new Promise((resume) => setTimeout(resume, (link?.retry_after ?? 1) * 1000))
  }
  throw new Error('The document is still being printed. Try again in a minute.')
}

function Records({ id }: { id: string }) {
  const { page } = useSearch({ from: '/framed/reports/$id' })
  const navigate = useNavigate({ from: '/reports/$id' })
  const say = useSay()
  const found = useQuery({
    queryKey: ['records', id, page],
    queryFn: () => ask(RECORDS, { id, page: page ?? 1 }),
    placeholderData: keepPreviousData,
  })
  const copy = async (cited: Cited) => {
    await navigator.clipboard.writeText(
      `${cited.provenance.source_label}, ${cited.occurred_on}: ${cited.description} ${cited.provenance.citation_url}`,
    )
    say('Citation copied.')
  }
  return (
    <section>
      <h2>Cited records</h2>
      <Listing<Cited>
        what="the cited records"
        found={found}
        page={found.data?.reportEvents}
        empty={
          <Empty title="No record is cited">
            <p>That the archive holds none does not show that nothing happened.</p>
          </Empty>
        }
        go={(next) => navigate({ search: { page: next } })}
        caption="Records that the report cites"
        keyOf={({ id: record }) => record}
        columns={[
          { label: 'Day', short: true, show: ({ occurred_on }) => day(occurred_on) },
          { label: 'What', show: (one) => <span>{one.description}</span> },
          { label: 'Distance', number: true, show: ({ relevance }) => distance(relevance) },
          { label: 'Hail', number: true, show: ({ measurements }) => inches(measurements.hail_size_in) },
          {
            label: 'Wind',
            number: true,
            show: ({ measurements }) => milesPerHour(measurements.wind_gust_mph ?? measurements.wind_speed_mph),
          },
          {
            label: 'How known',
            show: howKnown,
          },
          {
            label: 'Source',
            show: (one) => (
              <>
                <OutsideLink href={one.provenance.citation_url}>{one.provenance.source_label}</OutsideLink>{' '}
                {one.sample && <span className="badge">Sample</span>}
              </>
            ),
          },
          { label: 'Citation', show: (one) => <Button onPress={() => copy(one)}>Copy</Button> },
        ]}
      />
    </section>
  )
}

function howKnown({ provenance }: Cited) {
  return (
    <>
      {provenance.is_observed ? 'Observed' : 'Estimated by radar'}{' '}
      {provenance.qualifier && <span className="badge">{qualifiers[provenance.qualifier]}</span>}
      {provenance.caveats.map((caveat) => (
        <span key={caveat} className="soft small">
          {' '}
          {caveat}
        </span>
      ))}
    </>
  )
}
