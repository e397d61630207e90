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
  description: 'What an order of reports is about and costs, before anything is charged.',
  fields: (t) => ({
    property_count: t.exposeInt('property_count', { description: 'Properties that a report would be made of.' }),
    not_located_count: t.exposeInt('not_located_count', { description: 'Chosen as well, and left out: not located yet.' }),
    window_start: t.expose('window_start', { type: 'Date', nullable: true, description: 'First day; null where the plan says.' }),
    window_end: t.expose('window_end', { type: 'Date', nullable: true, description: 'Last day; null where it is today.' }),
    radius_miles: t.exposeFloat('radius_miles', { nullable: true, description: 'Radius; null where it is the watch radius of each.' }),
    date_of_loss: t.expose('date_of_loss', { type: 'Date', nullable: true, description: 'Day that each report answers for first.' }),
    cost: t.exposeInt('cost', { description: 'Credits that the order costs.' }),
    balance: t.exposeInt('balance', { description: 'Credits that the team can spend now.' }),
  }),
})

const ReportOrder = builder.objectRef<ReportOrderView>('ReportOrder').implement({
  subGraphs: graphOnly,
  description: 'What became of an order of reports.',
  fields: (t) => ({
    report_ids: t.expose('report_ids', { type: ['UUID'], description: 'The reports, pending, one a property.' }),
    credits_spent: t.exposeInt('credits_spent', { description: 'Credits charged, one a report.' }),
    credits_remaining: t.exposeInt('credits_remaining', { description: 'Credits that the team can spend now.' }),
  }),
})

/** Which properties, in one of three ways, and what is asked of each. */
const orderArguments = builder.args((t) => ({
  property_ids: t.field({ type: ['UUID'], description: `Ids of 1 to ${ORDER_MAX} properties.` }),
  tag: t.string({ description: 'Every property with this tag that is not archived.' }),
  storm_day: t.field({
    type: 'Date',
    description: 'Every property that has an exposure of this day which is not dismissed. It is the date of loss where none is sent.',
  }),
  swath_at_least_in: t.float({
    description:
      'With a storm day: instead every watched property over which radar estimated hail of so many inches or more, largest of the day.',
  }),
  window_start: t.field({ type: 'Date', description: 'First day; 30 days before a storm day, else the first that the plan reaches.' }),
  window_end: t.field({ type: 'Date', description: 'Last day; 30 days after a storm day, at most today, else today.' }),
  radius_miles: t.float({ description: 'Radius around each, which the plan may narrow; its watch radius where not sent.' }),
  date_of_loss: t.field({ type: 'Date', description: 'Day of the loss, within the window.' }),
}))

builder.queryField('reportQuote', (t) =>
  t.field({
    type: ReportQuote,
    subGraphs: graphOnly,
    description: 'What reports of many properties would cost in one order. Nothing is charged.',
    extensions: { ...needs('properties:write'), ...accepts(reportQuoteForm, { across: checkWindow }) },
    args: orderArguments,
    resolve: (_root, input, context) => quoteReports(context.app, callerOf(context), input),
  }),
)

builder.mutationField('orderReports', (t) =>
  t.field({
    type: ReportOrder,
    subGraphs: graphOnly,
    description: 'Requests a report of every property of the order at the price that was shown: all of them, or none.',
    extensions: { ...needs('properties:write'), ...accepts(reportOrderForm, { across: checkWindow }), rows: ORDER_MAX },
    args: {
      ...orderArguments,
      cost: t.arg.int({ required: true, description: 'Credits that `reportQuote` answered: another price is refused.' }),
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
