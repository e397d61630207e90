import type { App } from '#domain/app.ts'
import { LOST_AFTER_MS } from '#domain/kernel/durable-jobs.ts'
import { stageEach } from '#domain/kernel/outbox.ts'
import { RARELY_MS, STARTS_MAX } from '#domain/kernel/starts.ts'
import { tiersWith } from '#domain/plans/plans.ts'
import { Prisma } from '#generated/prisma/client.ts'

/** How often the sweep retries a document that no browser could print, until one can, even if nobody requests it. */
const PRINT_AGAIN_AFTER_MS = 600_000
/** Few at a time: without a browser each of them fails again, and new documents must not wait behind a whole lost store. */
const PRINT_AGAIN_MAX = 20
/** The most jobs that one sweep issues again; the next sweep follows within seconds. */
const REISSUED_AT_ONCE = 500

/** Issues jobs again that may be lost: of pending reports, and of documents that should exist and do not. */
export async function reissueReports(app: Pick<App, 'db' | 'clock'>): Promise<void> {
  const now = app.clock.now()
  await reissuePending(app, lostBefore(now))
  await app.db.$transaction(async (tx) => {
    const overdue = Prisma.sql`status = 'complete' AND pdf_status IS NULL AND plan_tier = ANY(${tiersWith('pdf_export')})
                        AND issued_at < ${lostBefore(now)} AND ${mayStart(now)}`
    const unprinted = await markIssued(tx, now, Prisma.sql`${overdue} AND NOT ${HAS_DOCUMENT}`, REISSUED_AT_ONCE)
    // These reports have a row of a printed document, whose file is gone.
    const withoutFile = await markIssued(tx, now, Prisma.sql`${overdue} AND ${HAS_DOCUMENT}`, PRINT_AGAIN_MAX)
    const failed = Prisma.sql`status = 'complete' AND pdf_status = 'failed' AND issued_at < ${before(now, PRINT_AGAIN_AFTER_MS)}
                        AND ${mayStart(now)}`
    const unprintable = await markIssued(tx, now, failed, PRINT_AGAIN_MAX)
    const jobs = [...unprinted, ...withoutFile, ...unprintable].map((report_id) => ({ report_id }))
    await stageEach(tx, 'report.render', jobs)
  })
}

/** SQL for the reports whose document may be printed now: one that killed its process each time only once an hour. */
export function mayStart(now: Date): Prisma.Sql {
  return Prisma.sql`(render_starts < ${STARTS_MAX} OR issued_at < ${before(now, RARELY_MS)})`
}

const HAS_DOCUMENT = Prisma.sql`EXISTS (SELECT FROM documents d WHERE d.report_id = r.id)`

/** Issues the jobs of pending reports again if they were issued before this moment. */
export async function reissuePending({ db, clock }: Pick<App, 'db' | 'clock'>, issued_before: Date): Promise<void> {
  await db.$transaction(async (tx) => {
    const lost = await markIssued(tx, clock.now(), Prisma.sql`status = 'pending' AND issued_at < ${issued_before}`, REISSUED_AT_ONCE)
    const jobs = lost.map((report_id) => ({ report_id }))
    await stageEach(tx, 'report.generate', jobs)
  })
}

/** Marks the reports that have waited longest for a job as issued now, and returns their ids. */
async function markIssued(tx: Prisma.TransactionClient, now: Date, condition: Prisma.Sql, max: number): Promise<string[]> {
  const marked = await tx.$queryRaw<{ id: string }[]>`
    UPDATE reports SET issued_at = ${now}
     WHERE id = ANY (ARRAY(SELECT id FROM reports r WHERE ${condition} ORDER BY issued_at LIMIT ${max} FOR UPDATE SKIP LOCKED))
    RETURNING id`
  return marked.map(({ id }) => id)
}

/** Returns the moment before which an issued job counts as lost with its queue; the sweep issues such jobs again. */
export function lostBefore(now: Date): Date {
  return before(now, LOST_AFTER_MS)
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}
