import { targetKinds } from '#domain/audit/audited-keys.ts'
import { type AuditEntryView, auditFilters, listAuditLog } from '#domain/audit/list.ts'
import { type AuditFault, verifyAuditLog } from '#domain/audit/verify.ts'
import { actorKinds } from '#domain/closed-sets.ts'
import { type PageOf, pagingForm } from '#domain/kernel/pagination.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { recordId } from '#graphql/ids.ts'
import { objectKey } from '#graphql/object-key.ts'
import { ownerOnly } from '#graphql/owner.ts'
import { pagingArguments } from '#graphql/page.ts'
import { byOperator } from '#graphql/role.ts'

const ActorKind = enumOf('ActorKind', actorKinds, 'Who writes.')
const TargetKind = enumOf('TargetKind', targetKinds, 'What is written.')

builder.scalarType('AuditValues', {
  description: 'What the log says of a target: neither of people, nor addresses, nor secrets.',
  serialize: (kept) => kept,
})

const AuditEntry = builder.objectRef<AuditEntryView>('AuditEntry').implement({
  description: 'One write that succeeded, in a chain in which each row carries the hash of the one before it.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('audit_entry')),
    team_id: t.expose('team_id', { type: 'UUID', nullable: true, description: 'The team; null of the install itself.' }),
    sequence: t.exposeInt('sequence', { description: 'Its place in the chain, from 1.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was written, by the time of the database.' }),
    actor_kind: t.expose('actor_kind', { type: ActorKind, description: 'Who did it: which kind.' }),
    actor: t.exposeString('actor', { description: 'Prefix of the token, name of the operator key.' }),
    operation: t.exposeString('operation', { description: 'Name of the GraphQL mutation, over REST too.' }),
    target_kind: t.expose('target_kind', { type: TargetKind, description: 'What was written: which kind.' }),
    target_id: t.exposeString('target_id', { nullable: true, description: 'Its id; null for what has none, as a batch.' }),
    before: t.expose('before', { type: 'AuditValues', nullable: true, description: 'How it stood; null for what is new.' }),
    after: t.expose('after', { type: 'AuditValues', nullable: true, description: 'How it stands; null for what is gone.' }),
    changed: t.exposeStringList('changed', { nullable: true, description: 'Fields that changed, those too whose values are not shown.' }),
    request_id: t.exposeString('request_id', { nullable: true, description: 'The X-Request-Id of the answer.' }),
    network: t.exposeString('network', { nullable: true, description: "The client's network: /24, or /48 of version 6." }),
    previous_hash: t.exposeString('previous_hash', { description: 'Hash of the row before it.' }),
    hash: t.exposeString('hash', { description: 'SHA-256 of the row with the hash of the one before: keep the newest elsewhere.' }),
  }),
})

const AuditLog = builder.objectRef<PageOf<AuditEntryView>>('AuditLog').implement({
  description: 'A page of the audit log.',
  fields: (t) => ({
    data: t.field({ type: [AuditEntry], description: 'The rows of this page.', extensions: { rows: 1 }, resolve: ({ data }) => data }),
    total: t.exposeInt('total', { description: 'Rows on all pages.' }),
  }),
})

const filters = builder.args((t) => ({
  actor_kind: t.field({ type: ActorKind, description: 'Only what such an actor did.' }),
  actor: t.string({ description: 'Only what this one did.' }),
  operation: t.string({ description: 'Only this operation: createReport.' }),
  target_kind: t.field({ type: TargetKind, description: 'Only what was done to such targets.' }),
  target: t.string({ description: 'Only what was done to the target with this id.' }),
  since: t.field({ type: 'DateTime', description: 'Only from this moment on.' }),
}))
const judged = accepts({ ...auditFilters, ...pagingForm })

builder.queryField('auditLog', (t) =>
  t.field({
    type: AuditLog,
    subGraphs: graphOnly,
    description: 'Who did what in the team, newest first; the operator too.',
    extensions: { ...needs('account:read'), ...judged, ...ownerOnly },
    args: { ...filters, ...pagingArguments },
    resolve: (_root, args, context) => listAuditLog(context.app, callerOf(context).team.id, args),
  }),
)

builder.queryField('adminAuditLog', (t) =>
  t.field({
    type: AuditLog,
    subGraphs: byOperator('read').subGraphs,
    description: 'Who did what, newest first: in one team, or in all of them and the install.',
    extensions: { ...byOperator('read').extensions, ...judged },
    args: { team: t.arg.id({ description: 'Id of a team.' }), ...filters, ...pagingArguments },
    resolve: (_root, { team, ...asked }, { app }) => listAuditLog(app, team == null ? null : recordId('team', team), asked),
  }),
)

const AuditFaultRow = builder.objectRef<AuditFault>('AuditFault').implement({
  description: 'Where a chain of the audit log is broken first.',
  fields: (t) => ({
    team_id: t.exposeID('team_id', { description: "The team; all zeros for the install's own chain." }),
    sequence: t.exposeInt('sequence', { nullable: true, description: 'The first row at fault; null where the whole chain is.' }),
    fault: t.exposeString('fault', { description: 'What is wrong.' }),
  }),
})

builder.queryField('auditFaults', (t) =>
  t.field({
    type: [AuditFaultRow],
    description: 'Rows of the audit log that were changed, removed or moved: every chain is gone through.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => verifyAuditLog(app),
  }),
)
