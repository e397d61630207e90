import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { type FormEvent, Fragment } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { ApiError, type BrowserSession, endSessions, rename, signOut } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { moment } from '../parts/format.ts'
import { useSay } from '../parts/passing.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useHere } from '../signed-in.tsx'

const ACCOUNT = graphql(`
  query Account {
    team { name timezone plan { label on_trial lapsed } limits { properties { held limit } territories { held limit } } }
    credits { balance monthly_allowance used_this_period renews_at }
    creditTransactions(per_page: 10) { data { id kind amount balance_after description created_at } }
    monitoringRuns { lanes { lane lane_label state last_complete_at } }
  }
`)

type Transaction = NonNullable<ResultOf<typeof ACCOUNT>['creditTransactions']>['data'][number]

/** The team's credits and lanes, and one's own name and sessions. */
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
      {found.data && <TeamAccount {...found.data} />}
      <Self />
    </>
  )
}

function TeamAccount({ team, credits, creditTransactions, monitoringRuns }: ResultOf<typeof ACCOUNT>) {
  return (
    <>
      <div className="figures">
        <div className="panel figure">
          Credits <strong>{credits?.balance.toLocaleString('en-US')}</strong>
          <span className="soft small">
            {credits?.used_this_period} used of {credits?.monthly_allowance} this period
          </span>
        </div>
        <div className="panel figure">
          Plan <strong>{team?.plan.label}</strong>
          <span className="soft small">
            {team?.plan.lapsed ? 'Lapsed: reading goes on' : team?.plan.on_trial ? 'On trial' : `Renews ${moment(credits?.renews_at)}`}
          </span>
        </div>
        <div className="panel figure">
          Properties <strong>{team?.limits.properties.held.toLocaleString('en-US')}</strong>
          <span className="soft small">of {team?.limits.properties.limit.toLocaleString('en-US')}</span>
        </div>
        <div className="panel figure">
          Territories <strong>{team?.limits.territories.held}</strong>
          <span className="soft small">of {team?.limits.territories.limit}</span>
        </div>
      </div>
      <section className="panel">
        <h2>Watching</h2>
        <dl className="facts">
          {monitoringRuns?.lanes.map((lane) => (
            <Fragment key={lane.lane}>
              <dt>{lane.lane_label}</dt>
              <dd>
                <span
                  className={
                    lane.state === 'quiet' || lane.state === 'running' ? 'badge good' : lane.state === 'off' ? 'badge' : 'badge bad'
                  }
                >
                  {lane.state}
                </span>{' '}
                <span className="soft">last complete {moment(lane.last_complete_at)}</span>
              </dd>
            </Fragment>
          ))}
        </dl>
      </section>
      <section>
        <h2>Ledger</h2>
        <Table<Transaction>
          caption="Credits given and used, the newest first"
          rows={creditTransactions?.data ?? []}
          keyOf={({ id }) => id}
          columns={[
            { label: 'When', show: ({ created_at }) => moment(created_at) },
            { label: 'What', show: ({ description }) => description },
            { label: 'Credits', number: true, show: ({ amount }) => (amount > 0 ? `+${amount}` : amount) },
            { label: 'Balance', number: true, show: ({ balance_after }) => balance_after },
          ]}
        />
      </section>
    </>
  )
}

function SignOut() {
  const out = useMutation({ mutationFn: signOut, onSettled: () => window.location.assign('/app/sign-in') })
  return <Button onPress={() => out.mutate()}>Sign out</Button>
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
    name.mutate(String(new FormData(event.currentTarget).get('name')))
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
          <Button type="submit">Keep the name</Button>
        </div>
      </form>
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
              current ? <span className="soft">This one</span> : <Button onPress={() => end.mutate(id)}>End it</Button>,
          },
        ]}
      />
      {sessions.length > 1 && (
        <p>
          <Button onPress={() => end.mutate(null)}>End all others</Button>
        </p>
      )}
    </section>
  )
}
