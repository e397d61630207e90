import { auditWrite } from '#domain/audit/audit-log.ts'
import { checkLog } from '#domain/fingerprint-log/check-log.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'
import { checkStored } from '#domain/observability/check-stored.ts'
import { type InvariantViolation, readInvariants } from '#domain/observability/invariants.ts'
import { rowSecurityGaps } from '#domain/observability/row-security.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const InvariantViolationType = builder.objectRef<InvariantViolation>('InvariantViolation').implement({
  description: 'A violated invariant.',
  fields: (t) => ({
    invariant: t.exposeString('invariant', { description: 'Name of the invariant.' }),
    team_id: t.exposeID('team_id', { description: 'Team that the data belongs to.' }),
    subject: t.exposeString('subject', { description: 'Id of the faulty row.' }),
    detail: t.exposeString('detail', { description: 'What is wrong.' }),
  }),
})

builder.queryField('invariantViolations', (t) =>
  t.field({
    type: [InvariantViolationType],
    description: "Violations of the data's invariants. Empty unless something went wrong.",
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => readInvariants(app),
  }),
)

builder.queryField('logFaults', (t) =>
  t.field({
    type: ['String'],
    description:
      'Places where the log of fingerprints does not match its entries. Empty unless the log was tampered with. The check takes longer as the log grows.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => checkLog(app),
  }),
)

builder.queryField('rowSecurityGaps', (t) =>
  t.field({
    type: ['String'],
    description: "Gaps in the database's row-level security between teams, and how to close them.",
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => rowSecurityGaps(app),
  }),
)

const StoredFaultType = builder.objectRef<StoredFault>('StoredFault').implement({
  description: 'Stored bytes that are missing or changed.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'Kind of bytes: document, brand_logo, radar_frame and others.' }),
    team_id: t.exposeID('team_id', { nullable: true, description: 'Team that they belong to; null for data that all teams share.' }),
    subject: t.exposeString('subject', {
      description: 'Identifies the item of its kind, such as the report of a document or the moment of a frame.',
    }),
    detail: t.exposeString('detail', { description: 'What is wrong and, if only the operator can repair it, how.' }),
    repaired: t.exposeBoolean('repaired', { description: 'True if this check repaired it, or queued its document to be printed again.' }),
  }),
})

const StoredCheck = builder.objectRef<CheckedStep>('StoredCheck').implement({
  description: 'One step of a check of stored bytes.',
  fields: (t) => ({
    checked: t.exposeInt('checked', { description: 'Number of items checked.' }),
    faults: t.expose('faults', { type: [StoredFaultType], description: 'What is missing or changed.' }),
    next: t.exposeString('next', { nullable: true, description: 'Cursor for the next step; null after the last step.' }),
  }),
})

const AFTER_DESCRIPTION = 'The `next` of the previous step; omit it for the first step.'

builder.queryField('storedCheck', (t) =>
  t.field({
    type: StoredCheck,
    description: 'Looks for stored bytes that are missing or changed, a few hundred items per step.',
    ...byOperator('read'),
    args: { after: t.arg.string({ description: AFTER_DESCRIPTION }) },
    resolve: (_root, { after }, { app }) => checkStored(app, after ?? null, false),
  }),
)

builder.mutationField('storedRepair', (t) =>
  t.field({
    type: StoredCheck,
    description:
      'Runs the stored check and repairs what it can: documents are printed and maps drawn again. Data that only a file can restore is deleted.',
    ...byOperator('all'),
    args: { after: t.arg.string({ description: AFTER_DESCRIPTION }) },
    resolve: async (_root, { after }, { app }) => {
      const step = await checkStored(app, after ?? null, true)
      await app.db.$transaction(async (tx) =>
        auditWrite(tx, { kind: 'stored', id: null, after: { checked: step.checked, faults: step.faults.length } }),
      )
      return step
    },
  }),
)
