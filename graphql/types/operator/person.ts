import { operatorRoles } from '#domain/closed-sets.ts'
import { giveLink } from '#domain/people/give-link.ts'
import { listOperators, type OperatorView, setOperator } from '#domain/people/operators.ts'
import { builder } from '#graphql/builder.ts'
import { recordId } from '#graphql/ids.ts'
import { byOperator } from '#graphql/role.ts'
import { SignInLink } from '#graphql/types/person.ts'

const OperatorPerson = builder.objectRef<OperatorView>('OperatorPerson').implement({
  description: 'Somebody who runs the install, signed in to the console.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the person: it names them in the audit log.' }),
    email: t.exposeString('email', { description: 'Address by which they sign in.' }),
    name: t.exposeString('name', { nullable: true, description: 'Name, where they gave one.' }),
    roles: t.exposeStringList('roles', { description: `What they may do: ${operatorRoles.join(', ')}.` }),
    signed_in_at: t.expose('signed_in_at', { type: 'DateTime', nullable: true, description: 'When they last signed in.' }),
    link: t.expose('link', {
      type: SignInLink,
      nullable: true,
      description: 'When they are made an operator: signs them in, once, within an hour. Null elsewhere.',
    }),
  }),
})

builder.queryField('operators', (t) =>
  t.field({
    type: [OperatorPerson],
    description: 'People who run the install, by address.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => listOperators(app),
  }),
)

builder.mutationField('setOperator', (t) =>
  t.field({
    type: OperatorPerson,
    description: 'Makes somebody an operator with these roles, or none any more; they are signed out everywhere.',
    ...byOperator('all'),
    args: {
      email: t.arg.string({ required: true, description: 'Their address.' }),
      roles: t.arg.stringList({ required: true, description: `${operatorRoles.join(', ')}; an empty list takes all away.` }),
    },
    resolve: (_root, wish, { app }) => setOperator(app, wish),
  }),
)

builder.mutationField('adminPersonLink', (t) =>
  t.field({
    type: SignInLink,
    description: 'Makes a link that signs somebody in, and gives them a place in a team.',
    ...byOperator('all'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      email: t.arg.string({ required: true, description: 'Their address.' }),
      role: t.arg.string({ required: true, description: 'owner, analyst or viewer.' }),
    },
    resolve: (_root, { team, email, role }, { app }) => giveLink(app, { team_id: recordId('team', team), email, role }),
  }),
)
