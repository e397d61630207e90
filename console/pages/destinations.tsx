import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { textOf } from '../parts/form-text.ts'
import { moment } from '../parts/format.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { useLapsedRefusal } from '../parts/lapsed-plan.tsx'
import { OutcomeDialog } from '../parts/outcome-dialog.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'

const DESTINATIONS = graphql(`
  query Destinations {
    integrations(per_page: 100) {
      data { id name channel channel_label address_hint events active failing last_sent_at last_failure held_until switched_off { at reason } }
    }
    deliveries(per_page: 20) { data { id subject status status_label attempts response_code failure_reason created_at address_hint } }
  }
`)
const EVENTS = graphql(`query Events { integrationEvents { name label description } }`)
const TEST = graphql(`mutation TestDestination($id: UUID!) { testIntegration(integration: $id) { delivered detail } }`)
const REGISTER = graphql(`
  mutation Register($name: String!, $channel: Channel!, $url: String!, $events: [String!]!, $key: String) {
    createIntegration(name: $name, channel: $channel, url: $url, events: $events, idempotency_key: $key) { secret data { id name } }
  }
`)

type Found = ResultOf<typeof DESTINATIONS>
type Destination = NonNullable<Found['integrations']>['data'][number]
type Delivery = NonNullable<Found['deliveries']>['data'][number]

/** How often a destination is read again while its receiver has asked for a pause: most last a minute or less. */
export const PAUSE_POLL_MS = 5000

/** The team's destinations, and its newest deliveries. */
export function DestinationsPage() {
  const { team } = useCurrentSession()
  const queries = useQueryClient()
  const notify = useNotify()
  const [adding, setAdding] = useState(false)
  const found = useQuery({
    queryKey: ['destinations'],
    queryFn: () => ask(DESTINATIONS, {}),
    refetchInterval: ({ state }) => (state.data?.integrations?.data.some((one) => one.held_until) ? PAUSE_POLL_MS : false),
  })
  const test = useMutation({
    mutationFn: (id: string) => ask(TEST, { id }),
    onSuccess: ({ testIntegration }) => notify(testIntegration?.detail ?? 'The service returned no result.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['destinations'] }),
  })
  if (found.isPending) return <Loading what="the destinations" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  const rows = found.data.integrations?.data ?? []
  const deliveries = found.data.deliveries?.data ?? []
  return (
    <>
      <header className="page-head">
        <h1>Destinations</h1>
        {team.role === 'owner' && (
          <Button kind="primary" onPress={() => setAdding(true)}>
            Register a destination
          </Button>
        )}
      </header>
      {rows.length === 0 ? (
        <Empty title="No destinations yet">
          <p>A destination receives a signed post for each event that it subscribes to.</p>
          {team.role === 'owner' ? (
            <Button onPress={() => setAdding(true)}>Register the first destination</Button>
          ) : (
            <p>Ask an owner of your team to register one.</p>
          )}
        </Empty>
      ) : (
        <DestinationTable rows={rows} viewer={team.role === 'viewer'} testing={test.isPending} send={test.mutate} />
      )}
      <h2 className="apart-above">Recent deliveries</h2>
      <RecentDeliveries posts={deliveries} />
      {adding && <RegisterDialog close={() => setAdding(false)} />}
    </>
  )
}

interface DestinationTableProps {
  rows: readonly Destination[]
  viewer: boolean
  testing: boolean
  send: (id: string) => void
}

function DestinationTable({ rows, viewer, testing, send }: DestinationTableProps) {
  return (
    <Table<Destination>
      caption="Destinations, newest first"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Name',
          freeText: true,
          show: ({ id, name }) => (
            <Link to="/destinations/$id" params={{ id }}>
              {name}
            </Link>
          ),
        },
        { label: 'Channel', show: ({ channel_label }) => channel_label },
        { label: 'Address', show: ({ address_hint }) => <code className="address">{address_hint}</code> },
        { label: 'Events', show: ({ events }) => events.join(', ') },
        { label: 'Last delivery', short: true, show: ({ last_sent_at }) => moment(last_sent_at) },
        {
          label: 'State',
          show: stateOf,
        },
        ...(viewer
          ? []
          : [
              {
                label: 'Test',
                show: ({ id, name }: Destination) => (
                  <Button aria-label={`Test ${name}`} isPending={testing} onPress={() => send(id)}>
                    Send a test
                  </Button>
                ),
              },
            ]),
      ]}
    />
  )
}

/** The state of a destination as a badge. */
export function stateOf(one: Pick<Destination, 'switched_off' | 'failing' | 'last_failure' | 'held_until' | 'active'>) {
  if (one.switched_off)
    return (
      <span className="badge bad" title={one.switched_off.reason}>
        Switched off
      </span>
    )
  if (one.failing)
    return (
      <span className="badge warn" title={one.last_failure ?? undefined}>
        Failing
      </span>
    )
  if (one.held_until)
    return (
      <span className="badge warn" title={pauseSentence(one.held_until)}>
        Paused by its receiver
      </span>
    )
  return <span className={one.active ? 'badge good' : 'badge'}>{one.active ? 'Active' : 'Inactive'}</span>
}

/** A sentence for a destination whose receiver has asked for a pause. */
export function pauseSentence(held_until: string): string {
  return `Its receiver asked for a pause: nothing is posted to it before ${moment(held_until)}.`
}

function RecentDeliveries({ posts }: { posts: readonly Delivery[] }) {
  if (posts.length === 0) return <p className="soft">Nothing has been sent yet.</p>
  return (
    <Table<Delivery>
      caption="Deliveries, newest first"
      rows={posts}
      keyOf={({ id }) => id}
      columns={[
        { label: 'When', short: true, show: ({ created_at }) => moment(created_at) },
        { label: 'Subject', sentence: true, show: ({ subject }) => subject },
        { label: 'To', show: ({ address_hint }) => <code className="address">{address_hint}</code> },
        { label: 'Attempts', number: true, show: ({ attempts }) => attempts },
        { label: 'Response', number: true, show: ({ response_code }) => response_code ?? '–' },
        {
          label: 'Status',
          sentence: true,
          show: (one) => (
            <>
              <span className={one.status === 'sent' ? 'badge good' : one.status === 'failed' ? 'badge bad' : 'badge'}>
                {one.status_label}
              </span>{' '}
              <span className="soft small">{one.failure_reason}</span>
            </>
          ),
        },
      ]}
    />
  )
}

function RegisterDialog({ close }: { close: () => void }) {
  const queries = useQueryClient()
  const events = useQuery({ queryKey: ['events'], queryFn: () => ask(EVENTS, {}) })
  const keyOf = useIdempotencyKey()
  const register = useMutation({
    mutationFn: (form: FormData) => {
      const input = {
        name: String(form.get('name')),
        channel: channelOf(form),
        url: String(form.get('url')),
        events: form.getAll('events').map(String),
      }
      return ask(REGISTER, { ...input, key: keyOf(input) })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['destinations'] }),
  })
  const refusal = useLapsedRefusal()
  const done = register.data?.createIntegration
  if (done)
    return (
      <OutcomeDialog title={`${done.data.name} is registered`} close={close} secret={done.secret}>
        {done.secret && <p>This is the signing secret: the receiver verifies each post with it. Copy it now: it is not shown again.</p>}
      </OutcomeDialog>
    )
  return (
    <FormDialog title="Register a destination" open close={close} label="Register" mutation={register} refusal={refusal}>
      {(faults) => (
        <>
          <Field label="Name" faults={faults.name}>
            {(controlProps) => <input {...controlProps} name="name" required />}
          </Field>
          <SelectField
            label="Channel"
            faults={faults.channel}
            name="channel"
            defaultValue="webhook"
            hint="The chats are for incoming webhooks: Chat A receives text and blocks, Chat B an Adaptive Card."
            options={[
              ['webhook', 'Signed webhook'],
              ['chat_a', 'Chat A'],
              ['chat_b', 'Chat B'],
            ]}
          />
          <Field label="Address" faults={faults.url} hint="An https address. It is not shown again.">
            {(controlProps) => <input {...controlProps} name="url" type="url" required placeholder="https://" />}
          </Field>
          {events.isPending && <Loading what="the events" />}
          {events.isLoadingError && <Failed what="The events" error={events.error} retry={() => events.refetch()} />}
          {events.data && (
            <Choices
              name="events"
              legend="Events"
              faults={faults.events}
              choices={events.data.integrationEvents ?? []}
              defaultChecked={(name) => name.startsWith('exposure.')}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

function channelOf(form: FormData): 'webhook' | 'chat_a' | 'chat_b' {
  const sent = textOf(form, 'channel')
  return sent === 'chat_a' || sent === 'chat_b' ? sent : 'webhook'
}
