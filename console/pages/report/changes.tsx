import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RefusalNotice } from '../../parts/form-dialog.tsx'
import { counted, day, days, moment } from '../../parts/format.ts'
import { LapsedNotice, useLapsedRefusal } from '../../parts/lapsed-plan.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { useCurrentSession } from '../../signed-in.tsx'

const OTHERS = graphql(`
  query OtherReports($address: String) {
    reports(address: $address, status: complete, per_page: 100) { data { id generated_at address { query } window { start end } } }
  }
`)
const DIFF = graphql(`
  query ReportDiff($a: UUID!, $b: UUID) {
    reportDiff(a: $a, b: $b) {
      differs
      a { known_at }
      b { known_at }
      records {
        change
        old { id occurred_on description provenance { source_label } }
        new { id occurred_on description provenance { source_label } }
        fields { field old new }
        revisions { known_at file_name forgot }
      }
      findings { change old { family family_label statement } new { family family_label statement } }
      statements { field old new }
    }
  }
`)
const REFRESH = graphql(`mutation RefreshReport($id: UUID!) { refreshReport(report: $id) { id } }`)

type Diff = NonNullable<ResultOf<typeof DIFF>['reportDiff']>

/** Compares with what a report would say now, instead of with another report. */
const TODAY = 'today'
/** The service filters addresses by a text of at most this many characters. */
const ADDRESS_MAX = 100

/** The differences to the current archive or to another report of the place. If the archive differs, it offers a free updated report. */
export function Changes({ id, query }: { id: string; query: string }) {
  const [comparedId, setComparedId] = useState<string | null>(null)
  const [chosen, setChosen] = useState(TODAY)
  const others = useQuery({ queryKey: ['reports-of', query], queryFn: () => ask(OTHERS, { address: query.slice(0, ADDRESS_MAX) }) })
  const rest = (others.data?.reports?.data ?? []).filter((one) => one.id !== id && one.address.query === query)
  const found = useQuery({
    queryKey: ['report-diff', id, comparedId],
    queryFn: () => ask(DIFF, { a: id, b: comparedId === TODAY ? null : comparedId }),
    enabled: comparedId !== null,
    retry: false,
  })
  const diff = found.data?.reportDiff
  return (
    <section className="panel">
      <h2>What changed since</h2>
      <div className="filters changes-of">
        <SelectField
          label="Compare with"
          value={chosen}
          change={(one) => {
            setChosen(one)
            setComparedId(null)
          }}
          {...(others.isPending && { hint: 'Loading the other reports …' })}
          options={[
            [TODAY, 'What a report would say now'],
            ...rest.map(
              ({ id: one, generated_at, window }) => [one, `Report of ${moment(generated_at)}: ${days(window.start, window.end)}`] as const,
            ),
          ]}
        />
        <Button isPending={found.isFetching} onPress={() => (comparedId === null ? setComparedId(chosen) : found.refetch())}>
          Compare
        </Button>
        <span className="soft small">Costs nothing.</span>
      </div>
      {others.isLoadingError && (
        <Failed heading="h3" what="The other reports of the place" error={others.error} retry={() => others.refetch()} />
      )}
      {found.isFetching && <Loading what="the comparison" />}
      {!found.isFetching && found.error && <Failed heading="h3" error={found.error} retry={() => found.refetch()} />}
      {!found.isFetching && diff && (
        <>
          <Differences diff={diff} />
          {diff.differs && comparedId === TODAY && <Refresh id={id} />}
        </>
      )}
    </section>
  )
}

const changeLabels = { came: 'Added', went: 'Removed', changed: 'Changed' } as const
const badgeClasses = { came: 'badge good', went: 'badge bad', changed: 'badge warn' } as const

/** Labels of the fields of reports and records that can differ. Other fields are shown with their API key. */
const fieldNames: Record<string, string> = {
  headline: 'Headline',
  event_count: 'Records cited',
  observation_count: 'Observations used',
  'coverage.summary': 'Coverage',
  'coverage.complete': 'Coverage complete',
  'coverage.provisional': 'Coverage provisional',
  'measurements.hail_size_in': 'Hail, inches',
  'measurements.wind_gust_mph': 'Gust, mph',
  'measurements.wind_speed_mph': 'Wind, mph',
  tornado_rating: 'Tornado rating',
  description: 'Description',
  occurred_on: 'Day',
  begins_at: 'Began',
  ends_at: 'Ended',
  severity: 'Severity',
  'location.latitude': 'Latitude',
  'location.longitude': 'Longitude',
  'relevance.distance_miles': 'Distance, miles',
  'day_of_loss.statement': 'Date of loss',
}

function Differences({ diff }: { diff: Diff }) {
  const { records, findings, statements } = diff
  if (!diff.differs)
    return (
      <p role="status">
        Nothing differs: the archive of {moment(diff.b.known_at)} says the same as the archive of {moment(diff.a.known_at)}.
      </p>
    )
  return (
    <div className="differences">
      <p role="status">
        {counted(records.length, 'record')}, {counted(findings.length, 'finding')} and{' '}
        {counted(statements.length, 'figure or sentence', 'figures or sentences')} of the report differ between the archive of{' '}
        {moment(diff.a.known_at)} and the archive of {moment(diff.b.known_at)}.
      </p>
      {findings.map(({ change, old, new: fresh }) => (
        <div key={(fresh ?? old)?.family}>
          <p>
            <span className={badgeClasses[change]}>{changeLabels[change]}</span> <strong>{(fresh ?? old)?.family_label}</strong>
          </p>
          <OldAndNew old={old?.statement ?? null} fresh={fresh?.statement ?? null} />
        </div>
      ))}
      {records.map(({ change, old, new: fresh, fields, revisions }) => {
        const cited = fresh ?? old
        return (
          <div key={cited?.id}>
            <p>
              <span className={badgeClasses[change]}>{changeLabels[change]}</span>{' '}
              <strong>{cited && `${day(cited.occurred_on)}, ${cited.provenance.source_label}`}</strong>
            </p>
            {change === 'changed' ? <Fields fields={fields} /> : <p>{cited?.description}</p>}
            {revisions.map(({ known_at, file_name, forgot }) => (
              <p key={known_at} className="soft small">
                {forgot ? 'The source was removed from the archive' : `By ${file_name ?? 'an import'}`}, {moment(known_at)}
              </p>
            ))}
          </div>
        )
      })}
      <Fields fields={statements} />
    </div>
  )
}

function Fields({ fields }: { fields: Diff['statements'] }) {
  return (
    <dl className="facts">
      {fields.map(({ field, old, new: fresh }) => (
        <div key={field} className="contents">
          <dt>{fieldNames[field] ?? <code>{field}</code>}</dt>
          <dd>
            <OldAndNew old={old} fresh={fresh} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function OldAndNew({ old, fresh }: { old: string | null; fresh: string | null }) {
  return (
    <>
      {old !== null && (
        <p className="was">
          <span className="hidden-text">Before: </span>
          <del>{old}</del>
        </p>
      )}
      {fresh !== null && (
        <p>
          <span className="hidden-text">Now: </span>
          <ins>{fresh}</ins>
        </p>
      )}
    </>
  )
}

/** Offers an updated report. The dialog states the cost first. */
function Refresh({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  const { team } = useCurrentSession()
  const refusal = useLapsedRefusal()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refresh = useMutation({
    mutationFn: () => ask(REFRESH, { id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['reports'] }),
  })
  const make = () =>
    refresh.mutate(undefined, {
      onSuccess: ({ refreshReport }) => {
        setOpen(false)
        if (refreshReport) navigate({ to: '/reports/$id', params: { id: refreshReport.id } })
      },
    })
  if (team.role === 'viewer') return null
  return (
    <div className="apart-above">
      <Button kind="primary" onPress={() => setOpen(true)}>
        Create an updated report
      </Button>
      <Dialog title="Create an updated report?" open={isOpen} close={() => !refresh.isPending && setOpen(false)}>
        <LapsedNotice refusal={refusal} />
        <RefusalNotice error={refresh.error} />
        <p>It costs no credit and can be created once a day. This report stays as it is, with its own fingerprint.</p>
        <div className="end row">
          <Button isPending={refresh.isPending} onPress={() => setOpen(false)}>
            Not now
          </Button>
          <Button kind="primary" isPending={refresh.isPending} isDisabled={refusal !== null} onPress={make}>
            Create report
          </Button>
        </div>
      </Dialog>
    </div>
  )
}
