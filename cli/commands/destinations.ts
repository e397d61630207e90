import type { Command } from 'commander'
import { exits } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { type Call, call, type Page, query, type Schemas } from '../service.ts'
import type { Connection } from '../settings.ts'
import {
  ask,
  booleanFrom,
  type Columns,
  confirm,
  doing,
  type Given,
  gather,
  list,
  paged,
  perform,
  pickOptions,
  rowOf,
  segment,
  show,
} from './command.ts'
import { changed } from './properties.ts'

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

/** The API's details of a destination that the service deactivated. */
type SwitchedOff = NonNullable<Integration['switched_off']>

/** Whether the team has not acknowledged the deactivation yet. */
export const isUnacknowledged = (off: SwitchedOff | null): off is SwitchedOff => off?.acknowledged_at === null

/** Notices about destinations that the service deactivated; empty if the token may not read destinations. */
export async function switchedOff(connection: Connection): Promise<string[]> {
  const asked: Call = { method: 'GET', path: '/integrations', query: { active: false, per_page: 100 } }
  const { status, body } = await call<Page<Integration>>(connection, asked, [403])
  if (status === 403) return []
  return body.data.flatMap(({ id, name, switched_off: off }) =>
    isUnacknowledged(off)
      ? [
          `Destination "${name}" was deactivated on ${off.at}. ${off.reason}`,
          `  Activate it again: weather destinations edit ${id} --active true`,
          `  Or acknowledge it: weather destinations acknowledge ${id}`,
        ]
      : [],
  )
}

export const deliveryColumns: Columns<Schemas['Delivery']> = {
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

  paged(ask(destinations, 'list', 'registered destinations', 'destinations list --active true'))
    .option('--channel <channel>', 'webhook, chat_a or chat_b')
    .option('--event <name>', 'only destinations subscribed to this event')
    .option('--active <boolean>', 'true or false', booleanFrom)
    .action(doing((given) => list(given, '/integrations', pickOptions(given.options, ['channel', 'event', 'active']), columns)))

  ask(destinations, 'show', 'one destination', 'destinations show ID')
    .argument('<destination>', 'id of the destination')
    .action(doing(async (given) => void (await perform(given, { method: 'GET', path: pathOf(given) }))))

  fields(
    ask(
      destinations,
      'add',
      'register a destination and print its secret',
      'destinations add --name CRM --channel webhook --url https://crm.example.com/in --event exposure.detected',
    ),
  ).action(
    doing(async ({ setting, options }) => {
      const asked: Call = { method: 'POST', path: '/integrations', body: bodyOf(options) }
      const { body } = await call<{ data: Integration; secret: string | null }>(setting.connection, asked)
      print(body, setting, { ...rowOf(body.data, columns), secret: body.secret })
    }),
  )

  fields(ask(destinations, 'edit', 'change a destination', 'destinations edit ID --active false'))
    .argument('<destination>', 'id of the destination')
    .action(
      doing(
        async (given) =>
          void (await perform(given, { method: 'PATCH', path: pathOf(given), body: changed(bodyOf(given.options)) }, columns)),
      ),
    )

  addActions(destinations)

  ask(destinations, 'delete', 'delete a destination; its deliveries stay listed', 'destinations delete ID --yes')
    .argument('<destination>', 'id of the destination')
    .action(
      doing(async (given) => {
        await confirm(given.setting, `Delete destination ${given.arguments[0]}?`)
        await perform(given, { method: 'DELETE', path: pathOf(given) })
      }),
    )

  addDeliveries(program)
}

/** Commands that do not edit a destination: test it, read or rotate its secret, acknowledge its deactivation. */
function addActions(destinations: Command): void {
  ask(destinations, 'test', 'send a test post; exit status 1 if it did not arrive', 'destinations test ID')
    .argument('<destination>', 'id of the destination')
    .action(
      doing(async (given) => {
        const answer = await call(given.setting.connection, { method: 'POST', path: `${pathOf(given)}/test` }, [502])
        show(given.setting, answer.body)
        if (answer.status === 502) process.exitCode = exits.failure
      }),
    )

  ask(destinations, 'secret', 'read the signing secret', 'destinations secret ID')
    .argument('<destination>', 'id of the destination')
    .action(doing(async (given) => void (await perform(given, { method: 'GET', path: `${pathOf(given)}/secret` }))))

  ask(destinations, 'rotate', 'create a new signing secret; the old one stops working immediately', 'destinations rotate ID --yes')
    .argument('<destination>', 'id of the destination')
    .action(
      doing(async (given) => {
        await confirm(given.setting, 'Rotate the secret? The old one stops working immediately.')
        await perform(given, { method: 'POST', path: `${pathOf(given)}/secret` })
      }),
    )

  ask(
    destinations,
    'acknowledge',
    'acknowledge that the service deactivated a destination; status no longer mentions it',
    'destinations acknowledge ID',
  )
    .argument('<destination>', 'id of the destination')
    .action(
      doing(async ({ setting, arguments: [integration] }) => {
        const answer = await query<Record<string, unknown>>(setting.connection, ACKNOWLEDGE, { integration })
        show(setting, answer, columns)
      }),
    )
}

const pathOf = ({ arguments: [id] }: Given) => `/integrations/${segment(id as string)}`

function fields(command: Command): Command {
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

  paged(ask(deliveries, 'list', 'deliveries, newest first', 'deliveries list --status failed'))
    .option('--status <status>', 'queued, retrying, sent, failed or skipped')
    .option('--destination <id>', 'only deliveries to this destination')
    .action(
      doing((given) => {
        const { destination } = given.options
        const path = destination ? `/integrations/${segment(destination as string)}/deliveries` : '/integrations/deliveries'
        return list(given, path, pickOptions(given.options, ['status']), deliveryColumns)
      }),
    )

  ask(deliveries, 'show', 'one delivery with the body that was posted', 'deliveries show ID')
    .argument('<delivery>', 'id of the delivery')
    .action(
      doing(async ({ setting, arguments: [delivery] }) => print(await query(setting.connection, SHOW_DELIVERY, { delivery }), setting)),
    )

  ask(deliveries, 'resend', 'send a delivery again under the same id', 'deliveries resend ID')
    .argument('<delivery>', 'id of the delivery')
    .action(
      doing(async ({ setting, arguments: [delivery] }) => {
        print(await query(setting.connection, RESEND_DELIVERY, { delivery }), setting)
        printLine('The delivery is being sent.')
      }),
    )
}
