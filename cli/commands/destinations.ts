import type { Command } from 'commander'
import { exits } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { type Call, call, type Page, query, type Schemas } from '../service.ts'
import { utcText } from '../utc-text.ts'
import {
  addCommand,
  booleanFrom,
  type Columns,
  confirm,
  gather,
  type Invocation,
  list,
  perform,
  pickOptions,
  requireChanges,
  rowOf,
  type Settings,
  segment,
  show,
  suggestedCommand,
  withPaging,
  wrapAction,
} from './command.ts'

type Integration = Schemas['Integration']

const columns: Columns<Integration> = {
  id: 'id',
  name: 'name',
  channel: 'channel',
  address: 'address_hint',
  events: 'events',
  active: 'active',
  failing: 'failing',
  last_sent_at: 'last_sent_at',
  last_failure: 'last_failure',
  switched_off: 'switched_off.at',
}

/** The API's details of a destination that the service switched off. */
type SwitchedOff = NonNullable<Integration['switched_off']>

/** Whether the team has not acknowledged yet that the service switched it off. */
export const isUnacknowledged = (off: SwitchedOff | null): off is SwitchedOff => off?.acknowledged_at === null

/** Notices about destinations that the service switched off; empty if the token may not read destinations. */
export async function switchedOffNotices(setting: Settings): Promise<string[]> {
  const request: Call = { method: 'GET', path: '/integrations', query: { active: false, per_page: 100 } }
  const { status, body } = await call<Page<Integration>>(setting.connection, request, [403])
  if (status === 403) return []
  return body.data.flatMap(({ id, name, switched_off: off }) =>
    isUnacknowledged(off)
      ? [
          `Destination "${name}" was switched off on ${utcText(off.at)}. ${off.reason}`,
          `  Activate it again: ${suggestedCommand(setting, `destinations edit ${id} --active true`)}`,
          `  Or acknowledge it: ${suggestedCommand(setting, `destinations acknowledge ${id}`)}`,
        ]
      : [],
  )
}

const deliveryColumns: Columns<Schemas['Delivery']> = {
  id: 'id',
  created_at: 'created_at',
  status: 'status_label',
  channel: 'channel',
  subject: 'subject',
  attempts: 'attempts',
  code: 'response_code',
  failure: 'failure_reason',
}

/** All fields of a delivery. */
const DELIVERY = `id object kind channel status status_label subject address_hint attempts response_code failure_reason
  exposure_ids sent_at failed_at created_at integration_id`
export const SHOW_DELIVERY = `query ($delivery: UUID!) { delivery(delivery: $delivery) { delivery { ${DELIVERY} } body } }`
const ACKNOWLEDGE = `mutation ($integration: UUID!) { acknowledgeIntegration(integration: $integration) {
  id object name channel channel_label address_hint events active signed failing last_sent_at last_failed_at last_failure
  switched_off { at reason acknowledged_at } created_at updated_at links { self deliveries } } }`
export const RESEND_DELIVERY = `mutation ($delivery: UUID!) { resendDelivery(delivery: $delivery) { ${DELIVERY} } }`

/** weather destinations and weather deliveries. */
export function addDestinations(program: Command): void {
  const destinations = program.command('destinations').description('destinations that events are posted to')

  withPaging(addCommand(destinations, 'list', 'registered destinations', 'destinations list --active true'))
    .option('--channel <channel>', 'webhook, chat_a or chat_b')
    .option('--event <name>', 'only destinations subscribed to this event')
    .option('--active <boolean>', 'true or false', booleanFrom)
    .action(
      wrapAction((invocation) =>
        list(invocation, '/integrations', pickOptions(invocation.options, ['channel', 'event', 'active']), columns),
      ),
    )

  addCommand(destinations, 'show', 'one destination', 'destinations show ID')
    .argument('<destination>', 'id of the destination')
    .action(wrapAction((invocation) => perform(invocation, { method: 'GET', path: pathOf(invocation) })))

  withDestinationFields(
    addCommand(
      destinations,
      'add',
      'register a destination and print its secret',
      'destinations add --name CRM --channel webhook --url https://crm.example.com/in --event exposure.detected',
    ),
  ).action(
    wrapAction(async ({ setting, options }) => {
      const request: Call = { method: 'POST', path: '/integrations', body: bodyOf(options) }
      const { body } = await call<{ data: Integration; secret: string | null }>(setting.connection, request)
      const { data, secret } = body
      // In the response the secret is beside the destination: as rows, and for --fields, it is one of its keys.
      const asReturned = setting.output === 'json' && !setting.fields
      print(asReturned ? body : { ...data, secret }, setting, { ...rowOf(data, columns), secret })
    }),
  )

  withDestinationFields(addCommand(destinations, 'edit', 'change a destination', 'destinations edit ID --active false'))
    .argument('<destination>', 'id of the destination')
    .action(
      wrapAction((invocation) =>
        perform(invocation, { method: 'PATCH', path: pathOf(invocation), body: requireChanges(bodyOf(invocation.options)) }, columns),
      ),
    )

  addActions(destinations)

  addCommand(destinations, 'delete', 'delete a destination; its deliveries stay listed', 'destinations delete ID --yes')
    .argument('<destination>', 'id of the destination')
    .action(
      wrapAction(async (invocation) => {
        await confirm(invocation.setting, `Delete destination ${invocation.arguments[0]}?`)
        await perform(invocation, { method: 'DELETE', path: pathOf(invocation) })
      }),
    )

  addDeliveries(program)
}

/** Commands that do not edit a destination: test it, read or rotate its secret, acknowledge that it was switched off. */
function addActions(destinations: Command): void {
  addCommand(destinations, 'test', 'send a test post; exit status 1 if it did not arrive', 'destinations test ID')
    .argument('<destination>', 'id of the destination')
    .action(
      wrapAction(async (invocation) => {
        const answer = await call(invocation.setting.connection, { method: 'POST', path: `${pathOf(invocation)}/test` }, [502])
        show(invocation.setting, answer.body)
        if (answer.status === 502) process.exitCode = exits.failure
      }),
    )

  addCommand(destinations, 'secret', 'read the signing secret', 'destinations secret ID')
    .argument('<destination>', 'id of the destination')
    .action(wrapAction((invocation) => perform(invocation, { method: 'GET', path: `${pathOf(invocation)}/secret` })))

  addCommand(destinations, 'rotate', 'create a new signing secret; the old one stops working immediately', 'destinations rotate ID --yes')
    .argument('<destination>', 'id of the destination')
    .action(
      wrapAction(async (invocation) => {
        await confirm(invocation.setting, 'Rotate the secret? The old one stops working immediately.')
        await perform(invocation, { method: 'POST', path: `${pathOf(invocation)}/secret` })
      }),
    )

  addCommand(
    destinations,
    'acknowledge',
    'acknowledge that the service switched off a destination; status no longer mentions it',
    'destinations acknowledge ID',
  )
    .argument('<destination>', 'id of the destination')
    .action(
      wrapAction(async ({ setting, arguments: [integration] }) => {
        const answer = await query<Record<string, unknown>>(setting.connection, ACKNOWLEDGE, { integration })
        show(setting, answer, columns)
      }),
    )
}

const pathOf = ({ arguments: [id] }: Invocation) => `/integrations/${segment(id as string)}`

function withDestinationFields(command: Command): Command {
  return command
    .option('--name <text>', 'name of the destination')
    .option('--channel <channel>', 'webhook, chat_a or chat_b')
    .option('--url <address>', 'URL to post to; it is never returned')
    .option('--event <name>', 'an event; repeat for several', gather)
    .option('--active <boolean>', 'whether events are posted to it', booleanFrom)
}

const bodyOf = ({ event, ...options }: Record<string, unknown>) =>
  pickOptions({ ...options, events: event }, ['name', 'channel', 'url', 'events', 'active'])

function addDeliveries(program: Command): void {
  const deliveries = program.command('deliveries').description('deliveries to destinations')

  withPaging(addCommand(deliveries, 'list', 'deliveries, newest first', 'deliveries list --status failed'))
    .option('--status <status>', 'queued, retrying, sent, failed or skipped')
    .option('--destination <id>', 'only deliveries to this destination')
    .action(
      wrapAction((invocation) => {
        const { destination } = invocation.options
        const path = destination ? `/integrations/${segment(destination as string)}/deliveries` : '/integrations/deliveries'
        return list(invocation, path, pickOptions(invocation.options, ['status']), deliveryColumns)
      }),
    )

  addCommand(deliveries, 'show', 'one delivery with the body that was posted', 'deliveries show ID')
    .argument('<delivery>', 'id of the delivery')
    .action(
      wrapAction(async ({ setting, arguments: [delivery] }) =>
        print(await query(setting.connection, SHOW_DELIVERY, { delivery }), setting),
      ),
    )

  addCommand(deliveries, 'resend', 'send a delivery again under the same id', 'deliveries resend ID')
    .argument('<delivery>', 'id of the delivery')
    .action(
      wrapAction(async ({ setting, arguments: [delivery] }) => {
        print(await query(setting.connection, RESEND_DELIVERY, { delivery }), setting)
        printLine('The delivery is being sent.')
      }),
    )
}
