import { type Forgotten, forgetSource } from '#domain/archive/forget.ts'
import type { Counts, ImportSummary } from '#domain/archive/ingest.ts'
import { type ArchiveStatus, archiveStatus, type ImportRunView, type SourceStatus, type StateStatus } from '#domain/archive/status.ts'
import { type SyncSummary, syncStormEvents } from '#domain/archive/sync.ts'
import { refuseField } from '#domain/check.ts'
import { builder, operatorOnly } from '#graphql/builder.ts'

const HeldMonths = builder.objectRef<StateStatus['held'][number]>('HeldMonths').implement({
  description: 'Months held in a row.',
  fields: (t) => ({
    from: t.exposeString('from', { description: 'First month, YYYY-MM.' }),
    to: t.exposeString('to', { description: 'Last month, YYYY-MM.' }),
    preliminary: t.exposeBoolean('preliminary', { description: 'True where a final record is still to come.' }),
    compiled_on: t.expose('compiled_on', { type: 'Date', nullable: true, description: 'Compile date of the file.' }),
  }),
})

const HeldState = builder.objectRef<StateStatus>('HeldState').implement({
  description: 'What is held of a state.',
  fields: (t) => ({
    state: t.exposeString('state', { description: 'Two-letter code of the state.' }),
    records: t.exposeInt('records', { description: 'Records in the archive.' }),
    held: t.expose('held', { type: [HeldMonths], description: 'Months held.' }),
  }),
})

const HeldSource = builder.objectRef<SourceStatus>('HeldSource').implement({
  description: 'What is held of a source.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    slug: t.exposeString('slug', { description: 'Its name in commands and paths.' }),
    label: t.exposeString('label', { description: 'Its name.' }),
    records: t.exposeInt('records', { description: 'Records in the archive.' }),
    withdrawn: t.exposeInt('withdrawn', { description: 'Records that the source no longer holds: kept, and searched no more.' }),
    from: t.expose('from', { type: 'Date', nullable: true, description: 'First local date.' }),
    to: t.expose('to', { type: 'Date', nullable: true, description: 'Last local date.' }),
    states: t.expose('states', { type: [HeldState], description: 'By state.' }),
  }),
})

const ImportRejection = builder.objectRef<{ row: string; reason: string }>('ImportRejection').implement({
  description: 'A row that could not be read.',
  fields: (t) => ({
    row: t.exposeString('row', { description: 'Which row.' }),
    reason: t.exposeString('reason', { description: 'Why.' }),
  }),
})

const ImportCounts = builder.interfaceRef<Counts>('ImportCounts').implement({
  description: 'What became of the rows that were read.',
  fields: (t) => ({
    rows: t.exposeInt('rows', { description: 'Rows read, rejected ones too.' }),
    inserted: t.exposeInt('inserted', { description: 'Rows that were new.' }),
    updated: t.exposeInt('updated', { description: 'Rows that changed.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Rows held already.' }),
    withdrawn: t.exposeInt('withdrawn', { description: 'Rows that the source no longer holds.' }),
    rejected: t.exposeInt('rejected', { description: 'Rows that could not be read.' }),
  }),
})

const ImportRun = builder.objectRef<ImportRunView>('ImportRun').implement({
  description: 'One reading of a file or feed into the archive.',
  interfaces: [ImportCounts],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the reading.' }),
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    file_name: t.exposeString('file_name', { description: 'Name of the file.' }),
    status: t.exposeString('status', { description: 'How it stands: running, complete or failed.' }),
    rejections: t.expose('rejections', { type: [ImportRejection], description: 'The first rejected rows.' }),
    failure: t.exposeString('failure', { nullable: true, description: 'Why it failed.' }),
    started_at: t.expose('started_at', { type: 'DateTime', description: 'When it began.' }),
    finished_at: t.expose('finished_at', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  }),
})

const ArchiveHoldings = builder.objectRef<ArchiveStatus>('ArchiveStatus').implement({
  description: 'What the archive holds.',
  fields: (t) => ({
    sources: t.expose('sources', { type: [HeldSource], description: 'By source.' }),
    zones: t.exposeInt('zones', { description: 'Forecast zones in the imported table.' }),
    recent_imports: t.expose('recent_imports', { type: [ImportRun], description: 'The newest readings.' }),
  }),
})

const ImportSummaryOf = builder.objectRef<ImportSummary>('ImportSummary').implement({
  description: 'What a file brought.',
  interfaces: [ImportCounts],
  fields: (t) => ({
    run_id: t.exposeID('run_id', { description: 'Id of the reading.' }),
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    file_name: t.exposeString('file_name', { description: 'Name of the file.' }),
    compiled_on: t.expose('compiled_on', { type: 'Date', nullable: true, description: 'Compile date of the file.' }),
    rejections: t.expose('rejections', { type: [ImportRejection], description: 'The first rejected rows.' }),
    from: t.expose('from', { type: 'Date', nullable: true, description: 'First local date among the records that changed.' }),
    to: t.expose('to', { type: 'Date', nullable: true, description: 'Last local date among them.' }),
  }),
})

const ArchiveSync = builder.objectRef<SyncSummary>('ArchiveSync').implement({
  description: "A year brought to the source's newest compile.",
  fields: (t) => ({
    year: t.exposeInt('year', { description: 'The year.' }),
    up_to_date: t.exposeBoolean('up_to_date', { description: 'True where nothing was newer than what is held.' }),
    imports: t.expose('imports', { type: [ImportSummaryOf], description: 'The files read.' }),
  }),
})

const ArchiveForgotten = builder.objectRef<Forgotten>('ArchiveForgotten').implement({
  description: 'What went.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    records: t.exposeInt('records', { description: 'Records removed.' }),
  }),
})

builder.queryField('archiveStatus', (t) =>
  t.field({
    type: ArchiveHoldings,
    description: 'What the archive holds, by source, state and month.',
    subGraphs: operatorOnly,
    resolve: (_root, _args, { app }) => archiveStatus(app),
  }),
)

/** The one source whose publisher keeps a folder of year files. */
const SYNCED = 'storm-events'

builder.mutationFields((t) => ({
  archiveSync: t.field({
    type: ArchiveSync,
    description: "Brings a year to the source's newest compile.",
    subGraphs: operatorOnly,
    args: {
      source: t.arg.string({ required: true, description: SYNCED }),
      year: t.arg.int({ required: true, description: 'The year.' }),
      notify: t.arg.boolean({ description: 'True tells destinations of what is found at watched places, however old it is.' }),
    },
    resolve: (_root, { source, year, notify }, { app }) => {
      if (source !== SYNCED) refuseField('source', `Only ${SYNCED} can be synced.`)
      return syncStormEvents(app, year, notify ? { quiet: false } : {})
    },
  }),
  archiveForget: t.field({
    type: ArchiveForgotten,
    description: 'Removes all that a source brought. Finished reports keep what they cite.',
    subGraphs: operatorOnly,
    args: { source: t.arg.string({ required: true, description: 'Name of the source in commands: sample, storm-events ...' }) },
    resolve: (_root, { source }, { app }) => forgetSource(app, source),
  }),
}))
