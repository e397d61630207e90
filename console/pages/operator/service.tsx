import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { askAsOperator, graphql } from '../../api/graphql.ts'
import { useHasRole } from '../../operator-frame.tsx'
import { Button } from '../../parts/button.tsx'
import { counted, moment } from '../../parts/format.ts'
import { LaneBadge } from '../../parts/lane-badge.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useNotify } from '../../parts/toasts.tsx'

const SERVICE = graphql(`
  query Service {
    lanes { lane lane_label state last_complete_at watermark expected_every_seconds }
    waitingJobs { name staged durable retrying crashing oldest_at }
    browsers
  }
`)
const RUN = graphql(`mutation RunLane($lane: LaneName!) { monitorRun(lane: $lane) { status candidates failure_reason } }`)
const DOCTOR = graphql(`
  query Doctor {
    invariantViolations { invariant team_id subject detail }
    rowSecurityGaps
    compilesToCome
    auditFaults { team_id sequence fault }
    logFaults
    secretKeys { unopened }
  }
`)
const STORED = graphql(`query Stored($after: String) { storedCheck(after: $after) { checked next faults { kind subject detail } } }`)

type Found = ResultOf<typeof SERVICE>
type Lane = NonNullable<Found['lanes']>[number]
type JobCounts = NonNullable<Found['waitingJobs']>[number]

const POLL_INTERVAL_MS = 10_000

/** Lanes, jobs, and checks of the stored data. */
export function ServicePage() {
  const hasRole = useHasRole()
  const queries = useQueryClient()
  const notify = useNotify()
  const found = useQuery({
    queryKey: ['operator', 'service'],
    queryFn: () => askAsOperator(SERVICE, {}),
    refetchInterval: POLL_INTERVAL_MS,
  })
  const run = useMutation({
    mutationFn: (lane: Lane['lane']) => askAsOperator(RUN, { lane }),
    onSuccess: ({ monitorRun }) =>
      notify(
        monitorRun
          ? (monitorRun.failure_reason ??
              `The run is complete: ${counted(monitorRun.candidates, 'new record or warning', 'new records or warnings')}.`)
          : 'Another process is already running this lane.',
      ),
    onError: (fault) => notify(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operator', 'service'] }),
  })
  if (found.isPending) return <Loading what="the service status" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  return (
    <>
      <header className="page-head">
        <h1>Service</h1>
      </header>
      <h2>Lanes</h2>
      <Table<Lane>
        caption="Lanes of monitoring"
        rows={found.data.lanes ?? []}
        keyOf={({ lane }) => lane}
        columns={[
          { label: 'Lane', show: ({ lane_label }) => lane_label },
          { label: 'State', show: (one) => <LaneBadge lane={one} /> },
          { label: 'Read up to', short: true, show: ({ watermark }) => moment(watermark) },
          { label: 'Interval', number: true, show: ({ expected_every_seconds }) => `${Math.round(expected_every_seconds / 60)} min` },
          ...(hasRole('archive')
            ? [
                {
                  label: 'Run',
                  show: ({ lane, lane_label }: Lane) => (
                    <Button aria-label={`Run now: ${lane_label}`} isPending={run.isPending} onPress={() => run.mutate(lane)}>
                      Run now
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <h2 className="apart-above">Jobs</h2>
      <WaitingJobs jobs={found.data.waitingJobs ?? []} />
      <Doctor />
      <h2 className="apart-above">Browsers that print documents</h2>
      {found.data.browsers?.length ? (
        <ul>
          {found.data.browsers.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <p className="soft">No process has started one yet.</p>
      )}
    </>
  )
}

function WaitingJobs({ jobs }: { jobs: JobCounts[] }) {
  if (jobs.length === 0) return <p className="soft">No jobs are waiting.</p>
  return (
    <Table<JobCounts>
      caption="Waiting jobs"
      rows={jobs}
      keyOf={({ name }) => name}
      columns={[
        { label: 'Job', show: ({ name }) => <code>{name}</code> },
        { label: 'Staged', number: true, show: ({ staged }) => staged },
        { label: 'Durable', number: true, show: ({ durable }) => durable },
        { label: 'Retrying', number: true, show: ({ retrying }) => retrying },
        { label: 'Crashing', number: true, show: ({ crashing }) => crashing },
        { label: 'Due since', short: true, show: ({ oldest_at }) => (oldest_at ? moment(oldest_at) : '–') },
      ]}
    />
  )
}

/** The check runs in steps. This limit stops a check that would never end. */
const STEPS_MAX = 10_000

interface Outcome {
  checked: number
  faults: string[]
}

async function runChecks(): Promise<Outcome> {
  const { invariantViolations, rowSecurityGaps, compilesToCome, auditFaults, logFaults, secretKeys } = await askAsOperator(DOCTOR, {})
  const faults = [
    ...(invariantViolations ?? []).map(({ invariant, subject, detail }) => `${invariant} of ${subject}: ${detail}`),
    ...(rowSecurityGaps ?? []),
    ...(compilesToCome ?? []),
    ...(auditFaults ?? []).map(({ team_id, sequence, fault }) => `Audit log of ${team_id}, row ${sequence ?? 'all'}: ${fault}`),
    ...(logFaults ?? []),
    ...(secretKeys && secretKeys.unopened > 0
      ? [`${counted(secretKeys.unopened, 'sealed value')} cannot be opened with any configured key.`]
      : []),
  ]
  let checked = 0
  let after: string | null = null
  for (let step = 0; step < STEPS_MAX; step++) {
    const { storedCheck }: ResultOf<typeof STORED> = await askAsOperator(STORED, { after })
    checked += storedCheck?.checked ?? 0
    faults.push(...(storedCheck?.faults ?? []).map(({ kind, subject, detail }) => `${kind} ${subject}: ${detail}`))
    after = storedCheck?.next ?? null
    if (after === null) break
  }
  return { checked, faults }
}

function Doctor() {
  const check = useMutation({ mutationFn: runChecks })
  return (
    <section>
      <h2 className="apart-above">Doctor</h2>
      <p className="soft">
        Checks that the data keeps its invariants, that every chain of the audit log and the fingerprint log are intact, and that all stored
        files are there.
      </p>
      {check.error && (
        <div className="notice bad" role="alert">
          {check.error.message}
        </div>
      )}
      {check.data &&
        (check.data.faults.length === 0 ? (
          <div className="notice good" role="status">
            No faults found. {check.data.checked.toLocaleString('en-US')} stored items were checked.
          </div>
        ) : (
          <div className="notice bad" role="alert">
            <ul>
              {check.data.faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </div>
        ))}
      <Button isPending={check.isPending} onPress={() => check.mutate()}>
        {check.isPending ? 'Checking …' : 'Check now'}
      </Button>
    </section>
  )
}
