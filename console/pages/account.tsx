import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { type FormEvent, Fragment } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { ApiError, type BrowserSession, endSessions, rename, signOut } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { day, miles, moment } from '../parts/format.ts'
import { LaneBadge } from '../parts/lane-badge.tsx'
import { Listing } from '../parts/listing.tsx'
import { Meter } from '../parts/meter.tsx'
import { useSay } from '../parts/passing.tsx'
import { Passkeys } from '../parts/passkeys.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { StepChart } from '../parts/step-chart.tsx'
import { Table } from '../parts/table.tsx'
import { useHere } from '../signed-in.tsx'

const ACCOUNT = graphql(`
  query Account {
    team {
      name timezone
      plan { label on_trial lapsed }
      includes { api pdf_export observations imagery compose_layout report_branding property_intelligence live_warnings record_alerts }
      limits {
        lookback_years max_radius_miles watch_radius_miles
        properties { held limit }
        territories { held limit max_area_sq_miles }
      }
    }
    credits { balance monthly_allowance used_this_period renews_at }
    monitoringRuns { lanes { lane lane_label state last_complete_at } }
  }
`)
const LEDGER = graphql(`
  query Ledger($page: Int, $per_page: Int) {
    creditTransactions(page: $page, per_page: $per_page) {
      data { id kind amount balance_after description note report_id created_at }
      meta { current_page last_page total from to path per_page }
    }
  }
`)

type Found = ResultOf<typeof ACCOUNT>
type Team = NonNullable<Found['team']>
type Lane = NonNullable<Found['monitoringRuns']>['lanes'][number]
type Transaction = NonNullable<ResultOf<typeof LEDGER>['creditTransactions']>['data'][number]

/** The team's plan, credits and lanes, and one's own name and sessions. */
export function AccountPage() {
  const found = useQuery({ queryKey: ['account'], queryFn: () => ask(ACCOUNT, {}) })
  return (
    <>
      <header className="page-head">
        <h1>Account</h1>
        <SignOut />
      </header>
      {found.isPending && <Loading what="the account" />}
      {found.error && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data?.team && (
        <>
          <Plan team={found.data.team} credits={found.data.credits} />
          <Ledger />
          <Watching lanes={found.data.monitoringRuns?.lanes ?? []} />
        </>
      )}
      <Self />
    </>
  )
}

/** What a plan opens, as the console says it. */
const features: Record<keyof Team['includes'], string> = {
  api: 'The API',
  pdf_export: 'PDFs of reports',
  observations: 'Station observations in reports',
  imagery: 'Photographs in reports',
  compose_layout: 'Layouts of your own',
  report_branding: 'Your name and mark on documents',
  property_intelligence: 'Public records of properties',
  live_warnings: 'Official warnings at watched places',
  record_alerts: 'Storm days at watched places',
}
const isFeature = (name: string): name is keyof Team['includes'] => name in features

function Plan({ team: { plan, includes, limits }, credits }: { team: Team; credits: Found['credits'] }) {
  const names = Object.keys(features).filter(isFeature)
  const said = (open: boolean) => names.filter((name) => includes[name] === open).map((name) => features[name])
  return (
    <section className="panel">
      <h2 className="row">
        {plan.label} {plan.lapsed ? <span className="badge bad">Lapsed</span> : plan.on_trial && <span className="badge">On trial</span>}
      </h2>
      {plan.lapsed && <p>Reading goes on. What costs or watches is refused until the plan is renewed.</p>}
      <div className="meters">
        {credits && <Meter label="Credits used this period" held={credits.used_this_period} limit={credits.monthly_allowance} />}
        <Meter label="Properties" {...limits.properties} />
        <Meter label="Territories" held={limits.territories.held} limit={limits.territories.limit} />
      </div>
      <dl className="facts">
        <dt>Renews</dt>
        <dd>{moment(credits?.renews_at)}</dd>
        <dt>A report reaches</dt>
        <dd>
          {limits.lookback_years} years back, {miles(limits.max_radius_miles)} around
        </dd>
        <dt>A property is watched</dt>
        <dd>{miles(limits.watch_radius_miles)} around at most</dd>
        <dt>A territory is</dt>
        <dd>{limits.territories.max_area_sq_miles.toLocaleString('en-US')} sq mi at most</dd>
        <dt>Included</dt>
        <dd>{said(true).join(', ') || 'Reports'}</dd>
        {said(false).length > 0 && (
          <>
            <dt>Not included</dt>
            <dd>{said(false).join(', ')}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

function Watching({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <section className="panel">
      <h2>Watching</h2>
      <dl className="facts">
        {lanes.map((lane) => (
          <Fragment key={lane.lane}>
            <dt>{lane.lane_label}</dt>
            <dd>
              <LaneBadge lane={lane} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

/** As many movements as one request gives are drawn. */
const DRAWN = 100

function Ledger() {
  const { team } = useHere()
  const { page } = useSearch({ from: '/framed/account' })
  const navigate = useNavigate({ from: '/account' })
  const drawn = useQuery({ queryKey: ['ledger', 'drawn'], queryFn: () => ask(LEDGER, { per_page: DRAWN }) })
  const found = useQuery({
    queryKey: ['ledger', page],
    queryFn: () => ask(LEDGER, { page: page ?? 1, per_page: 10 }),
    placeholderData: keepPreviousData,
  })
  const points = (drawn.data?.creditTransactions?.data ?? [])
    .map(({ created_at, balance_after }) => ({ at: Date.parse(created_at), value: balance_after }))
    .reverse()
  return (
    <section>
      <h2>Credits</h2>
      {points.length > 1 && (
        <div className="panel">
          <p className="soft small">The balance over the last {points.length} movements</p>
          <StepChart
            title="The balance of credits; the table beneath names each movement."
            points={points}
            say={(at) => day(new Date(at).toISOString().slice(0, 10))}
          />
        </div>
      )}
      <Listing<Transaction>
        what="the ledger"
        found={found}
        page={found.data?.creditTransactions}
        empty={
          <Empty title="No credit has moved yet">
            <p>A report costs one credit, which is charged when it is asked for.</p>
            {team.role !== 'viewer' && (
              <Link className="button" to="/reports/new">
                Ask for a report
              </Link>
            )}
          </Empty>
        }
        go={(to) => navigate({ search: { page: to } })}
        caption="Credits given and used, the newest first"
        keyOf={({ id }) => id}
        columns={[
          { label: 'When', short: true, show: ({ created_at }) => moment(created_at) },
          {
            label: 'What',
            written: true,
            show: ({ description, note, report_id }) => (
              <>
                {description} {note && <span className="soft">{note}</span>}{' '}
                {report_id && (
                  <Link to="/reports/$id" params={{ id: report_id }}>
                    The report
                  </Link>
                )}
              </>
            ),
          },
          { label: 'Credits', number: true, show: ({ amount }) => amount.toLocaleString('en-US', { signDisplay: 'exceptZero' }) },
          { label: 'Balance', number: true, show: ({ balance_after }) => balance_after.toLocaleString('en-US') },
        ]}
      />
    </section>
  )
}

function SignOut() {
  const say = useSay()
  const out = useMutation({
    mutationFn: signOut,
    onSuccess: () => window.location.assign('/app/sign-in'),
    onError: (fault) => say(`You may still be signed in. ${fault.message}`),
  })
  return (
    <Button isPending={out.isPending} onPress={() => out.mutate()}>
      Sign out
    </Button>
  )
}

function Self() {
  const { person, sessions } = useHere()
  const queries = useQueryClient()
  const say = useSay()
  const again = () => queries.invalidateQueries({ queryKey: ['session'] })
  const name = useMutation({ mutationFn: rename, onSuccess: () => say('Your name is kept.'), onSettled: again })
  const end = useMutation({
    mutationFn: endSessions,
    onSuccess: ({ ended }) => say(ended === 1 ? 'One session ended.' : `${ended} sessions ended.`),
    onSettled: again,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!name.isPending) name.mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <section className="panel apart-above">
      <h2>You</h2>
      <form className="form" onSubmit={submit}>
        <Field
          label="Name"
          faults={name.error instanceof ApiError ? (name.error.fields.name ?? [name.error.message]) : undefined}
          hint={person.email}
        >
          {(tied) => <input {...tied} name="name" defaultValue={person.name ?? ''} autoComplete="name" />}
        </Field>
        <div>
          <Button type="submit" isPending={name.isPending}>
            Keep the name
          </Button>
        </div>
      </form>
      <Passkeys />
      <h2 className="apart-above">Where you are signed in</h2>
      <Table<BrowserSession>
        caption="Sessions"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Browser', show: ({ browser }) => browser ?? 'Unknown' },
          { label: 'Network', show: ({ network }) => <code>{network}</code> },
          { label: 'Signed in', show: ({ created_at }) => moment(created_at) },
          { label: 'Last used', show: ({ seen_at }) => moment(seen_at) },
          {
            label: 'End',
            show: ({ id, current }) =>
              current ? (
                <span className="soft">This one</span>
              ) : (
                <Button isPending={end.isPending} onPress={() => end.mutate(id)}>
                  End it
                </Button>
              ),
          },
        ]}
      />
      {sessions.length > 1 && (
        <p>
          <Button isPending={end.isPending} onPress={() => end.mutate(null)}>
            End all others
          </Button>
        </p>
      )}
    </section>
  )
}
