import { auditWrite } from '#domain/audit/audit-log.ts'
import { checkLog } from '#domain/fingerprint-log/check-log.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'
import { checkStored } from '#domain/observability/check-stored.ts'
import { type InvariantViolation, readInvariants } from '#domain/observability/invariants.ts'
import { rowSecurityGaps } from '#domain/observability/row-security.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const InvariantViolationRow = builder.objectRef<InvariantViolation>('InvariantViolation').implement({
  description: 'Something that must never be true, found true.',
  fields: (t) => ({
    invariant: t.exposeString('invariant', { description: 'Name of the invariant.' }),
    team_id: t.exposeID('team_id', { description: 'Team whose data it is.' }),
    subject: t.exposeString('subject', { description: 'Id of the row at fault.' }),
    detail: t.exposeString('detail', { description: 'What is wrong.' }),
  }),
})

builder.queryField('invariantViolations', (t) =>
  t.field({
    type: [InvariantViolationRow],
    description: 'Whatever is in the data that must never be: empty unless something went wrong.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => readInvariants(app),
  }),
)

builder.queryField('logFaults', (t) =>
  t.field({
    type: ['String'],
    description:
      'Where the log of fingerprints is not what its entries make: empty unless it was tampered with. Takes the longer, the longer the log.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => checkLog(app),
  }),
)

builder.queryField('rowSecurityGaps', (t) =>
  t.field({
    type: ['String'],
    description: 'What stands open in the database’s own wall around each team’s rows, and what closes it.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => rowSecurityGaps(app),
  }),
)

const StoredFaultRow = builder.objectRef<StoredFault>('StoredFault').implement({
  description: 'Bytes that the service keeps, and that are gone or are not what was kept.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'Which kind of bytes: document, brand_logo, radar_frame and others.' }),
    team_id: t.exposeID('team_id', { nullable: true, description: 'Team whose they are; null for what all teams share.' }),
    subject: t.exposeString('subject', { description: 'Which of its kind: the report of a document, the moment of a frame.' }),
    detail: t.exposeString('detail', { description: 'What is wrong and, where only the operator can mend it, how.' }),
    repaired: t.exposeBoolean('repaired', { description: 'True where this check has seen to it.' }),
  }),
})

const StoredCheck = builder.objectRef<CheckedStep>('StoredCheck').implement({
  description: 'One step of a check of stored bytes.',
  fields: (t) => ({
    checked: t.exposeInt('checked', { description: 'How many were looked at.' }),
    faults: t.expose('faults', { type: [StoredFaultRow], description: 'What is gone or changed.' }),
    next: t.exposeString('next', { nullable: true, description: 'Where the next step goes on; null after the last.' }),
  }),
})

const AFTER = 'What the step before answered as `next`; left out for the first.'

builder.queryField('storedCheck', (t) =>
  t.field({
    type: StoredCheck,
    description: 'Looks for stored bytes that are gone or changed, a few hundred of them a step.',
    ...byOperator('read'),
    args: { after: t.arg.string({ description: AFTER }) },
    resolve: (_root, { after }, { app }) => checkStored(app, after ?? null, false),
  }),
)

builder.mutationField('storedRepair', (t) =>
  t.field({
    type: StoredCheck,
    description: 'The same, and has made anew what can be: documents are printed, maps drawn; what only a file brings back is removed.',
    ...byOperator('all'),
    args: { after: t.arg.string({ description: AFTER }) },
    resolve: async (_root, { after }, { app }) => {
      const step = await checkStored(app, after ?? null, true)
      await app.db.$transaction(async (tx) =>
        auditWrite(tx, { kind: 'stored', id: null, after: { checked: step.checked, faults: step.faults.length } }),
      )
      return step
    },
  }),
)
