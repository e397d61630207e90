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
import type { GivenLink } from '#domain/people/sign-in-links.ts'
import { builder, personOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { idempotencyOf, keyArgument } from '#graphql/idempotency.ts'
import { byOwner } from '#graphql/owner.ts'

const said = teamRoles.map((name) => `${name}: ${roles[name].description}`).join(' ')

const Person = builder.objectRef<MemberView>('Person').implement({
  description: 'Somebody of the team.',
  subGraphs: personOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the person.' }),
    email: t.exposeString('email', { description: 'Address by which they sign in.' }),
    name: t.exposeString('name', { nullable: true, description: 'Name, where they gave one.' }),
    role: t.exposeString('role', { description: said }),
    joined_at: t.expose('joined_at', { type: 'DateTime', description: 'When they joined the team.' }),
    signed_in_at: t.expose('signed_in_at', { type: 'DateTime', nullable: true, description: 'When they last signed in.' }),
  }),
})

export const SignInLink = builder.objectRef<GivenLink>('SignInLink').implement({
  description: 'A link that signs in whoever opens it, once.',
  subGraphs: ['person', 'operator'],
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The link: it is shown this once.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', description: 'Until when it can be opened.' }),
  }),
})

const Invitation = builder.objectRef<InvitationView>('Invitation').implement({
  description: 'A place in the team that waits for somebody.',
  subGraphs: personOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the invitation.' }),
    email: t.exposeString('email', { description: 'Address that is invited.' }),
    role: t.exposeString('role', { description: 'The role that it gives.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was sent.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', description: 'Until when it can be accepted.' }),
    link: t.expose('link', {
      type: SignInLink,
      nullable: true,
      description: 'At its making, where the service sends no mail: the link to pass on. Null elsewhere.',
    }),
  }),
})

builder.queryFields((t) => ({
  people: t.field({
    type: [Person],
    description: 'The people of the team, as they joined.',
    ...byOwner,
    resolve: (_root, _args, context) => listPeople(callerOf(context)),
  }),
  invitations: t.field({
    type: [Invitation],
    description: 'Who is invited and has not come yet, the newest first.',
    ...byOwner,
    resolve: (_root, _args, context) => listInvitations(callerOf(context), context.app.clock.now()),
  }),
}))

builder.mutationFields((t) => ({
  invitePerson: t.field({
    type: Invitation,
    description: 'Invites somebody into the team; an earlier invitation of the same address ends.',
    ...byOwner,
    args: {
      email: t.arg.string({ required: true, description: 'Their address.' }),
      role: t.arg.string({ required: true, description: `${teamRoles.join(', ')}.` }),
      ...keyArgument('mails nobody again while the invitation waits; a link that was given instead ends, and another is given'),
    },
    resolve: (_root, { idempotency_key, ...wish }, context) =>
      invitePerson(context.app, callerOf(context), wish, idempotencyOf(context, 'invitePerson', idempotency_key, wish)),
  }),
  revokeInvitation: t.field({
    type: 'Boolean',
    description: 'Takes an invitation back.',
    ...byOwner,
    args: { id: t.arg.id({ required: true, description: 'Id of the invitation.' }) },
    resolve: async (_root, { id }, context) => {
      await revokeInvitation(callerOf(context), String(id))
      return true
    },
  }),
  changeRole: t.field({
    type: Person,
    description: 'Gives somebody of the team another role; the last owner stays one.',
    ...byOwner,
    args: {
      person: t.arg.id({ required: true, description: 'Id of the person.' }),
      role: t.arg.string({ required: true, description: `${teamRoles.join(', ')}.` }),
    },
    resolve: (_root, { person, role }, context) => changeRole(callerOf(context), String(person), role),
  }),
  removePerson: t.field({
    type: 'Boolean',
    description: 'Takes somebody out of the team, at once.',
    ...byOwner,
    args: { person: t.arg.id({ required: true, description: 'Id of the person.' }) },
    resolve: async (_root, { person }, context) => {
      await removePerson(callerOf(context), String(person))
      return true
    },
  }),
  leaveTeam: t.field({
    type: 'Boolean',
    description: 'Leaves the team; the last owner cannot.',
    subGraphs: personOnly,
    resolve: async (_root, _args, context) => {
      const caller = callerOf(context)
      if (!caller.person) throw new Error('a token was taken for a person')
      await removePerson(caller, caller.person.id)
      return true
    },
  }),
}))
