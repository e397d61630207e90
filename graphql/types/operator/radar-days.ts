import { auditWrite } from '#domain/audit/audit-log.ts'
import { type RadarDaySummary, syncRadarDay } from '#domain/maps/sync-radar-day.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'
import { ImportSummaryType } from '#graphql/types/operator/archive.ts'

const RadarGridFault = builder.objectRef<RadarDaySummary['faults'][number]>('RadarGridFault').implement({
  description: 'A radar grid that could not be used. Nothing from it was stored.',
  subGraphs: ['operator'],
  fields: (t) => ({
    file_name: t.exposeString('file_name', { description: 'Name of the file.' }),
    reason: t.exposeString('reason', { description: 'Why.' }),
  }),
})

const RadarDaySync = builder.objectRef<RadarDaySummary>('RadarDaySync').implement({
  description: 'A past day of radar, read from the open-data bucket of its agency.',
  subGraphs: ['operator'],
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day, in the local time of each place.' }),
    up_to_date: t.exposeBoolean('up_to_date', { description: 'True if the whole day had already been read.' }),
    grids: t.exposeInt('grids', { description: 'Grids of the day in the bucket that are needed.' }),
    left: t.exposeInt('left', { description: 'Grids still to be read. The next call continues there.' }),
    imports: t.expose('imports', { type: [ImportSummaryType], description: 'The files read.' }),
    faults: t.expose('faults', { type: [RadarGridFault], description: 'The files that could not be used.' }),
  }),
})

builder.mutationField('archiveSyncRadarDay', (t) =>
  t.field({
    type: RadarDaySync,
    description:
      'Imports the largest hail of a past radar day, from the maxima of its 24 hours or from its single moments, some of them per call.',
    ...byOperator('archive'),
    args: {
      day: t.arg({ type: 'Date', required: true, description: 'The day, which must be over.' }),
      frames: t.arg.boolean({ description: 'True reads every moment instead of the 24-hour maxima.' }),
      notify: t.arg.boolean({ description: 'True announces what moments show at watched places to destinations, regardless of its age.' }),
    },
    resolve: async (_root, { day, frames, notify }, { app }) => {
      const synced = await syncRadarDay(app, day, { by: 'operator', frames: frames ?? false, notify: notify ?? false })
      const after = { day, imports: synced.imports.length, faults: synced.faults.length }
      // The import takes many transactions; the audit entry is written after the last one.
      await app.db.$transaction(async (tx) => auditWrite(tx, { kind: 'source', id: 'noaa_mesh', after }))
      return synced
    },
  }),
)
