import type { App } from '#domain/app.ts'
import { type LaneName, laneNames, type RunStatus } from '#domain/closed-sets.ts'
import { isMonitoring } from '#domain/monitoring/is-monitoring.ts'
import { type LaneState, lanes } from '#domain/monitoring/lanes.ts'

export interface RunView {
  object: 'monitoring_run'
  lane: LaneName
  lane_label: string
  status: RunStatus
  started_at: string
  finished_at: string | null
  watermark: string | null
  candidates: number
  written: number
  notified: number
  failure_reason: string | null
}

export interface LaneView {
  object: 'monitoring_lane'
  lane: LaneName
  lane_label: string
  state: LaneState
  last_complete_at: string | null
  watermark: string | null
  expected_every_seconds: number
}

/** Runs that the list shows: the newest. */
const RUNS_SHOWN = 100
/** Intervals without a complete pass after which a lane counts as stalled. */
const STALLED_AFTER_INTERVALS = 3

/** Returns the newest monitoring runs and the state of each lane. A quiet lane is not a stopped one. */
export async function listRuns(app: Pick<App, 'db' | 'clock' | 'config'>): Promise<{ data: RunView[]; lanes: LaneView[] }> {
  const runs = await app.db.monitoringRun.findMany({ orderBy: [{ started_at: 'desc' }, { id: 'desc' }], take: RUNS_SHOWN })
  return { data: runs.map(runView), lanes: await listLanes(app) }
}

/**
 * Deletes the runs that began before that time, except those shown and the last complete run of each lane, which
 * distinguishes quiet from stopped.
 */
export async function deleteOldRuns({ pool }: Pick<App, 'pool'>, since: Date): Promise<void> {
  await pool.query(DELETE_OLD_RUNS, [since])
}

const DELETE_OLD_RUNS = `
  DELETE FROM monitoring_runs r
   WHERE started_at < $1
     AND started_at < (SELECT started_at FROM monitoring_runs ORDER BY started_at DESC, id DESC OFFSET ${RUNS_SHOWN - 1} LIMIT 1)
     AND (status <> 'complete' OR EXISTS (
       SELECT FROM monitoring_runs later WHERE later.lane = r.lane AND later.started_at > r.started_at AND later.status = 'complete'))`

/** Returns the current state of each lane: off if monitoring is off and the lane never ran. */
export async function listLanes(app: Pick<App, 'db' | 'clock' | 'config'>): Promise<LaneView[]> {
  const watermarks = new Map((await app.db.lane.findMany()).map((row) => [row.lane, row.watermark]))
  const now = app.clock.now()
  const states = laneNames.map(async (lane): Promise<LaneView> => {
    const { label, expected_every_seconds } = lanes[lane]
    const newest = await app.db.monitoringRun.findFirst({ where: { lane }, orderBy: [{ started_at: 'desc' }, { id: 'desc' }] })
    const complete = await app.db.monitoringRun.findFirst({
      where: { lane, status: 'complete' },
      orderBy: [{ started_at: 'desc' }, { id: 'desc' }],
    })
    const last = complete?.finished_at ?? null
    const first = complete ?? (await app.db.monitoringRun.findFirst({ where: { lane }, orderBy: [{ started_at: 'asc' }, { id: 'asc' }] }))
    return {
      object: 'monitoring_lane',
      lane,
      lane_label: label,
      state: newest || isMonitoring(app) ? stateOf(newest?.status, last ?? first?.started_at ?? null, expected_every_seconds, now) : 'off',
      last_complete_at: stamp(last),
      watermark: stamp(watermarks.get(lane)),
      expected_every_seconds,
    }
  })
  return Promise.all(states)
}

/** @param since the end of the last complete run, or the start of the first run if none is complete; null if there was none */
function stateOf(newest: string | undefined, since: Date | null, expected_every_seconds: number, now: Date): LaneState {
  const overdue = !since || now.getTime() - since.getTime() > STALLED_AFTER_INTERVALS * expected_every_seconds * 1000
  if (newest === 'failed') return 'failing'
  if (overdue) return 'stalled'
  return newest === 'running' ? 'running' : 'quiet'
}

export type RunRow = Awaited<ReturnType<App['db']['monitoringRun']['findMany']>>[number]

/** A run of a lane as the API shows it. */
export function runView(run: RunRow): RunView {
  return {
    object: 'monitoring_run',
    lane: run.lane,
    lane_label: lanes[run.lane].label,
    status: run.status,
    started_at: run.started_at.toISOString(),
    finished_at: stamp(run.finished_at),
    watermark: stamp(run.watermark),
    candidates: run.candidates,
    written: run.written,
    notified: run.notified,
    failure_reason: run.failure_reason,
  }
}

function stamp(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null
}
