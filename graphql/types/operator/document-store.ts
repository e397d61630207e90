import { auditWrite } from '#domain/audit/audit-log.ts'
import { documentStoreFaults } from '#domain/observability/document-stores.ts'
import { type MovedStep, moveDocuments } from '#domain/reports/document-store/move-documents.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

builder.queryField('documentStoreFaults', (t) =>
  t.field({
    type: ['String'],
    description: 'Why documents cannot be stored or read now; none where they can. A file is written, read and removed to see it.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => documentStoreFaults(app),
  }),
)

const MovedDocuments = builder.objectRef<MovedStep>('MovedDocuments').implement({
  description: 'One step of moving documents to another store.',
  fields: (t) => ({
    looked_at: t.exposeInt('looked_at', { description: 'How many were looked at.' }),
    moved: t.exposeInt('moved', { description: 'How many were copied: the others were there.' }),
    bytes: t.exposeFloat('bytes', { description: 'How many bytes that was.' }),
    gone: t.exposeInt('gone', { description: 'How many are in neither store: they are printed anew when they are asked for.' }),
    next: t.exposeString('next', { nullable: true, description: 'Where the next step goes on; null after the last.' }),
  }),
})

builder.mutationField('moveDocuments', (t) =>
  t.field({
    type: MovedDocuments,
    description:
      'Copies the next hundred documents from the store of WEATHER_BLOBS_ALSO to that of WEATHER_BLOBS, but for those that are there.',
    ...byOperator('all'),
    args: { after: t.arg.string({ description: 'What the step before answered as `next`; left out for the first.' }) },
    async resolve(_root, { after }, { app }) {
      const step = await moveDocuments(app, after ?? null)
      await app.db.$transaction(async (tx) =>
        auditWrite(tx, { kind: 'stored', id: null, after: { checked: step.looked_at, faults: step.gone } }),
      )
      return step
    },
  }),
)
