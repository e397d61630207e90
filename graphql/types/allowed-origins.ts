import { ORIGINS_MAX, readAllowedOrigins, setAllowedOrigins } from '#domain/access/allowed-origins.ts'
import { builder } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { byOwner } from '#graphql/owner.ts'

builder.queryField('allowedOrigins', (t) =>
  t.stringList({
    description: "Origins of the team's own sites. Pages of these sites may read REST, tiles and exports with the team's tokens.",
    ...byOwner,
    resolve: (_root, _args, context) => readAllowedOrigins(context.app, callerOf(context)),
  }),
)

builder.mutationField('setAllowedOrigins', (t) =>
  t.stringList({
    description: 'Replaces the allowed origins and returns them as stored.',
    ...byOwner,
    args: {
      origins: t.arg.stringList({
        required: true,
        description: `At most ${ORIGINS_MAX} exact origins, such as https://maps.example.com, or http on loopback, such as http://localhost:3000.`,
      }),
    },
    resolve: (_root, { origins }, context) => setAllowedOrigins(context.app, callerOf(context), origins),
  }),
)
