import type { RevisionView } from '#domain/archive/versions/revisions-of.ts'
import { type Changed, type ChangedField, changeKinds } from '#domain/reports/compare.ts'
import { type DiffSide, diffReports, type RecordChange, type ReportDiffView } from '#domain/reports/diff.ts'
import { refreshReport } from '#domain/reports/refresh.ts'
import type { FindingView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { CitedRecord } from '#graphql/types/cited-record.ts'
import { Finding } from '#graphql/types/finding.ts'
import { Report } from '#graphql/types/report.ts'

const ChangeKind = enumOf('ChangeKind', changeKinds, 'How something changed from the first report to the second.')

const FieldChange = builder.objectRef<ChangedField>('FieldChange').implement({
  subGraphs: graphOnly,
  description: 'A changed value.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Path of keys in the response, joined by dots, such as measurements.hail_size_in.' }),
    old: t.exposeString('old', { nullable: true, description: 'Old value: a text, or JSON for any other type; null if there was none.' }),
    new: t.exposeString('new', { nullable: true, description: 'New value, in the same form.' }),
  }),
})

const ArchiveRevision = builder.objectRef<RevisionView>('ArchiveRevision').implement({
  subGraphs: graphOnly,
  description: 'A transaction that changed the archive.',
  fields: (t) => ({
    known_at: t.expose('known_at', { type: 'DateTime', description: 'When the archive learned it.' }),
    source: t.exposeString('source', { nullable: true, description: 'The source that it changed.' }),
    file_name: t.exposeString('file_name', { nullable: true, description: 'The file or feed response that it was part of.' }),
    import_id: t.expose('import_id', { type: 'UUID', nullable: true, description: 'The import that it was part of.' }),
    forgot: t.exposeBoolean('forgot', { description: 'True if it deleted all data of the source.' }),
  }),
})

const RecordChangeType = builder.objectRef<RecordChange>('RecordChange').implement({
  subGraphs: graphOnly,
  description: 'A record that was added, removed or changed.',
  fields: (t) => ({
    change: t.expose('change', { type: ChangeKind, description: 'How it changed.' }),
    old: t.expose('old', {
      type: CitedRecord,
      nullable: true,
      description: 'The record as the first report cites it; null if it was added.',
    }),
    new: t.expose('new', {
      type: CitedRecord,
      nullable: true,
      description: 'The record as the second report cites it; null if it was removed.',
    }),
    fields: t.expose('fields', { type: [FieldChange], description: 'Fields that changed.' }),
    revisions: t.expose('revisions', {
      type: [ArchiveRevision],
      description: 'Transactions that changed it, oldest first; empty if not the record itself changed but data stored beside it.',
    }),
  }),
})

const FindingChange = builder.objectRef<Changed<FindingView>>('FindingChange').implement({
  subGraphs: graphOnly,
  description: 'A finding that was added, removed or changed.',
  fields: (t) => ({
    change: t.expose('change', { type: ChangeKind, description: 'How it changed.' }),
    old: t.expose('old', { type: Finding, nullable: true, description: 'The finding of the first report; null if it was added.' }),
    new: t.expose('new', { type: Finding, nullable: true, description: 'The finding of the second report; null if it was removed.' }),
    fields: t.expose('fields', { type: [FieldChange], description: 'Fields that changed.' }),
  }),
})

const ReportDiffSide = builder.objectRef<DiffSide>('ReportDiffSide').implement({
  subGraphs: graphOnly,
  description: 'One of the two compared reports.',
  fields: (t) => ({
    report_id: t.expose('report_id', {
      type: 'UUID',
      nullable: true,
      description: 'Its id; null for the report that the archive would give now.',
    }),
    known_at: t.expose('known_at', { type: 'DateTime', description: 'Point in time of the archive that it is compiled from.' }),
    fingerprint: t.exposeString('fingerprint', { description: 'SHA-256 of its evidence, 64 hex digits.' }),
  }),
})

const ReportDiff = builder.objectRef<ReportDiffView>('ReportDiff').implement({
  subGraphs: graphOnly,
  description: 'Differences between two reports on the same place.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('report_diff')),
    a: t.expose('a', { type: ReportDiffSide, description: 'The first.' }),
    b: t.expose('b', { type: ReportDiffSide, description: 'The second.' }),
    differs: t.exposeBoolean('differs', { description: 'True if there is any difference.' }),
    records: t.expose('records', { type: [RecordChangeType], description: 'Cited records that were added, changed or removed.' }),
    findings: t.expose('findings', { type: [FindingChange], description: 'Findings that were added, changed or removed.' }),
    statements: t.expose('statements', { type: [FieldChange], description: 'Changed figures and sentences of the whole report.' }),
  }),
})

builder.queryField('reportDiff', (t) =>
  t.field({
    type: ReportDiff,
    description:
      'Compares two complete reports on one place, or one report with what a report for its window would say now. Nothing is charged.',
    subGraphs: graphOnly,
    extensions: needs('reports:read'),
    args: {
      a: t.arg({ type: 'UUID', required: true, description: 'Id of the first report.' }),
      b: t.arg({
        type: 'UUID',
        description: 'Id of the second report. If omitted, the first report is compared with what a report would say now.',
      }),
    },
    resolve: (_root, { a, b }, context) => diffReports(context.app, callerOf(context), a, b ?? null),
  }),
)

builder.mutationField('refreshReport', (t) =>
  t.field({
    type: Report,
    subGraphs: graphOnly,
    description:
      'Refreshes a complete report: creates a report as of today for the same window, as far as the plan allows. It is free, at most once a day, and only possible if the new report would differ.',
    extensions: needs('reports:write'),
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }) },
    resolve: (_root, { report }, context) => refreshReport(context.app, callerOf(context), report),
  }),
)
