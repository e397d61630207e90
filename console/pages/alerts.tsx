import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { readSignInMethods } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { day, moment } from '../parts/format.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { evidences, kinds, paces, recipientStates } from './alerts/labels.ts'
import { AlertMails } from './alerts/mails.tsx'
import { RuleDialog } from './alerts/rule-dialog.tsx'
import { ALERTS, type Rule } from './alerts/rules.ts'

const REMOVE = graphql(`mutation RemoveAlert($rule: UUID!) { deleteAlertRule(rule: $rule) }`)
const PAUSE = graphql(`mutation PauseAlert($rule: UUID!, $active: Boolean!) { updateAlertRule(rule: $rule, active: $active) { id } }`)
const MAIL_CONFIRMATION = graphql(`mutation AskAgain($email: String!) { mailAlertConfirmation(email: $email) }`)

/** The alert rules of the team, and what became of each mail. */
export function AlertsPage() {
  const { team } = useCurrentSession()
  const [editing, setEditing] = useState<Rule | 'new' | null>(null)
  const [removing, setRemoving] = useState<Rule | null>(null)
  const found = useQuery({ queryKey: ['alerts'], queryFn: () => ask(ALERTS, {}) })
  const methods = useQuery({ queryKey: ['sign-in methods'], queryFn: readSignInMethods })
  if (found.isPending) return <Loading what="the alert rules" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  const rules = found.data.alertRules ?? []
  const included = found.data.team?.includes.record_alerts ?? false
  const canEdit = team.role !== 'viewer'
  return (
    <>
      <header className="page-head">
        <h1>Alerts</h1>
        {canEdit && included && (
          <Button kind="primary" onPress={() => setEditing('new')}>
            New rule
          </Button>
        )}
      </header>
      <p className="soft">
        A rule sends an e-mail about each storm day that matches it, once. An alert reports what is on record: no alert does not mean that
        nothing happened. Times of day are in the team's time zone, {found.data.team?.timezone}.
      </p>
      {methods.isLoadingError && <Failed what="Whether e-mail is sent" error={methods.error} retry={() => methods.refetch()} />}
      {methods.data?.mail === false && (
        <div className="notice warn">This service does not send e-mail: no rule sends anything until its operator sets SMTP_URL.</div>
      )}
      {found.data.failedDigest && <DigestNotMailed {...found.data.failedDigest} />}
      {!included && <NotIncluded plan={found.data.team?.plan.label ?? 'current'} />}
      {rules.length > 0 ? (
        <RuleTable rules={rules} {...(canEdit && { changes: { edit: included ? setEditing : null, remove: setRemoving } })} />
      ) : (
        <Empty title="No alert rules yet">
          <p>Nobody gets e-mail about storm days, except the morning digest.</p>
          {canEdit && included && <Button onPress={() => setEditing('new')}>Create the first rule</Button>}
        </Empty>
      )}
      <h2 className="apart-above">E-mails</h2>
      <AlertMails />
      {editing && (
        <RuleDialog rule={editing === 'new' ? null : editing} close={() => setEditing(null)} timezone={found.data.team?.timezone ?? ''} />
      )}
      <RemoveDialog rule={removing} close={() => setRemoving(null)} />
    </>
  )
}

function DigestNotMailed({ date, failed_at }: NonNullable<ResultOf<typeof ALERTS>['failedDigest']>) {
  return (
    <div className="notice bad" role="alert">
      The morning digest of {day(date)} could not be e-mailed: the mail server had not accepted it by {moment(failed_at)}. Its storm days
      are in the <Link to="/inbox">inbox</Link>. Ask the operator of this service to check the mail server.
    </div>
  )
}

function NotIncluded({ plan }: { plan: string }) {
  return (
    <div className="notice warn">
      The {plan} plan does not include e-mail alerts. You can delete existing rules, but not create or edit any. Ask the operator of this
      service for a plan that includes alerts; <Link to="/account">Account</Link> shows what yours includes. Storm days still appear in the{' '}
      <Link to="/inbox">inbox</Link>.
    </div>
  )
}

interface Changes {
  /** Null on a plan without alerts: its rules can only be deleted. */
  edit: ((rule: Rule) => void) | null
  remove: (rule: Rule) => void
}

function RuleTable({ rules, changes }: { rules: readonly Rule[]; changes?: Changes }) {
  return (
    <Table<Rule>
      caption="Alert rules, oldest first"
      rows={rules}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Name', freeText: true, show: ({ name }) => name },
        { label: 'Conditions', show: (rule) => conditionsOf(rule) },
        { label: 'Evidence', show: ({ evidence }) => evidences[evidence] },
        { label: 'Where', show: (rule) => <Where rule={rule} /> },
        { label: 'When', show: (rule) => timesOf(rule) },
        {
          label: 'Recipients',
          freeText: true,
          show: ({ recipients }) => <Recipients recipients={recipients} canResend={Boolean(changes?.edit)} />,
        },
        {
          label: 'State',
          show: ({ active }) => <span className={active ? 'badge good' : 'badge'}>{active ? 'Active' : 'Paused'}</span>,
        },
        ...(changes ? [{ label: 'Actions', show: (rule: Rule) => <RuleButtons rule={rule} {...changes} /> }] : []),
      ]}
    />
  )
}

function RuleButtons({ rule, edit, remove }: { rule: Rule } & Changes) {
  const { id, name, active } = rule
  const done = useMutationCallbacks()
  const pause = useMutation({
    mutationFn: () => ask(PAUSE, { rule: id, active: !active }),
    ...done(active ? `${name} is paused and sends nothing.` : `${name} is active again.`),
  })
  return (
    <div className="row">
      {edit && (
        <>
          <Button aria-label={`Edit ${name}`} onPress={() => edit(rule)}>
            Edit
          </Button>
          <Button aria-label={`${active ? 'Pause' : 'Resume'} ${name}`} isPending={pause.isPending} onPress={() => pause.mutate()}>
            {active ? 'Pause' : 'Resume'}
          </Button>
        </>
      )}
      <Button kind="destructive" aria-label={`Delete ${name}`} onPress={() => remove(rule)}>
        Delete
      </Button>
    </div>
  )
}

/** The notice after a change of a rule; the rules are then read again. */
function useMutationCallbacks() {
  const queries = useQueryClient()
  const notify = useNotify()
  return (message: string) => ({
    onSuccess: () => notify(message),
    onError: (fault: Error) => notify(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  })
}

/** The kinds of weather with their minimums, and the maximum distance. */
function conditionsOf({ kinds: ruleKinds, least_hail_in, least_gust_mph, greatest_miles }: Rule): string {
  const minimums = { hail: least_hail_in && `from ${least_hail_in} in`, wind: least_gust_mph && `from ${least_gust_mph} mph` }
  const conditions = ruleKinds.map((kind) => {
    const bound = kind === 'hail' || kind === 'wind' ? minimums[kind] : null
    return bound ? `${kinds[kind]} ${bound}` : kinds[kind]
  })
  return conditions.join(', ') + (greatest_miles === null ? '' : `; within ${greatest_miles} mi`)
}

function Where({ rule: { tag, property_id, territory_id } }: { rule: Rule }) {
  if (tag !== null)
    return (
      <Link to="/properties" search={{ tag }}>
        Properties tagged {tag}
      </Link>
    )
  if (property_id)
    return (
      <Link to="/properties/$id" params={{ id: property_id }}>
        One property
      </Link>
    )
  if (territory_id)
    return (
      <Link to="/territories/$id" params={{ id: territory_id }}>
        One territory
      </Link>
    )
  return 'All places'
}

const timesOf = ({ pace, quiet_from, quiet_until }: Rule) =>
  quiet_from === null ? paces[pace] : `${paces[pace]}, quiet from ${quiet_from} to ${quiet_until}`

function Recipients({ recipients, canResend }: { recipients: Rule['recipients']; canResend: boolean }) {
  return (
    <ul className="plain">
      {recipients.map(({ email, state }) => (
        <li key={email} className="row">
          {email} {state !== 'member' && <span className="soft small">({recipientStates[state]})</span>}{' '}
          {canResend && state === 'unconfirmed' && <ResendConfirmation email={email} />}
        </li>
      ))}
    </ul>
  )
}

function ResendConfirmation({ email }: { email: string }) {
  const done = useMutationCallbacks()
  const again = useMutation({
    mutationFn: () => ask(MAIL_CONFIRMATION, { email }),
    ...done(`A new confirmation link is on its way to ${email}.`),
  })
  return (
    <Button aria-label={`Resend confirmation to ${email}`} isPending={again.isPending} onPress={() => again.mutate()}>
      Resend confirmation
    </Button>
  )
}

function RemoveDialog({ rule, close }: { rule: Rule | null; close: () => void }) {
  const queries = useQueryClient()
  const notify = useNotify()
  const remove = useMutation({
    mutationFn: (id: string) => ask(REMOVE, { rule: id }),
    onSuccess: () => notify('The rule is deleted.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => {
      close()
      queries.invalidateQueries({ queryKey: ['alerts'] })
      queries.invalidateQueries({ queryKey: ['alert-mails'] })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${rule?.name ?? ''}?`}
      open={rule !== null}
      cancelLabel="Keep it"
      close={close}
      label="Delete"
      pending={remove.isPending}
      act={() => rule && remove.mutate(rule.id)}
    >
      <p>The rule stops immediately, and e-mails that are still waiting are not sent. The list of e-mails stays.</p>
    </ConfirmDialog>
  )
}
