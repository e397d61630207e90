import { issueOperatorKey, listOperatorKeys, type OperatorKeyView, revokeOperatorKey } from '#domain/access/operator-keys.ts'
import { operatorRoles } from '#domain/closed-sets.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const OperatorKey = builder.objectRef<OperatorKeyView & { key?: string }>('OperatorKey').implement({
  description: 'A key of the operator; the key itself is not kept.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is called; environment for that of the setting WEATHER_OPERATOR_KEY.' }),
    key: t.string({
      nullable: true,
      description: 'The key itself, at its issue alone: it is shown this once.',
      resolve: ({ key }) => key ?? null,
    }),
    prefix: t.exposeString('prefix', { nullable: true, description: 'First nine characters of the key; null for that of the setting.' }),
    roles: t.exposeStringList('roles', { description: `What it may do: ${operatorRoles.join(', ')}.` }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When it expires; null for never.' }),
    last_used_at: t.expose('last_used_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null for never, and for that of the setting.',
    }),
    revoked_at: t.expose('revoked_at', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
    created_at: t.expose('created_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was issued; null for that of the setting.',
    }),
  }),
})

builder.queryField('operatorKeys', (t) =>
  t.field({
    ...byOperator('all'),
    type: [OperatorKey],
    description: 'The keys of the operator: that of the setting, then the others, oldest first, revoked ones too.',
    resolve: (_root, _args, { app }) => listOperatorKeys(app),
  }),
)

builder.mutationFields((t) => ({
  issueOperatorKey: t.field({
    ...byOperator('all'),
    type: OperatorKey,
    description: 'Issues a key of the operator.',
    args: {
      name: t.arg.string({ required: true, description: 'What it is called: given once, to one key.' }),
      roles: t.arg.stringList({
        required: true,
        description: `${operatorRoles.join(', ')}: read is figures and listings, all is everything.`,
      }),
      expires_at: t.arg.string({ description: 'When it expires, ISO 8601; never where not sent.' }),
    },
    resolve: (_root, { name, roles, expires_at }, { app }) => issueOperatorKey(app, { name, roles, expires_at: expires_at ?? null }),
  }),
  revokeOperatorKey: t.field({
    ...byOperator('all'),
    type: OperatorKey,
    description: 'Revokes a key of the operator at once and for good.',
    args: { name: t.arg.string({ required: true, description: 'What it is called.' }) },
    resolve: (_root, { name }, { app }) => revokeOperatorKey(app, name),
  }),
}))
