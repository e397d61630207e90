import { schemaOfForm } from '#domain/kernel/form.ts'
import { whereSchema } from '#domain/places/where.ts'
import { REPORT_BATCH_MAX, reportBatchForm, requestReports } from '#domain/reports/batch.ts'
import { checkWindow, reportRowForm } from '#domain/reports/check-request.ts'
import { batchRowStatuses, type ReportBatchRowView, type ReportBatchView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { Report } from '#graphql/types/report.ts'

const ReportBatchRowStatus = enumOf('ReportBatchRowStatus', batchRowStatuses, 'Outcome of a row; skipped if credits ran out.')

const ReportBatchRow = builder.objectRef<ReportBatchRowView>('ReportBatchRow').implement({
  description: 'Outcome of one row of a batch.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Position of the row in the request, from 0.' }),
    address: t.exposeString('address', { nullable: true, description: 'The address as sent.' }),
    status: t.expose('status', { type: ReportBatchRowStatus, description: 'Outcome of the row.' }),
    message: t.exposeString('message', { nullable: true, description: 'Why it was not accepted.' }),
    report: t.expose('report', { type: Report, nullable: true, description: 'The report; null if none was created.' }),
  }),
})

const ReportBatch = builder.objectRef<ReportBatchView>('ReportBatch').implement({
  description: 'Outcome of a batch of reports, row by row.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('report_batch')),
    submitted: t.exposeInt('submitted', { description: 'Rows sent.' }),
    accepted: t.exposeInt('accepted', { description: 'Rows that became a report, one credit each.' }),
    rejected: t.exposeInt('rejected', { description: 'Rows that were invalid.' }),
    skipped: t.exposeInt('skipped', { description: 'Rows not processed because credits ran out.' }),
    credits_spent: t.exposeInt('credits_spent', { description: 'Credits that the batch cost.' }),
    credits_remaining: t.exposeInt('credits_remaining', { description: 'The balance after the batch.' }),
    out_of_credits: t.exposeBoolean('out_of_credits', { description: 'True if credits ran out.' }),
    results: t.expose('results', { type: [ReportBatchRow], description: 'The rows in the order sent.' }),
  }),
})

/** Accepts any shape: an invalid row is rejected on its own and must not fail the whole call. */
builder.scalarType('ReportRowInput', {
  description: `A row of a batch: {${Object.keys(reportRowForm).join(', ')}}. An address or coordinates are required. Other fields default to the values of the call.`,
  serialize: () => {
    throw new Error('a row as sent is never returned')
  },
  parseValue: (value) => value,
  extensions: {
    json_schema_of_input: { $ref: '#/components/schemas/ReportRowInput' },
    json_schemas: { ReportRowInput: schemaOfForm(reportRowForm, 'new', { additionalProperties: false, ...whereSchema }) },
  },
})

builder.mutationField('createReports', (t) =>
  t.field({
    type: ReportBatch,
    description: `Requests up to ${REPORT_BATCH_MAX} reports. Each accepted row costs one credit. Rows are processed in order.`,
    extensions: { ...needs('reports:write'), ...accepts(reportBatchForm, { closed: true, crossCheck: checkWindow }) },
    args: {
      reports: t.arg({ type: ['ReportRowInput'], required: { list: true, items: false }, description: 'The rows.' }),
      window_start: t.arg({ type: 'Date', description: 'First day for rows without one.' }),
      window_end: t.arg({ type: 'Date', description: 'Last day for rows without one.' }),
      radius_miles: t.arg.float({ description: 'Radius for rows without one.' }),
      as_of: t.arg({ type: 'DateTime', description: 'Point in time of the report, for rows without one.' }),
      date_of_loss: t.arg({ type: 'Date', description: 'Date of loss, for rows without one.' }),
      layout: t.arg({ type: 'LayoutInput', description: 'Layout of every document. Needs a plan with custom layouts.' }),
      ...idempotencyArgument,
    },
    resolve: async (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createReports', idempotency_key, input)
      const { batch, replayed } = await requestReports(context.app, callerOf(context), { ...context.unknown, ...input }, idempotency)
      context.replayed = replayed
      return batch
    },
  }),
)
