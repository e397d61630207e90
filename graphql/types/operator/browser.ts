import { browserSentences } from '#domain/observability/browser-status.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

builder.queryField('browsers', (t) =>
  t.field({
    type: ['String'],
    description: 'How the browser that prints documents is sandboxed on each machine, and how to sandbox it better.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => browserSentences(app),
  }),
)
