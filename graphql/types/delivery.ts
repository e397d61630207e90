import { deliveryKinds, deliveryStatuses } from '#domain/closed-sets.ts'
import { deliveryFilters, findDelivery, listDeliveries, resendDelivery } from '#domain/integrations/deliveries.ts'
import type { DeliveryView } from '#domain/integrations/view.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { objectKey } from '#graphql/object-key.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'
import { Channel } from '#graphql/types/integration.ts'

const DeliveryStatus = enumOf('DeliveryStatus', deliveryStatuses, 'How a post stands; sent, failed and skipped are final.')
const DeliveryKind = enumOf('DeliveryKind', deliveryKinds, 'What a post was sent for.')

const Delivery = builder.objectRef<DeliveryView>('Delivery').implement({
  description: 'One post to one destination.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the delivery: every attempt carries it.' }),
    object: t.exposeString('object', objectKey('delivery')),
    kind: t.expose('kind', { type: DeliveryKind, description: 'What it was sent for.' }),
    channel: t.expose('channel', { type: Channel, description: 'How the destination is spoken to.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'How it stands.' }),
    status_label: t.exposeString('status_label', { description: 'The same in words.' }),
    subject: t.exposeString('subject', { description: 'What it is about.' }),
    address_hint: t.exposeString('address_hint', { description: 'Scheme, host and last characters of the url it went to.' }),
    attempts: t.exposeInt('attempts', { description: 'Attempts made.' }),
    response_code: t.exposeInt('response_code', { nullable: true, description: 'Status of the last answer; null where none came.' }),
    failure_reason: t.exposeString('failure_reason', { nullable: true, description: 'Why the last attempt failed.' }),
    exposure_ids: t.exposeIntList('exposure_ids', {
      description: 'Exposures it names. Its body carries 50 of them whole at most: of an alert the first, of a digest the newest.',
    }),
    sent_at: t.expose('sent_at', { type: 'DateTime', nullable: true, description: 'When it arrived.' }),
    failed_at: t.expose('failed_at', { type: 'DateTime', nullable: true, description: 'When it was given up.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was to be sent.' }),
    integration_id: t.expose('integration_id', { type: 'UUID', description: 'The destination, which may be gone.' }),
  }),
})

/** Its own type: REST's ledger has no such key. */
const DeliveryBody = builder.objectRef<DeliveryView & { body: string | null }>('DeliveryBody').implement({
  description: 'A delivery with the body that was sent.',
  fields: (t) => ({
    delivery: t.field({ type: Delivery, description: 'The delivery.', resolve: (delivery) => delivery }),
    body: t.exposeString('body', {
      nullable: true,
      description:
        'The exact body; null until the first attempt. Of a property event the last one sent, without contacts and notes. The link to a document opens nothing for who lacks reports:export.',
    }),
  }),
})

const DeliveryPage = pageType(Delivery, 'DeliveryPage')
const filters = builder.args((t) => ({ status: t.field({ type: DeliveryStatus, description: 'Only deliveries that stand so.' }) }))

builder.queryFields((t) => ({
  deliveries: t.field({
    type: DeliveryPage,
    description: 'Every delivery of the team, newest first.',
    extensions: { ...needs('integrations:read'), ...accepts({ ...deliveryFilters, ...pagingForm }) },
    args: { ...filters, ...pagingArguments },
    resolve: (_root, args, context) =>
      page(context.app, '/integrations/deliveries', args, () => listDeliveries(context.app, callerOf(context), args)),
  }),
  integrationDeliveries: t.field({
    type: DeliveryPage,
    description: 'Deliveries to one destination, newest first.',
    extensions: { ...needs('integrations:read'), ...accepts({ ...deliveryFilters, ...pagingForm }) },
    args: { integration: t.arg({ type: 'UUID', required: true, description: 'Id of the destination.' }), ...filters, ...pagingArguments },
    resolve: (_root, { integration, ...asked }, context) =>
      page(context.app, `/integrations/${integration}/deliveries`, asked, () =>
        listDeliveries(context.app, callerOf(context), asked, integration),
      ),
  }),
  delivery: t.field({
    type: DeliveryBody,
    subGraphs: graphOnly,
    description: 'One delivery with its body.',
    extensions: needs('integrations:read'),
    args: { delivery: t.arg({ type: 'UUID', required: true, description: 'Id of the delivery.' }) },
    resolve: (_root, { delivery }, context) => findDelivery(context.app, callerOf(context), delivery),
  }),
}))

builder.mutationField('resendDelivery', (t) =>
  t.field({
    type: Delivery,
    subGraphs: graphOnly,
    description: 'Sends a delivery once more, under its own id.',
    extensions: needs('integrations:write'),
    args: { delivery: t.arg({ type: 'UUID', required: true, description: 'Id of the delivery.' }) },
    resolve: (_root, { delivery }, context) => resendDelivery(context.app, callerOf(context), delivery),
  }),
)
