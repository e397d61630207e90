import { laneNames, runStatuses } from '#domain/closed-sets.ts'
import { laneStates } from '#domain/monitoring/lanes.ts'
import { type LaneView, listRuns, type RunView } from '#domain/monitoring/runs.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { enumOf } from '#graphql/enum.ts'

export const LaneName = enumOf('LaneName', laneNames, 'A lane of monitoring, named for what it reads.')
const RunStatus = enumOf('RunStatus', runStatuses, 'Status of a run.')
const LaneState = enumOf(
  'LaneState',
  laneStates,
  'State of a lane. Stalled: no run completed for three intervals. Off: it was never turned on.',
)

export const MonitoringRun = builder.objectRef<RunView>('MonitoringRun').implement({
  description: 'One run of a lane. Runs distinguish a quiet lane from a stopped one.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('monitoring_run')),
    lane: t.expose('lane', { type: LaneName, description: 'The lane that ran.' }),
    lane_label: t.exposeString('lane_label', { description: 'Name of the lane.' }),
    status: t.expose('status', { type: RunStatus, description: 'Status of the run.' }),
    started_at: t.expose('started_at', { type: 'DateTime', description: 'When it began.' }),
    finished_at: t.expose('finished_at', { type: 'DateTime', nullable: true, description: 'When it ended; null while it runs.' }),
    watermark: t.expose('watermark', { type: 'DateTime', nullable: true, description: 'The lane has read its sources up to this time.' }),
    candidates: t.exposeInt('candidates', { description: 'Number of records or warnings new to the lane.' }),
    written: t.exposeInt('written', { description: 'Number of exposures created or changed.' }),
    notified: t.exposeInt('notified', { description: 'Number of events emitted.' }),
    failure_reason: t.exposeString('failure_reason', { nullable: true, description: 'Why it failed; null if it did not.' }),
  }),
})

export const MonitoringLane = builder.objectRef<LaneView>('MonitoringLane').implement({
  description: 'State of a lane of monitoring.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('monitoring_lane')),
    lane: t.expose('lane', { type: LaneName, description: 'The lane.' }),
    lane_label: t.exposeString('lane_label', { description: 'Name of the lane.' }),
    state: t.expose('state', { type: LaneState, description: 'State of the lane.' }),
    last_complete_at: t.expose('last_complete_at', { type: 'DateTime', nullable: true, description: 'When a run last completed.' }),
    watermark: t.expose('watermark', { type: 'DateTime', nullable: true, description: 'The lane has read its sources up to this time.' }),
    expected_every_seconds: t.exposeInt('expected_every_seconds', { description: 'Seconds between two runs.' }),
  }),
})

interface RunList {
  object: 'list'
  data: RunView[]
  lanes: LaneView[]
}

const MonitoringRunList = builder.objectRef<RunList>('MonitoringRunList').implement({
  description: 'The newest runs, and the state of each lane.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('list')),
    data: t.expose('data', { type: [MonitoringRun], description: 'The newest 100 runs, newest first.' }),
    lanes: t.expose('lanes', { type: [MonitoringLane], description: 'State of each lane.' }),
  }),
})

builder.queryField('monitoringRuns', (t) =>
  t.field({
    type: MonitoringRunList,
    description: 'When monitoring last ran, and the state of each lane.',
    extensions: needs('account:read'),
    resolve: async (_root, _args, { app }) => ({ object: 'list' as const, ...(await listRuns(app)) }),
  }),
)
