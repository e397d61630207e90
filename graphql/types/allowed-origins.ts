import { readAllowedOrigins, setAllowedOrigins } from '#domain/access/allowed-origins.ts'
import { builder } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { byOwner } from '#graphql/owner.ts'

builder.queryField('allowedOrigins', (t) =>
  t.stringList({
    description: "Origins of the team's own sites, whose pages may read REST, tiles and exports with the team's tokens.",
    ...byOwner,
    resolve: (_root, _args, context) => readAllowedOrigins(context.app, callerOf(context)),
  }),
)

builder.mutationField('setAllowedOrigins', (t) =>
  t.stringList({
    description: 'Sets them, and answers them as they are kept. Those that are not named are allowed no more.',
    ...byOwner,
    args: {
      origins: t.arg.stringList({
        required: true,
        description: 'At most 20, each exact: https://maps.example.com, or http on loopback: http://localhost:3000.',
      }),
    },
    resolve: (_root, { origins }, context) => setAllowedOrigins(context.app, callerOf(context), origins),
  }),
)
