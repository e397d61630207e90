import type { App } from '#domain/app.ts'
import type { Reading } from '#domain/engines/metrics.ts'
import { present } from '#domain/kernel/present.ts'
import { isMonitoring } from '#domain/monitoring/is-monitoring.ts'
import { laneStates } from '#domain/monitoring/lanes.ts'
import { listLanes } from '#domain/monitoring/runs.ts'
import { countCrashingJobs } from '#domain/observability/waiting-jobs.ts'

/**
 * Declares the gauges that are read whenever metrics are collected: the connections of the process and the state of the
 * install. The gauges of the install are the same in every process.
 */
export function declareGauges(app: App): void {
  app.metrics.measure(connections, () => [
    { name: 'weather_database_pool_connections', labels: { state: 'busy' }, value: app.pool.totalCount - app.pool.idleCount },
    { name: 'weather_database_pool_connections', labels: { state: 'idle' }, value: app.pool.idleCount },
    { name: 'weather_database_pool_waiting', value: app.pool.waitingCount },
    { name: 'weather_database_pool_max', value: app.config.database_pool },
    ...lagOf(app.replica),
  ])
  app.metrics.measure(database, async () => {
    await app.pool.query('SELECT')
    return [{ name: 'weather_database_up', value: 1 }]
  })
  app.metrics.measure(install, async () => [...(await readBacklog(app)), ...(await readCrashing(app)), ...(await readLanes(app))])
}

/** Returns no reading if there is no replica, or none responds. */
function lagOf(replica: App['replica']): Reading<'weather_replica_lag_seconds'>[] {
  const lag = replica?.lag() ?? null
  return lag === null || !Number.isFinite(lag) ? [] : [{ name: 'weather_replica_lag_seconds', value: lag / 1000 }]
}

const connections = {
  weather_database_pool_connections: { help: 'Open connections of the process.', labels: ['state'] },
  weather_database_pool_waiting: { help: 'Statements that wait for a connection.' },
  weather_database_pool_max: { help: 'Connections that the process may open.' },
  weather_replica_lag_seconds: { help: 'Lag of the replica behind the primary; missing if no replica responds.' },
}

/** On its own: the backlog may be too large to count in time. */
const database = { weather_database_up: { help: '1 if the database responded; missing if it did not.' } }

const install = {
  weather_outbox_jobs: { help: 'Jobs that are staged and not yet handed to the queue.' },
  weather_outbox_oldest_seconds: { help: 'Age of the oldest staged job.' },
  weather_jobs_crashing: { help: 'Jobs whose process died in each of their starts: they are issued once an hour.', labels: ['job_name'] },
  weather_reports_pending: { help: 'Requested reports that are not yet complete.' },
  weather_reports_oldest_pending_seconds: { help: 'Age of the oldest pending report.' },
  weather_deliveries_waiting: { help: 'Deliveries that wait to be sent or tried again.', labels: ['status'] },
  weather_deliveries_overdue_seconds: {
    help: 'How long the most overdue delivery has been due. None is due while its receiver has asked for a pause.',
  },
  weather_monitoring_on: { help: '1 if the feeds are read.' },
  weather_lane_state: { help: '1 for the state that a lane of monitoring is in.', labels: ['lane', 'state'] },
  weather_lane_age_seconds: { help: 'Time since a pass of the lane last completed; missing before the first.', labels: ['lane'] },
  weather_lane_expected_seconds: { help: 'How often a pass is expected to complete.', labels: ['lane'] },
}
type Gauge = Reading<keyof typeof install>

interface Backlog {
  staged: number
  staged_age: number
  pending: number
  pending_age: number
  queued: number
  retrying: number
  overdue: number
}

async function readBacklog({ pool, clock }: App): Promise<Gauge[]> {
  const { rows } = await pool.query<Backlog>({ name: 'backlog', text: BACKLOG, values: [clock.now()] })
  const backlog = present(rows[0])
  return [
    { name: 'weather_outbox_jobs', value: backlog.staged },
    { name: 'weather_outbox_oldest_seconds', value: backlog.staged_age },
    { name: 'weather_reports_pending', value: backlog.pending },
    { name: 'weather_reports_oldest_pending_seconds', value: backlog.pending_age },
    { name: 'weather_deliveries_waiting', labels: { status: 'queued' }, value: backlog.queued },
    { name: 'weather_deliveries_waiting', labels: { status: 'retrying' }, value: backlog.retrying },
    { name: 'weather_deliveries_overdue_seconds', value: backlog.overdue },
  ]
}

/** Each part reads a small table or a partial index of unfinished rows. The outbox uses timestamps of the database's clock. */
const BACKLOG = `
  SELECT o.*, r.*, d.* FROM
    (SELECT count(*)::int AS staged, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS staged_age FROM outbox) o,
    (SELECT count(*)::int AS pending, coalesce(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS pending_age
       FROM reports WHERE status = 'pending') r,
    (SELECT count(*) FILTER (WHERE d.status = 'queued')::int AS queued, count(*) FILTER (WHERE d.status = 'retrying')::int AS retrying,
            greatest(coalesce(extract(epoch FROM $1::timestamptz - min(greatest(coalesce(d.next_attempt_at, d.created_at), i.held_until))), 0), 0)::float8 AS overdue
       FROM deliveries d LEFT JOIN integrations i ON i.id = d.integration_id AND i.active WHERE d.status IN ('queued', 'retrying')) d`

async function readCrashing(app: App): Promise<Gauge[]> {
  return (await countCrashingJobs(app)).map(({ name, crashing }) => ({
    name: 'weather_jobs_crashing',
    labels: { job_name: name },
    value: crashing,
  }))
}

async function readLanes(app: App): Promise<Gauge[]> {
  const on = { name: 'weather_monitoring_on', value: isMonitoring(app) ? 1 : 0 } as const
  const gauges = (await listLanes(app)).flatMap(({ lane, state, last_complete_at, expected_every_seconds }): Gauge[] => [
    ...laneStates.map((known) => ({ name: 'weather_lane_state' as const, labels: { lane, state: known }, value: known === state ? 1 : 0 })),
    { name: 'weather_lane_expected_seconds', labels: { lane }, value: expected_every_seconds },
    ...(last_complete_at
      ? [{ name: 'weather_lane_age_seconds' as const, labels: { lane }, value: secondsSince(app, last_complete_at) }]
      : []),
  ])
  return [on, ...gauges]
}

function secondsSince({ clock }: App, instant: string): number {
  return (clock.now().getTime() - Date.parse(instant)) / 1000
}
