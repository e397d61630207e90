import { giveLink } from '#domain/people/give-link.ts'
import { builder } from '#graphql/builder.ts'
import { recordId } from '#graphql/ids.ts'
import { byOperator } from '#graphql/role.ts'
import { SignInLink } from '#graphql/types/person.ts'

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
