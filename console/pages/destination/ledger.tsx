import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { moment } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { useNotify } from '../../parts/toasts.tsx'
import { useCurrentSession } from '../../signed-in.tsx'
import { Json } from './json.tsx'

const DELIVERIES = graphql(`
  query Ledger($id: UUID!, $status: DeliveryStatus, $page: Int) {
    integrationDeliveries(integration: $id, status: $status, page: $page, per_page: 20) {
      data { id kind subject status status_label attempts response_code failure_reason sent_at created_at }
      meta { current_page last_page total from to }
    }
  }
`)
const POST = graphql(`query Post($id: UUID!) { delivery(delivery: $id) { body } }`)
const RESEND = graphql(`mutation Resend($id: UUID!) { resendDelivery(delivery: $id) { id status } }`)

type Delivery = NonNullable<ResultOf<typeof DELIVERIES>['integrationDeliveries']>['data'][number]

const statuses = {
  queued: 'Waiting to be sent',
  retrying: 'Failed, will be tried again',
  sent: 'Delivered',
  failed: 'Failed for good',
  skipped: 'Not sent',
} as const
type Status = keyof typeof statuses
const isStatus = (text: string | undefined): text is Status => text !== undefined && Object.hasOwn(statuses, text)
const isUnderWay = ({ status }: Delivery) => status === 'queued' || status === 'retrying'

/** How often the list is read again while a delivery is under way. */
const POLL_INTERVAL_MS = 2000

/** The deliveries to a destination, each of which can be sent again. */
export function Deliveries({ destination }: { destination: { id: string; active: boolean } }) {
  const { id, active } = destination
  const search = useSearch({ from: '/framed/destinations/$id' })
  const navigate = useNavigate({ from: '/destinations/$id' })
  const { team } = useCurrentSession()
  const queries = useQueryClient()
  const notify = useNotify()
  const [opened, setOpened] = useState<Delivery | null>(null)
  const variables = { id, status: isStatus(search.status) ? search.status : null, page: search.page ?? 1 }
  const found = useQuery({
    queryKey: ['destinations', 'ledger', variables],
    queryFn: () => ask(DELIVERIES, variables),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.integrationDeliveries?.data.some(isUnderWay) ? POLL_INTERVAL_MS : false),
  })
  const resend = useMutation({
    mutationFn: (delivery: string) => ask(RESEND, { id: delivery }),
    onSuccess: () => notify('Queued to be sent again with the same id.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['destinations'] }),
  })
  const resendable = (one: Delivery) => active && team.role !== 'viewer' && one.kind === 'event' && !isUnderWay(one)
  const rowActions = (one: Delivery) => (
    <span className="row record-acts">
      <Button aria-label={`View the post: ${one.subject}`} onPress={() => setOpened(one)}>
        View
      </Button>
      {resendable(one) && (
        <Button aria-label={`Resend: ${one.subject}`} isPending={resend.isPending} onPress={() => resend.mutate(one.id)}>
          Resend
        </Button>
      )}
    </span>
  )
  return (
    <>
      <div className="filters">
        <SelectField
          label="Status"
          value={variables.status ?? ''}
          options={[['', 'All'], ...Object.entries(statuses)]}
          change={(status) => navigate({ search: { ...(status && { status }) }, replace: true })}
        />
      </div>
      <Listing<Delivery>
        what="the deliveries"
        heading="h3"
        found={found}
        page={found.data?.integrationDeliveries}
        empty={
          <Empty heading="h3" title={variables.status ? 'No delivery has this status' : 'Nothing has been sent yet'}>
            {!variables.status && <p>Send a test to see how the receiver responds.</p>}
          </Empty>
        }
        go={(page) => navigate({ search: (before) => ({ ...before, page }) })}
        caption="Deliveries, newest first"
        keyOf={(one) => one.id}
        columns={[
          { label: 'Created', short: true, show: ({ created_at }) => moment(created_at) },
          { label: 'Subject', sentence: true, show: ({ subject }) => subject },
          { label: 'Attempts', number: true, show: ({ attempts }) => attempts },
          { label: 'Response', number: true, show: ({ response_code }) => response_code ?? '–' },
          { label: 'Status', sentence: true, show: (one) => <StatusBadge delivery={one} /> },
          { label: 'Post', show: rowActions },
        ]}
      />
      {opened && <PostDialog delivery={opened} close={() => setOpened(null)} />}
    </>
  )
}

function StatusBadge({ delivery: { status, status_label, failure_reason } }: { delivery: Delivery }) {
  const look = { queued: '', retrying: ' warn', sent: ' good', failed: ' bad', skipped: '' }[status]
  return (
    <>
      <span className={`badge${look}`}>{status_label}</span> <span className="soft small">{failure_reason}</span>
    </>
  )
}

/** The body as it was sent, and the response. */
function PostDialog({ delivery, close }: { delivery: Delivery; close: () => void }) {
  const found = useQuery({ queryKey: ['post', delivery.id, delivery.attempts], queryFn: () => ask(POST, { id: delivery.id }) })
  const body = found.data?.delivery?.body
  return (
    <Dialog title={delivery.subject} open close={close}>
      <dl className="facts">
        <dt>Delivery</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
        <dt>Response</dt>
        <dd>
          {delivery.response_code ?? 'None'} {delivery.failure_reason}
        </dd>
        <dt>Delivered</dt>
        <dd>{moment(delivery.sent_at)}</dd>
      </dl>
      {found.isPending && <Loading what="the post" />}
      {found.error && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data &&
        (body ? <Json label="Body of the post" value={JSON.parse(body)} /> : <p className="soft">No attempt has been made yet.</p>)}
      <div className="end">
        <Button onPress={close}>Close</Button>
      </div>
    </Dialog>
  )
}
