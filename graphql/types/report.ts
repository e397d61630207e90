import { sourceIds } from '#domain/archive/sources/index.ts'
import { failureReasons, pdfStatuses, reportStatuses, tierIds } from '#domain/closed-sets.ts'
import { timezoneOf } from '#domain/geo/zones.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { whereSchema } from '#domain/places/where.ts'
import { checkPlaceAndWindow, reportForm } from '#domain/reports/check-request.ts'
import { DAYS_MAX } from '#domain/reports/day-of-loss/days.ts'
import { findReport, listReports, reportFilters } from '#domain/reports/find.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { ReportView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { closedSet, withJsonSchema } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'
import { DayOfLoss, ReportDay } from '#graphql/types/day-of-loss.ts'
import { Finding } from '#graphql/types/finding.ts'
import { Layout } from '#graphql/types/layout.ts'
import { PlacePrecision, whereArguments } from '#graphql/types/location.ts'

const ReportStatus = enumOf('ReportStatus', reportStatuses, 'Status of a report; complete and failed are final.')
const FailureReason = enumOf('FailureReason', failureReasons, 'Why a report failed.')
const PdfStatus = enumOf('PdfStatus', pdfStatuses, 'Status of the document.')

export const ReportAddress = builder.objectRef<ReportView['address']>('ReportAddress').implement({
  description: 'The address as sent and as located. All fields except query are null until it is located.',
  fields: (t) => ({
    query: t.exposeString('query', { description: 'The address as sent.' }),
    street: t.exposeString('street', { nullable: true, description: 'House number and street.' }),
    city: t.exposeString('city', { nullable: true, description: 'City.' }),
    state: t.exposeString('state', { nullable: true, description: 'Two-letter code of the state.' }),
    postal_code: t.exposeString('postal_code', { nullable: true, description: 'ZIP code.' }),
    county: t.exposeString('county', { nullable: true, description: 'Name of the county.' }),
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north, 5 decimals.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east, 5 decimals.' }),
    precision: t.expose('precision', {
      type: PlacePrecision,
      nullable: true,
      description: 'How precisely it was located. With zip or city, distances are from the centre of that area.',
    }),
    timezone: t.string({
      nullable: true,
      description: 'IANA time zone of the place; null until it is located.',
      subGraphs: graphOnly,
      resolve: (address) => timezoneOf(address),
    }),
  }),
})

export const ReportWindow = builder.objectRef<ReportView['window']>('ReportWindow').implement({
  description: 'The days and the circle searched.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'First day.' }),
    end: t.expose('end', { type: 'Date', description: 'Last day.' }),
    radius_miles: t.exposeFloat('radius_miles', { description: 'Radius around the address, in miles.' }),
    narrowed_by_plan: t.exposeBoolean('narrowed_by_plan', {
      description: 'True if the plan moved the start later or reduced the radius.',
    }),
  }),
})

export const ReportCoverage = builder.objectRef<ReportView['coverage']>('ReportCoverage').implement({
  description: 'What the archive had for the window.',
  fields: (t) => ({
    complete: t.exposeBoolean('complete', { description: 'True if the archive had everything needed.' }),
    provisional: t.exposeBoolean('provisional', { description: 'True if part of the window is after the final record.' }),
    summary: t.exposeString('summary', { nullable: true, description: 'The coverage in words; null until complete.' }),
    sources_searched: t.exposeStringList('sources_searched', {
      description: 'Sources that cover part of the window, including those without records.',
      ...closedSet('SourceId', sourceIds, 'A source of the archive.'),
    }),
    unplaced_zone_records: t.exposeInt('unplaced_zone_records', {
      nullable: true,
      description:
        'Forecast-zone records of the state in the window that no zone table locates. They are not cited, and the report is not authoritative if there are any. Null until complete.',
    }),
  }),
})

const ReportPdf = builder.objectRef<ReportView['pdf']>('ReportPdf').implement({
  description: 'The document of the report.',
  fields: (t) => ({
    status: t.expose('status', { type: PdfStatus, nullable: true, description: 'Null until rendered.' }),
    rendered_at: t.expose('rendered_at', { type: 'DateTime', nullable: true, description: 'When it was rendered.' }),
  }),
})

const ReportLinks = builder.objectRef<ReportView['links']>('ReportLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    self: t.exposeString('self', { description: 'The report.' }),
    events: t.exposeString('events', { nullable: true, description: 'The records it cites; null until complete.' }),
    pdf: t.exposeString('pdf', { nullable: true, description: 'Its document; null until complete.' }),
  }),
})

export const Report = builder.objectRef<ReportView>('Report').implement({
  description: 'A weather report on one address and window.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the report.' }),
    object: t.exposeString('object', constantField('report')),
    status: t.expose('status', { type: ReportStatus, description: 'Status of the report.' }),
    address: t.expose('address', { type: ReportAddress, description: 'The address as sent and as located.' }),
    window: t.expose('window', { type: ReportWindow, description: 'The days and the circle searched.' }),
    as_of: t.expose('as_of', {
      type: 'DateTime',
      nullable: true,
      description: 'Point in time of the archive that was queried. Later knowledge is left out. Null if the current archive was queried.',
    }),
    date_of_loss: t.expose('date_of_loss', {
      type: 'Date',
      nullable: true,
      description: 'Date of loss, which the report covers first; a local day of the place. Null if none was sent.',
    }),
    day_of_loss: t.expose('day_of_loss', {
      type: DayOfLoss,
      nullable: true,
      description:
        'What is on record for the date of loss and for the two days before and after it; null until complete, and without a date of loss.',
    }),
    days: t.expose('days', {
      type: [ReportDay],
      nullable: true,
      extensions: { rows: DAYS_MAX },
      description:
        'The date of loss, the days near it with records or warnings, and up to 12 other days that stand out, newest first; null until complete and without a date of loss.',
    }),
    property_id: t.expose('property_id', { type: 'UUID', nullable: true, description: 'The saved property that it is filed under.' }),
  }),
})

builder.objectFields(Report, (t) => ({
  reference: t.exposeString('reference', { nullable: true, description: "The caller's own reference, as sent." }),
  recipient: t.exposeString('recipient', { nullable: true, description: 'Text printed on the cover, as sent.' }),
  event_count: t.exposeInt('event_count', { description: 'Records cited; 0 until complete.' }),
  observation_count: t.exposeInt('observation_count', { description: 'Station observations used; 0 until complete.' }),
  coverage: t.expose('coverage', { type: ReportCoverage, description: 'What the archive had for the window.' }),
  headline: t.exposeString('headline', {
    nullable: true,
    description: 'One clause of at most 120 characters about the one record to know of first; null until complete.',
  }),
  nothing_found: t.exposeString('nothing_found', {
    nullable: true,
    description: 'Statement if nothing is cited; null if something is cited, and until complete.',
  }),
  findings: t.expose('findings', {
    type: [Finding],
    nullable: true,
    description: 'One finding per family, strongest first; null until complete.',
  }),
  fingerprint: t.exposeString('fingerprint', {
    nullable: true,
    description: 'SHA-256 of the evidence, 64 hex digits; null until complete.',
    ...withJsonSchema({ pattern: '^[0-9a-f]{64}$' }),
  }),
  methodology_version: t.exposeString('methodology_version', {
    nullable: true,
    description:
      'Version of the rules that it was compiled with; docs/methodology.md lists what each version changed. Null until complete.',
  }),
  failure_reason: t.expose('failure_reason', {
    type: FailureReason,
    nullable: true,
    description: 'Why it failed. A failed report costs no credit.',
  }),
  failure_message: t.exposeString('failure_message', {
    nullable: true,
    description: 'Why it failed, in a sentence that names the fault.',
  }),
  plan_tier: t.exposeString('plan_tier', {
    description: 'Tier of the team when it was requested.',
    ...closedSet('Tier', tierIds, 'A plan, lowest first.'),
  }),
  layout: t.expose('layout', { type: Layout, description: 'Layout of the document.' }),
  created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was requested.' }),
  generated_at: t.expose('generated_at', { type: 'DateTime', nullable: true, description: 'When it was completed.' }),
  pdf: t.expose('pdf', { type: ReportPdf, description: 'The document of the report.' }),
  links: t.expose('links', { type: ReportLinks, description: 'Related links.' }),
}))

const ReportPage = pageType(Report, 'ReportPage')

/** Arguments of a report request, and of its preview. */
export const reportArguments = builder.args((t) => ({
  ...whereArguments,
  window_start: t.field({ type: 'Date', required: true, description: 'First day; must be in the past.' }),
  window_end: t.field({ type: 'Date', required: true, description: 'Last day; on or after window_start.' }),
  radius_miles: t.float({ description: 'Radius around the address, which the plan may reduce.' }),
  as_of: t.field({ type: 'DateTime', description: 'Point in time for the report: it uses only what the archive knew then.' }),
  date_of_loss: t.field({
    type: 'Date',
    description: 'Date of loss, a local day of the place within the window. The report covers it first.',
  }),
  reference: t.string({ description: "The caller's own reference, returned unchanged." }),
  recipient: t.string({ description: 'Text printed on the cover.' }),
  property_id: t.field({ type: 'UUID', description: 'Saved property to file the report under.' }),
  layout: t.field({ type: 'LayoutInput', description: 'Layout of the document. Needs a plan with custom layouts.' }),
}))

builder.queryFields((t) => ({
  reports: t.field({
    type: ReportPage,
    description: 'Reports of the team, newest first.',
    extensions: { ...needs('reports:read'), ...accepts({ ...reportFilters, ...pagingForm }) },
    args: {
      status: t.arg({ type: ReportStatus, description: 'Only reports with this status.' }),
      address: t.arg.string({ description: 'Only reports whose address contains this text.' }),
      property: t.arg({ type: 'UUID', description: 'Only reports filed under this saved property.' }),
      ...pagingArguments,
    },
    resolve: (_root, args, context) => page(context.app, '/reports', args, () => listReports(context.app, callerOf(context), args)),
  }),
  report: t.field({
    type: Report,
    description: 'One report.',
    extensions: needs('reports:read'),
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }) },
    resolve: (_root, { report }, context) => findReport(context.app, callerOf(context), report),
  }),
}))

builder.mutationFields((t) => ({
  createReport: t.field({
    type: Report,
    description: 'Requests a report. It costs one credit, starts as pending and completes within seconds.',
    extensions: {
      ...needs('reports:write'),
      ...accepts(reportForm, { closed: true, schema: whereSchema, crossCheck: checkPlaceAndWindow }),
    },
    args: {
      ...reportArguments,
      ...idempotencyArgument,
    },
    resolve: async (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createReport', idempotency_key, input)
      const { report, replayed } = await requestReport(context.app, callerOf(context), { ...context.unknown, ...input }, idempotency)
      context.replayed = replayed
      return report
    },
  }),
  deleteReport: t.boolean({
    description: 'Deletes a report and its document. The credit is not refunded. Returns true.',
    extensions: needs('reports:write'),
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }) },
    resolve: async (_root, { report }, context) => {
      await removeReport(context.app, callerOf(context), report)
      return true
    },
  }),
}))
