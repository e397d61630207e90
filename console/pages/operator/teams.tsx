import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { askAsOperator, graphql } from '../../api/graphql.ts'
import { useHasRole } from '../../operator-frame.tsx'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { textOf } from '../../parts/form-text.ts'
import { moment } from '../../parts/format.ts'
import { useIdempotencyKey } from '../../parts/idempotency-key.ts'
import { SelectField } from '../../parts/select-field.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useNotify } from '../../parts/toasts.tsx'

const TEAMS = graphql(`query Teams { adminTeams { id name plan timezone on_trial lapsed balance renews_at created_at } }`)
const CREATE = graphql(
  `mutation CreateTeam($name: String!, $plan: String, $trial: Boolean, $key: String) { adminCreateTeam(name: $name, plan: $plan, trial: $trial, idempotency_key: $key) { id name } }`,
)
const SET_PLAN = graphql(`mutation SetPlan($team: ID!, $plan: String!) { adminSetPlan(team: $team, plan: $plan) { id } }`)
const LAPSE = graphql(`mutation Lapse($team: ID!, $undo: Boolean) { adminLapseTeam(team: $team, undo: $undo) { id } }`)
const TOP_UP = graphql(
  `mutation TopUp($team: ID!, $amount: Int!, $key: String) { adminTopUp(team: $team, amount: $amount, idempotency_key: $key) { balance } }`,
)
const ADJUST = graphql(
  `mutation Adjust($team: ID!, $amount: Int!, $note: String!, $key: String) { adminAdjustCredits(team: $team, amount: $amount, note: $note, idempotency_key: $key) { balance } }`,
)

type Team = NonNullable<ResultOf<typeof TEAMS>['adminTeams']>[number]

const plans = { free: 'Free', starter: 'Starter', professional: 'Professional', business: 'Business', enterprise: 'Enterprise' } as const

/** Every team, with its plan and credits. */
export function TeamsPage() {
  const hasRole = useHasRole()
  const [dialog, setDialog] = useState<{ what: 'create' } | { what: 'plan' | 'credits'; team: Team } | null>(null)
  const found = useQuery({ queryKey: ['operator', 'teams'], queryFn: () => askAsOperator(TEAMS, {}) })
  const close = () => setDialog(null)
  if (found.isPending) return <Loading what="the teams" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  return (
    <>
      <header className="page-head">
        <h1>Teams</h1>
        {hasRole('all') && (
          <Button kind="primary" onPress={() => setDialog({ what: 'create' })}>
            New team
          </Button>
        )}
      </header>
      {found.data.adminTeams?.length === 0 && (
        <Empty title="No teams yet">
          <p>A team has people, credits and the places that it watches.</p>
        </Empty>
      )}
      <Table<Team>
        caption="Teams, oldest first"
        rows={found.data.adminTeams ?? []}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Team',
            freeText: true,
            show: ({ id, name }) => (
              <>
                {name}
                <br />
                <code className="small soft">{id}</code>
              </>
            ),
          },
          {
            label: 'Plan',
            show: ({ plan, on_trial, lapsed }) => (
              <>
                {plans[plan]} {lapsed && <span className="badge bad">Lapsed</span>} {on_trial && <span className="badge">On trial</span>}
              </>
            ),
          },
          { label: 'Credits', number: true, show: ({ balance }) => balance.toLocaleString('en-US') },
          { label: 'Renews', short: true, show: ({ renews_at }) => moment(renews_at) },
          { label: 'Created', short: true, show: ({ created_at }) => moment(created_at) },
          ...(hasRole('billing') ? [actionsColumn(setDialog)] : []),
        ]}
      />
      {dialog?.what === 'create' && <CreateDialog close={close} />}
      {dialog?.what === 'plan' && <PlanDialog team={dialog.team} close={close} />}
      {dialog?.what === 'credits' && <CreditsDialog team={dialog.team} close={close} />}
    </>
  )
}

/** @param openDialog opens the dialog for a team's plan or credits */
const actionsColumn = (openDialog: (dialog: { what: 'plan' | 'credits'; team: Team }) => void) => ({
  label: 'Actions',
  show: (team: Team) => (
    <div className="row">
      <Button aria-label={`Plan of ${team.name}`} onPress={() => openDialog({ what: 'plan', team })}>
        Plan
      </Button>
      <Button aria-label={`Credits of ${team.name}`} onPress={() => openDialog({ what: 'credits', team })}>
        Credits
      </Button>
    </div>
  ),
})

/** Returns what a dialog does after it succeeded: it shows a notice, closes, and reads the teams again. */
function useOnSuccess(close: () => void): (text: string) => void {
  const queries = useQueryClient()
  const notify = useNotify()
  return (text) => {
    notify(text)
    close()
    queries.invalidateQueries({ queryKey: ['operator', 'teams'] })
  }
}

function CreateDialog({ close }: { close: () => void }) {
  const done = useOnSuccess(close)
  const keyOf = useIdempotencyKey()
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const trial = form.get('plan') === 'trial'
      const input = { name: String(form.get('name')), trial, ...(!trial && { plan: textOf(form, 'plan') }) }
      return askAsOperator(CREATE, { ...input, key: keyOf(input) })
    },
    onSuccess: ({ adminCreateTeam }) => done(`${adminCreateTeam?.name ?? 'The team'} is created.`),
  })
  return (
    <FormDialog title="New team" open close={close} label="Create team" mutation={create}>
      {(faults) => (
        <>
          <Field label="Name" faults={faults.name}>
            {(controlProps) => <input {...controlProps} name="name" required />}
          </Field>
          <SelectField
            label="Plan"
            faults={faults.plan}
            name="plan"
            defaultValue="trial"
            options={[['trial', 'Trial'], ...Object.entries(plans)]}
          />
        </>
      )}
    </FormDialog>
  )
}

const LAPSED = 'lapsed'

function PlanDialog({ team, close }: { team: Team; close: () => void }) {
  const done = useOnSuccess(close)
  const set = useMutation({
    mutationFn: async (form: FormData) => {
      const plan = String(form.get('plan'))
      if (plan === LAPSED) await askAsOperator(LAPSE, { team: team.id, undo: false })
      else await askAsOperator(SET_PLAN, { team: team.id, plan })
    },
    onSuccess: () => done(`The plan of ${team.name} is set.`),
  })
  return (
    <FormDialog title={`Plan of ${team.name}`} open close={close} label="Set the plan" mutation={set}>
      {(faults) => (
        <>
          <p>A new plan starts a new period today. The rest of the old allowance lapses, and the new allowance is granted.</p>
          <SelectField
            label="Plan"
            faults={faults.plan}
            name="plan"
            defaultValue={team.lapsed ? LAPSED : team.plan}
            options={[...Object.entries(plans), [LAPSED, 'Lapsed: read only']]}
          />
        </>
      )}
    </FormDialog>
  )
}

function CreditsDialog({ team, close }: { team: Team; close: () => void }) {
  const done = useOnSuccess(close)
  const keyOf = useIdempotencyKey()
  const update = useMutation({
    mutationFn: async (form: FormData) => {
      const [amount, note] = [Number(form.get('amount')), textOf(form, 'note')]
      const key = keyOf({ team: team.id, amount, note })
      if (note) await askAsOperator(ADJUST, { team: team.id, amount, note, key })
      else await askAsOperator(TOP_UP, { team: team.id, amount, key })
    },
    onSuccess: () => done(`The credits of ${team.name} are updated.`),
  })
  return (
    <FormDialog title={`Credits of ${team.name}`} open close={close} label="Update credits" mutation={update}>
      {(faults) => (
        <>
          <p>The balance is {team.balance.toLocaleString('en-US')}. Credits that you add without a reason never lapse.</p>
          <Field label="Credits" faults={faults.amount} hint="With a reason, a negative number removes credits">
            {(controlProps) => <input {...controlProps} name="amount" type="number" required />}
          </Field>
          <Field label="Reason" faults={faults.note} hint="For corrections. It appears in the team's ledger">
            {(controlProps) => <input {...controlProps} name="note" />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
