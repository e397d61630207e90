import type { Threats } from '#domain/archive/warnings/warning.ts'
import { damages, threatBases } from '#domain/archive/warnings/warning.ts'
import { capCertainties, capSeverities, capUrgencies, exposureKinds, geometryBases, watchSubjects } from '#domain/closed-sets.ts'
import { acknowledgeExposure, acknowledgeForm, reopenExposure } from '#domain/exposures/acknowledge.ts'
import { listExposuresAt } from '#domain/exposures/at-place.ts'
import { exposureFilters, exposurePaging } from '#domain/exposures/check-filters.ts'
import { findExposure, IDS_MAX, listExposureIds, listExposures } from '#domain/exposures/find.ts'
import type { ExposureView, WarningView } from '#domain/exposures/view.ts'
import { checkDays } from '#domain/kernel/fields.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { withJsonSchema } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'
import { PlacePrecision } from '#graphql/types/location.ts'
import { EvidenceKind } from '#graphql/types/weather.ts'

const ExposureKind = enumOf('ExposureKind', exposureKinds, 'Record: a storm day of the archive. Warning: an official warning.')
export const WatchSubject = enumOf('WatchSubject', watchSubjects, 'A kind of watched place.')
const WarningSeverity = enumOf('WarningSeverity', capSeverities, 'Severity of the event that a warning is about.')
const WarningCertainty = enumOf('WarningCertainty', capCertainties, 'Certainty of the event.')
const WarningUrgency = enumOf('WarningUrgency', capUrgencies, 'Urgency of the event.')

const Subject = builder.objectRef<ExposureView['subject']>('ExposureSubject').implement({
  description: 'The watched place that an exposure is about.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the property or the territory.' }),
    object: t.expose('object', { type: WatchSubject, description: 'Whether it is a property or a territory.' }),
    name: t.exposeString('name', { description: 'Name of the place.' }),
    precision: t.expose('precision', {
      type: PlacePrecision,
      nullable: true,
      description:
        'How precisely a property is located. With zip or city, distances are from the centre of that area. Null for a territory.',
    }),
  }),
})

const Families = builder.objectRef<ExposureView['families']>('ExposureFamilies').implement({
  description: 'Ground and instrument records by type.',
  fields: (t) => ({
    hail: t.exposeInt('hail', { description: 'Hail.' }),
    wind: t.exposeInt('wind', { description: 'Wind.' }),
    tornado: t.exposeInt('tornado', { description: 'Tornadoes, funnel clouds and waterspouts.' }),
    other: t.exposeInt('other', { description: 'Anything else.' }),
  }),
})

const Office = builder.objectRef<WarningView['office']>('WarningOffice').implement({
  description: 'The office that issued a warning.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Its four-letter code.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
})

export const WarningThreats = builder.objectRef<Threats>('WarningThreats').implement({
  description: 'Threats that a warning names; null for those that it does not.',
  fields: (t) => ({
    max_hail_in: t.exposeFloat('max_hail_in', { nullable: true, description: 'Largest hail, in inches.' }),
    hail_basis: t.exposeString('hail_basis', {
      nullable: true,
      description: 'What the size is based on.',
      ...withJsonSchema({ enum: threatBases }),
    }),
    max_gust_mph: t.exposeFloat('max_gust_mph', { nullable: true, description: 'Strongest gust, in miles an hour.' }),
    wind_basis: t.exposeString('wind_basis', {
      nullable: true,
      description: 'What the gust is based on.',
      ...withJsonSchema({ enum: threatBases }),
    }),
    tornado: t.exposeString('tornado', { nullable: true, description: 'Its tornado tag.' }),
    flash_flood: t.exposeString('flash_flood', { nullable: true, description: 'Its flash flood tag.' }),
    damage: t.exposeString('damage', { nullable: true, description: 'Its threat tag.', ...withJsonSchema({ enum: damages }) }),
  }),
})

/** A polygon of the 1,000 positions that one may have. */
export const POLYGON_KILOBYTES = 20
/** The longest that agencies send are about as long. */
export const INSTRUCTION_KILOBYTES = 4

/** Periods under one warning: a polygon usually leaves a place once and seldom returns. */
const PERIOD_ROWS = 2

const Period = builder.objectRef<WarningView['periods'][number]>('WarningPeriod').implement({
  description: 'A period during which the place was under the warning.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'When it began.' }),
    until: t.expose('until', { type: 'DateTime', description: 'When it ended or will end; exclusive.' }),
  }),
})

const Warning = builder.objectRef<WarningView>('Warning').implement({
  description: 'An official warning as of the newest message that covers the place.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('warning')),
    identifier: t.exposeString('identifier', { description: 'Identifier of the message.' }),
    event: t.exposeString('event', { description: "The event that the warning is about, in the agency's words." }),
    headline: t.exposeString('headline', { nullable: true, description: 'Headline of the message.' }),
    status: t.exposeString('status', { description: 'Status of the message, lower case: actual.' }),
    message_type: t.exposeString('message_type', { description: 'Type of the message, lower case: alert, update or cancel.' }),
    severity: t.expose('severity', { type: WarningSeverity, description: 'Severity of the event.' }),
    certainty: t.expose('certainty', { type: WarningCertainty, description: 'Certainty of the event.' }),
    urgency: t.expose('urgency', { type: WarningUrgency, description: 'Urgency of the event.' }),
    issued_at: t.expose('issued_at', { type: 'DateTime', description: 'When it was issued.' }),
    onset_at: t.expose('onset_at', { type: 'DateTime', nullable: true, description: 'When the event is expected to begin.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When its newest message expires.' }),
    ends_at: t.expose('ends_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When the event is expected to end. Null until further notice: the next message continues it.',
    }),
    in_force: t.exposeBoolean('in_force', { description: 'Whether the place is under it now.' }),
    cancelled_at: t.expose('cancelled_at', { type: 'DateTime', nullable: true, description: 'When it was cancelled.' }),
    office: t.expose('office', { type: Office, description: 'Who issued it.' }),
    vtec: t.exposeString('vtec', { description: 'Its VTEC event code.' }),
    phenomenon: t.exposeString('phenomenon', { description: 'Two-letter code of the phenomenon.' }),
    significance: t.exposeString('significance', { description: 'Significance; W is a warning.' }),
    tracking_number: t.exposeInt('tracking_number', { description: 'Number of the event at its office in that year.' }),
    threats: t.expose('threats', { type: WarningThreats, description: 'Threats that it names.' }),
    area: t.exposeString('area', { nullable: true, description: 'The area in words.' }),
    instruction: t.exposeString('instruction', {
      nullable: true,
      description: 'What the agency asks people to do.',
      extensions: { kilobytes: INSTRUCTION_KILOBYTES },
    }),
    geometry: t.expose('geometry', {
      type: 'GeoJson',
      nullable: true,
      description: 'The polygon; null if only counties define the area, or if the polygon cannot be right.',
      extensions: { kilobytes: POLYGON_KILOBYTES },
    }),
    geometry_basis: t.exposeString('geometry_basis', {
      description: 'storm: the message has a polygon. zone: its counties define the area.',
      ...withJsonSchema({ enum: geometryBases }),
    }),
    citation_url: t.exposeString('citation_url', { description: 'Where the warning is archived.' }),
    periods: t.expose('periods', {
      type: [Period],
      description: 'When the place was under it: periods in which the area of one of its messages was over the place.',
      extensions: { rows: PERIOD_ROWS },
    }),
  }),
})

const ExposureLinks = builder.objectRef<ExposureView['links']>('ExposureLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    self: t.exposeString('self', { description: 'The exposure.' }),
    subject: t.exposeString('subject', { description: 'The watched place.' }),
    report: t.exposeString('report', { nullable: true, description: 'The report; null if there is none.' }),
  }),
})

export const Exposure = builder.objectRef<ExposureView>('Exposure').implement({
  description: 'A storm day, or an official warning, at one watched place.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the exposure.' }),
    object: t.exposeString('object', constantField('exposure')),
    kind: t.expose('kind', { type: ExposureKind, description: 'A storm day or a warning.' }),
    date: t.expose('date', { type: 'Date', description: 'The local day of the records; for a warning, the day of its issue.' }),
    subject: t.expose('subject', { type: Subject, description: 'The watched place.' }),
    headline: t.exposeString('headline', { description: 'Summary in one line.' }),
    reports: t.exposeInt('reports', { description: 'Ground and instrument records.' }),
    sources: t.exposeInt('sources', { description: 'Number of distinct sources of all records.' }),
    families: t.expose('families', { type: Families, description: 'Ground and instrument records by type.' }),
    largest_measured_in: t.exposeFloat('largest_measured_in', {
      nullable: true,
      description: 'Largest hail in ground and instrument records, in inches.',
    }),
    largest_detected_in: t.exposeFloat('largest_detected_in', {
      nullable: true,
      description: 'Largest hail estimated by radar, in inches.',
    }),
    max_gust_mph: t.exposeFloat('max_gust_mph', { nullable: true, description: 'Strongest gust, in miles an hour.' }),
    nearest_miles: t.exposeFloat('nearest_miles', { nullable: true, description: 'Miles to the nearest record; 0 for a territory.' }),
    observed: t.exposeBoolean('observed', { description: 'Whether a person or an instrument observed it.' }),
    provisional: t.exposeBoolean('provisional', { description: 'Whether any of its records is preliminary.' }),
    evidence: t.expose('evidence', { type: [EvidenceKind], description: 'Kinds of evidence present.' }),
    record_ids: t.expose('record_ids', { type: ['Int'], description: 'Ids of its archived records.' }),
    warning: t.expose('warning', { type: Warning, nullable: true, description: 'The warning; null for a storm day.' }),
    first_seen_at: t.expose('first_seen_at', { type: 'DateTime', description: 'When it was detected, to the microsecond.' }),
    last_seen_at: t.expose('last_seen_at', {
      type: 'DateTime',
      description: 'When any part of it last changed, to the microsecond. Send this value as `since`.',
    }),
    notified_at: t.expose('notified_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was announced; null if it was not.',
    }),
    acknowledged_at: t.expose('acknowledged_at', { type: 'DateTime', nullable: true, description: 'When it was acknowledged.' }),
    dismissed_at: t.expose('dismissed_at', { type: 'DateTime', nullable: true, description: 'When it was dismissed.' }),
    report_id: t.expose('report_id', {
      type: 'UUID',
      nullable: true,
      description: 'The newest complete report of the property whose window includes the day.',
    }),
    links: t.expose('links', { type: ExposureLinks, description: 'Related links.' }),
    sample: t.exposeBoolean('sample', { description: 'True if its records are made up.' }),
  }),
})

const ExposurePage = pageType(Exposure, 'ExposurePage')
builder.objectField(ExposurePage, 'after', (t) =>
  t.exposeString('after', {
    nullable: true,
    subGraphs: graphOnly,
    description: 'Argument `after` of the next page; null on the last page, and without `since`.',
  }),
)

const filters = builder.args((t) => ({
  since: t.field({
    type: 'DateTime',
    description:
      'Only exposures that changed after this time. To sync, begin with 2000-01-01T00:00:00Z, follow `links.next` to the last page, and then send the largest `last_seen_at` that you have seen: nothing is missed. Pages that are read by number alone may miss what changes between two of them.',
  }),
  from: t.field({ type: 'Date', description: 'First day.' }),
  to: t.field({ type: 'Date', description: 'Last day.' }),
  kind: t.field({ type: ExposureKind, description: 'Only storm days, or only warnings.' }),
  open: t.boolean({
    description: 'True: only exposures that are neither acknowledged nor dismissed. False: only exposures that are either.',
  }),
  subject: t.field({ type: WatchSubject, description: 'Only exposures at this kind of watched place.' }),
  min_measured_in: t.float({ description: 'Only exposures whose largest measured hail is at least this large.' }),
}))

/** Every listing of exposures checks the same. */
const listed = accepts({ ...exposureFilters, ...exposurePaging }, { crossCheck: checkDays })
const position = builder.args((t) => ({
  after: t.string({
    description:
      'Where this page continues a listing with `since`, as in `links.next` of the page before it. Leave it out for the first page.',
  }),
}))

const exposureArgument = builder.args((t) => ({ exposure: t.int({ required: true, description: 'Id of the exposure.' }) }))

builder.queryFields((t) => ({
  exposures: t.field({
    type: ExposurePage,
    description: 'Storm days and warnings at watched places, newest first.',
    extensions: { ...needs('exposures:read'), ...listed },
    args: { ...filters, ...pagingArguments, ...position },
    resolve: (_root, args, context) => page(context.app, '/exposures', args, () => listExposures(context.app, callerOf(context), args)),
  }),
  exposureIds: t.field({
    type: ['Int'],
    subGraphs: graphOnly,
    description: `Ids of all exposures that match the filters, newest first, at most ${IDS_MAX.toLocaleString('en-US')}. Use them to acknowledge, dismiss or reopen many exposures at once.`,
    extensions: { ...needs('exposures:read'), ...accepts(exposureFilters, { crossCheck: checkDays }) },
    args: filters,
    resolve: (_root, args, context) => listExposureIds(context.app, callerOf(context), args),
  }),
  exposure: t.field({
    type: Exposure,
    description: 'One exposure.',
    extensions: needs('exposures:read'),
    args: exposureArgument,
    resolve: (_root, { exposure }, context) => findExposure(context.app, callerOf(context), exposure),
  }),
  propertyExposures: t.field({
    type: ExposurePage,
    description: 'Storm days and warnings near a property, newest first.',
    extensions: { ...needs('properties:read'), ...listed },
    args: {
      property: t.arg({ type: 'UUID', required: true, description: 'Id of the property.' }),
      ...filters,
      ...pagingArguments,
      ...position,
    },
    resolve: (_root, { property, ...args }, context) =>
      page(context.app, `/properties/${property}/exposures`, args, () =>
        listExposuresAt(context.app, callerOf(context), 'property', property, args),
      ),
  }),
  territoryExposures: t.field({
    type: ExposurePage,
    description: 'Storm days and warnings inside a territory, newest first.',
    extensions: { ...needs('territories:read'), ...listed },
    args: {
      territory: t.arg({ type: 'UUID', required: true, description: 'Id of the territory.' }),
      ...filters,
      ...pagingArguments,
      ...position,
    },
    resolve: (_root, { territory, ...args }, context) =>
      page(context.app, `/territories/${territory}/exposures`, args, () =>
        listExposuresAt(context.app, callerOf(context), 'territory', territory, args),
      ),
  }),
}))

builder.mutationFields((t) => ({
  acknowledgeExposure: t.field({
    type: Exposure,
    description: 'Removes an exposure from the inbox: acknowledges it, or dismisses it with dismiss.',
    extensions: { ...needs('exposures:write'), ...accepts(acknowledgeForm) },
    args: { ...exposureArgument, dismiss: t.arg.boolean({ description: 'True dismisses it, false acknowledges it.' }) },
    resolve: (_root, { exposure, ...input }, context) => acknowledgeExposure(context.app, callerOf(context), exposure, input),
  }),
  reopenExposure: t.field({
    type: Exposure,
    description: 'Returns an exposure to the inbox.',
    extensions: needs('exposures:write'),
    args: exposureArgument,
    resolve: (_root, { exposure }, context) => reopenExposure(context.app, callerOf(context), exposure),
  }),
}))
