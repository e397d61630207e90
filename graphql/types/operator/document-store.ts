import { auditWrite } from '#domain/audit/audit-log.ts'
import { documentStoreFaults } from '#domain/observability/document-stores.ts'
import { type MovedStep, moveDocuments } from '#domain/reports/document-store/move-documents.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

builder.queryField('documentStoreFaults', (t) =>
  t.field({
    type: ['String'],
    description: 'Why documents cannot currently be stored or read; empty if they can. The check writes, reads and deletes a file.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => documentStoreFaults(app),
  }),
)

const MovedDocuments = builder.objectRef<MovedStep>('MovedDocuments').implement({
  description: 'One step of moving documents to another store.',
  fields: (t) => ({
    looked_at: t.exposeInt('looked_at', { description: 'Number of documents checked.' }),
    moved: t.exposeInt('moved', { description: 'Number of documents copied. The others were already there.' }),
    bytes: t.exposeFloat('bytes', { description: 'Number of bytes copied.' }),
    gone: t.exposeInt('gone', { description: 'Number of documents in neither store. They are printed again on request.' }),
    next: t.exposeString('next', { nullable: true, description: 'Cursor for the next step; null after the last step.' }),
  }),
})

builder.mutationField('moveDocuments', (t) =>
  t.field({
    type: MovedDocuments,
    description:
      'Copies the next hundred documents from the store of WEATHER_BLOBS_ALSO to the store of WEATHER_BLOBS, except those that are already there.',
    ...byOperator('all'),
    args: { after: t.arg.string({ description: 'The `next` of the previous step; omit it for the first step.' }) },
    async resolve(_root, { after }, { app }) {
      const step = await moveDocuments(app, after ?? null)
      await app.db.$transaction(async (tx) =>
        auditWrite(tx, { kind: 'stored', id: null, after: { checked: step.looked_at, faults: step.gone } }),
      )
      return step
    },
  }),
)
