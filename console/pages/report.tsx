import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useMemo } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { addressLine } from '../parts/address-line.ts'
import { Button } from '../parts/button.tsx'
import { day, days, miles } from '../parts/format.ts'
import { BackToList, isNotFound, LoadError } from '../parts/load-error.tsx'
import { PageName } from '../parts/page-name.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { Changes } from './report/changes.tsx'
import { type CitedRecords, readCited, wholeDaysOf } from './report/cited.ts'
import { DayOfLossPart } from './report/day-of-loss.tsx'
import { Days } from './report/days.tsx'
import { Records } from './report/records.tsx'
import { Verification } from './report/verification.tsx'
import { StatusBadge } from './reports.tsx'

const REPORT = graphql(`
  query Report($id: UUID!) {
    report(report: $id) {
      id status headline nothing_found failure_message reference recipient date_of_loss
      address { query street city state postal_code latitude longitude precision timezone }
      window { start end radius_miles narrowed_by_plan }
      coverage { summary }
      findings { family family_label confidence confidence_label statement }
    }
  }
`)
const PDF_LINK = graphql(
  `mutation PdfLink($id: UUID!) { createReportPdfLink(report: $id) { ... on Download { url } ... on PdfPreparing { retry_after } } }`,
)

type Report = NonNullable<ResultOf<typeof REPORT>['report']>

const POLL_INTERVAL_MS = 1500

/** One report: its findings, the cited records, its PDF and its verification. */
export function ReportPage() {
  const { id } = useParams({ from: '/framed/reports/$id' })
  const found = useQuery({
    queryKey: ['report', id],
    queryFn: () => ask(REPORT, { id }),
    refetchInterval: ({ state }) => (state.data?.report?.status === 'pending' ? POLL_INTERVAL_MS : false),
  })
  if (found.isPending) return <Loading what="the report" />
  if (found.isLoadingError || isNotFound(found)) {
    const readIn = (team_id: string) => ask(REPORT, { id }, team_id)
    return <LoadError what="report" id={id} error={found.error} retry={() => found.refetch()} readIn={readIn} />
  }
  const { report } = found.data
  return report ? <ReportDetails key={report.id} report={report} /> : null
}

function ReportDetails({ report }: { report: Report }) {
  const { address, window, coverage, findings } = report
  const title = addressLine(address)
  const canEdit = useCurrentSession().team.role !== 'viewer'
  return (
    <>
      <BackToList from="report" />
      <header className="page-head">
        <div>
          <PageName>{title}</PageName>
          <p className="soft">
            {days(window.start, window.end)}, within {miles(window.radius_miles)}{' '}
            <span role="status">
              <StatusBadge status={report.status} />
            </span>
          </p>
        </div>
        {report.status === 'complete' && (
          <div className="row">
            <PdfButtons id={report.id} />
          </div>
        )}
      </header>
      {report.status === 'pending' && <Loading what="the evidence for this report" />}
      {report.status === 'failed' && (
        <div className="notice bad" role="alert">
          {report.failure_message} A failed report costs no credit.
        </div>
      )}
      {report.status === 'failed' && canEdit && (
        <Link className="button" to="/reports/new" search={{ address: address.query }}>
          Create a new report
        </Link>
      )}
      {report.status === 'complete' && (
        <>
          {window.narrowed_by_plan && <div className="notice">The window was narrowed to the limits of your plan.</div>}
          <section className="panel">
            <h2>{report.headline ?? report.nothing_found}</h2>
            {findings?.map((finding) => (
              <p key={finding.family}>
                <strong>{finding.family_label}.</strong> {finding.statement} <span className="badge">{finding.confidence_label}</span>
              </p>
            ))}
            <p className="soft">{coverage.summary}</p>
          </section>
          {report.date_of_loss && <DayOfLossPart id={report.id} />}
          <Evidence report={report} />
          <Verification id={report.id} reference={report.reference} recipient={report.recipient} />
          <Changes id={report.id} query={address.query} />
        </>
      )}
    </>
  )
}

/** The days and the records. They are read once for the chart, the map and the tables. */
function Evidence({ report: { id, address, window, findings, date_of_loss } }: { report: Report }) {
  const { day: chosen } = useSearch({ from: '/framed/reports/$id' })
  const navigate = useNavigate({ from: '/reports/$id' })
  // A complete report never changes.
  const found = useQuery({ queryKey: ['records', id], queryFn: () => readCited(id), staleTime: Number.POSITIVE_INFINITY })
  const citedDays = useMemo(() => (found.data ? wholeDaysOf(found.data) : []), [found.data])
  if (found.isPending) return <Loading what="the cited records" />
  if (found.isLoadingError) return <Failed error={found.error} retry={() => found.refetch()} />
  const choose = (date: string | undefined) =>
    navigate({ search: (before) => ({ ...before, day: date, page: undefined, record: undefined }), replace: true, resetScroll: false })
  return (
    <>
      <OmittedRecords cited={found.data} firstDay={citedDays.at(-1)?.date} />
      <Days window={window} date_of_loss={date_of_loss} days={citedDays} chosen={chosen} choose={choose} />
      <Records cited={found.data} address={address} radius_miles={window.radius_miles} findings={findings ?? []} />
    </>
  )
}

/** States that the oldest records, and their days, are not shown. */
function OmittedRecords({ cited: { records, total }, firstDay }: { cited: CitedRecords; firstDay: string | undefined }) {
  if (records.length === total) return null
  return (
    <div className="notice">
      The newest {records.length.toLocaleString('en-US')} of {total.toLocaleString('en-US')} records are shown here
      {firstDay && `, and the days from ${day(firstDay)} on`}; the PDF and the API have all of them.
    </div>
  )
}

function PdfButtons({ id }: { id: string }) {
  const notify = useNotify()
  const { team } = useCurrentSession()
  const link = useMutation({
    mutationFn: () => waitForPdfLink(id, team.id),
    onError: (fault) => notify(fault.message),
  })
  // The link has the service's own host; the console may be open under another name of the same machine.
  const open = (query: string) => link.mutate(undefined, { onSuccess: (url) => window.location.assign(new URL(url).pathname + query) })
  return (
    <>
      <Button isPending={link.isPending} onPress={() => open('')}>
        Download PDF
      </Button>
      <Button kind="primary" isPending={link.isPending} onPress={() => open('?inline')}>
        {link.isPending ? 'Preparing PDF …' : 'Open PDF'}
      </Button>
    </>
  )
}

/** A PDF is printed when it is first requested, which takes seconds. */
const PDF_TIMEOUT_MS = 120_000

/** Waits until the PDF is ready, and returns its link. The requests are made in the report's team. */
async function waitForPdfLink(id: string, team_id: string): Promise<string> {
  const until = Date.now() + PDF_TIMEOUT_MS
  while (Date.now() < until) {
    const { createReportPdfLink: link } = await ask(PDF_LINK, { id }, team_id)
    if (link && 'url' in link) return link.url
    await new Promise((resume) => setTimeout(resume, (link?.retry_after ?? 1) * 1000))
  }
  throw new Error('The PDF is still being prepared. Try again in a minute.')
}
