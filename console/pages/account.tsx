import { useQuery } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { Fragment } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { counted, miles, moment } from '../parts/format.ts'
import { LaneBadge } from '../parts/lane-badge.tsx'
import { LAPSED_REFUSALS } from '../parts/lapsed-plan.tsx'
import { Meter } from '../parts/meter.tsx'
import { SignOut } from '../parts/sign-out.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Ledger } from './account/ledger.tsx'
import { PersonSettings } from './account/self.tsx'

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

type Found = ResultOf<typeof ACCOUNT>
type Team = NonNullable<Found['team']>
type Lane = NonNullable<Found['monitoringRuns']>['lanes'][number]

/** The team's plan, credits and lanes, and the person's own name and sessions. */
export function AccountPage() {
  const found = useQuery({ queryKey: ['account'], queryFn: () => ask(ACCOUNT, {}) })
  return (
    <>
      <header className="page-head">
        <h1>Account</h1>
        <SignOut />
      </header>
      {found.isPending && <Loading what="your account" />}
      {found.isLoadingError && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data?.team && (
        <>
          <Plan team={found.data.team} credits={found.data.credits} />
          <Ledger />
          <Monitoring lanes={found.data.monitoringRuns?.lanes ?? []} />
        </>
      )}
      <PersonSettings />
    </>
  )
}

/** The features of a plan, as the console names them. */
const features: Record<keyof Team['includes'], string> = {
  api: 'The API',
  pdf_export: 'PDF reports',
  observations: 'Station observations in reports',
  imagery: 'Photographs in reports',
  compose_layout: 'Custom report layouts',
  report_branding: 'Your name and logo on documents',
  property_intelligence: 'Public property records',
  live_warnings: 'Official warnings at watched places',
  record_alerts: 'Mail about storm days at watched places',
}
const isFeature = (name: string): name is keyof Team['includes'] => name in features

function Plan({ team: { plan, includes, limits }, credits }: { team: Team; credits: Found['credits'] }) {
  const names = Object.keys(features).filter(isFeature)
  const labelsOf = (isIncluded: boolean) => names.filter((name) => includes[name] === isIncluded).map((name) => features[name])
  return (
    <section className="panel">
      <h2 className="row">
        {plan.label} {plan.lapsed ? <span className="badge bad">Lapsed</span> : plan.on_trial && <span className="badge">On trial</span>}
      </h2>
      {plan.lapsed && <p>You can still read everything. {LAPSED_REFUSALS}</p>}
      <div className="meters">
        {credits && <Meter label="Credits used this period" used={credits.used_this_period} limit={credits.monthly_allowance} />}
        <Meter label="Properties" used={limits.properties.held} limit={limits.properties.limit} />
        <Meter label="Territories" used={limits.territories.held} limit={limits.territories.limit} />
      </div>
      <dl className="facts">
        <dt>Renews</dt>
        <dd>{moment(credits?.renews_at)}</dd>
        <dt>Report limits</dt>
        <dd>
          {counted(limits.lookback_years, 'year')} back, up to {miles(limits.max_radius_miles)} from the address
        </dd>
        <dt>Watch radius</dt>
        <dd>Up to {miles(limits.watch_radius_miles)}</dd>
        <dt>Territory area</dt>
        <dd>Up to {limits.territories.max_area_sq_miles.toLocaleString('en-US')} sq mi</dd>
        <dt>Included</dt>
        <dd>{labelsOf(true).join(', ') || 'Reports'}</dd>
        {labelsOf(false).length > 0 && (
          <>
            <dt>Not included</dt>
            <dd>{labelsOf(false).join(', ')}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

function Monitoring({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <section className="panel">
      <h2>Monitoring</h2>
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
