import type { RevisionView } from '#domain/archive/versions/revisions-of.ts'
import { type Changed, type ChangedField, changeKinds } from '#domain/reports/compare.ts'
import { type DiffSide, diffReports, type RecordChange, type ReportDiffView } from '#domain/reports/diff.ts'
import { refreshReport } from '#domain/reports/refresh.ts'
import type { FindingView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { objectKey } from '#graphql/object-key.ts'
import { CitedRecord } from '#graphql/types/cited-record.ts'
import { Finding } from '#graphql/types/finding.ts'
import { Report } from '#graphql/types/report.ts'

const ChangeKind = enumOf('ChangeKind', changeKinds, 'What became of something from the first report to the second.')

const FieldChange = builder.objectRef<ChangedField>('FieldChange').implement({
  subGraphs: graphOnly,
  description: 'A value that is another one.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Keys of the answer, joined by dots: measurements.hail_size_in.' }),
    old: t.exposeString('old', { nullable: true, description: 'As it was: a text, or the JSON of what is none; null for none.' }),
    new: t.exposeString('new', { nullable: true, description: 'As it is.' }),
  }),
})

const ArchiveRevision = builder.objectRef<RevisionView>('ArchiveRevision').implement({
  subGraphs: graphOnly,
  description: 'A transaction that changed the archive.',
  fields: (t) => ({
    known_at: t.expose('known_at', { type: 'DateTime', description: 'From when on it was known.' }),
    source: t.exposeString('source', { nullable: true, description: 'The source that it changed.' }),
    file_name: t.exposeString('file_name', { nullable: true, description: 'The file or the answer of a feed that it was a part of.' }),
    import_id: t.expose('import_id', { type: 'UUID', nullable: true, description: 'The import that it was a part of.' }),
    forgot: t.exposeBoolean('forgot', { description: 'True where the source was forgotten.' }),
  }),
})

const RecordChangeType = builder.objectRef<RecordChange>('RecordChange').implement({
  subGraphs: graphOnly,
  description: 'A record that came, went or changed.',
  fields: (t) => ({
    change: t.expose('change', { type: ChangeKind, description: 'What became of it.' }),
    old: t.expose('old', { type: CitedRecord, nullable: true, description: 'As the first report cites it; null where it came.' }),
    new: t.expose('new', { type: CitedRecord, nullable: true, description: 'As the second report cites it; null where it went.' }),
    fields: t.expose('fields', { type: [FieldChange], description: 'What changed of it.' }),
    revisions: t.expose('revisions', {
      type: [ArchiveRevision],
      description: 'What changed it, the first first; empty where not the record changed, but what is held beside it.',
    }),
  }),
})

const FindingChange = builder.objectRef<Changed<FindingView>>('FindingChange').implement({
  subGraphs: graphOnly,
  description: 'A finding that came, went or changed.',
  fields: (t) => ({
    change: t.expose('change', { type: ChangeKind, description: 'What became of it.' }),
    old: t.expose('old', { type: Finding, nullable: true, description: 'That of the first report; null where it came.' }),
    new: t.expose('new', { type: Finding, nullable: true, description: 'That of the second report; null where it went.' }),
    fields: t.expose('fields', { type: [FieldChange], description: 'What changed of it.' }),
  }),
})

const ReportDiffSide = builder.objectRef<DiffSide>('ReportDiffSide').implement({
  subGraphs: graphOnly,
  description: 'One of two reports that are compared.',
  fields: (t) => ({
    report_id: t.expose('report_id', { type: 'UUID', nullable: true, description: 'Its id; null for what a report would say now.' }),
    known_at: t.expose('known_at', { type: 'DateTime', description: 'The moment of the archive that it is compiled from.' }),
    fingerprint: t.exposeString('fingerprint', { description: 'SHA-256 of its evidence, 64 hex digits.' }),
  }),
})

export const ReportDiff = builder.objectRef<ReportDiffView>('ReportDiff').implement({
  subGraphs: graphOnly,
  description: 'What one report says otherwise than another of the same place.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('report_diff')),
    a: t.expose('a', { type: ReportDiffSide, description: 'The first.' }),
    b: t.expose('b', { type: ReportDiffSide, description: 'The second.' }),
    differs: t.exposeBoolean('differs', { description: 'True where anything below is other.' }),
    records: t.expose('records', { type: [RecordChangeType], description: 'Cited records that came, changed or went.' }),
    findings: t.expose('findings', { type: [FindingChange], description: 'Findings that came, changed or went.' }),
    statements: t.expose('statements', { type: [FieldChange], description: 'Figures and sentences of the report as a whole.' }),
  }),
})

builder.queryField('reportDiff', (t) =>
  t.field({
    type: ReportDiff,
    description: 'Compares two complete reports of one place, or one with what a report of its window would say now. Nothing is charged.',
    subGraphs: graphOnly,
    extensions: needs('reports:read'),
    args: {
      a: t.arg({ type: 'UUID', required: true, description: 'Id of the first report.' }),
      b: t.arg({ type: 'UUID', description: 'Id of the second; left out, the first is compared with what a report would say now.' }),
    },
    resolve: (_root, { a, b }, context) => diffReports(context.app, callerOf(context), a, b ?? null),
  }),
)

builder.mutationField('refreshReport', (t) =>
  t.field({
    type: Report,
    subGraphs: graphOnly,
    description:
      'Takes up a complete report again: one of today of the same window. It is free, once a day, and only where it would say something else.',
    extensions: needs('reports:write'),
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }) },
    resolve: (_root, { report }, context) => refreshReport(context.app, callerOf(context), report),
  }),
)
