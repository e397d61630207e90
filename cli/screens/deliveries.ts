import { isUnacknowledged, RESEND_DELIVERY, SHOW_DELIVERY } from '../commands/destinations.ts'
import { page, query, type Schemas } from '../service.ts'
import type { Layout, Listing } from './listing.ts'
import { type Line, sheetOf, wrap } from './text.ts'

type Delivery = Schemas['Delivery']

/** A team's destinations fit on one page. */
const DESTINATIONS = 100

export const deliveries: Listing<Delivery> = {
  path: '/integrations/deliveries',
  columns: [
    { title: 'status', width: 8, of: (row) => row.status },
    { title: 'created, UTC', width: 16, of: (row) => row.created_at.slice(0, 16).replace('T', ' ') },
    { title: 'channel', width: 7, of: (row) => row.channel },
    { title: 'tries', width: 5, of: (row) => row.attempts },
    { title: 'code', width: 4, of: (row) => row.response_code },
    { title: 'subject', width: 0, of: (row) => row.subject },
  ],
  filters: (search) => (search ? { status: search } : {}),
  defaultLabel: '',
  searchHint: 'queued, retrying, sent, failed or skipped',
  async banner(connection) {
    const { data } = await page<Schemas['Integration']>(connection, '/integrations', { per_page: DESTINATIONS })
    return data.flatMap(({ name, failing, last_failure, switched_off }) => [
      ...(failing ? [`${name} is failing: ${last_failure ?? 'no post arrived'}`] : []),
      ...(isUnacknowledged(switched_off) ? [`${name} was switched off: ${switched_off.reason}`] : []),
    ])
  },
  acts: {
    s: {
      name: 'send again',
      label: 'sent again',
      run: (connection, { id }) => query<Delivery>(connection, RESEND_DELIVERY, { delivery: id }),
    },
  },
  async open(connection, { id }) {
    const { delivery, body } = await query<{ delivery: Delivery; body: string | null }>(connection, SHOW_DELIVERY, { delivery: id })
    return layoutOf(delivery, body)
  },
  detailsUrl: () => null,
}

const layoutOf =
  ({ subject, status_label, failure_reason, status, object: _, ...rest }: Delivery, body: string | null): Layout =>
  (width) => {
    const lines: Line[] = [
      { text: subject, tone: 'title' },
      { text: status_label, tone: status === 'failed' ? 'alarm' : undefined },
      ...(failure_reason ? [{ text: failure_reason }] : []),
      { text: '' },
      ...sheetOf(rest),
      { text: '' },
      { text: body === null ? 'There is no payload: nothing was posted.' : 'Payload', tone: 'title' },
      ...(body === null ? [] : prettyOf(body).split('\n')).map((text) => ({ text })),
    ]
    return lines.flatMap((line) => wrap(line, width))
  }

function prettyOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
