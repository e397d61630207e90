import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { isUnavailable } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { moment } from '../parts/format.ts'
import { BackToList, isNotFound, LoadError } from '../parts/load-error.tsx'
import { OutcomeDialog } from '../parts/outcome-dialog.tsx'
import { PageName } from '../parts/page-name.tsx'
import { Loading } from '../parts/states.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { EditDestination } from './destination/edit-destination.tsx'
import { Events } from './destination/events.tsx'
import { Deliveries } from './destination/ledger.tsx'
import { ReceiverDuties } from './destination/receiver-duties.tsx'
import { RemoveDestination } from './destination/remove-destination.tsx'
import { PAUSE_POLL_MS, pauseSentence, stateOf } from './destinations.tsx'

const DESTINATION = graphql(`
  query Destination($id: UUID!) {
    integration(integration: $id) {
      id name channel_label address_hint events active signed failing last_sent_at last_failed_at last_failure held_until created_at
      switched_off { at reason acknowledged_at }
    }
    integrationEvents { name label description }
  }
`)
const TEST = graphql(`mutation TestOne($id: UUID!) { testIntegration(integration: $id) { delivered detail } }`)
const ACTIVATE = graphql(
  `mutation Activate($id: UUID!, $active: Boolean!) { updateIntegration(integration: $id, active: $active) { active } }`,
)
const ACKNOWLEDGE = graphql(`mutation AcknowledgeDestination($id: UUID!) { acknowledgeIntegration(integration: $id) { id } }`)
const ROTATE = graphql(`mutation Rotate($id: UUID!) { rotateIntegrationSecret(integration: $id) { secret notice } }`)

type Found = ResultOf<typeof DESTINATION>
type Destination = NonNullable<Found['integration']>
type Event = NonNullable<Found['integrationEvents']>[number]

/** One destination: its events, the outcome of each post, and the duties of its receiver. */
export function DestinationPage() {
  const { id } = useParams({ from: '/framed/destinations/$id' })
  const found = useQuery({
    queryKey: ['destinations', id],
    queryFn: () => ask(DESTINATION, { id }),
    refetchInterval: ({ state }) => (state.data?.integration?.held_until ? PAUSE_POLL_MS : false),
  })
  if (found.isPending) return <Loading what="the destination" />
  if (found.isLoadingError || isNotFound(found)) {
    const readIn = (team_id: string) => ask(DESTINATION, { id }, team_id)
    return <LoadError what="destination" id={id} error={found.error} retry={() => found.refetch()} readIn={readIn} />
  }
  const { integration, integrationEvents } = found.data
  return integration ? <DestinationDetails key={integration.id} destination={integration} events={integrationEvents ?? []} /> : null
}

function DestinationDetails({ destination, events }: { destination: Destination; events: readonly Event[] }) {
  return (
    <>
      <BackToList from="destination" />
      <header className="page-head">
        <PageName>{destination.name}</PageName>
        <Actions destination={destination} events={events} />
      </header>
      <Facts destination={destination} />
      <h2 className="apart-above">Deliveries</h2>
      <Deliveries destination={destination} />
      <h2 className="apart-above">Events</h2>
      <Events events={events} subscribed={destination.events} signed={destination.signed} />
      {destination.signed && <ReceiverDuties />}
    </>
  )
}

function Facts({ destination }: { destination: Destination }) {
  const { channel_label, address_hint, last_sent_at, last_failed_at, last_failure, held_until, switched_off, created_at } = destination
  return (
    <dl className="facts panel">
      <dt>State</dt>
      <dd>
        {stateOf(destination)} {switched_off && `${moment(switched_off.at)}. ${switched_off.reason}`}
        {switched_off?.acknowledged_at && ` Acknowledged ${moment(switched_off.acknowledged_at)}.`}
        {held_until && pauseSentence(held_until)}
      </dd>
      <dt>Channel</dt>
      <dd>{channel_label}</dd>
      <dt>Address</dt>
      <dd>
        <code>{address_hint}</code>
      </dd>
      <dt>Registered</dt>
      <dd>{moment(created_at)}</dd>
      <dt>Last delivered</dt>
      <dd>{moment(last_sent_at)}</dd>
      {last_failed_at && (
        <>
          <dt>Last failed</dt>
          <dd>
            {moment(last_failed_at)}. {last_failure}
          </dd>
        </>
      )}
    </dl>
  )
}

/** The actions that the role allows: none for viewers; only owners change the address and rotate the signing secret. */
function Actions({ destination, events }: { destination: Destination; events: readonly Event[] }) {
  const { id, name, active, signed, switched_off } = destination
  const { team } = useCurrentSession()
  const queries = useQueryClient()
  const notify = useNotify()
  const [editing, setEditing] = useState(false)
  const [rotating, setRotating] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: ['destinations'] })
  const test = useMutation({ mutationFn: () => ask(TEST, { id }), onSettled: refresh })
  const activate = useMutation({
    mutationFn: () => ask(ACTIVATE, { id, active: !active }),
    onSuccess: ({ updateIntegration }) =>
      notify(updateIntegration?.active ? `${name} is active.` : `${name} is inactive and receives nothing.`),
    onError: (fault) => notify(fault.message),
    onSettled: refresh,
  })
  const acknowledge = useMutation({
    mutationFn: () => ask(ACKNOWLEDGE, { id }),
    onSuccess: () => notify(`You acknowledged that ${name} was switched off. It stays inactive.`),
    onError: (fault) => notify(fault.message),
    onSettled: refresh,
  })
  if (team.role === 'viewer') return null
  const outcome = test.data?.testIntegration
  const outcomeUnknown = test.error !== null && isUnavailable(test.error)
  return (
    <div className="row">
      <Button kind="primary" isPending={test.isPending} onPress={() => test.mutate()}>
        {test.isPending ? 'Sending …' : 'Send a test'}
      </Button>
      <Button isPending={activate.isPending} onPress={() => activate.mutate()}>
        {active ? 'Deactivate' : 'Activate'}
      </Button>
      {switched_off && !switched_off.acknowledged_at && (
        <Button isPending={acknowledge.isPending} onPress={() => acknowledge.mutate()}>
          Acknowledge
        </Button>
      )}
      <Button onPress={() => setEditing(true)}>Edit</Button>
      {signed && team.role === 'owner' && <Button onPress={() => setRotating(true)}>Rotate the secret</Button>}
      <RemoveDestination id={id} name={name} />
      {(outcome || test.error) && (
        <OutcomeDialog
          title={
            outcome?.delivered ? 'The test was delivered' : outcomeUnknown ? 'The test may have been sent' : 'The test was not delivered'
          }
          close={test.reset}
          secret={null}
        >
          <p className="quoted">{outcome?.detail ?? test.error?.message}</p>
        </OutcomeDialog>
      )}
      {editing && (
        <EditDestination
          destination={destination}
          events={events}
          canChangeAddress={team.role === 'owner'}
          close={() => setEditing(false)}
        />
      )}
      {rotating && <RotateSecret id={id} name={name} close={() => setRotating(false)} />}
    </div>
  )
}

/** Asks for confirmation, then shows the new secret once. */
function RotateSecret({ id, name, close }: { id: string; name: string; close: () => void }) {
  const rotate = useMutation({ mutationFn: () => ask(ROTATE, { id }) })
  const rotated = rotate.data?.rotateIntegrationSecret
  if (rotated)
    return (
      <OutcomeDialog title={`New secret for ${name}`} close={close} secret={rotated.secret}>
        <p>{rotated.notice} Copy it now: it is not shown again.</p>
      </OutcomeDialog>
    )
  return (
    <ConfirmDialog
      title={`Rotate the secret of ${name}?`}
      open
      cancelLabel="Keep it"
      close={close}
      label="Rotate"
      pending={rotate.isPending}
      act={() => rotate.mutate()}
    >
      <p>
        The current secret stops working immediately. The receiver refuses every post until it has the new secret. Refused posts are sent
        again.
      </p>
      {rotate.error && (
        <p className="notice bad" role="alert">
          {rotate.error.message}
        </p>
      )}
    </ConfirmDialog>
  )
}
