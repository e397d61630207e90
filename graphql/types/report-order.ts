import { checkWindow } from '#domain/reports/check-request.ts'
import {
  ORDER_MAX,
  orderReports,
  quoteReports,
  type ReportOrderView,
  type ReportQuoteView,
  reportOrderForm,
  reportQuoteForm,
} from '#domain/reports/order.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'

const ReportQuote = builder.objectRef<ReportQuoteView>('ReportQuote').implement({
  subGraphs: graphOnly,
  description: 'Contents and cost of an order of reports, before anything is charged.',
  fields: (t) => ({
    property_count: t.exposeInt('property_count', { description: 'Number of properties that would get a report.' }),
    not_located_count: t.exposeInt('not_located_count', {
      description: 'Number of selected properties that are left out because they are not located yet.',
    }),
    window_start: t.expose('window_start', { type: 'Date', nullable: true, description: 'First day; null if the plan sets it.' }),
    window_end: t.expose('window_end', { type: 'Date', nullable: true, description: 'Last day; null for today.' }),
    radius_miles: t.exposeFloat('radius_miles', { nullable: true, description: 'Radius; null for the watch radius of each property.' }),
    date_of_loss: t.expose('date_of_loss', { type: 'Date', nullable: true, description: 'Date of loss, which each report covers first.' }),
    cost: t.exposeInt('cost', { description: 'Credits that the order costs.' }),
    balance: t.exposeInt('balance', { description: 'Credits that the team can spend now.' }),
  }),
})

const ReportOrder = builder.objectRef<ReportOrderView>('ReportOrder').implement({
  subGraphs: graphOnly,
  description: 'Outcome of an order of reports.',
  fields: (t) => ({
    report_ids: t.expose('report_ids', { type: ['UUID'], description: 'The pending reports, one per property.' }),
    credits_spent: t.exposeInt('credits_spent', { description: 'Credits charged, one per report.' }),
    credits_remaining: t.exposeInt('credits_remaining', { description: 'Credits that the team can spend now.' }),
  }),
})

/** Selects properties in one of three ways, and sets what to report on each. */
const orderArguments = builder.args((t) => ({
  property_ids: t.field({ type: ['UUID'], description: 'Ids of properties.' }),
  tag: t.string({ description: 'Every property with this tag that is not archived.' }),
  storm_day: t.field({
    type: 'Date',
    description: 'Every property with an exposure on this day that is not dismissed. The day is also the date of loss by default.',
  }),
  swath_at_least_in: t.float({
    description:
      'With a storm day: selects instead every watched property where the largest radar estimate of the day is at least this many inches of hail.',
  }),
  window_start: t.field({
    type: 'Date',
    description: 'First day; by default 30 days before the storm day, or without one the first day that the plan reaches.',
  }),
  window_end: t.field({
    type: 'Date',
    description: 'Last day; by default 30 days after the storm day but at most today, or without one today.',
  }),
  radius_miles: t.float({ description: 'Radius around each property, which the plan may reduce; its watch radius by default.' }),
  date_of_loss: t.field({ type: 'Date', description: 'Date of loss, within the window.' }),
}))

builder.queryField('reportQuote', (t) =>
  t.field({
    type: ReportQuote,
    subGraphs: graphOnly,
    description: 'Quotes the cost of reports on many properties in one order. Nothing is charged.',
    extensions: { ...needs('properties:write'), ...accepts(reportQuoteForm, { crossCheck: checkWindow }) },
    args: orderArguments,
    resolve: (_root, input, context) => quoteReports(context.app, callerOf(context), input),
  }),
)

builder.mutationField('orderReports', (t) =>
  t.field({
    type: ReportOrder,
    subGraphs: graphOnly,
    description: 'Requests a report on every property of the order at the quoted price: all of them, or none.',
    extensions: { ...needs('properties:write'), ...accepts(reportOrderForm, { crossCheck: checkWindow }), rows: ORDER_MAX },
    args: {
      ...orderArguments,
      cost: t.arg.int({ required: true, description: 'Credits that `reportQuote` returned. A different price is refused.' }),
      ...idempotencyArgument,
    },
    resolve: async (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'orderReports', idempotency_key, input)
      const { order, replayed } = await orderReports(context.app, callerOf(context), input, idempotency)
      context.replayed = replayed
      return order
    },
  }),
)
