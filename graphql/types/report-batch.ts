import { requestReports } from '#domain/reports/batch.ts'
import { batchRowStatuses, type ReportBatchRowView, type ReportBatchView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { kind } from '#graphql/kind.ts'
import { Report } from '#graphql/types/report.ts'

const ReportBatchRowStatus = enumOf('ReportBatchRowStatus', batchRowStatuses, 'How a row ended: skipped where credits ran out.')

const ReportBatchRow = builder.objectRef<ReportBatchRowView>('ReportBatchRow').implement({
  description: 'How one row of a batch ended.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Place of the row as submitted, from 0.' }),
    address: t.exposeString('address', { nullable: true, description: 'The address as sent.' }),
    status: t.expose('status', { type: ReportBatchRowStatus, description: 'How the row ended.' }),
    message: t.exposeString('message', { nullable: true, description: 'Why it was not accepted.' }),
    report: t.expose('report', { type: Report, nullable: true, description: 'The report; null where none was made.' }),
  }),
})

const ReportBatch = builder.objectRef<ReportBatchView>('ReportBatch').implement({
  description: 'How a batch of reports ended, row by row.',
  fields: (t) => ({
    object: t.exposeString('object', kind('report_batch')),
    submitted: t.exposeInt('submitted', { description: 'Rows sent.' }),
    accepted: t.exposeInt('accepted', { description: 'Rows that became a report, one credit each.' }),
    rejected: t.exposeInt('rejected', { description: 'Rows that were wrong.' }),
    skipped: t.exposeInt('skipped', { description: 'Rows left when credits ran out.' }),
    credits_spent: t.exposeInt('credits_spent', { description: 'Credits that the batch cost.' }),
    credits_remaining: t.exposeInt('credits_remaining', { description: 'The balance after it.' }),
    out_of_credits: t.exposeBoolean('out_of_credits', { description: 'True where credits ran out.' }),
    results: t.expose('results', { type: [ReportBatchRow], description: 'The rows in the order sent.' }),
  }),
})

/** Of any shape: a row that is wrong is rejected on its own, so the call as a whole must not fail on it. */
builder.scalarType('ReportRowInput', {
  description:
    'A row of a batch: {address, window_start, window_end, radius_miles, reference, property_id}. All but the address may be left to the defaults of the call.',
  serialize: () => {
    throw new Error('a row as sent is never answered')
  },
  parseValue: (value) => value,
  extensions: {
    json_schema: {
      type: 'object',
      required: ['address'],
      properties: {
        address: { type: 'string', minLength: 3, maxLength: 255, description: 'Address in the United States.' },
        window_start: { type: 'string', format: 'date', description: 'First day.' },
        window_end: { type: 'string', format: 'date', description: 'Last day.' },
        radius_miles: { type: 'number', minimum: 1, maximum: 100, description: 'Radius in miles.' },
        reference: { type: 'string', maxLength: 100, description: 'Carried unchanged.' },
        property_id: { type: 'string', format: 'uuid', description: 'Saved property to file the report under.' },
      },
    },
  },
})

builder.mutationField('createReports', (t) =>
  t.field({
    type: ReportBatch,
    description: 'Requests up to 25 reports. Each accepted row costs one credit; rows run in order.',
    extensions: needs('reports:write'),
    args: {
      reports: t.arg({ type: ['ReportRowInput'], required: { list: true, items: false }, description: 'The rows, 1 to 25.' }),
      window_start: t.arg({ type: 'Date', description: 'First day of rows that name none.' }),
      window_end: t.arg({ type: 'Date', description: 'Last day of rows that name none.' }),
      radius_miles: t.arg.float({ description: 'Radius in miles of rows that name none; 5 where not sent.' }),
      layout: t.arg({ type: 'LayoutInput', description: 'Layout of every document; needs a plan that composes layouts.' }),
      ...idempotencyArgument,
    },
    resolve: async (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createReports', idempotency_key, input)
      const { batch, replayed } = await requestReports(context.app, callerOf(context), input, idempotency)
      context.replayed = replayed
      return batch
    },
  }),
)
