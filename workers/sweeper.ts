import { KEY_HOURS } from '#domain/access/idempotency.ts'
import { failExhaustedMails } from '#domain/alerts/record-mail.ts'
import { stageDueMails } from '#domain/alerts/send-mail.ts'
import type { App } from '#domain/app.ts'
import { deleteOldAnswers } from '#domain/archive/feeds/feed-states.ts'
import { deleteUnusedFiles } from '#domain/archive/ingest/archive-files.ts'
import { deleteOldImports } from '#domain/archive/ingest/import-runs.ts'
import { dropOldObservations } from '#domain/archive/observations/years.ts'
import { clearOldVersions } from '#domain/archive/versions/clear-versions.ts'
import { deleteOldEntries } from '#domain/audit/delete-old.ts'
import { EVENTS_KEPT_DAYS } from '#domain/events/emit.ts'
import { failExhaustedDeliveries, stageDueDeliveries } from '#domain/integrations/deliver.ts'
import { stageDigests } from '#domain/integrations/digest.ts'
import { reissueDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { runTeamByTeam } from '#domain/kernel/team-by-team.ts'
import { deleteOldRuns } from '#domain/monitoring/runs.ts'
import { deleteOldCompanySignIns } from '#domain/people/company-sign-in.ts'
import { deleteOldChallenges } from '#domain/people/passkey-challenges.ts'
import { deleteTeamlessPeople } from '#domain/people/person.ts'
import { deleteEndedSessions } from '#domain/people/sessions.ts'
import { deleteOldLinks } from '#domain/people/sign-in-links.ts'
import { failReport } from '#domain/reports/fail.ts'
import { reissueReports } from '#domain/reports/reissue.ts'

/** A report that is pending for longer fails. */
const PENDING_MAX_MS = 600_000
/** Reports that one sweep times out. The next sweep follows within seconds. */
const SWEEP_MAX = 500
/** Counted requests are kept for the window of 60 s, plus 60 s for differing clocks. */
const RATE_HITS_KEPT_MS = 120_000
const EVENTS_KEPT_MS = EVENTS_KEPT_DAYS * DAY_MS
/** Deliveries are kept as long as the events that they post. */
const LEDGER_KEPT_MS = EVENTS_KEPT_MS
/** Records of monitoring are kept as long as the events that they caused. */
const MONITORING_KEPT_MS = EVENTS_KEPT_MS

/** Steps of a sweep, in order. */
const steps: Record<string, (app: App) => Promise<unknown>> = {
  timeOutReports,
  reissueReports,
  reissueDurable,
  failExhaustedDeliveries,
  stageDueDeliveries,
  stageDigests,
  failExhaustedMails,
  stageDueMails,
  purge,
  clearOldVersions,
  dropOldObservations,
  deleteOldEntries,
  deleteEndedSessions,
  deleteOldLinks,
  deleteOldChallenges,
  deleteOldCompanySignIns,
  deleteTeamlessPeople,
  clearDrafts,
  endStuckSessions,
}

/**
 * Reissues lost work, times out what took too long, and deletes what is past its retention.
 * @throws Error after all steps if any failed; each failed step is logged by name
 */
export async function sweep(app: App): Promise<void> {
  const failed: string[] = []
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run(app)
    } catch (fault) {
      failed.push(step)
      app.log.error({ step, err: fault }, 'a step of the sweep failed')
    }
  }
  if (failed.length > 0) throw new Error(`these steps of the sweep failed: ${failed.join(', ')}`)
}

async function timeOutReports(app: App): Promise<void> {
  const late = await app.db.report.findMany({
    where: { status: 'pending', created_at: { lt: before(app, PENDING_MAX_MS) } },
    select: { id: true, team_id: true },
    take: SWEEP_MAX,
  })
  await runTeamByTeam(app, late, 'the late reports of a team could not be failed', ({ id }) => failReport(app, id, 'timed_out'))
}

async function purge({ pool, clock }: App): Promise<void> {
  await deleteOldRows(pool, 'idempotency_keys', 'created_at', before({ clock }, KEY_HOURS * HOUR_MS))
  await deleteOldRows(pool, 'rate_hits', 'at', before({ clock }, RATE_HITS_KEPT_MS))
  await deleteOldRows(pool, 'deliveries', 'created_at', before({ clock }, LEDGER_KEPT_MS))
  await deleteOldRows(pool, 'alert_mails', 'created_at', before({ clock }, LEDGER_KEPT_MS))
  await deleteOldRows(pool, 'events', 'created_at', before({ clock }, EVENTS_KEPT_MS))
  for (const deleteOld of [deleteOldRuns, deleteOldImports, deleteUnusedFiles, deleteOldAnswers])
    await deleteOld({ pool }, before({ clock }, MONITORING_KEPT_MS))
}

/** No upload takes longer. */
const UPLOAD_MAX_MS = DAY_MS

/** Deletes partial files of killed imports. */
async function clearDrafts({ source_files, clock }: App): Promise<void> {
  await source_files?.clearDrafts(before({ clock }, UPLOAD_MAX_MS))
}

/** Rows deleted by one statement. A month's backlog takes many statements, each well within the statement timeout. */
const DELETED_AT_ONCE = 5000

async function deleteOldRows(pool: App['pool'], table: string, stamp: string, since: Date): Promise<void> {
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${stamp} < $1 LIMIT ${DELETED_AT_ONCE}))`
  let removed: number | null
  do ({ rowCount: removed } = await pool.query(text, [since]))
  while (removed === DELETED_AT_ONCE)
}

/** How long a statement may wait for its client, to receive rows from it or to send it results. */
const STUCK_AFTER_S = 30

/**
 * Terminates sessions of ours that wait for their client during a statement: the client process hung while it sent or received
 * rows, for which the server has no timeout.
 */
async function endStuckSessions({ pool, log }: App): Promise<void> {
  const { rowCount } = await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND application_name LIKE 'weather%'
        AND state = 'active' AND wait_event_type = 'Client' AND query_start < clock_timestamp() - make_interval(secs => $1)`,
    [STUCK_AFTER_S],
  )
  if (rowCount) log.warn({ sessions: rowCount }, 'sessions of a hung process were terminated')
}

function before({ clock }: Pick<App, 'clock'>, ms: number): Date {
  return new Date(clock.now().getTime() - ms)
}
