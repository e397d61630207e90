import { operatorRoles } from '#domain/closed-sets.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import { listOperators, type OperatorView, setOperator } from '#domain/people/operators.ts'
import { builder } from '#graphql/builder.ts'
import { requireId } from '#graphql/ids.ts'
import { byOperator } from '#graphql/role.ts'
import { SignInLink } from '#graphql/types/person.ts'

const OperatorPerson = builder.objectRef<OperatorView>('OperatorPerson').implement({
  description: 'A person who runs the installation from the console.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the person, as used in the audit log.' }),
    email: t.exposeString('email', { description: 'E-mail address that they sign in with.' }),
    name: t.exposeString('name', { nullable: true, description: 'Name, if they gave one.' }),
    roles: t.exposeStringList('roles', { description: `Operator roles: ${operatorRoles.join(', ')}.` }),
    signed_in_at: t.expose('signed_in_at', { type: 'DateTime', nullable: true, description: 'When they last signed in.' }),
    link: t.expose('link', {
      type: SignInLink,
      nullable: true,
      description: 'Sign-in link, returned when the person becomes an operator. It works once, within an hour. Null otherwise.',
    }),
  }),
})

builder.queryField('operators', (t) =>
  t.field({
    type: [OperatorPerson],
    description: 'People who run the installation, by address.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => listOperators(app),
  }),
)

builder.mutationField('setOperator', (t) =>
  t.field({
    type: OperatorPerson,
    description: 'Sets the operator roles of a person, or removes all of them. The person is signed out everywhere.',
    ...byOperator('all'),
    args: {
      email: t.arg.string({ required: true, description: 'E-mail address of the person.' }),
      roles: t.arg.stringList({ required: true, description: `Roles: ${operatorRoles.join(', ')}. An empty list removes all roles.` }),
    },
    resolve: (_root, args, { app }) => setOperator(app, args),
  }),
)

builder.mutationField('adminPersonLink', (t) =>
  t.field({
    type: SignInLink,
    description: 'Creates a link that signs a person in and adds them to a team.',
    ...byOperator('all'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      email: t.arg.string({ required: true, description: 'E-mail address of the person.' }),
      role: t.arg.string({ required: true, description: 'Role: owner, analyst or viewer.' }),
    },
    resolve: (_root, { team, email, role }, { app }) => createOperatorLink(app, { team_id: requireId('team', team), email, role }),
  }),
)
