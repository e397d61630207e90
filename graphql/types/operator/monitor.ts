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
    description: 'State of each lane of monitoring.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => listLanes(app),
  }),
)

const WaitingJobsType = builder.objectRef<WaitingJobs>('WaitingJobs').implement({
  description: 'Pending jobs of one name.',
  subGraphs: ['operator'],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the job.' }),
    staged: t.exposeInt('staged', { description: 'Jobs staged in the outbox and not yet handed to the queue.' }),
    durable: t.exposeInt('durable', { description: 'Durable jobs not yet done.' }),
    retrying: t.exposeInt('retrying', { description: 'Durable jobs that have failed at least once.' }),
    crashing: t.exposeInt('crashing', {
      description: 'Jobs whose process died in each of their starts. They are issued once an hour.',
    }),
    oldest_at: t.expose('oldest_at', { type: 'DateTime', nullable: true, description: 'When the longest-waiting job was due.' }),
  }),
})

builder.queryField('waitingJobs', (t) =>
  t.field({
    type: [WaitingJobsType],
    description: 'Pending jobs, by name.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => listWaitingJobs(app),
  }),
)

builder.mutationField('monitorRun', (t) =>
  t.field({
    type: MonitoringRun,
    nullable: true,
    description:
      'Runs a lane of monitoring now. Returns null if another process is running it. Its count of exposures grows while they are detected.',
    ...byOperator('archive'),
    args: { lane: t.arg({ type: LaneName, required: true, description: 'The lane.' }) },
    resolve: async (_root, { lane }, { app }) => {
      const run = await runLane(app, lane)
      // The run takes many transactions; the audit entry is written after the last one.
      if (run) await app.db.$transaction(async (tx) => auditWrite(tx, { kind: 'lane', id: lane, after: run }))
      return run
    },
  }),
)
