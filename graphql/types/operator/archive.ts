import type { App } from '#domain/app.ts'
import { futureCompiles } from '#domain/archive/coverage/future-compiles.ts'
import { type UncheckedYear, uncheckedYears } from '#domain/archive/coverage/unchecked-years.ts'
import { type UnplacedState, unplacedStates } from '#domain/archive/coverage/unplaced-zones.ts'
import { type SyncSummary, syncStormEvents } from '#domain/archive/feeds/sync-storm-events.ts'
import { syncZones } from '#domain/archive/feeds/sync-zones.ts'
import { type DeletedSource, deleteSource } from '#domain/archive/ingest/delete-source.ts'
import type { ImportSummary } from '#domain/archive/ingest/import.ts'
import type { Counts } from '#domain/archive/ingest/import-runs.ts'
import { requireSource } from '#domain/archive/sources/require-source.ts'
import { type ArchiveStatus, archiveStatus, type ImportRunView, type SourceStatus, type StateStatus } from '#domain/archive/status.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const HeldMonths = builder.objectRef<StateStatus['held'][number]>('HeldMonths').implement({
  description: 'Consecutive months that the archive has data for.',
  fields: (t) => ({
    from: t.exposeString('from', { description: 'First month, YYYY-MM.' }),
    to: t.exposeString('to', { description: 'Last month, YYYY-MM.' }),
    preliminary: t.exposeBoolean('preliminary', { description: 'True if the final record is still to come.' }),
    compiled_on: t.expose('compiled_on', { type: 'Date', nullable: true, description: 'Compile date of the file.' }),
    early: t.exposeBoolean('early', {
      description:
        'True if the file was compiled within 120 days of these months: records of offices that had not reported may be missing.',
    }),
  }),
})

const HeldDays = builder.objectRef<StateStatus['days'][number]>('HeldDays').implement({
  description: 'Consecutive days that the archive has data for, each at least in part.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'First day, in the local time of the state.' }),
    to: t.expose('to', { type: 'Date', description: 'Last day.' }),
    days: t.exposeInt('days', { description: 'Number of days.' }),
    moments: t.exposeInt('moments', { description: 'Moments of the radar mosaic on these days; 0 for other sources.' }),
  }),
})

const HeldState = builder.objectRef<StateStatus>('HeldState').implement({
  description: 'Coverage of a state.',
  fields: (t) => ({
    state: t.exposeString('state', { description: 'Two-letter code of the state.' }),
    records: t.exposeInt('records', { description: 'Records in the archive.' }),
    held: t.expose('held', { type: [HeldMonths], description: 'Months stored.' }),
    days: t.expose('days', { type: [HeldDays], description: 'Days stored, for radar, warnings and observations.' }),
  }),
})

const HeldSource = builder.objectRef<SourceStatus>('HeldSource').implement({
  description: 'Coverage of a source.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    slug: t.exposeString('slug', { description: 'Its name in commands and paths.' }),
    label: t.exposeString('label', { description: 'Its name.' }),
    records: t.exposeInt('records', { description: 'Records in the archive.' }),
    withdrawn: t.exposeInt('withdrawn', { description: 'Records that the source has withdrawn. They are kept but not searched.' }),
    from: t.expose('from', { type: 'Date', nullable: true, description: 'First local date.' }),
    to: t.expose('to', { type: 'Date', nullable: true, description: 'Last local date.' }),
    states: t.expose('states', { type: [HeldState], description: 'By state.' }),
  }),
})

const ImportRejection = builder.objectRef<{ row: string; reason: string }>('ImportRejection').implement({
  description: 'A row that could not be read.',
  fields: (t) => ({
    row: t.exposeString('row', { description: 'Identifies the row.' }),
    reason: t.exposeString('reason', { description: 'Why.' }),
  }),
})

const ImportCounts = builder.interfaceRef<Counts>('ImportCounts').implement({
  description: 'Counts of the rows read, by outcome.',
  fields: (t) => ({
    rows: t.exposeInt('rows', { description: 'Rows read, including rejected ones.' }),
    inserted: t.exposeInt('inserted', { description: 'Rows that were new.' }),
    updated: t.exposeInt('updated', { description: 'Rows that changed.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Rows that were already stored.' }),
    withdrawn: t.exposeInt('withdrawn', { description: 'Rows that the source has withdrawn.' }),
    rejected: t.exposeInt('rejected', { description: 'Rows that could not be read.' }),
  }),
})

const ImportRun = builder.objectRef<ImportRunView>('ImportRun').implement({
  description: 'One import of a file or feed into the archive.',
  interfaces: [ImportCounts],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the import.' }),
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    file_name: t.exposeString('file_name', { description: 'Name of the file.' }),
    status: t.exposeString('status', { description: 'Status: running, complete or failed.' }),
    rejections: t.expose('rejections', { type: [ImportRejection], description: 'The first rejected rows.' }),
    failure: t.exposeString('failure', { nullable: true, description: 'Why it failed.' }),
    started_at: t.expose('started_at', { type: 'DateTime', description: 'When it began.' }),
    finished_at: t.expose('finished_at', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  }),
})

const UnplacedZones = builder.objectRef<UnplacedState>('UnplacedZones').implement({
  description: 'Forecast-zone records of a state that reports cannot cite, because no zone table locates them.',
  fields: (t) => ({
    state: t.exposeString('state', { description: 'Two-letter code of the state.' }),
    records: t.exposeInt('records', { description: 'Records in the archive.' }),
    table_held: t.exposeBoolean('table_held', {
      description: 'True if a zone table of the state is stored but lacks these zones; false if no table is stored.',
    }),
  }),
})

const UncheckedYearType = builder.objectRef<UncheckedYear>('UnjudgedYear').implement({
  description: 'Records of a year that were imported before the service checked plausibility. Their file must be imported again.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    slug: t.exposeString('slug', { description: 'Name of the source in commands and paths.' }),
    year: t.exposeInt('year', { description: "Year of the source's files." }),
    records: t.exposeInt('records', { description: 'Records in the archive.' }),
  }),
})

const ArchiveStatusType = builder.objectRef<ArchiveStatus>('ArchiveStatus').implement({
  description: 'Contents of the archive.',
  fields: (t) => ({
    sources: t.expose('sources', { type: [HeldSource], description: 'Contents by source.' }),
    zones: t.exposeInt('zones', { description: 'Forecast zones in the imported table.' }),
    unplaced_zones: t.field({
      type: [UnplacedZones],
      description: 'Forecast-zone records that no zone table locates, by state.',
      resolve: (_status, _args, { app }) => unplacedStates(app),
    }),
    unjudged_years: t.field({
      type: [UncheckedYearType],
      description: 'Years whose files must be imported again so that their records are checked for plausibility.',
      resolve: (_status, _args, { app }) => uncheckedYears(app),
    }),
    recent_imports: t.expose('recent_imports', { type: [ImportRun], description: 'The newest imports.' }),
  }),
})

/** The outcome of importing one file, from any origin. */
export const ImportSummaryType = builder.objectRef<ImportSummary>('ImportSummary').implement({
  description: 'Outcome of importing one file.',
  interfaces: [ImportCounts],
  fields: (t) => ({
    run_id: t.exposeID('run_id', { description: 'Id of the import.' }),
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    file_name: t.exposeString('file_name', { description: 'Name of the file.' }),
    compiled_on: t.expose('compiled_on', { type: 'Date', nullable: true, description: 'Compile date of the file.' }),
    rejections: t.expose('rejections', { type: [ImportRejection], description: 'The first rejected rows.' }),
    from: t.expose('from', { type: 'Date', nullable: true, description: 'First local date among the records that changed.' }),
    to: t.expose('to', { type: 'Date', nullable: true, description: 'Last local date among the records that changed.' }),
  }),
})

const ArchiveSync = builder.objectRef<Omit<SyncSummary, 'year'> & { year: number | null }>('ArchiveSync').implement({
  description: "Outcome of syncing a source with its publisher's newest file.",
  fields: (t) => ({
    year: t.exposeInt('year', { nullable: true, description: 'The year; null for zones, whose table has no year.' }),
    up_to_date: t.exposeBoolean('up_to_date', { description: 'True if the publisher had nothing newer than the archive.' }),
    imports: t.expose('imports', { type: [ImportSummaryType], description: 'The files read.' }),
  }),
})

const ArchiveForgotten = builder.objectRef<DeletedSource>('ArchiveForgotten').implement({
  description: 'What was deleted.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    records: t.exposeInt('records', { description: 'Records deleted, including withdrawn ones.' }),
    others: t.exposeInt('others', { description: 'Radar frames, observations, warnings and counties of zones deleted.' }),
    versions: t.exposeInt('versions', {
      description: 'Earlier versions deleted. Reports can no longer use them.',
    }),
    versions_since: t.expose('versions_since', {
      type: 'DateTime',
      nullable: true,
      description:
        "When the archive learned the oldest of these versions; null if there was none, or if it is older than the archive's recorded history.",
    }),
  }),
})

builder.queryField('archiveStatus', (t) =>
  t.field({
    type: ArchiveStatusType,
    description: 'Contents of the archive, by source, state and month or day.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => archiveStatus(app),
  }),
)

builder.queryField('unjudgedYears', (t) =>
  t.field({
    type: [UncheckedYearType],
    description: 'Years whose files must be imported again so that their records are checked for plausibility.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => uncheckedYears(app),
  }),
)

builder.queryField('compilesToCome', (t) =>
  t.field({
    type: ['String'],
    description: 'Stored data from files whose stated compile date is in the future, which no later file replaces, and how to repair it.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => futureCompiles(app),
  }),
)

builder.queryField('unplacedZones', (t) =>
  t.field({
    type: [UnplacedZones],
    description: 'Forecast-zone records that no zone table locates, by state.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => unplacedStates(app),
  }),
)

async function sync(app: App, source: string, year: number | null, notify: boolean) {
  if (source === 'zones') {
    const faults = gatherFaults()
    faults.unless(year === null, 'year', 'The table of zones has no years: leave the year out.')
    faults.unless(!notify, 'notify', 'The table of zones announces nothing: leave notify out.')
    faults.refuse()
    const summary = await syncZones(app, undefined, 'operator')
    return { year: null, up_to_date: summary === null, imports: summary ? [summary] : [] }
  }
  if (source !== 'storm-events') refuseField('source', `Only ${SYNCABLE} can be synced.`)
  return syncStormEvents(app, year ?? refuseField('year', 'Name the year to read.'), {
    by: 'operator',
    ...(notify && { quiet: false }),
  })
}

/** The sources whose publishers state which of their files is the newest. */
const SYNCABLE = 'storm-events or zones'

builder.mutationFields((t) => ({
  archiveSync: t.field({
    type: ArchiveSync,
    description: "Imports the publisher's newest file of a source: a year of storm-events, or the table of zones.",
    ...byOperator('archive'),
    args: {
      source: t.arg.string({ required: true, description: SYNCABLE }),
      year: t.arg.int({ description: 'The year. Required for storm-events.' }),
      notify: t.arg.boolean({ description: 'True announces what is found at watched places to destinations, regardless of its age.' }),
    },
    resolve: async (_root, { source, year, notify }, { app }) => {
      const synced = await sync(app, source, year ?? null, notify ?? false)
      // The import takes many transactions; the audit entry is written after the last one.
      await app.db.$transaction(async (tx) =>
        auditWrite(tx, { kind: 'source', id: requireSource(source).id, after: { year: synced.year, imports: synced.imports.length } }),
      )
      return synced
    },
  }),
  archiveForget: t.field({
    type: ArchiveForgotten,
    description: 'Deletes everything imported from a source. Complete reports keep what they cite.',
    ...byOperator('archive'),
    args: { source: t.arg.string({ required: true, description: 'Name of the source in commands, such as sample or storm-events.' }) },
    resolve: (_root, { source }, { app, auditOperation }) => deleteSource(app, source, auditOperation),
  }),
}))
