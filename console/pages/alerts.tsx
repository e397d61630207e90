import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { useSay } from '../parts/passing.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useHere } from '../signed-in.tsx'
import { AlertMails } from './alerts/mails.tsx'
import { RuleDialog } from './alerts/rule-dialog.tsx'
import { evidences, kinds, paces, recipientStates } from './alerts/words.ts'

const ALERTS = graphql(`
  query Alerts {
    alertRules {
      id name kinds least_hail_in least_gust_mph greatest_miles evidence tag property_id territory_id
      quiet_from quiet_until pace active recipients { email state }
    }
    team { timezone plan { label } includes { record_alerts } }
  }
`)
const REMOVE = graphql(`mutation RemoveAlert($rule: UUID!) { deleteAlertRule(rule: $rule) }`)

type Found = ResultOf<typeof ALERTS>
type Rule = NonNullable<Found['alertRules']>[number]

/** Which storm days are mailed, to whom, and what became of the mails. */
export function AlertsPage() {
  const { team } = useHere()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Rule | null>(null)
  const found = useQuery({ queryKey: ['alerts'], queryFn: () => ask(ALERTS, {}) })
  if (found.isPending) return <Loading what="the alert rules" />
  if (found.error) return <Failed error={found.error} retry={() => found.refetch()} />
  const rules = found.data.alertRules ?? []
  const included = found.data.team?.includes.record_alerts ?? false
  const writes = team.role !== 'viewer'
  return (
    <>
      <header className="page-head">
        <h1>Alerts</h1>
        {writes && included && (
          <Button kind="first" onPress={() => setAdding(true)}>
            Make a rule
          </Button>
        )}
      </header>
      <p className="soft">
        A rule mails the storm days that meet it, each once. An alert says what is on record: where none comes, that does not show that
        nothing happened.
      </p>
      {!included && <NotIncluded plan={found.data.team?.plan.label ?? 'current'} />}
      {rules.length > 0 ? (
        <RuleTable rules={rules} {...(writes && { remove: setRemoving })} />
      ) : (
        <Empty title="No alert rules yet">
          <p>Nobody is mailed of storm days, besides the morning digest.</p>
        </Empty>
      )}
      <h2 className="apart-above">Mails</h2>
      <AlertMails />
      <RuleDialog open={adding} close={() => setAdding(false)} timezone={found.data.team?.timezone ?? ''} />
      <RemoveDialog rule={removing} close={() => setRemoving(null)} />
    </>
  )
}

function NotIncluded({ plan }: { plan: string }) {
  return (
    <div className="notice warn">
      The {plan} plan mails no alerts: rules that are there stay, and no new one can be made. Ask whoever runs the service for a plan that
      includes them; <Link to="/account">Account</Link> says what yours includes. Storm days come to the <Link to="/inbox">inbox</Link> as
      ever.
    </div>
  )
}

function RuleTable({ rules, remove }: { rules: readonly Rule[]; remove?: (rule: Rule) => void }) {
  return (
    <Table<Rule>
      caption="Alert rules, the oldest first"
      rows={rules}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Name', show: ({ name }) => name },
        { label: 'Of what', show: (rule) => conditionsOf(rule) },
        { label: 'Evidence', show: ({ evidence }) => evidences[evidence] },
        { label: 'Where', show: (rule) => <Where rule={rule} /> },
        { label: 'When', show: (rule) => timesOf(rule) },
        { label: 'To', show: ({ recipients }) => <Recipients recipients={recipients} /> },
        {
          label: 'State',
          show: ({ active }) => <span className={active ? 'badge good' : 'badge'}>{active ? 'Active' : 'Inactive'}</span>,
        },
        ...(remove
          ? [
              {
                label: 'Change',
                show: (rule: Rule) => (
                  <Button kind="grave" aria-label={`Delete ${rule.name}`} onPress={() => remove(rule)}>
                    Delete
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

/** Kinds with the least of each, and how far at most. */
function conditionsOf({ kinds: asked, least_hail_in, least_gust_mph, greatest_miles }: Rule): string {
  const least = { hail: least_hail_in && `from ${least_hail_in} in`, wind: least_gust_mph && `from ${least_gust_mph} mph` }
  const said = asked.map((kind) => {
    const bound = kind === 'hail' || kind === 'wind' ? least[kind] : null
    return bound ? `${kinds[kind]} ${bound}` : kinds[kind]
  })
  return said.join(', ') + (greatest_miles === null ? '' : `; within ${greatest_miles} mi`)
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
  return 'Every place'
}

const timesOf = ({ pace, quiet_from, quiet_until }: Rule) =>
  quiet_from === null ? paces[pace] : `${paces[pace]}, not from ${quiet_from} to ${quiet_until}`

function Recipients({ recipients }: { recipients: Rule['recipients'] }) {
  return (
    <ul className="plain">
      {recipients.map(({ email, state }) => (
        <li key={email}>
          {email} {state !== 'member' && <span className="soft small">({recipientStates[state]})</span>}
        </li>
      ))}
    </ul>
  )
}

function RemoveDialog({ rule, close }: { rule: Rule | null; close: () => void }) {
  const queries = useQueryClient()
  const say = useSay()
  const remove = useMutation({
    mutationFn: (id: string) => ask(REMOVE, { rule: id }),
    onSuccess: () => say('The rule is deleted.'),
    onError: (fault) => say(fault.message),
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
      back="Keep it"
      close={close}
      label="Delete"
      pending={remove.isPending}
      act={() => rule && remove.mutate(rule.id)}
    >
      <p>It mails nothing more, and mails that still wait are not sent. The list of mails stays.</p>
    </ConfirmDialog>
  )
}
