import { abilities } from '#domain/access/abilities.ts'
import { grantToken, listTokens, withdrawToken } from '#domain/access/team-tokens.ts'
import type { IssuedToken } from '#domain/access/tokens.ts'
import { builder, personOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { idempotencyOf, tokenKeyArgument } from '#graphql/idempotency.ts'
import { byOwner } from '#graphql/owner.ts'

interface TokenView {
  name: string
  prefix: string
  abilities: string[]
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  created_at: Date
}

const TeamToken = builder.objectRef<TokenView>('TeamToken').implement({
  description: 'A token of the team. The token itself is not stored.',
  subGraphs: personOnly,
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

const IssuedTeamToken = builder.objectRef<IssuedToken>('IssuedTeamToken').implement({
  description: 'A newly issued token.',
  subGraphs: personOnly,
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The token itself. It is shown only once.' }),
    name: t.exposeString('name', { description: 'Name of the token.' }),
    prefix: t.exposeString('prefix', { description: 'First nine characters of the token.' }),
    abilities: t.exposeStringList('abilities', { description: 'Its abilities.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When it expires; null if never.' }),
  }),
})

const AbilityType = builder.objectRef<(typeof abilities)[number]>('Ability').implement({
  description: 'An ability that a token can have.',
  subGraphs: personOnly,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the ability.' }),
    label: t.exposeString('label', { description: 'Label of the ability, for people.' }),
    description: t.exposeString('description', { description: 'What it allows.' }),
  }),
})

builder.queryFields((t) => ({
  tokens: t.field({
    type: [TeamToken],
    description: "The team's tokens, oldest first, including revoked tokens.",
    ...byOwner,
    resolve: (_root, _args, context) => {
      const { db, team } = callerOf(context)
      return listTokens(db, team.id)
    },
  }),
  abilities: t.field({
    type: [AbilityType],
    description: 'Every ability that a token can have.',
    ...byOwner,
    resolve: () => [...abilities],
  }),
}))

builder.mutationFields((t) => ({
  issueToken: t.field({
    type: IssuedTeamToken,
    description: 'Issues a token to the team.',
    ...byOwner,
    args: {
      name: t.arg.string({ required: true, description: 'What it is for, 1 to 120 characters.' }),
      abilities: t.arg.stringList({ required: true, description: 'Its abilities.' }),
      expires_at: t.arg.string({ description: 'When it expires, ISO 8601; never by default.' }),
      ...tokenKeyArgument,
    },
    resolve: (_root, { idempotency_key, ...input }, context) => {
      const caller = callerOf(context)
      const tokenInput = { ...input, team_id: caller.team.id, expires_at: input.expires_at ?? null }
      return grantToken(context.app, caller, tokenInput, idempotencyOf(context, 'issueToken', idempotency_key, input))
    },
  }),
  revokeToken: t.field({
    type: TeamToken,
    description: 'Revokes a token immediately and permanently.',
    ...byOwner,
    args: { prefix: t.arg.string({ required: true, description: 'First nine characters of the token.' }) },
    resolve: (_root, { prefix }, context) => callerOf(context).db.$transaction((tx) => withdrawToken(tx, prefix)),
  }),
}))
