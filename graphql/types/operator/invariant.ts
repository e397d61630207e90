import { type InvariantViolation, readInvariants } from '#domain/invariants.ts'
import { builder, operatorOnly } from '#graphql/builder.ts'

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
    subGraphs: operatorOnly,
    resolve: (_root, _args, { app }) => readInvariants(app.db),
  }),
)
