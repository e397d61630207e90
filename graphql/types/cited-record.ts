import type { ByteSpan } from '#domain/archive/files/span.ts'
import { sourceIds } from '#domain/archive/sources/index.ts'
import { relevances } from '#domain/closed-sets.ts'
import { compassPoints } from '#domain/geo/measure.ts'
import { checkDays } from '#domain/kernel/fields.ts'
import { type Listing, pagingForm } from '#domain/kernel/pagination.ts'
import { listReportEvents, reportEventFilters } from '#domain/reports/find.ts'
import type { CitedFileView, CitedRecordView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { closedSet } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { type PageArguments, page, pageType, pagingArguments } from '#graphql/page.ts'
import { EvidenceKind, Family, Precision, Qualifier, RecordType, Severity } from '#graphql/types/weather.ts'

const Relevance = enumOf(
  'Relevance',
  relevances,
  'Primary: within 3 miles, or over the address. Secondary: within 10 miles. Context: farther away, or located only by county or zone.',
)

const Measurements = builder.objectRef<CitedRecordView['measurements']>('Measurements').implement({
  description: 'Measurements that the record states; null for those that it does not.',
  fields: (t) => ({
    wind_speed_mph: t.exposeFloat('wind_speed_mph', { nullable: true, description: 'Sustained wind, in miles an hour.' }),
    wind_gust_mph: t.exposeFloat('wind_gust_mph', { nullable: true, description: 'Gust, in miles an hour.' }),
    hail_size_in: t.exposeFloat('hail_size_in', { nullable: true, description: 'Hail, in inches.' }),
    tornado_ef_scale: t.exposeFloat('tornado_ef_scale', { nullable: true, description: 'Tornado rating, 0 to 5; null if unknown.' }),
  }),
})

const RecordLocation = builder.objectRef<CitedRecordView['location']>('RecordLocation').implement({
  description: 'Where the record says it was.',
  fields: (t) => ({
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north; null for a county or zone.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east; null for a county or zone.' }),
    county: t.exposeString('county', { nullable: true, description: 'Name of the county.' }),
    state: t.exposeString('state', { nullable: true, description: 'Two-letter code of the state.' }),
    precision: t.expose('precision', { type: Precision, description: 'How precisely the record gives its location.' }),
    zone: t.exposeString('zone', {
      nullable: true,
      description: 'The forecast zone that the record names, such as NYZ010; null for every other precision.',
    }),
    zone_name: t.exposeString('zone_name', { nullable: true, description: 'Name of the zone, if known.' }),
  }),
})

const RecordRelevance = builder.objectRef<CitedRecordView['relevance']>('RecordRelevance').implement({
  description: 'How the record relates to the address.',
  fields: (t) => ({
    relevance: t.expose('relevance', { type: Relevance, description: 'How near it is.' }),
    distance_miles: t.exposeFloat('distance_miles', {
      nullable: true,
      description: 'Miles from the address, 2 decimals; null for a county or zone.',
    }),
    bearing: t.exposeString('bearing', {
      nullable: true,
      description: 'Direction from the address; null without a distance or at the address.',
      ...closedSet('CompassPoint', compassPoints, 'One of 16 directions, clockwise from north.'),
    }),
  }),
})

const FileSpan = builder.objectRef<ByteSpan>('FileSpan').implement({
  description: 'A range of bytes in a file, or in the unpacked file if it is gzip.',
  fields: (t) => ({
    start: t.exposeFloat('start', { description: 'Offset of the first byte.' }),
    length: t.exposeInt('length', { description: 'Number of bytes.' }),
  }),
})

const CitedFile = builder.objectRef<CitedFileView>('CitedFile').implement({
  description: "The agency's file, or the response of its service, that contains a record.",
  fields: (t) => ({
    sha256: t.exposeString('sha256', { description: 'SHA-256 of the file as fetched, 64 lower-case hex digits.' }),
    name: t.exposeString('name', { description: 'Name of the file.' }),
    span: t.expose('span', {
      type: FileSpan,
      description: 'Where the record is in the file: a row, a report, a feature, or a whole radar grid.',
    }),
  }),
})

const Provenance = builder.objectRef<CitedRecordView['provenance']>('Provenance').implement({
  description: 'Where the record comes from.',
  fields: (t) => ({
    source: t.exposeString('source', {
      description: 'Identifier of the source.',
      ...closedSet('SourceId', sourceIds, 'A source of the archive.'),
    }),
    source_label: t.exposeString('source_label', { description: 'The product, and whether it is final or preliminary.' }),
    evidence_kind: t.expose('evidence_kind', { type: EvidenceKind, description: 'How it was observed.' }),
    is_observed: t.exposeBoolean('is_observed', { description: 'True if seen at the ground or measured, false for radar.' }),
    qualifier: t.expose('qualifier', { type: Qualifier, nullable: true, description: 'How the magnitude was obtained; null without one.' }),
    methodology: t.exposeString('methodology', { description: 'How the source compiles its records.' }),
    citation_url: t.exposeString('citation_url', { description: "The source's own record." }),
    caveats: t.exposeStringList('caveats', { description: 'Doubts about the record, in sentences; empty for most.' }),
    file: t.expose('file', {
      type: CitedFile,
      nullable: true,
      description: "The agency's file that contains it; null if it was read before the service recorded files.",
    }),
  }),
})

export const CitedRecord = builder.objectRef<CitedRecordView>('CitedRecord').implement({
  description: 'A record as it was when its report was published.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the record in the archive.' }),
    object: t.exposeString('object', constantField('weather_event')),
    type: t.expose('type', { type: RecordType, description: 'Type of weather event.' }),
    family: t.expose('family', { type: Family, description: 'Types that can corroborate one another.' }),
    severity: t.expose('severity', { type: Severity, description: 'How severe it was.' }),
    occurred_on: t.expose('occurred_on', { type: 'Date', description: "Local date at the record's own place." }),
    begins_at: t.expose('begins_at', { type: 'DateTime', description: 'When it began.' }),
    ends_at: t.expose('ends_at', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    measurements: t.expose('measurements', { type: Measurements, description: 'What the record states.' }),
    tornado_rating: t.exposeString('tornado_rating', {
      nullable: true,
      description: 'Rating of a tornado on the scale that the record states, such as F3, EF3 or EFU; null for other types.',
    }),
    location: t.expose('location', { type: RecordLocation, description: 'Where the record says it was.' }),
    relevance: t.expose('relevance', { type: RecordRelevance, description: 'What it means for the address.' }),
    provenance: t.expose('provenance', { type: Provenance, description: 'Where it comes from.' }),
    description: t.exposeString('description', { description: "The source's own words, and notes on how they were interpreted." }),
    sample: t.exposeBoolean('sample', { description: 'True if the record is made up.' }),
  }),
})

export const CitedRecordPage = pageType(CitedRecord, 'CitedRecordPage')

/** Filters for the records of a report. */
export const citedRecordArguments = builder.args((t) => ({
  type: t.field({ type: RecordType, description: 'Only records of this type.' }),
  family: t.field({ type: Family, description: 'Only records of this family.' }),
  from: t.field({ type: 'Date', description: 'Only records of this date or later.' }),
  to: t.field({ type: 'Date', description: 'Only records of this date or earlier.' }),
  min_hail_in: t.float({ description: 'Only hail at least this large.' }),
  min_gust_mph: t.float({ description: 'Only gusts at least this strong.' }),
  observed: t.boolean({ description: 'True: only records seen at the ground or measured. False: only estimates.' }),
  ...pagingArguments,
}))

export type CitedRecordsArguments = PageArguments & Listing<typeof reportEventFilters>

builder.queryField('reportEvents', (t) =>
  t.field({
    type: CitedRecordPage,
    description: 'The records that a report cites, newest first.',
    extensions: { ...needs('reports:read'), ...accepts({ ...reportEventFilters, ...pagingForm }, { crossCheck: checkDays }) },
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }), ...citedRecordArguments },
    resolve: (_root, { report, ...args }, context) =>
      page(context.app, `/reports/${report}/events`, args, () => listReportEvents(context.app, callerOf(context), report, args)),
  }),
)
