import { targetKinds } from '#domain/audit/audited-keys.ts'
import { type AuditEntryView, auditFilters, listAuditLog } from '#domain/audit/list.ts'
import { type AuditFault, verifyAuditLog } from '#domain/audit/verify.ts'
import { actorKinds } from '#domain/closed-sets.ts'
import { type PageOf, pagingForm } from '#domain/kernel/pagination.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { requireId } from '#graphql/ids.ts'
import { ownerOnly } from '#graphql/owner.ts'
import { pagingArguments } from '#graphql/page.ts'
import { byOperator } from '#graphql/role.ts'

const ActorKind = enumOf('ActorKind', actorKinds, 'Kind of actor.')
const TargetKind = enumOf('TargetKind', targetKinds, 'Kind of target.')

/** The settings of a layout are the largest. */
const VALUES_KILOBYTES = 10

builder.scalarType('AuditValues', {
  description: 'State of a target, without personal data, addresses or secrets.',
  serialize: (values) => values,
  extensions: { kilobytes: VALUES_KILOBYTES },
})

const AuditEntry = builder.objectRef<AuditEntryView>('AuditEntry').implement({
  description: 'One successful write. Entries form a chain: each carries the hash of the entry before it.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('audit_entry')),
    team_id: t.expose('team_id', { type: 'UUID', nullable: true, description: 'The team; null for the installation itself.' }),
    sequence: t.exposeInt('sequence', { description: 'Its position in the chain, from 1.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was written, by the database clock.' }),
    actor_kind: t.expose('actor_kind', { type: ActorKind, description: 'Kind of actor.' }),
    actor: t.exposeString('actor', {
      description: 'Who did it: the id of the person, the prefix of the token, the name of the operator key, or the service.',
    }),
    operation: t.exposeString('operation', {
      description:
        'Name of the operation: of the GraphQL mutation, also for REST requests, or of a write outside GraphQL, such as registerPasskey.',
    }),
    target_kind: t.expose('target_kind', { type: TargetKind, description: 'Kind of target.' }),
    target_id: t.exposeString('target_id', { nullable: true, description: 'Id of the target; null if it has none, such as a batch.' }),
    before: t.expose('before', { type: 'AuditValues', nullable: true, description: 'State before the write; null for a new target.' }),
    after: t.expose('after', { type: 'AuditValues', nullable: true, description: 'State after the write; null for a deleted target.' }),
    changed: t.exposeStringList('changed', {
      nullable: true,
      description: 'Fields that changed, including fields whose values are not shown.',
    }),
    request_id: t.exposeString('request_id', { nullable: true, description: 'The X-Request-Id of the response.' }),
    network: t.exposeString('network', { nullable: true, description: "The client's network: /24 for IPv4, /48 for IPv6." }),
    previous_hash: t.exposeString('previous_hash', { description: 'Hash of the entry before it.' }),
    hash: t.exposeString('hash', {
      description: 'SHA-256 of the entry, including the hash of the one before. Store the newest hash elsewhere.',
    }),
  }),
})

const AuditLog = builder.objectRef<PageOf<AuditEntryView>>('AuditLog').implement({
  description: 'One page of the audit log.',
  fields: (t) => ({
    data: t.field({ type: [AuditEntry], description: 'The rows of this page.', extensions: { rows: 1 }, resolve: ({ data }) => data }),
    total: t.exposeInt('total', { description: 'Number of rows on all pages.' }),
  }),
})

const filters = builder.args((t) => ({
  actor_kind: t.field({ type: ActorKind, description: 'Only writes by this kind of actor.' }),
  actor: t.string({ description: 'Only writes by this actor.' }),
  operation: t.string({ description: 'Only this operation, such as createReport.' }),
  target_kind: t.field({ type: TargetKind, description: 'Only writes to this kind of target.' }),
  target: t.string({ description: 'Only writes to the target with this id.' }),
  since: t.field({ type: 'DateTime', description: 'Only writes at or after this time.' }),
}))
const acceptedFilters = accepts({ ...auditFilters, ...pagingForm })

builder.queryField('auditLog', (t) =>
  t.field({
    type: AuditLog,
    subGraphs: graphOnly,
    description: 'Writes in the team, newest first, including those by the operator.',
    extensions: { ...needs('account:read'), ...acceptedFilters, ...ownerOnly },
    args: { ...filters, ...pagingArguments },
    resolve: (_root, args, context) => listAuditLog(context.app, callerOf(context).team.id, args),
  }),
)

builder.queryField('adminAuditLog', (t) =>
  t.field({
    type: AuditLog,
    subGraphs: byOperator('read').subGraphs,
    description: 'Writes, newest first: in one team, or in all teams and the installation.',
    extensions: { ...byOperator('read').extensions, ...acceptedFilters },
    args: { team: t.arg.id({ description: 'Id of a team.' }), ...filters, ...pagingArguments },
    resolve: (_root, { team, ...args }, { app }) => listAuditLog(app, team == null ? null : requireId('team', team), args),
  }),
)

const AuditFaultType = builder.objectRef<AuditFault>('AuditFault').implement({
  description: 'The first break in a chain of the audit log.',
  fields: (t) => ({
    team_id: t.exposeID('team_id', { description: "The team; all zeros for the installation's own chain." }),
    sequence: t.exposeInt('sequence', { nullable: true, description: 'The first faulty entry; null if the whole chain is faulty.' }),
    fault: t.exposeString('fault', { description: 'What is wrong.' }),
  }),
})

builder.queryField('auditFaults', (t) =>
  t.field({
    type: [AuditFaultType],
    description: 'Entries of the audit log that were changed, removed or moved. Checks every chain.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => verifyAuditLog(app),
  }),
)
