import { deleteUnusedAddresses, mailAlertAddress } from '#domain/alerts/addresses.ts'
import { sendAlertMail } from '#domain/alerts/send-mail.ts'
import type { App } from '#domain/app.ts'
import { recountDays } from '#domain/archive/coverage/recount-days.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import { backfill } from '#domain/exposures/backfill.ts'
import { detect } from '#domain/exposures/detect.ts'
import { touchExposures } from '#domain/exposures/touch-exposures.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { attestNewest } from '#domain/fingerprint-log/attest.ts'
import { deliver } from '#domain/integrations/deliver.ts'
import { sendDigest } from '#domain/integrations/digest.ts'
import { mailDigest } from '#domain/integrations/digest-mail.ts'
import { mailSwitchedOff } from '#domain/integrations/switched-off.ts'
import { runDurable, runWithRetry, type TRIED_AGAIN } from '#domain/kernel/durable-jobs.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/kernel/durations.ts'
import type { DurableJob, JobName, JobPayloads } from '#domain/kernel/outbox.ts'
import { deleteUnusedPieces } from '#domain/maps/basemap/store.ts'
import { updateMaps } from '#domain/maps/update-maps.ts'
import { lanes } from '#domain/monitoring/lanes.ts'
import { runLaneIfOn } from '#domain/monitoring/run-lane.ts'
import { mailSignInLink } from '#domain/people/sign-in-links.ts'
import { renewDue } from '#domain/plans/renewal.ts'
import { enrichFromRecords } from '#domain/properties/enrich.ts'
import { locateProperty } from '#domain/properties/locate.ts'
import { markRenderFailed, renderReport } from '#domain/reports/document/render.ts'
import { clearDocuments } from '#domain/reports/document-store/clear-documents.ts'
import { failReport } from '#domain/reports/fail.ts'
import { generateReport } from '#domain/reports/generate.ts'
import { resealValues } from '#domain/secret-keys/reseal.ts'
import { sweep } from '#workers/sweeper.ts'

/** How a job runs. Every job may run twice or late, so it decides from the rows that it finds what to do. */
export interface Job<Name extends JobName> {
  /**
   * @param stop aborted when the process stops: a job that continues with other work then ends
   * @param restarted whether the queue repeats it, after a failure or the death of its process
   */
  run(app: App, payload: JobPayloads[Name], stop?: AbortSignal, restarted?: boolean): Promise<ResultOf<JobPayloads[Name]>>
  /** Attempts in the queue. */
  attempts: number
  /** Runs after the last attempt has failed. Jobs without it are issued again, by their schedule or because of a row that states what is to do. */
  give_up?(app: App, payload: JobPayloads[Name]): Promise<unknown>
  /** Milliseconds before the second attempt; doubled before each further one. */
  backoff: number
  /** Concurrent jobs in one worker process. */
  concurrency: number
  /** Milliseconds between runs of a scheduled job. */
  every?: number
}

/** A durable job returns whether it is done: the log and the metrics state it. */
type ResultOf<Payload> = Payload extends DurableJob ? typeof TRIED_AGAIN | undefined : unknown

function lane(name: LaneName) {
  const every = lanes[name].expected_every_seconds * SECOND_MS
  return {
    run: (app: App, _payload: object, stop?: AbortSignal) => runLaneIfOn(app, name, stop),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 1,
    every,
  }
}

/** The table of jobs. Outbox rows whose job has no row here wait until it has one. */
export const jobs = {
  // Four concurrent jobs keep two cores busy while some wait for the geocoder. The attempts span 15 s, enough for a database restart.
  'report.generate': {
    run: (app, { report_id }) => generateReport(app, report_id),
    attempts: 5,
    give_up: (app, { report_id }) => failReport(app, report_id, 'internal_error'),
    backoff: SECOND_MS,
    concurrency: 4,
  },
  // The durable row has the retry schedule. One at a time, because most geocoders ask clients to limit their rate.
  'property.locate': {
    run: (app, { lasting_id, property_id }) => runWithRetry(app, lasting_id, () => locateProperty(app, property_id)),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 1,
  },
  // Same retries as above; calls the provider of public records.
  'property.enrich': {
    run: (app, { lasting_id, property_id }) => runWithRetry(app, lasting_id, () => enrichFromRecords(app, lasting_id, property_id)),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 1,
  },
  // The delivery row has the schedule of attempts, so the queue retries only jobs that threw. Many at once, because a post mostly waits.
  'delivery.send': {
    run: (app, { delivery_id }, stop) => deliver(app, delivery_id, stop),
    attempts: 3,
    backoff: SECOND_MS,
    concurrency: 32,
  },
  // As above, but few at once, because a mail server accepts few connections.
  'alert.send': { run: (app, { mail_id }) => sendAlertMail(app, mail_id), attempts: 3, backoff: SECOND_MS, concurrency: 4 },
  // As for a sign-in link: a second mail invalidates the link of the first.
  'alert_address.mail': {
    run: (app, { lasting_id, ...address }) => runWithRetry(app, lasting_id, () => mailAlertAddress(app, address)),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 1,
  },
  // Retried like jobs that call another service, but for a day.
  'integration.switched_off': {
    run: (app, payload) => mailSwitchedOff(app, payload),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 1,
  },
  // A second attempt after the mail was sent sends another link, and the first link stops working.
  'sign_in_link.mail': {
    run: (app, { lasting_id, link_id }) => runWithRetry(app, lasting_id, () => mailSignInLink(app, link_id)),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 4,
  },
  // Its row decides: a second attempt finds the digest sent.
  'digest.send': { run: (app, payload) => sendDigest(app, payload), attempts: 3, backoff: 10 * SECOND_MS, concurrency: 2 },
  // Retried like jobs that call another service, but until noon; few at once, like alerts.
  'digest.mail': {
    run: (app, payload) => mailDigest(app, payload),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 4,
  },
  // One at a time, because work on the same team is serialised anyway. The attempts span a minute, enough for a lost database to return.
  'detection.run': {
    run: (app, { lasting_id, ...task }) => runDurable(app, lasting_id, () => detect(app, task)),
    attempts: 6,
    backoff: 2 * SECOND_MS,
    concurrency: 1,
  },
  'detection.backfill': {
    run: (app, { lasting_id, ...watch }) => runDurable(app, lasting_id, () => backfill(app, lasting_id, watch)),
    attempts: 6,
    backoff: 2 * SECOND_MS,
    concurrency: 1,
  },
  // Five attempts over about two and a half minutes. Printing is limited by the CPU and the browser's pages.
  'report.render': {
    run: (app, { report_id }, _stop, restarted) => renderReport(app, report_id, restarted),
    attempts: 5,
    give_up: (app, { report_id }) => markRenderFailed(app, report_id),
    backoff: 10 * SECOND_MS,
    concurrency: 2,
  },
  // The attempts span a minute, enough for a store to restart; then the sweep issues the job again until the files are gone.
  'document.clear': {
    run: (app, { lasting_id, report_id }) => runDurable(app, lasting_id, () => clearDocuments(app, report_id)),
    attempts: 6,
    backoff: 2 * SECOND_MS,
    concurrency: 2,
  },
  // The erasure of a person changed the texts. Apart from it, because it would keep the team's row locked for minutes.
  'exposures.touch': {
    run: (app, { lasting_id, ...task }) => runDurable(app, lasting_id, () => touchExposures(app, task)),
    attempts: 6,
    backoff: 2 * SECOND_MS,
    concurrency: 1,
  },
  // Staged once by a migration. Takes some seconds per month of radar.
  'coverage.recount': {
    run: (app, { lasting_id }) => runDurable(app, lasting_id, () => recountDays(app)),
    attempts: 6,
    backoff: 10 * SECOND_MS,
    concurrency: 1,
  },
  // A failed run records its failure. The next run continues from there, at the interval of the lanes table.
  'lane.record': lane('record'),
  'lane.warnings': lane('warnings'),
  'lane.surfaces': lane('surfaces'),
  // Rendering does this before each document. This job covers reports without a document, and times when the browser fails. A shorter
  // interval would only create more checkpoints.
  'log.append': {
    run: async (app) => {
      await appendPending(app)
      await attestNewest(app)
    },
    attempts: 3,
    backoff: SECOND_MS,
    concurrency: 1,
    every: 5 * SECOND_MS,
  },
  // Importing a yearly file changes the maps in hundreds of batches. The batches of ten seconds are handled together, one job at a time.
  'maps.refresh': {
    run: (app) => updateMaps(app),
    attempts: 3,
    backoff: 10 * SECOND_MS,
    concurrency: 1,
    every: 10 * SECOND_MS,
  },
  // Lists the store, so it runs less often than the sweep.
  'basemap.clear': { run: (app) => deleteUnusedPieces(app), attempts: 1, backoff: SECOND_MS, concurrency: 1, every: HOUR_MS },
  // Periods renew at 00:00 UTC. An hourly run soon catches up on renewals missed while no worker ran.
  'plan.renew': { run: (app) => renewDue(app), attempts: 3, backoff: 30 * SECOND_MS, concurrency: 1, every: HOUR_MS },
  // Scans all addresses of all teams: 0.2 s for 200,000. Addresses are deleted within some minutes after their hour.
  'alert_address.forget': {
    run: (app) => deleteUnusedAddresses(app),
    attempts: 1,
    backoff: SECOND_MS,
    concurrency: 1,
    every: 5 * MINUTE_MS,
  },
  // Requested after the first key changes. The hourly run reseals values that a process with the old order sealed meanwhile.
  'secrets.reseal': { run: (app) => resealValues(app), attempts: 5, backoff: SECOND_MS, concurrency: 1, every: HOUR_MS },
  // Lost work is found after at most 75 s: after 60 s pending, within a further 15 s.
  sweep: { run: (app) => sweep(app), attempts: 1, backoff: SECOND_MS, concurrency: 1, every: 15 * SECOND_MS },
} satisfies { [Name in JobName]?: Job<Name> }

/** The name of a job in the table. */
export type BuiltJob = keyof typeof jobs

export const builtJobs = Object.keys(jobs) as BuiltJob[]

/** Returns the row of a job. */
export function jobOf(name: BuiltJob): Job<BuiltJob> {
  return jobs[name] as Job<BuiltJob>
}
