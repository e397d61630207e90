import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { textOf } from '../parts/form-text.ts'
import { moment } from '../parts/format.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { OutcomeDialog } from '../parts/outcome-dialog.tsx'
import { Empty, Failed, Loading, NotForRole } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'

const TOKENS = graphql(`
  query Tokens {
    tokens { name prefix abilities expires_at last_used_at revoked_at created_at }
    abilities { name label description }
    team { includes { api } }
  }
`)
const ISSUE = graphql(`
  mutation Issue($name: String!, $abilities: [String!]!, $expires_at: String, $key: String) {
    issueToken(name: $name, abilities: $abilities, expires_at: $expires_at, idempotency_key: $key) { token name prefix }
  }
`)
const REVOKE = graphql(`mutation Revoke($prefix: String!) { revokeToken(prefix: $prefix) { prefix } }`)

type Found = ResultOf<typeof TOKENS>
type Token = NonNullable<Found['tokens']>[number]
type Ability = NonNullable<Found['abilities']>[number]

/** Tokens for programs. A token is shown once, and works until it expires or is revoked. */
export function TokensPage() {
  const { team } = useCurrentSession()
  const queries = useQueryClient()
  const notify = useNotify()
  const [issuing, setIssuing] = useState(false)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const found = useQuery({ queryKey: ['tokens'], queryFn: () => ask(TOKENS, {}), enabled: team.role === 'owner' })
  const revoke = useMutation({
    mutationFn: (prefix: string) => ask(REVOKE, { prefix }),
    onSuccess: () => notify('The token is revoked. Requests with it are refused.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => {
      setRevoking(null)
      queries.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
  if (team.role !== 'owner')
    return (
      <NotForRole page="Tokens" whom="owners">
        Only an owner of the team can see its tokens.
      </NotForRole>
    )
  if (found.isPending) return <Loading what="the tokens" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  const { tokens, abilities, team: subscriber } = found.data
  return (
    <>
      <header className="page-head">
        <h1>Tokens</h1>
        <Button kind="primary" onPress={() => setIssuing(true)}>
          Issue a token
        </Button>
      </header>
      {subscriber && !subscriber.includes.api && (
        <div className="notice">
          Your plan does not include the API: requests with a token are refused. Tokens are kept and work once your plan includes it.
        </div>
      )}
      {tokens && tokens.length > 0 ? (
        <TokenTable tokens={tokens} abilityCount={abilities?.length ?? 0} revoke={setRevoking} />
      ) : (
        <Empty title="No tokens yet">
          <p>Programs use a token to reach the REST API and GraphQL.</p>
          <Button onPress={() => setIssuing(true)}>Issue the first token</Button>
        </Empty>
      )}
      {issuing && <IssueDialog close={() => setIssuing(false)} abilities={abilities ?? []} />}
      <ConfirmDialog
        title={`Revoke ${revoking?.name ?? ''}?`}
        open={revoking !== null}
        cancelLabel="Keep it"
        close={() => setRevoking(null)}
        label="Revoke"
        pending={revoke.isPending}
        act={() => revoking && revoke.mutate(revoking.prefix)}
      >
        <p>Every program that uses it loses access immediately. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}

interface TokenTableProps {
  tokens: readonly Token[]
  /** Number of abilities: a token with this many has all of them. */
  abilityCount: number
  revoke: (token: Token) => void
}

function TokenTable({ tokens, abilityCount, revoke }: TokenTableProps) {
  return (
    <Table<Token>
      caption="Tokens of the team, oldest first"
      rows={tokens}
      keyOf={({ prefix }) => prefix}
      columns={[
        { label: 'Name', freeText: true, show: ({ name }) => name },
        { label: 'Prefix', show: ({ prefix }) => <code>{prefix}</code> },
        {
          label: 'Abilities',
          show: (one) => (one.abilities.length === abilityCount ? 'All' : one.abilities.join(', ')),
        },
        { label: 'Last used', show: ({ last_used_at }) => moment(last_used_at) },
        { label: 'Expires', show: ({ expires_at }) => moment(expires_at) },
        {
          label: 'State',
          show: (one) =>
            one.revoked_at || isExpired(one) ? (
              <span className="badge">{one.revoked_at ? 'Revoked' : 'Expired'}</span>
            ) : (
              <Button kind="destructive" aria-label={`Revoke ${one.name}`} onPress={() => revoke(one)}>
                Revoke
              </Button>
            ),
        },
      ]}
    />
  )
}

const isExpired = ({ expires_at }: Token) => expires_at !== null && Date.parse(expires_at) <= Date.now()

function IssueDialog({ close, abilities }: { close: () => void; abilities: readonly Ability[] }) {
  const queries = useQueryClient()
  const keyOf = useIdempotencyKey()
  const issue = useMutation({
    mutationFn: (form: FormData) => {
      const until = textOf(form, 'expires_at')
      const input = {
        name: String(form.get('name')),
        abilities: form.getAll('abilities').map(String),
        expires_at: until && new Date(`${until}T23:59:59`).toISOString(),
      }
      return ask(ISSUE, { ...input, key: keyOf(input) })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  })
  const done = issue.data?.issueToken
  if (done)
    return (
      <OutcomeDialog title={`${done.name} is issued`} close={close} secret={done.token}>
        <p>Copy the token now: it is not shown again. Store it where your program reads its secrets.</p>
      </OutcomeDialog>
    )
  return (
    <FormDialog title="Issue a token" open close={close} label="Issue" mutation={issue}>
      {(faults) => (
        <>
          <Field label="Name" faults={faults.name} hint="What the token is for">
            {(controlProps) => <input {...controlProps} name="name" required />}
          </Field>
          <Choices
            name="abilities"
            legend="Abilities"
            faults={faults.abilities}
            choices={abilities}
            defaultChecked={(name) => name.endsWith(':read')}
          />
          <Field label="Expires on" faults={faults.expires_at} hint="Leave empty for a token that does not expire">
            {(controlProps) => <input {...controlProps} name="expires_at" type="date" max="9999-12-31" />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
