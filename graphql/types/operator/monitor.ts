import { recordWrite } from '#domain/audit/record.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'
import { LaneName, MonitoringRun } from '#graphql/types/monitoring-run.ts'

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
      if (run) await app.db.$transaction(async (tx) => recordWrite(tx, { kind: 'lane', id: lane, after: run }))
      return run
    },
  }),
)
