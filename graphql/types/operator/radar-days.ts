import { auditWrite } from '#domain/audit/audit-log.ts'
import { type RadarDaySummary, syncRadarDay } from '#domain/maps/sync-radar-day.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'
import { ImportSummaryOf } from '#graphql/types/operator/archive.ts'

const RadarGridFault = builder.objectRef<RadarDaySummary['faults'][number]>('RadarGridFault').implement({
  description: 'A grid of radar that could not be used: nothing of it was kept.',
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
    day: t.expose('day', { type: 'Date', description: 'The day, by the clock of each place.' }),
    up_to_date: t.exposeBoolean('up_to_date', { description: 'True where all of it was read before.' }),
    grids: t.exposeInt('grids', { description: 'Grids of it that the bucket has, as far as they are wanted.' }),
    left: t.exposeInt('left', { description: 'How many of them are still to be read: the next call goes on there.' }),
    imports: t.expose('imports', { type: [ImportSummaryOf], description: 'The files read.' }),
    faults: t.expose('faults', { type: [RadarGridFault], description: 'The files that could not be used.' }),
  }),
})

builder.mutationField('archiveSyncRadarDay', (t) =>
  t.field({
    type: RadarDaySync,
    description: 'Keeps the largest hail of a past day of radar: by the largest of its 24 hours, or by its moments, some of them a call.',
    ...byOperator('archive'),
    args: {
      day: t.arg({ type: 'Date', required: true, description: 'The day, over by now.' }),
      frames: t.arg.boolean({ description: 'True reads every moment in the place of the largest of 24 hours.' }),
      notify: t.arg.boolean({ description: 'True announces what moments show at watched places to destinations, however old it is.' }),
    },
    resolve: async (_root, { day, frames, notify }, { app }) => {
      const synced = await syncRadarDay(app, day, { by: 'operator', frames: frames ?? false, notify: notify ?? false })
      const after = { day, imports: synced.imports.length, faults: synced.faults.length }
      // Of many transactions: the log has it when the last of them is over.
      await app.db.$transaction(async (tx) => auditWrite(tx, { kind: 'source', id: 'noaa_mesh', after }))
      return synced
    },
  }),
)
