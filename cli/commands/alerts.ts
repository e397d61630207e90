import { type Command, Option } from 'commander'
import { exits, failure } from '../failure.ts'
import { print } from '../format.ts'
import { query } from '../service.ts'
import {
  addCommand,
  type Columns,
  confirm,
  gather,
  idempotencyKeyOf,
  listByTotal,
  numberFrom,
  pickOptions,
  requireChanges,
  show,
  withIdempotencyKey,
  withPaging,
  wrapAction,
} from './command.ts'

/** A rule as the API shows it. */
interface AlertRule {
  id: string
  name: string
  kinds: string[]
  least_hail_in: number | null
  least_gust_mph: number | null
  greatest_miles: number | null
  evidence: string
  tag: string | null
  property_id: string | null
  territory_id: string | null
  quiet_from: string | null
  quiet_until: string | null
  pace: string
  active: boolean
  recipients: { email: string; state: string }[]
}

const columns: Columns<AlertRule> = {
  id: 'id',
  name: 'name',
  kinds: ({ kinds }) => kinds.join(', '),
  evidence: 'evidence',
  where: ({ tag, property_id, territory_id }) => tag ?? property_id ?? territory_id ?? 'every place',
  pace: 'pace',
  active: 'active',
  recipients: ({ recipients }) => recipients.map(({ email, state }) => `${email} (${state})`).join(', '),
}

interface AlertMail {
  id: string
  created_at: string
  status_label: string
  email: string
  subject: string
  attempts: number
  failure_reason: string | null
}

const mailColumns: Columns<AlertMail> = {
  id: 'id',
  created_at: 'created_at',
  status: 'status_label',
  to: 'email',
  subject: 'subject',
  attempts: 'attempts',
  failure: 'failure_reason',
}

const RULE = `id name kinds least_hail_in least_gust_mph greatest_miles evidence tag property_id territory_id
  quiet_from quiet_until pace active recipients { email state } created_at updated_at`
const LIST = `{ alertRules { ${RULE} } }`
const CONDITIONS = {
  kinds: '[AlertKind!]',
  least_hail_in: 'Float',
  least_gust_mph: 'Float',
  greatest_miles: 'Float',
  evidence: 'AlertEvidence',
  tag: 'String',
  property: 'UUID',
  territory: 'UUID',
  quiet_from: 'String',
  quiet_until: 'String',
  pace: 'AlertPace',
}
const CREATE = mutationOf('createAlertRule', { name: 'String!', recipients: '[String!]!', ...CONDITIONS, idempotency_key: 'String' })
const EDIT = mutationOf('updateAlertRule', { rule: 'UUID!', name: 'String', recipients: '[String!]', active: 'Boolean', ...CONDITIONS })
const MAIL_CONFIRMATION = 'mutation ($email: String!) { mailAlertConfirmation(email: $email) }'
const DELETE = 'mutation ($rule: UUID!) { deleteAlertRule(rule: $rule) }'
const MAILS = `query ($status: AlertMailStatus, $page: Int, $per_page: Int) { alertMails(status: $status, page: $page, per_page: $per_page) {
  total data { id rule_id email subject exposure_ids status status_label attempts failure_reason maybe_repeated send_after sent_at failed_at created_at } } }`

/** Conditions of a rule that can be cleared. */
const CLEARABLE = ['least_hail_in', 'least_gust_mph', 'greatest_miles', 'tag', 'property', 'territory', 'quiet_from', 'quiet_until']

/** A mutation that returns a rule, with its arguments and their types. */
function mutationOf(name: string, types: Record<string, string>): string {
  const declared = Object.entries(types).map(([argument, type]) => `$${argument}: ${type}`)
  const passed = Object.keys(types).map((argument) => `${argument}: $${argument}`)
  return `mutation (${declared.join(', ')}) { ${name}(${passed.join(', ')}) { ${RULE} } }`
}

function withConditionOptions(command: Command, default_kinds = ''): Command {
  return command
    .option('--kind <kind>', `hail, wind, tornado or other; repeat for several${default_kinds}`, gather)
    .option('--least-hail <inches>', 'smallest hail; applies only to hail', numberFrom)
    .option('--least-gust <mph>', 'weakest gust; applies only to wind', numberFrom)
    .option('--within <miles>', 'greatest distance from the place', numberFrom)
    .option('--evidence <evidence>', 'observed, or any to include radar estimates')
    .option('--tag <tag>', 'only properties with this tag')
    .option('--property <id>', 'only this property')
    .option('--territory <id>', 'only this territory')
    .option('--quiet-from <time>', "start of quiet hours, HH:MM in the team's time zone")
    .option('--quiet-until <time>', 'end of quiet hours, when waiting mail is sent')
    .option('--pace <pace>', 'at_once, or digest: each morning')
}

/** Fields of a rule from the options; omitted options are left out. */
const ruleOf = (options: Record<string, unknown>) => pickOptions(longNames(options), ['name', 'recipients', ...Object.keys(CONDITIONS)])

const longNames = (options: Record<string, unknown>) => ({
  ...options,
  recipients: options.to,
  kinds: options.kind,
  leastHailIn: options.leastHail,
  leastGustMph: options.leastGust,
  greatestMiles: options.within,
})

/** @throws Failure for a name that is not a condition */
function clearedFields(fields: unknown): Record<string, null> {
  const named = Array.isArray(fields) ? fields.map(String) : []
  const unknown = named.find((field) => !CLEARABLE.includes(field))
  if (unknown) throw failure(exits.usage, `--clear takes ${CLEARABLE.join(', ')}, not ${unknown}.`)
  return Object.fromEntries(named.map((field) => [field, null]))
}

/** weather alerts. */
export function addAlerts(program: Command): void {
  const alerts = program.command('alerts').description('rules for mail about storm days')

  addCommand(alerts, 'list', 'alert rules, oldest first', 'alerts list').action(
    wrapAction(async ({ setting }) => show(setting, await query<AlertRule[]>(setting.connection, LIST, {}), columns)),
  )

  const create = withIdempotencyKey(
    addCommand(
      alerts,
      'create',
      'create a rule',
      'alerts create --name "Large hail" --to ann@example.com --kind hail --least-hail 1.5 --tag west',
    ),
  )
    .requiredOption('--name <text>', 'name of the rule')
    .requiredOption('--to <address>', 'recipient; repeat for several', gather)
  withConditionOptions(create, ' (default: all)').action(
    wrapAction(async ({ setting, options }) => {
      const variables = { ...ruleOf(options), idempotency_key: idempotencyKeyOf(options) }
      show(setting, await query<AlertRule>(setting.connection, CREATE, variables), columns)
    }),
  )

  const edit = addCommand(alerts, 'edit', 'change the given fields of a rule', 'alerts edit ID --least-hail 2 --pause')
    .argument('<rule>', 'id of the rule')
    .option('--name <text>', 'name of the rule')
    .option('--to <address>', 'recipient, replacing the old list; repeat for several', gather)
    .option('--clear <field>', `condition to remove: ${CLEARABLE.join(', ')}; repeat for several`, gather)
    .addOption(new Option('--pause', 'stop sending mail until it is resumed').conflicts('resume'))
    .option('--resume', 'send mail again')
  withConditionOptions(edit).action(
    wrapAction(async ({ setting, arguments: [rule], options }) => {
      const active = options.pause || options.resume ? { active: !options.pause } : {}
      const changes = requireChanges({ ...clearedFields(options.clear), ...ruleOf(options), ...active })
      show(setting, await query<AlertRule>(setting.connection, EDIT, { rule, ...changes }), columns)
    }),
  )

  addCommand(alerts, 'ask-again', 'send the confirmation link again to a recipient', 'alerts ask-again ann@example.com')
    .argument('<address>', 'address of a recipient')
    .action(
      wrapAction(async ({ setting, arguments: [email] }) => {
        await query(setting.connection, MAIL_CONFIRMATION, { email })
        print({ email }, setting, [{ email, mailed: 'a new link, which works for a week' }])
      }),
    )

  addCommand(alerts, 'delete', 'delete a rule; its sent mails stay listed', 'alerts delete ID --yes')
    .argument('<rule>', 'id of the rule')
    .action(
      wrapAction(async ({ setting, arguments: [rule] }) => {
        await confirm(setting, `Delete alert rule ${rule}?`)
        await query(setting.connection, DELETE, { rule })
      }),
    )

  addMails(alerts)
}

/** weather alerts mails. */
function addMails(alerts: Command): void {
  withPaging(addCommand(alerts, 'mails', 'alert mails, newest first', 'alerts mails --status failed'))
    .option('--status <status>', 'queued, sending, retrying, sent, failed or skipped')
    .action(
      wrapAction((invocation) => {
        const { setting, options } = invocation
        const read = (paging: object) =>
          query<{ data: AlertMail[]; total: number }>(setting.connection, MAILS, { ...pickOptions(options, ['status']), ...paging })
        return listByTotal(invocation, read, mailColumns)
      }),
    )
}
