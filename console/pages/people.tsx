import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { moment } from '../parts/format.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { OutcomeDialog } from '../parts/outcome-dialog.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { Failed, Loading, NotForRole } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'

const PEOPLE = graphql(`
  query People {
    people { id email name role joined_at signed_in_at }
    invitations { id email role expires_at }
  }
`)
const INVITE = graphql(
  `mutation Invite($email: String!, $role: String!, $key: String) { invitePerson(email: $email, role: $role, idempotency_key: $key) { email link { url expires_at } } }`,
)
const REVOKE = graphql(`mutation RevokeInvitation($id: ID!) { revokeInvitation(id: $id) }`)
const CHANGE_ROLE = graphql(`mutation ChangeRole($person: ID!, $role: String!) { changeRole(person: $person, role: $role) { id role } }`)
const REMOVE = graphql(`mutation RemovePerson($person: ID!) { removePerson(person: $person) }`)

type Found = ResultOf<typeof PEOPLE>
type Person = NonNullable<Found['people']>[number]
type Invitation = NonNullable<Found['invitations']>[number]

/** The roles with their labels. */
const roles = [
  { name: 'owner', label: 'Owner' },
  { name: 'analyst', label: 'Analyst' },
  { name: 'viewer', label: 'Viewer' },
]

export function PeoplePage() {
  const { team, person: self } = useCurrentSession()
  const [inviting, setInviting] = useState(false)
  const [removing, setRemoving] = useState<Person | null>(null)
  const found = useQuery({ queryKey: ['people'], queryFn: () => ask(PEOPLE, {}), enabled: team.role === 'owner' })
  const [ownRole, setOwnRole] = useState<string | null>(null)
  const { change, remove, revoke } = useMemberChanges(() => {
    setRemoving(null)
    setOwnRole(null)
  })
  if (team.role !== 'owner')
    return (
      <NotForRole page="People" whom="owners">
        Only an owner of the team can see its people.
      </NotForRole>
    )
  if (found.isPending) return <Loading what="the people" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  const { people, invitations } = found.data
  return (
    <>
      <header className="page-head">
        <h1>People</h1>
        <Button kind="primary" onPress={() => setInviting(true)}>
          Invite a person
        </Button>
      </header>
      <Members people={people ?? []} self={self.id} change={change} changeOwn={setOwnRole} remove={setRemoving} />
      {invitations && invitations.length > 0 && <Invitations invitations={invitations} revoke={revoke} />}
      {inviting && <InviteDialog close={() => setInviting(false)} />}
      <ConfirmDialog
        title={`Remove ${removing?.email ?? ''}?`}
        open={removing !== null}
        cancelLabel="Keep them"
        close={() => setRemoving(null)}
        label="Remove"
        pending={remove.isPending}
        act={() => removing && remove.mutate(removing.id)}
      >
        <p>
          They lose access to {team.name} immediately. What they did stays in the audit log. Tokens that they know and invitations that they
          sent keep working: revoke those under Tokens and on this page.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        title={`Become ${ownRole === 'viewer' ? 'a viewer' : 'an analyst'}?`}
        open={ownRole !== null}
        cancelLabel="Stay an owner"
        close={() => setOwnRole(null)}
        label="Change my role"
        pending={change.isPending}
        act={() => ownRole && change.mutate({ person: self.id, role: ownRole })}
      >
        <p>You stop being an owner of {team.name} immediately. Only another owner can make you one again.</p>
      </ConfirmDialog>
    </>
  )
}

/** An owner's changes to the team. `onSettled` is called when one that was confirmed in a dialog has succeeded or was refused. */
function useMemberChanges(onSettled: () => void) {
  const queries = useQueryClient()
  const notify = useNotify()
  const refresh = () => queries.invalidateQueries({ queryKey: ['people'] })
  const change = useMutation({
    mutationFn: (input: RoleChange) => ask(CHANGE_ROLE, input),
    onSuccess: () => notify('The role is changed.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => {
      onSettled()
      refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (person: string) => ask(REMOVE, { person }),
    onSuccess: () => notify('The person is removed from the team and signed out of it.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => {
      onSettled()
      refresh()
    },
  })
  const revoke = useMutation({
    mutationFn: (id: string) => ask(REVOKE, { id }),
    onSuccess: () => notify('The invitation is revoked.'),
    onError: (fault) => notify(fault.message),
    onSettled: refresh,
  })
  return { change, remove, revoke }
}

/** The person, and the role that they get. */
interface RoleChange {
  person: string
  role: string
}

interface MembersProps {
  people: readonly Person[]
  /** Id of the signed-in person: nobody removes themselves. */
  self: string
  change: { mutate: (input: RoleChange) => void; isPending: boolean; variables: RoleChange | undefined }
  /** An arrow key on the field is enough to choose a role, and whoever loses theirs cannot take it back: they confirm it first. */
  changeOwn: (role: string) => void
  remove: (person: Person) => void
}

function Members({ people, self, change, changeOwn, remove }: MembersProps) {
  return (
    <Table<Person>
      caption="People of the team"
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Name', freeText: true, show: ({ name, email }) => (name ? `${name}, ${email}` : email) },
        {
          label: 'Role',
          show: ({ id, email, role }) => (
            <select
              aria-label={`Role of ${email}`}
              value={change.isPending && change.variables?.person === id ? change.variables.role : role}
              onChange={({ target }) => (id === self ? changeOwn(target.value) : change.mutate({ person: id, role: target.value }))}
            >
              {roles.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          ),
        },
        { label: 'Joined', short: true, show: ({ joined_at }) => moment(joined_at) },
        { label: 'Signed in', short: true, show: ({ signed_in_at }) => moment(signed_in_at) },
        {
          label: 'Actions',
          show: (one) =>
            one.id === self ? (
              <span className="soft">You</span>
            ) : (
              <Button kind="destructive" aria-label={`Remove ${one.email}`} onPress={() => remove(one)}>
                Remove
              </Button>
            ),
        },
      ]}
    />
  )
}

interface InvitationsProps {
  invitations: readonly Invitation[]
  revoke: { mutate: (id: string) => void; isPending: boolean }
}

function Invitations({ invitations, revoke }: InvitationsProps) {
  return (
    <>
      <h2 className="apart-above">Pending invitations</h2>
      <Table<Invitation>
        caption="Pending invitations"
        rows={invitations}
        keyOf={({ id }) => id}
        columns={[
          { label: 'E-mail', freeText: true, show: ({ email }) => email },
          { label: 'Role', show: ({ role }) => roles.find(({ name }) => name === role)?.label },
          { label: 'Expires', show: ({ expires_at }) => moment(expires_at) },
          {
            label: 'Actions',
            show: ({ id, email }) => (
              <Button aria-label={`Revoke the invitation of ${email}`} isPending={revoke.isPending} onPress={() => revoke.mutate(id)}>
                Revoke
              </Button>
            ),
          },
        ]}
      />
    </>
  )
}

function InviteDialog({ close }: { close: () => void }) {
  const queries = useQueryClient()
  const keyOf = useIdempotencyKey()
  const invite = useMutation({
    mutationFn: (form: FormData) => {
      const input = { email: String(form.get('email')), role: String(form.get('role')) }
      return ask(INVITE, { ...input, key: keyOf(input) })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const done = invite.data?.invitePerson
  if (done)
    return (
      <OutcomeDialog title={`${done.email} is invited`} close={close} secret={done.link?.url}>
        <p>
          {done.link
            ? `This service does not send e-mail. Copy the link now and pass it on: it is not shown again. It works once, until ${moment(done.link.expires_at)}.`
            : 'A link is on its way to them by e-mail.'}
        </p>
      </OutcomeDialog>
    )
  return (
    <FormDialog title="Invite a person" open close={close} label="Invite" mutation={invite}>
      {(faults) => (
        <>
          <Field label="E-mail" faults={faults.email}>
            {(controlProps) => <input {...controlProps} name="email" type="email" required />}
          </Field>
          <SelectField
            label="Role"
            faults={faults.role}
            hint="Owners can do everything. Analysts cannot manage people, tokens, the letterhead or allowed sites, read the audit log, register destinations, or see or rotate signing secrets. Viewers can only read."
            name="role"
            defaultValue="analyst"
            options={roles.map(({ name, label }) => [name, label])}
          />
        </>
      )}
    </FormDialog>
  )
}
