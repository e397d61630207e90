import { runLane } from '#domain/monitoring/run-lane.ts'
import { builder, operatorOnly } from '#graphql/builder.ts'
import { LaneName, MonitoringRun } from '#graphql/types/monitoring-run.ts'

builder.mutationField('monitorRun', (t) =>
  t.field({
    type: MonitoringRun,
    nullable: true,
    description:
      'Runs a lane of monitoring now: null where another process is at it. What it makes of the exposures is counted as it goes on.',
    subGraphs: operatorOnly,
    args: { lane: t.arg({ type: LaneName, required: true, description: 'The lane.' }) },
    resolve: (_root, { lane }, { app }) => runLane(app, lane),
  }),
)
