import { abilities } from '#domain/access/abilities.ts'
import { installHolder } from '#domain/access/idempotency.ts'
import { grantToken, listTokens, withdrawToken } from '#domain/access/team-tokens.ts'
import type { IssuedToken } from '#domain/access/tokens.ts'
import { builder } from '#graphql/builder.ts'
import { idempotencyOf, tokenKeyArgument } from '#graphql/idempotency.ts'
import { requireId } from '#graphql/ids.ts'
import { byOperator } from '#graphql/role.ts'

const AdminToken = builder.prismaObject('Token', {
  name: 'AdminToken',
  description: 'A token as the operator sees it. Its secret is not stored.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name given at issue.' }),
    prefix: t.exposeString('prefix', { description: 'First nine characters of the token.' }),
    abilities: t.exposeStringList('abilities', { description: 'Its abilities.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When it expires; null if never.' }),
    last_used_at: t.expose('last_used_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null if never.',
    }),
    revoked_at: t.expose('revoked_at', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was issued.' }),
  }),
})

const AdminIssuedToken = builder.objectRef<IssuedToken>('AdminIssuedToken').implement({
  description: 'A newly issued token.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The token itself. It is shown only once.' }),
    name: t.exposeString('name', { description: 'Name of the token.' }),
    prefix: t.exposeString('prefix', { description: 'First nine characters of the token.' }),
    abilities: t.exposeStringList('abilities', { description: 'Its abilities.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When it expires; null if never.' }),
    last_used_at: t.field({ type: 'DateTime', nullable: true, description: 'Null: it has not been used yet.', resolve: () => null }),
    revoked_at: t.field({ type: 'DateTime', nullable: true, description: 'Null: it is active.', resolve: () => null }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was issued.' }),
  }),
})

builder.queryField('adminTokens', (t) =>
  t.prismaField({
    type: [AdminToken],
    description: "A team's tokens, oldest first, including revoked tokens.",
    ...byOperator('read'),
    args: { team: t.arg.id({ required: true, description: 'Id of the team.' }) },
    resolve: (query, _root, { team }, { app }) => listTokens(app.db, requireId('team', team), query),
  }),
)

builder.mutationFields((t) => ({
  adminIssueToken: t.field({
    type: AdminIssuedToken,
    description: 'Issues a token to a team.',
    ...byOperator('all'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      name: t.arg.string({ required: true, description: 'What it is for, 1 to 120 characters.' }),
      abilities: t.arg.stringList({ description: 'Its abilities.' }),
      all_abilities: t.arg.boolean({ description: 'True gives the token every ability.' }),
      expires_at: t.arg.string({ description: 'When it expires, ISO 8601; never by default.' }),
      ...tokenKeyArgument,
    },
    resolve: (_root, { idempotency_key, ...input }, context) => {
      const tokenInput = {
        team_id: requireId('team', input.team),
        name: input.name,
        abilities: input.all_abilities ? abilities.map((ability) => ability.name) : (input.abilities ?? []),
        expires_at: input.expires_at ?? null,
      }
      const { app } = context
      return grantToken(app, installHolder(app.db), tokenInput, idempotencyOf(context, 'adminIssueToken', idempotency_key, input))
    },
  }),
  adminRevokeToken: t.prismaField({
    type: AdminToken,
    description: 'Revokes a token immediately and permanently.',
    ...byOperator('all'),
    args: { prefix: t.arg.string({ required: true, description: 'First nine characters of the token.' }) },
    resolve: (_query, _root, { prefix }, { app }) => app.db.$transaction((tx) => withdrawToken(tx, prefix)),
  }),
}))
