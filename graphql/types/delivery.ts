import { deliveryKinds, deliveryStatuses } from '#domain/closed-sets.ts'
import { deliveryFilters, findDelivery, listDeliveries, resendDelivery } from '#domain/integrations/deliveries.ts'
import type { DeliveryView } from '#domain/integrations/view.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'
import { Channel } from '#graphql/types/integration.ts'

const DeliveryStatus = enumOf('DeliveryStatus', deliveryStatuses, 'Status of a delivery; sent, failed and skipped are final.')
const DeliveryKind = enumOf('DeliveryKind', deliveryKinds, 'Why a delivery was sent.')

const Delivery = builder.objectRef<DeliveryView>('Delivery').implement({
  description: 'One post to one destination.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the delivery. Every attempt carries it.' }),
    object: t.exposeString('object', constantField('delivery')),
    kind: t.expose('kind', { type: DeliveryKind, description: 'Why it was sent.' }),
    channel: t.expose('channel', { type: Channel, description: 'Channel of the destination.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'Status of the delivery.' }),
    status_label: t.exposeString('status_label', { description: 'The same in words.' }),
    subject: t.exposeString('subject', { description: 'Subject of the post.' }),
    address_hint: t.exposeString('address_hint', { description: 'Scheme, host and last characters of the URL that it was sent to.' }),
    attempts: t.exposeInt('attempts', { description: 'Attempts made.' }),
    response_code: t.exposeInt('response_code', {
      nullable: true,
      description: 'Status code of the last response; null if there was none.',
    }),
    failure_reason: t.exposeString('failure_reason', { nullable: true, description: 'Why the last attempt failed.' }),
    exposure_ids: t.exposeIntList('exposure_ids', {
      description: 'Exposures that it names. The body contains at most 50 in full: the first 50 of an alert, the newest 50 of a digest.',
    }),
    sent_at: t.expose('sent_at', { type: 'DateTime', nullable: true, description: 'When it arrived.' }),
    failed_at: t.expose('failed_at', { type: 'DateTime', nullable: true, description: 'When the service stopped trying.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was created.' }),
    integration_id: t.expose('integration_id', { type: 'UUID', description: 'Id of the destination, which may have been deleted.' }),
  }),
})

/** A body of 50 exposures in full, each with the polygon and the instruction of a warning. */
const BODY_KILOBYTES = 150

/** A type of its own: REST's list of deliveries has no `body`. */
const DeliveryBody = builder.objectRef<DeliveryView & { body: string | null }>('DeliveryBody').implement({
  description: 'A delivery with the body that was sent.',
  fields: (t) => ({
    delivery: t.field({ type: Delivery, description: 'The delivery.', resolve: (delivery) => delivery }),
    body: t.exposeString('body', {
      nullable: true,
      description:
        'The exact body; null until the first attempt. For a property event it is the last body sent, without contacts and notes. The link to a document works only for callers with reports:export.',
      extensions: { kilobytes: BODY_KILOBYTES },
    }),
  }),
})

const DeliveryPage = pageType(Delivery, 'DeliveryPage')
const filters = builder.args((t) => ({ status: t.field({ type: DeliveryStatus, description: 'Only deliveries with this status.' }) }))

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
    resolve: (_root, { integration, ...args }, context) =>
      page(context.app, `/integrations/${integration}/deliveries`, args, () =>
        listDeliveries(context.app, callerOf(context), args, integration),
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
    description: 'Sends a delivery again under the same id.',
    extensions: needs('integrations:write'),
    args: { delivery: t.arg({ type: 'UUID', required: true, description: 'Id of the delivery.' }) },
    resolve: (_root, { delivery }, context) => resendDelivery(context.app, callerOf(context), delivery),
  }),
)
