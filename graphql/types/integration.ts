import { channels } from '#domain/closed-sets.ts'
import { catalogue, eventGroups, eventNames } from '#domain/events/catalogue.ts'
import { destinationForm } from '#domain/integrations/check-destination.ts'
import {
  changeDestination,
  DESTINATIONS_MAX,
  type RegisteredDestination,
  registerDestination,
  removeDestination,
} from '#domain/integrations/destinations.ts'
import { destinationFilters, findDestination, listDestinations } from '#domain/integrations/find.ts'
import { type RotatedSecretView, readSecret, rotateSecret, type SigningSecretView } from '#domain/integrations/secret.ts'
import { SIGNATURE_HEADER } from '#domain/integrations/signature.ts'
import { acknowledgeSwitchedOff } from '#domain/integrations/switched-off.ts'
import { type IntegrationTestView, testDestination } from '#domain/integrations/test-destination.ts'
import type { IntegrationView, SwitchedOffView } from '#domain/integrations/view.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { closedSet, withJsonSchema } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { ownerOnly, ownerOnlyArguments } from '#graphql/owner.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'

export const Channel = enumOf('Channel', channels, 'Channel of a destination: how the service posts to it.')

const eventNameSet = closedSet('EventName', eventNames, 'An event that a destination can subscribe to.')

const IntegrationLinks = builder.objectRef<IntegrationView['links']>('IntegrationLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    self: t.exposeString('self', { description: 'The destination.' }),
    deliveries: t.exposeString('deliveries', { description: 'Its deliveries.' }),
  }),
})

const SwitchedOff = builder.objectRef<SwitchedOffView>('SwitchedOff').implement({
  description: 'Details of a destination that the service, not the team, switched off.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When it was switched off.' }),
    reason: t.exposeString('reason', { description: 'Why.' }),
    acknowledged_at: t.expose('acknowledged_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When a member of the team acknowledged it; null until then.',
    }),
  }),
})

const Integration = builder.objectRef<IntegrationView>('Integration').implement({
  description: 'A destination that events are posted to. Its URL is never returned.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the destination.' }),
    object: t.exposeString('object', constantField('integration')),
    name: t.exposeString('name', { description: 'Name given by the team.' }),
    channel: t.expose('channel', { type: Channel, description: 'How the service posts to it.' }),
    channel_label: t.exposeString('channel_label', { description: 'The channel in words.' }),
    address_hint: t.exposeString('address_hint', { description: 'Scheme, host and last characters of the URL.' }),
    events: t.exposeStringList('events', { description: 'Names of the events that it receives.', ...eventNameSet }),
    active: t.exposeBoolean('active', { description: 'False: nothing is sent.' }),
    signed: t.exposeBoolean('signed', { description: 'True if posts carry a signature.' }),
    failing: t.exposeBoolean('failing', { description: 'True after three deliveries in a row have failed, until one arrives.' }),
    last_sent_at: t.expose('last_sent_at', { type: 'DateTime', nullable: true, description: 'When a post last arrived.' }),
    last_failed_at: t.expose('last_failed_at', { type: 'DateTime', nullable: true, description: 'When an attempt last failed.' }),
    last_failure: t.exposeString('last_failure', { nullable: true, description: 'Why it failed.' }),
    switched_off: t.expose('switched_off', {
      type: SwitchedOff,
      nullable: true,
      description:
        'Set if the service switched it off: it responded with 410, or nothing had arrived for five days when a delivery failed for good or while its receiver asked for pauses. Null once it is active again.',
    }),
    held_until: t.expose('held_until', {
      type: 'DateTime',
      nullable: true,
      subGraphs: graphOnly,
      description:
        'Set while its receiver has asked for a pause, by 429 or by 503 with Retry-After: nothing is posted to it before this time. Null while it is inactive.',
    }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was registered.' }),
    updated_at: t.expose('updated_at', { type: 'DateTime', description: 'When it was last changed.' }),
    links: t.expose('links', { type: IntegrationLinks, description: 'Related links.' }),
  }),
})

const RegisteredIntegration = builder.objectRef<RegisteredDestination>('RegisteredIntegration').implement({
  description: 'A destination just registered, with its signing secret.',
  fields: (t) => ({
    data: t.field({ type: Integration, description: 'The destination.', resolve: ({ integration }) => integration }),
    secret: t.exposeString('secret', {
      nullable: true,
      description: 'Secret that signs its posts; null for channels whose URL is the only secret.',
    }),
  }),
})

const IntegrationEvent = builder.objectRef<(typeof catalogue)[number]>('IntegrationEvent').implement({
  description: 'An event that a destination can subscribe to.',
  fields: (t) => ({
    object: t.string({ ...constantField('integration_event'), resolve: () => 'integration_event' }),
    name: t.exposeString('name', { description: 'Name to subscribe by.', ...eventNameSet }),
    label: t.exposeString('label', { description: 'The event in a few words.' }),
    description: t.exposeString('description', { description: 'When it is emitted.' }),
    group: t.exposeString('group', { description: 'Group of the event.', ...withJsonSchema({ enum: eventGroups }) }),
  }),
})

const IntegrationTest = builder.objectRef<IntegrationTestView>('IntegrationTest').implement({
  description: 'Outcome of a test post.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('integration_test')),
    integration_id: t.expose('integration_id', { type: 'UUID', description: 'The destination.' }),
    delivered: t.exposeBoolean('delivered', { description: 'True if the receiver responded with 2xx.' }),
    detail: t.exposeString('detail', { description: "The receiver's response as plain text, shortened." }),
  }),
})

const SigningSecret = builder.objectRef<SigningSecretView>('SigningSecret').implement({
  description: 'The secret that signs the posts of a destination, and how it signs them.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('signing_secret')),
    integration_id: t.expose('integration_id', { type: 'UUID', description: 'The destination.' }),
    secret: t.exposeString('secret', { description: 'The secret. The whole text is the key, including its prefix.' }),
    header: t.exposeString('header', { description: 'Header that carries the signature.', ...withJsonSchema({ const: SIGNATURE_HEADER }) }),
    algorithm: t.exposeString('algorithm', { description: 'How the signature is computed.' }),
    tolerance_seconds: t.exposeInt('tolerance_seconds', {
      description: 'Largest accepted difference between a timestamp and the current time, in seconds.',
    }),
  }),
})

const RotatedSecret = builder.objectRef<RotatedSecretView>('RotatedSecret').implement({
  description: 'A new signing secret. The old one stopped working immediately.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('signing_secret')),
    integration_id: t.expose('integration_id', { type: 'UUID', description: 'The destination.' }),
    secret: t.exposeString('secret', { description: 'The new secret.' }),
    header: t.exposeString('header', { description: 'Header that carries the signature.', ...withJsonSchema({ const: SIGNATURE_HEADER }) }),
    notice: t.exposeString('notice', { description: 'What the rotation means for posts in transit.' }),
  }),
})

const IntegrationPage = pageType(Integration, 'IntegrationPage')
const integrationArgument = builder.args((t) => ({
  integration: t.field({ type: 'UUID', required: true, description: 'Id of the destination.' }),
}))

builder.queryFields((t) => ({
  integrations: t.field({
    type: IntegrationPage,
    description: 'Destinations of the team, newest first.',
    extensions: { ...needs('integrations:read'), ...accepts({ ...destinationFilters, ...pagingForm }) },
    args: {
      channel: t.arg({ type: Channel, description: 'Only destinations of this channel.' }),
      event: t.arg.string({ description: 'Only destinations subscribed to this event.' }),
      active: t.arg.boolean({ description: 'Only active ones, or only inactive ones.' }),
      ...pagingArguments,
    },
    resolve: (_root, args, context) =>
      page(context.app, '/integrations', args, () => listDestinations(context.app, callerOf(context), args)),
  }),
  integration: t.field({
    type: Integration,
    description: 'One destination.',
    extensions: needs('integrations:read'),
    args: integrationArgument,
    resolve: (_root, { integration }, context) => findDestination(context.app, callerOf(context), integration),
  }),
  integrationEvents: t.field({
    type: [IntegrationEvent],
    description: 'Every event that a destination can subscribe to.',
    extensions: needs('integrations:read'),
    resolve: () => [...catalogue],
  }),
  integrationSecret: t.field({
    type: SigningSecret,
    description: 'The signing secret of a destination.',
    extensions: { ...needs('integrations:write'), ...ownerOnly },
    args: integrationArgument,
    resolve: (_root, { integration }, context) => readSecret(context.app, callerOf(context), integration),
  }),
}))

builder.mutationFields((t) => ({
  createIntegration: t.field({
    type: RegisteredIntegration,
    description: `Registers a destination, at most ${DESTINATIONS_MAX} per team.`,
    extensions: { ...needs('integrations:write'), ...accepts(destinationForm), ...ownerOnly },
    args: {
      name: t.arg.string({ required: true, description: 'Name.' }),
      channel: t.arg({ type: Channel, required: true, description: 'How the service posts to it.' }),
      url: t.arg.string({ required: true, description: 'URL to post to, https. It is never returned.' }),
      events: t.arg.stringList({ required: true, description: 'Names from the catalogue.' }),
      active: t.arg.boolean({ description: 'False registers it without sending.' }),
      ...idempotencyArgument,
    },
    resolve: (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createIntegration', idempotency_key, input)
      return registerDestination(context.app, callerOf(context), input, idempotency)
    },
  }),
  updateIntegration: t.field({
    type: Integration,
    description: 'Updates the given fields of a destination. Without a url, the stored one stays.',
    // Another address receives every post, so who may not register a destination may not redirect one.
    extensions: {
      ...needs('integrations:write'),
      ...accepts(destinationForm, { kind: 'change' }),
      ...ownerOnlyArguments('channel', 'url'),
    },
    args: {
      ...integrationArgument,
      name: t.arg.string({ description: 'Name.' }),
      channel: t.arg({ type: Channel, description: 'How the service posts to it. A different channel needs a new url.' }),
      url: t.arg.string({ description: 'URL to post to, https.' }),
      events: t.arg.stringList({ description: 'Names from the catalogue.' }),
      active: t.arg.boolean({ description: 'Whether anything is sent.' }),
    },
    resolve: (_root, { integration, ...input }, context) => changeDestination(context.app, callerOf(context), integration, input),
  }),
  deleteIntegration: t.field({
    type: 'Boolean',
    description: 'Deletes a destination. Its deliveries stay in the list.',
    extensions: needs('integrations:write'),
    args: integrationArgument,
    resolve: async (_root, { integration }, context) => {
      await removeDestination(callerOf(context), integration)
      return true
    },
  }),
  testIntegration: t.field({
    type: IntegrationTest,
    description: 'Sends one test post and returns its outcome.',
    extensions: needs('integrations:write'),
    args: integrationArgument,
    resolve: (_root, { integration }, context) => testDestination(context.app, callerOf(context), integration),
  }),
  acknowledgeIntegration: t.field({
    type: Integration,
    subGraphs: graphOnly,
    description: 'Acknowledges that the service switched off a destination. The destination stays inactive.',
    extensions: needs('integrations:write'),
    args: integrationArgument,
    resolve: (_root, { integration }, context) => acknowledgeSwitchedOff(context.app, callerOf(context), integration),
  }),
  rotateIntegrationSecret: t.field({
    type: RotatedSecret,
    description: 'Replaces the signing secret. The old one stops working immediately.',
    extensions: { ...needs('integrations:write'), ...ownerOnly },
    args: integrationArgument,
    resolve: (_root, { integration }, context) => rotateSecret(context.app, callerOf(context), integration),
  }),
}))
