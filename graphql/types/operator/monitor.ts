import { auditWrite } from '#domain/audit/audit-log.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { listLanes } from '#domain/monitoring/runs.ts'
import { listWaitingJobs, type WaitingJobs } from '#domain/observability/waiting-jobs.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'
import { LaneName, MonitoringLane, MonitoringRun } from '#graphql/types/monitoring-run.ts'

builder.queryField('lanes', (t) =>
  t.field({
    type: [MonitoringLane],
    description: 'How each lane of monitoring stands.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => listLanes(app),
  }),
)

const WaitingJobsRow = builder.objectRef<WaitingJobs>('WaitingJobs').implement({
  description: 'Jobs of one name that are still to be done.',
  subGraphs: ['operator'],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the job.' }),
    staged: t.exposeInt('staged', { description: 'Staged, and not yet handed to the queue.' }),
    durable: t.exposeInt('durable', { description: 'Rows until they are done.' }),
    retrying: t.exposeInt('retrying', { description: 'Of those, how many failed once at least.' }),
    oldest_at: t.expose('oldest_at', { type: 'DateTime', nullable: true, description: 'Since when the longest-waiting is due.' }),
  }),
})

builder.queryField('waitingJobs', (t) =>
  t.field({
    type: [WaitingJobsRow],
    description: 'What waits to be done, by name.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => listWaitingJobs(app),
  }),
)

builder.mutationField('monitorRun', (t) =>
  t.field({
    type: MonitoringRun,
    nullable: true,
    description:
      'Runs a lane of monitoring now: null where another process is at it. What it makes of the exposures is counted as it goes on.',
    ...byOperator('archive'),
    args: { lane: t.arg({ type: LaneName, required: true, description: 'The lane.' }) },
    resolve: async (_root, { lane }, { app }) => {
      const run = await runLane(app, lane)
      // Of many transactions: the log has it when the last of them is over.
      if (run) await app.db.$transaction(async (tx) => auditWrite(tx, { kind: 'lane', id: lane, after: run }))
      return run
    },
  }),
)
