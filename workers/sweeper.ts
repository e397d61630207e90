import type { App } from '#domain/app.ts'
import { forgetOldImports } from '#domain/archive/import-runs.ts'
import { KEY_HOURS } from '#domain/idempotency.ts'
import { stageDue } from '#domain/integrations/deliver.ts'
import { stageDigests } from '#domain/integrations/digest.ts'
import { reissueLasting } from '#domain/lasting.ts'
import { forgetOldAnswers } from '#domain/monitoring/feed-states.ts'
import { forgetOldRuns } from '#domain/monitoring/runs.ts'
import { stage } from '#domain/outbox.ts'
import { tiersWith } from '#domain/plans/plans.ts'
import { failReport } from '#domain/reports/fail.ts'

/** A pending report whose job was issued so long ago is issued again: the job may be lost with its queue. */
const REISSUE_AFTER_MS = 60_000
/** A document that no browser could print is tried again so often until one can, though nobody asks for it. */
const PRINT_AGAIN_AFTER_MS = 600_000
/** Few at a time: without a browser each of them fails again. */
const PRINT_AGAIN_MAX = 20
/** A report pending for longer has failed. */
const PENDING_MAX_MS = 600_000
/** Reports taken up by one sweep: the next follows within seconds. */
const SWEEP_MAX = 500
/** Counted requests are kept for the window of 60 s, and as much again for clocks that differ. */
const HITS_KEPT_MS = 120_000
const HOUR_MS = 3_600_000
/** The contract's retention of events, and of the ledger of what was posted of them. */
const EVENTS_KEPT_MS = 90 * 24 * HOUR_MS
const LEDGER_KEPT_MS = EVENTS_KEPT_MS
/** What monitoring asked, read and did: for as long as an event stands, so does what brought it. */
const MONITORING_KEPT_MS = EVENTS_KEPT_MS

/** What a sweep does, in this order. */
const steps: Record<string, (app: App) => Promise<unknown>> = {
  timeOutReports,
  reissueReports,
  reissueLasting,
  stageDue,
  stageDigests,
  purge,
}

/**
 * Takes up what was lost, ends what took too long, and forgets what has had its time.
 * @throws Error once every other step is done, where one failed: each is logged by its name
 */
export async function sweep(app: App): Promise<void> {
  const failed: string[] = []
  for (const [step, take] of Object.entries(steps)) {
    try {
      await take(app)
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
    select: { id: true },
    take: SWEEP_MAX,
  })
  for (const { id } of late) await failReport(app, id, 'timed_out')
}

async function reissueReports(app: App): Promise<void> {
  await app.db.$transaction(async (tx) => {
    const lost = await tx.$queryRaw<{ id: string }[]>`
      UPDATE reports SET issued_at = ${app.clock.now()}
       WHERE id IN (SELECT id FROM reports WHERE status = 'pending' AND issued_at < ${before(app, REISSUE_AFTER_MS)}
                     ORDER BY issued_at LIMIT ${SWEEP_MAX} FOR UPDATE SKIP LOCKED)
      RETURNING id`
    for (const { id } of lost) await stage(tx, 'report.generate', { report_id: id })
    const unprinted = await tx.$queryRaw<{ id: string }[]>`
      UPDATE reports SET issued_at = ${app.clock.now()}
       WHERE id IN (SELECT id FROM reports WHERE status = 'complete' AND pdf_status IS NULL AND plan_tier = ANY(${tiersWith('pdf_export')})
                      AND issued_at < ${before(app, REISSUE_AFTER_MS)}
                     ORDER BY issued_at LIMIT ${SWEEP_MAX} FOR UPDATE SKIP LOCKED)
      RETURNING id`
    const unprintable = await tx.$queryRaw<{ id: string }[]>`
      UPDATE reports SET issued_at = ${app.clock.now()}
       WHERE id IN (SELECT id FROM reports WHERE status = 'complete' AND pdf_status = 'failed' AND issued_at < ${before(app, PRINT_AGAIN_AFTER_MS)}
                     ORDER BY issued_at LIMIT ${PRINT_AGAIN_MAX} FOR UPDATE SKIP LOCKED)
      RETURNING id`
    for (const { id } of [...unprinted, ...unprintable]) await stage(tx, 'report.render', { report_id: id })
  })
}

async function purge({ db, pool, clock }: App): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: { created_at: { lt: before({ clock }, KEY_HOURS * HOUR_MS) } } })
  await db.rateHit.deleteMany({ where: { at: { lt: before({ clock }, HITS_KEPT_MS) } } })
  await db.delivery.deleteMany({ where: { created_at: { lt: before({ clock }, LEDGER_KEPT_MS) } } })
  await db.event.deleteMany({ where: { created_at: { lt: before({ clock }, EVENTS_KEPT_MS) } } })
  for (const forget of [forgetOldRuns, forgetOldImports, forgetOldAnswers]) await forget({ pool }, before({ clock }, MONITORING_KEPT_MS))
}

function before({ clock }: Pick<App, 'clock'>, ms: number): Date {
  return new Date(clock.now().getTime() - ms)
}
