import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Geometry } from 'geojson'
import type { ResultOf } from 'gql.tada'
import { useMemo } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { around, type Box, unite } from '../map/box.ts'
import { area, type Content, circleArea, place, record } from '../map/content.ts'
import { Button } from '../parts/button.tsx'
import {
  counted,
  day,
  inches,
  isRadarOnly,
  localMoment,
  milesPerHour,
  moment,
  NEAREST,
  nearestOf,
  qualifierOf,
  recordInWords,
  typeInWords,
  windOfRecord,
} from '../parts/format.ts'
import { BackToList, isNotFound, LoadError } from '../parts/load-error.tsx'
import { MapPart } from '../parts/map.tsx'
import { OutsideLink } from '../parts/outside-link.tsx'
import { PageName } from '../parts/page-name.tsx'
import { Empty, Loading } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useAcknowledge } from '../parts/use-acknowledge.ts'
import { useCurrentSession } from '../signed-in.tsx'

const EXPOSURE = graphql(`
  query Exposure($id: Int!) {
    exposure(exposure: $id) {
      id kind date timezone headline observed provisional sample acknowledged_at dismissed_at report_id first_seen_at
      largest_measured_in largest_detected_in max_gust_mph nearest_miles record_ids
      subject { id object name precision }
      property { watch_radius_miles address { query latitude longitude } }
      territory { color geometry bounds { west south east north } }
      warning {
        event headline severity certainty urgency issued_at expires_at ends_at cancelled_at in_force area instruction geometry citation_url
        office { name }
        threats { max_hail_in hail_basis max_gust_mph wind_basis tornado flash_flood damage }
        periods { from until }
      }
      records {
        id type occurred_on begins_at qualifier tornado_rating county state source_label citation_url description caveats
        latitude longitude hail_size_in wind_gust_mph wind_speed_mph
      }
    }
  }
`)
const REOPEN = graphql(`mutation ReopenOne($id: Int!) { reopenExposure(exposure: $id) { id } }`)

type Exposure = NonNullable<ResultOf<typeof EXPOSURE>['exposure']>
type ArchiveRecord = Exposure['records'][number]

/** The id in the URL. A text that cannot be an id becomes 0, which no exposure has. */
function idOf(text: string): number {
  const id = Number(text)
  return Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : 0
}

/** How often a warning in force is read again: nothing announces that its time is over. */
const POLL_INTERVAL_MS = 60_000

/** A storm day or a warning at one of the team's places: the page that a post links to. */
export function ExposurePage() {
  const { id } = useParams({ from: '/framed/exposures/$id' })
  const found = useQuery({
    queryKey: ['exposure', id],
    queryFn: () => ask(EXPOSURE, { id: idOf(id) }),
    refetchInterval: ({ state }) => (state.data?.exposure?.warning?.in_force ? POLL_INTERVAL_MS : false),
  })
  if (found.isPending) return <Loading what="the exposure" />
  if (found.isLoadingError || isNotFound(found)) {
    const readIn = (team_id: string) => ask(EXPOSURE, { id: idOf(id) }, team_id)
    return <LoadError what="exposure" id={id} error={found.error} retry={() => found.refetch()} readIn={readIn} />
  }
  const { exposure } = found.data
  return exposure ? <ExposureDetails key={exposure.id} exposure={exposure} /> : null
}

function ExposureDetails({ exposure }: { exposure: Exposure }) {
  const { team } = useCurrentSession()
  const { subject, warning } = exposure
  const canEdit = team.role !== 'viewer'
  return (
    <>
      <BackToList from="exposure" />
      <header className="page-head">
        <div>
          <PageName>{exposure.headline}</PageName>
          <p className="soft">
            {subject.name}, {day(exposure.date)} <StateBadge exposure={exposure} />{' '}
            {exposure.kind === 'warning' && <span className="badge warn">Warning</span>}{' '}
            {isRadarOnly(exposure) && <span className="badge">Radar only</span>}{' '}
            {exposure.provisional && <span className="badge">Provisional</span>} {exposure.sample && <span className="badge">Sample</span>}
          </p>
        </div>
        {canEdit && <Actions exposure={exposure} />}
      </header>
      <ExposureMap exposure={exposure} />
      {exposure.kind === 'record' && <Figures exposure={exposure} />}
      {warning && <Warning warning={warning} timezone={exposure.timezone} />}
      {exposure.kind === 'record' && <Records exposure={exposure} />}
    </>
  )
}

/** The records of the day at the place: of a large day the first that the service returns. */
function Records({ exposure: { records, record_ids, timezone } }: { exposure: Exposure }) {
  return (
    <section>
      <h2>Records</h2>
      {records.length === 0 ? (
        <Empty heading="h3" title="No records left">
          <p>The sources have withdrawn or changed their records: none makes a storm day here now.</p>
        </Empty>
      ) : (
        <Table<ArchiveRecord>
          caption="Records of this day at this place"
          rows={records}
          keyOf={({ id }) => id}
          columns={recordColumns(timezone)}
        />
      )}
      {records.length > 0 && records.length < record_ids.length && (
        <p className="soft small">
          {records.length} of {counted(record_ids.length, 'record')} are shown here and on the map.
        </p>
      )}
    </section>
  )
}

const recordColumns = (timezone: string | null): Column<ArchiveRecord>[] => [
  { label: 'When', short: true, show: ({ begins_at }) => localMoment(begins_at, timezone) },
  {
    label: 'Record',
    freeText: true,
    show: ({ type, qualifier, description, caveats, ...figures }) => (
      <>
        <strong>{[typeInWords(type), qualifierOf(qualifier, figures)].filter(Boolean).join(', ')}</strong>
        <span className="record-words">{[description, ...caveats].filter(Boolean).join(' ')}</span>
      </>
    ),
  },
  { label: 'Hail', number: true, show: ({ hail_size_in }) => inches(hail_size_in) },
  { label: 'Wind', number: true, show: windOfRecord },
  { label: 'Tornado', show: ({ tornado_rating }) => tornado_rating ?? '–' },
  { label: 'Where', show: ({ county, state }) => [county, state].filter(Boolean).join(', ') || '–' },
  {
    label: 'Source',
    show: ({ citation_url, source_label }) => <OutsideLink href={citation_url}>{source_label}</OutsideLink>,
  },
]

function Figures({ exposure }: { exposure: Exposure }) {
  return (
    <section className="panel">
      <dl className="facts">
        <dt>Hail reported</dt>
        <dd>{inches(exposure.largest_measured_in)}</dd>
        <dt>Hail by radar</dt>
        <dd>{inches(exposure.largest_detected_in)}</dd>
        <dt>Gust</dt>
        <dd>{milesPerHour(exposure.max_gust_mph)}</dd>
        <dt>{NEAREST}</dt>
        <dd>{nearestOf(exposure)}</dd>
        <dt>First seen</dt>
        <dd>{moment(exposure.first_seen_at)}</dd>
      </dl>
    </section>
  )
}

function ExposureMap({ exposure }: { exposure: Exposure }) {
  const { content, view } = useMemo(() => contentOf(exposure), [exposure])
  return <MapPart label={`Map of ${exposure.subject.name} on ${day(exposure.date)}`} view={view} content={content} />
}

/** The place with its watched area, the records, and the area of the warning. */
function contentOf({ subject, timezone, property, territory, warning, records }: Exposure): { content: Content[]; view: Box | null } {
  const { latitude, longitude } = property?.address ?? {}
  const point = latitude != null && longitude != null ? { latitude, longitude } : null
  const radius = property?.watch_radius_miles ?? 1
  const recordMarks = records.flatMap((one) =>
    one.latitude === null || one.longitude === null
      ? []
      : [{ point: { latitude: one.latitude, longitude: one.longitude }, type: one.type, text: textOf(one, timezone) }],
  )
  const bounds = territory?.bounds
  const boxes: Box[] = [
    ...(point ? [around(point, radius * 1.5)] : []),
    ...(bounds ? [[bounds.west, bounds.south, bounds.east, bounds.north] as Box] : []),
    ...(territory ? [] : recordMarks.map((one) => around(one.point, 0.5))),
  ]
  return {
    view: unite(boxes),
    content: [
      ...(warning?.geometry ? [area(warning.geometry as Geometry, { colour: '#a86a00', text: warning.event })] : []),
      ...(territory ? [area(territory.geometry as Geometry, { colour: territory.color, text: subject.name })] : []),
      ...(point ? [circleArea(point, radius), place(point, subject.name)] : []),
      ...recordMarks.map((one) => record(one.point, one.type, one.text)),
    ],
  }
}

const textOf = ({ begins_at, ...one }: ArchiveRecord, timezone: string | null) =>
  `${recordInWords({ ...one, is_radar: one.qualifier === 'radar_estimated' })}, ${localMoment(begins_at, timezone)}`

type Threats = NonNullable<Exposure['warning']>['threats']

function Warning({ warning, timezone }: { warning: NonNullable<Exposure['warning']>; timezone: string | null }) {
  const { ends_at, expires_at } = warning
  return (
    <section className="panel">
      <h2>{warning.event}</h2>
      <p>{warning.headline}</p>
      <dl className="facts">
        <dt>Issued</dt>
        <dd>
          {localMoment(warning.issued_at, timezone)} by {warning.office.name}
        </dd>
        {/* A warning may be cancelled before its stated end, or begin later: the end does not show whether it is over. */}
        <dt>Stated end</dt>
        <dd>
          {ends_at
            ? localMoment(ends_at, timezone)
            : `Until further notice${expires_at ? `; newest message expires ${localMoment(expires_at, timezone)}` : ''}`}
        </dd>
        {warning.cancelled_at && (
          <>
            <dt>Cancelled</dt>
            <dd>{localMoment(warning.cancelled_at, timezone)}</dd>
          </>
        )}
        <dt>In force at this place</dt>
        <dd>
          {warning.periods.map(({ from, until }) => `${localMoment(from, timezone)} to ${localMoment(until, timezone)}`).join('; ') || '–'}{' '}
          {warning.in_force && <span className="badge warn">In force now</span>}
        </dd>
        <dt>Threats</dt>
        <dd>{threatsInWords(warning.threats)}</dd>
        <dt>Area</dt>
        <dd>{warning.area ?? '–'}</dd>
      </dl>
      {warning.instruction && <p className="quoted">{warning.instruction}</p>}
      <OutsideLink href={warning.citation_url}>View the warning</OutsideLink>
    </section>
  )
}

/** The tags of the newest message, as it states them. */
function threatsInWords({ max_hail_in, hail_basis, max_gust_mph, wind_basis, tornado, flash_flood, damage }: Threats): string {
  const stated = [
    tornado && `tornado ${tornado}`,
    flash_flood && `flash flood ${flash_flood}`,
    max_hail_in && `hail up to ${inches(max_hail_in)}${hail_basis ? ` (${hail_basis})` : ''}`,
    max_gust_mph && `gusts up to ${milesPerHour(max_gust_mph)}${wind_basis ? ` (${wind_basis})` : ''}`,
    damage && `threat tag ${damage}`,
  ]
  return stated.filter(Boolean).join(', ').replaceAll('_', ' ') || '–'
}

function Actions({ exposure }: { exposure: Exposure }) {
  const queries = useQueryClient()
  const notify = useNotify()
  const acknowledge = useAcknowledge()
  const reopen = useMutation({
    mutationFn: () => ask(REOPEN, { id: exposure.id }),
    onError: (fault) => notify(fault.message),
    onSettled: () =>
      Promise.all([['exposure', String(exposure.id)], ['exposures']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  const settle = (dismiss: boolean) => acknowledge.mutate({ ids: [exposure.id], dismiss, only_if_open: true })
  const open = exposure.acknowledged_at === null && exposure.dismissed_at === null
  const pending = acknowledge.isPending || reopen.isPending
  return (
    <div className="row">
      {open ? (
        <>
          <Button isPending={pending} onPress={() => settle(false)}>
            Acknowledge
          </Button>
          <Button isPending={pending} onPress={() => settle(true)}>
            Dismiss
          </Button>
        </>
      ) : (
        <Button isPending={pending} onPress={() => reopen.mutate()}>
          Reopen
        </Button>
      )}
      {exposure.report_id ? (
        <Link className="button primary" to="/reports/$id" params={{ id: exposure.report_id }}>
          View report
        </Link>
      ) : (
        exposure.subject.object === 'property' &&
        exposure.kind === 'record' && (
          <Link className="button primary" to="/reports/new" search={{ property: exposure.subject.id, day: exposure.date }}>
            Create report
          </Link>
        )
      )}
    </div>
  )
}

function StateBadge({ exposure: { acknowledged_at, dismissed_at } }: { exposure: Exposure }) {
  if (dismissed_at) return <span className="badge">Dismissed</span>
  if (acknowledged_at) return <span className="badge good">Acknowledged</span>
  return <span className="badge warn">Open</span>
}
