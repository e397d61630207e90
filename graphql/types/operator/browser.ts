import { browserSentences } from '#domain/observability/browser-status.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

builder.queryField('browsers', (t) =>
  t.field({
    type: ['String'],
    description: 'What holds the browser of each machine that prints documents, and how to hold it more firmly.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => browserSentences(app),
  }),
)
