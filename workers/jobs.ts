import { deleteUnnamedAddresses, mailAlertAddress } from '#domain/alerts/addresses.ts'
import { sendAlertMail } from '#domain/alerts/send-mail.ts'
import type { App } from '#domain/app.ts'
import { recountDays } from '#domain/archive/coverage/recount-days.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import { backfill } from '#domain/exposures/backfill.ts'
import { detect } from '#domain/exposures/detect.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { attestNewest } from '#domain/fingerprint-log/attest.ts'
import { deliver } from '#domain/integrations/deliver.ts'
import { mailDigest, sendDigest } from '#domain/integrations/digest.ts'
import { mailSwitchedOff } from '#domain/integrations/switched-off.ts'
import { runDurable, runWithRetry } from '#domain/kernel/durable-jobs.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import type { JobName, JobPayloads } from '#domain/kernel/outbox.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { drawAhead } from '#domain/maps/tile.ts'
import { lanes } from '#domain/monitoring/lanes.ts'
import { runLaneIfOn } from '#domain/monitoring/run-lane.ts'
import { mailSignInLink } from '#domain/people/sign-in-links.ts'
import { renewDue } from '#domain/plans/renewal.ts'
import { enrichFromRecords } from '#domain/properties/enrich.ts'
import { locateProperty } from '#domain/properties/locate.ts'
import { failRender, renderReport } from '#domain/reports/document/render.ts'
import { failReport } from '#domain/reports/fail.ts'
import { generateReport } from '#domain/reports/generate.ts'
import { resealValues } from '#domain/secret-keys/reseal.ts'
import { sweep } from '#workers/sweeper.ts'

/** How a job is run. Every job may run twice, or late: what it does is judged by the rows it finds. */
export interface Job<Name extends JobName> {
  run(app: App, payload: JobPayloads[Name]): Promise<unknown>
  /** Tries in the queue. */
  attempts: number
  /** What is done about a job that failed at every try. */
  give_up?(app: App, payload: JobPayloads[Name]): Promise<unknown>
  /** Milliseconds before the second try; doubled before each further one. */
  backoff: number
  /** At once, in one worker process. */
  concurrency: number
  /** Milliseconds between runs of a job that nobody asks for. */
  every?: number
}

const SECOND = 1000

function lane(name: LaneName) {
  const every = lanes[name].expected_every_seconds * SECOND
  return { run: (app: App) => runLaneIfOn(app, name), attempts: 1, backoff: SECOND, concurrency: 1, every }
}

/** THE TABLE of jobs. A name without a row is not built: its outbox rows wait for it. */
export const jobs = {
  // Four at once keep two cores busy while some wait for the geocoder; the tries span 15 s, in which a database restarts.
  'report.generate': {
    run: (app, { report_id }) => generateReport(app, report_id),
    attempts: 5,
    give_up: (app, { report_id }) => failReport(app, report_id, 'internal_error'),
    backoff: SECOND,
    concurrency: 4,
  },
  // The schedule of tries is in the row; one at a time, for most geocoders ask not to be pressed.
  'property.locate': {
    run: (app, { lasting_id, property_id }) => runWithRetry(app, lasting_id, () => locateProperty(app, property_id)),
    attempts: 1,
    backoff: SECOND,
    concurrency: 1,
  },
  // With the same retries, from the provider of public records.
  'property.enrich': {
    run: (app, { lasting_id, property_id }) => runWithRetry(app, lasting_id, () => enrichFromRecords(app, lasting_id, property_id)),
    attempts: 1,
    backoff: SECOND,
    concurrency: 1,
  },
  // The schedule of attempts is in the row, so the queue tries only what threw; many at once, for most of a post is waiting.
  'delivery.send': { run: (app, { delivery_id }) => deliver(app, delivery_id), attempts: 3, backoff: SECOND, concurrency: 32 },
  // As above; few at once, for a mail server takes few connections.
  'alert.send': { run: (app, { mail_id }) => sendAlertMail(app, mail_id), attempts: 3, backoff: SECOND, concurrency: 4 },
  // As for a link to sign in: a second mail ends the link of the first.
  'alert_address.mail': {
    run: (app, { lasting_id, ...address }) => runWithRetry(app, lasting_id, () => mailAlertAddress(app, address)),
    attempts: 1,
    backoff: SECOND,
    concurrency: 1,
  },
  // With the retries of jobs that call another service: a mail server is one.
  'integration.switched_off': {
    run: (app, { lasting_id, integration_id }) => runWithRetry(app, lasting_id, () => mailSwitchedOff(app, integration_id)),
    attempts: 1,
    backoff: SECOND,
    concurrency: 1,
  },
  // A second try after the mail went out sends another link; the first no longer signs anybody in.
  'sign_in_link.mail': {
    run: (app, { lasting_id, link_id }) => runWithRetry(app, lasting_id, () => mailSignInLink(app, link_id)),
    attempts: 1,
    backoff: SECOND,
    concurrency: 4,
  },
  // Settled by its row: a second try finds it sent.
  'digest.send': { run: (app, payload) => sendDigest(app, payload), attempts: 3, backoff: 10 * SECOND, concurrency: 2 },
  // With the retries of jobs that call another service; few at once, as alerts.
  'digest.mail': {
    run: (app, { lasting_id, event_id }) => runWithRetry(app, lasting_id, () => mailDigest(app, event_id)),
    attempts: 1,
    backoff: SECOND,
    concurrency: 4,
  },
  // One at a time: what touches one team waits for it anyway. A lost database is back within the minute that the tries span.
  'detection.run': {
    run: (app, { lasting_id, ...task }) => runDurable(app, lasting_id, () => detect(app, task)),
    attempts: 6,
    backoff: 2 * SECOND,
    concurrency: 1,
  },
  'detection.backfill': {
    run: (app, { lasting_id, ...watch }) => runDurable(app, lasting_id, () => backfill(app, watch)),
    attempts: 6,
    backoff: 2 * SECOND,
    concurrency: 1,
  },
  // Five tries over about two and a half minutes; printing is bound by the processor and its pages.
  'report.render': {
    run: (app, { report_id }) => renderReport(app, report_id),
    attempts: 5,
    give_up: (app, { report_id }) => failRender(app, report_id),
    backoff: 10 * SECOND,
    concurrency: 2,
  },
  // Left to be done by a migration, once: some seconds for a month of radar.
  'coverage.recount': {
    run: (app, { lasting_id }) => runDurable(app, lasting_id, () => recountDays(app)),
    attempts: 6,
    backoff: 10 * SECOND,
    concurrency: 1,
  },
  // A run that fails is a run that says so: the next one goes on from there, at the pace that the lanes table promises.
  'lane.record': lane('record'),
  'lane.warnings': lane('warnings'),
  'lane.surfaces': lane('surfaces'),
  // Rendering does it before each document; this is for reports without one, and for the browser's bad days. A log of one second's grain would
  // only have more checkpoints.
  'log.append': {
    run: async (app) => {
      await appendPending(app)
      await attestNewest(app)
    },
    attempts: 3,
    backoff: SECOND,
    concurrency: 1,
    every: 5 * SECOND,
  },
  // A file of a year changes the maps by hundreds of batches: those of ten seconds are taken together. One at a time.
  'maps.refresh': {
    run: async (app) => drawAhead(app, (await refreshMaps(app)).lists),
    attempts: 3,
    backoff: 10 * SECOND,
    concurrency: 1,
    every: 10 * SECOND,
  },
  // Periods turn once a day at 00:00 UTC; by the hour, a turn missed while no worker ran is made up soon after.
  'plan.renew': { run: (app) => renewDue(app), attempts: 3, backoff: 30 * SECOND, concurrency: 1, every: HOUR_MS },
  // All addresses of all teams are looked through: 0.2 s of 200,000. Within some minutes of their hour they are forgotten.
  'alert_address.forget': { run: (app) => deleteUnnamedAddresses(app), attempts: 1, backoff: SECOND, concurrency: 1, every: 5 * MINUTE_MS },
  // Asked for after another key was put first; by the hour, what a process with the order before sealed meanwhile is made up.
  'secrets.reseal': { run: (app) => resealValues(app), attempts: 5, backoff: SECOND, concurrency: 1, every: HOUR_MS },
  // Nothing lost stays lost for more than a minute: the pending of 60 s, found within a further 15.
  sweep: { run: (app) => sweep(app), attempts: 1, backoff: SECOND, concurrency: 1, every: 15 * SECOND },
} satisfies { [Name in JobName]?: Job<Name> }

/** A job that has a row in the table. */
export type BuiltJob = keyof typeof jobs

export const builtJobs = Object.keys(jobs) as BuiltJob[]

/** The row of a name. */
export function jobOf(name: BuiltJob): Job<BuiltJob> {
  return jobs[name] as Job<BuiltJob>
}
