import { issueOperatorKey, listOperatorKeys, type OperatorKeyView, revokeOperatorKey } from '#domain/access/operator-keys.ts'
import { operatorRoles } from '#domain/closed-sets.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const OperatorKey = builder.objectRef<OperatorKeyView & { key?: string }>('OperatorKey').implement({
  description: 'An operator key. The key itself is not stored.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name; environment for the key in the setting WEATHER_OPERATOR_KEY.' }),
    key: t.string({
      nullable: true,
      description: 'The key itself. It is shown only once, when the key is issued.',
      resolve: ({ key }) => key ?? null,
    }),
    prefix: t.exposeString('prefix', { nullable: true, description: 'First nine characters of the key; null for the key of the setting.' }),
    roles: t.exposeStringList('roles', { description: `Roles of the key: ${operatorRoles.join(', ')}.` }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When it expires; null if never.' }),
    last_used_at: t.expose('last_used_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null if never, and for the key of the setting.',
    }),
    revoked_at: t.expose('revoked_at', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
    created_at: t.expose('created_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was issued; null for the key of the setting.',
    }),
  }),
})

builder.queryField('operatorKeys', (t) =>
  t.field({
    ...byOperator('all'),
    type: [OperatorKey],
    description: 'Operator keys: first the key of the setting, then the others, oldest first, including revoked keys.',
    resolve: (_root, _args, { app }) => listOperatorKeys(app),
  }),
)

builder.mutationFields((t) => ({
  issueOperatorKey: t.field({
    ...byOperator('all'),
    type: OperatorKey,
    description: 'Issues an operator key.',
    args: {
      name: t.arg.string({ required: true, description: 'Name of the key. A name can be used for only one key, ever.' }),
      roles: t.arg.stringList({
        required: true,
        description: `Roles: ${operatorRoles.join(', ')}. read covers figures and lists, all covers everything.`,
      }),
      expires_at: t.arg.string({ description: 'When it expires, ISO 8601; never by default.' }),
    },
    resolve: (_root, { name, roles, expires_at }, { app }) => issueOperatorKey(app, { name, roles, expires_at: expires_at ?? null }),
  }),
  revokeOperatorKey: t.field({
    ...byOperator('all'),
    type: OperatorKey,
    description: 'Revokes an operator key immediately and permanently.',
    args: { name: t.arg.string({ required: true, description: 'Name of the key.' }) },
    resolve: (_root, { name }, { app }) => revokeOperatorKey(app, name),
  }),
}))
