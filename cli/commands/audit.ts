import type { Command } from 'commander'
import { operate } from '../api.ts'
import { query } from '../service.ts'
import { addCommand, type Invocation, listByTotal, pickOptions, withPaging, wrapAction } from './command.ts'

interface AuditLog {
  data: Record<string, unknown>[]
  total: number
}

const FILTERS = {
  actor_kind: 'ActorKind',
  actor: 'String',
  operation: 'String',
  target_kind: 'TargetKind',
  target: 'String',
  since: 'DateTime',
}
const PAGING = { page: 'Int', per_page: 'Int' }
const ENTRY =
  'object team_id sequence at actor_kind actor operation target_kind target_id before after changed request_id network previous_hash hash'

function queryOf(field: string, types: Record<string, string>): string {
  const declared = Object.entries(types).map(([name, type]) => `$${name}: ${type}`)
  const passed = Object.keys(types).map((name) => `${name}: $${name}`)
  return `query (${declared.join(', ')}) { ${field}(${passed.join(', ')}) { data { ${ENTRY} } total } }`
}

const TEAM_AUDIT_LOG = queryOf('auditLog', { ...FILTERS, ...PAGING })
const ALL = queryOf('adminAuditLog', { team: 'ID', ...FILTERS, ...PAGING })

/** weather audit: the audit log of the team. */
export function addAudit(program: Command): void {
  withFilters(
    addCommand(program, 'audit', "the team's audit log, newest first", 'audit --since 2026-05-01T00:00:00Z --operation deleteReport'),
  ).action(
    wrapAction((invocation) => show(invocation, (variables) => query<AuditLog>(invocation.setting.connection, TEAM_AUDIT_LOG, variables))),
  )
}

/** weather admin audit: the audit log of every team and of the installation. */
export function addAdminAudit(admin: Command): void {
  withFilters(
    addCommand(
      admin,
      'audit',
      'the audit log of one team, or of all teams and the installation',
      'admin audit --operation adminIssueToken',
    ),
  )
    .option('--team <id>', 'id of the team')
    .action(wrapAction((invocation) => show(invocation, (variables) => operate<AuditLog>(invocation.setting.connection, ALL, variables))))
}

function withFilters(command: Command): Command {
  return withPaging(
    command
      .option('--since <moment>', 'at or after this time: 2026-05-01T00:00:00Z')
      .option('--operation <name>', 'only this operation, by its GraphQL name: createReport')
      .option('--target-kind <kind>', 'only this kind of target: report, property, token ...')
      .option('--target <id>', 'only the target with this id')
      .option('--actor-kind <kind>', 'person, token, operator or service')
      .option('--actor <name>', 'id of a person, prefix of a token, or name of an operator key'),
  )
}

async function show({ setting, options }: Invocation, read: (variables: Record<string, unknown>) => Promise<AuditLog>): Promise<void> {
  const filters = pickOptions(options, ['team', ...Object.keys(FILTERS)])
  await listByTotal<Record<string, unknown>>({ setting, options }, (paging) => read({ ...filters, ...paging }), COLUMNS)
}

const COLUMNS = {
  at: 'at',
  actor: 'actor',
  operation: 'operation',
  target: 'target_kind',
  id: 'target_id',
  changed: 'changed',
  network: 'network',
  request: 'request_id',
}
