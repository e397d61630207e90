import { teamRoles } from '#domain/closed-sets.ts'
import {
  changeRole,
  type InvitationView,
  invitePerson,
  listInvitations,
  listPeople,
  type MemberView,
  removePerson,
  revokeInvitation,
} from '#domain/people/people.ts'
import { roles } from '#domain/people/roles.ts'
import type { ShareableLink } from '#domain/people/sign-in-links.ts'
import { builder, personOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { idempotencyOf, keyArgument } from '#graphql/idempotency.ts'
import { byOwner } from '#graphql/owner.ts'

const roleDescriptions = teamRoles.map((name) => `${name}: ${roles[name].description}`).join(' ')

const Person = builder.objectRef<MemberView>('Person').implement({
  description: 'A member of the team.',
  subGraphs: personOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the person.' }),
    email: t.exposeString('email', { description: 'E-mail address that they sign in with.' }),
    name: t.exposeString('name', { nullable: true, description: 'Name, if they gave one.' }),
    role: t.exposeString('role', { description: roleDescriptions }),
    joined_at: t.expose('joined_at', { type: 'DateTime', description: 'When they joined the team.' }),
    signed_in_at: t.expose('signed_in_at', { type: 'DateTime', nullable: true, description: 'When they last signed in.' }),
  }),
})

export const SignInLink = builder.objectRef<ShareableLink>('SignInLink').implement({
  description: 'A link that signs in the person who opens it, once.',
  subGraphs: ['person', 'operator'],
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The link. It is shown only once.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', description: 'When the link expires.' }),
  }),
})

const Invitation = builder.objectRef<InvitationView>('Invitation').implement({
  description: 'A pending invitation to the team.',
  subGraphs: personOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the invitation.' }),
    email: t.exposeString('email', { description: 'Invited e-mail address.' }),
    role: t.exposeString('role', { description: 'Role that it gives.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was sent.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', description: 'When the invitation expires.' }),
    link: t.expose('link', {
      type: SignInLink,
      nullable: true,
      description: 'The link to pass on, returned when the invitation is created if the service sends no mail. Null otherwise.',
    }),
  }),
})

builder.queryFields((t) => ({
  people: t.field({
    type: [Person],
    description: 'Members of the team, in the order of joining.',
    ...byOwner,
    resolve: (_root, _args, context) => listPeople(callerOf(context)),
  }),
  invitations: t.field({
    type: [Invitation],
    description: 'Pending invitations, newest first.',
    ...byOwner,
    resolve: (_root, _args, context) => listInvitations(callerOf(context), context.app.clock.now()),
  }),
}))

builder.mutationFields((t) => ({
  invitePerson: t.field({
    type: Invitation,
    description: 'Invites a person to the team. An earlier invitation of the same address stops working.',
    ...byOwner,
    args: {
      email: t.arg.string({ required: true, description: 'E-mail address of the person.' }),
      role: t.arg.string({ required: true, description: `Role: ${teamRoles.join(', ')}.` }),
      ...keyArgument(
        'sends no second mail while the invitation is pending; if a link was returned instead, that link stops working and a new one is returned',
      ),
    },
    resolve: (_root, { idempotency_key, ...input }, context) =>
      invitePerson(context.app, callerOf(context), input, idempotencyOf(context, 'invitePerson', idempotency_key, input)),
  }),
  revokeInvitation: t.field({
    type: 'Boolean',
    description: 'Revokes an invitation.',
    ...byOwner,
    args: { id: t.arg.id({ required: true, description: 'Id of the invitation.' }) },
    resolve: async (_root, { id }, context) => {
      await revokeInvitation(callerOf(context), String(id))
      return true
    },
  }),
  changeRole: t.field({
    type: Person,
    description: 'Changes the role of a member. The last owner stays an owner.',
    ...byOwner,
    args: {
      person: t.arg.id({ required: true, description: 'Id of the person.' }),
      role: t.arg.string({ required: true, description: `Role: ${teamRoles.join(', ')}.` }),
    },
    resolve: (_root, { person, role }, context) => changeRole(callerOf(context), String(person), role),
  }),
  removePerson: t.field({
    type: 'Boolean',
    description: 'Removes a member from the team immediately.',
    ...byOwner,
    args: { person: t.arg.id({ required: true, description: 'Id of the person.' }) },
    resolve: async (_root, { person }, context) => {
      await removePerson(callerOf(context), String(person))
      return true
    },
  }),
  leaveTeam: t.field({
    type: 'Boolean',
    description: 'Leaves the team. The last owner cannot leave.',
    subGraphs: personOnly,
    resolve: async (_root, _args, context) => {
      const caller = callerOf(context)
      if (!caller.person) throw new Error('a token was used where a person is required')
      await removePerson(caller, caller.person.id)
      return true
    },
  }),
}))
