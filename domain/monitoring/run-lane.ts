import type { FeedEngines } from '#domain/archive/ingest/import.ts'
import { latestPlausible } from '#domain/archive/ingest/reject-impossible.ts'
import { deleteOldFrames } from '#domain/archive/radar/frames.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import { present } from '#domain/kernel/present.ts'
import { validationFailed } from '#domain/kernel/validation.ts'
import { isMonitoring } from '#domain/monitoring/is-monitoring.ts'
import { feedsOf, type LaneRun, readLaneFeed } from '#domain/monitoring/lane-feeds.ts'
import { endLease, HEARTBEAT_MS, leaseLane, renewLease, waitUntilAbandoned } from '#domain/monitoring/lane-lease.ts'
import { type RunRow, type RunView, runView } from '#domain/monitoring/runs.ts'

/**
 * Reads every feed of a lane once, in one process at a time: returns null if another process has the lane. A failing feed
 * affects only itself: what it returned before stays, the other feeds are read, and the run fails with the name of the feed
 * and the reason. The next run continues from where each feed stopped.
 * @throws Refusal validation_failed if monitoring is off
 */
export async function runLane(app: FeedEngines, lane: LaneName): Promise<RunView | null> {
  if (!isMonitoring(app))
    throw validationFailed({ lane: ['Monitoring is off: set WEATHER_CONTACT to an e-mail address that the agencies may write to.'] })
  const lease = await leaseLane(app, lane)
  if (!lease) return null
  const run: LaneRun = { ...lease, id: await openRun(app, lane), candidates: 0 }
  const failures: string[] = []
  // A missed renewal is made up by the next.
  const heartbeat = setInterval(() => void renewLease(app, run).catch(() => {}), HEARTBEAT_MS)
  try {
    for (const feed of feedsOf(lane)) {
      const failure = await readLaneFeed(app, run, feed)
      if (failure) failures.push(failure)
      if (!(await renewLease(app, run))) break
    }
    return await closeRun(app, run, failures.join(' ') || null)
  } finally {
    clearInterval(heartbeat)
    await endLease(app, lease)
  }
}

/**
 * Runs the lane on schedule; does nothing while monitoring is off. The queue repeats the job of a process that died within seconds, while the
 * lane is still leased to it: the job waits for the end of that lease, because the next one may be an hour away.
 * @param stop aborted when this process stops
 */
export async function runLaneIfOn(app: FeedEngines, lane: LaneName, stop?: AbortSignal): Promise<void> {
  if (!isMonitoring(app)) return
  if ((await runLane(app, lane)) === null && (await waitUntilAbandoned(app, lane, stop))) await runLane(app, lane)
}

/** Opens a run. Only one process has the lane, so a run of it that is still open died with its process. */
async function openRun({ pool, clock }: FeedEngines, lane: LaneName): Promise<number> {
  const now = clock.now()
  await pool.query(
    `UPDATE monitoring_runs SET status = 'failed', finished_at = $2, failure_reason = 'The process stopped.' WHERE lane = $1 AND status = 'running'`,
    [lane, now],
  )
  const { rows } = await pool.query<{ id: number }>('INSERT INTO monitoring_runs (lane, started_at) VALUES ($1, $2) RETURNING id', [
    lane,
    now,
  ])
  return present(rows[0]).id
}

/** Closes the run. The lane's watermark is that of its slowest feed. It never moves back, except from a time in the future. */
async function closeRun(app: FeedEngines, { id, lane, candidates, token }: LaneRun, failure: string | null): Promise<RunView> {
  const ids = feedsOf(lane)
    .filter(({ is_aid }) => !is_aid)
    .map(({ source }) => source.id)
  const now = app.clock.now()
  const { rows: marks } = await app.pool.query<{ watermark: Date | null }>(
    `UPDATE lanes SET watermark = greatest(CASE WHEN watermark <= $4 THEN watermark END, (
       SELECT CASE WHEN count(watermark) = cardinality($2::text[]) THEN min(watermark) END FROM feed_states WHERE url = ANY($2)))
      WHERE lane = $1 AND lease_token = $3 RETURNING watermark`,
    [lane, ids, token, latestPlausible(now)],
  )
  const { rows } = await app.pool.query<RunRow>(
    `UPDATE monitoring_runs SET status = $2, finished_at = $3, watermark = $4, candidates = $5, failure_reason = $6 WHERE id = $1 AND status = 'running'
     RETURNING *`,
    [id, failure ? 'failed' : 'complete', now, marks[0]?.watermark ?? null, candidates, failure],
  )
  const run = rows[0]
  if (!run) throw new Error(`the run ${id} of ${lane} was closed by another process`)
  if (lane === 'surfaces') await deleteOldFrames(app, app.config.mesh_retention_days)
  return runView(run)
}
