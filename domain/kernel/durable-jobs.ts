import type pg from 'pg'
import type { Logger } from 'pino'
import type { DurableJob, JobName, JobPayloads } from '#domain/kernel/outbox.ts'
import { RARELY_MS, runStarted, STARTS_MAX } from '#domain/kernel/starts.ts'
import { traceparent } from '#domain/kernel/trace.ts'
import type { Prisma } from '#generated/prisma/client.ts'

/** Jobs that no other table tracks: each has a row until it is done, so that no queue can lose it. */
type DurableJobName = { [Name in JobName]: JobPayloads[Name] extends DurableJob ? Name : never }[JobName]
type Task<Name extends DurableJobName> = Omit<JobPayloads[Name], keyof DurableJob>

/** A job that was issued this long ago and has not started is issued again: its queue may have lost it. */
export const LOST_AFTER_MS = 60_000
/** Jobs that one sweep reissues at most; the next sweep follows within seconds. */
const REISSUED_AT_ONCE = 500

/** Stages a durable job in the caller's transaction: the job exists exactly when the transaction's rows do. */
export async function stageDurable<Name extends DurableJobName>(
  tx: Pick<Prisma.TransactionClient, '$executeRawUnsafe'>,
  name: Name,
  task: Task<Name>,
): Promise<void> {
  await stageEachDurable(tx, name, [task])
}

/** Stages several durable jobs in one statement. */
export async function stageEachDurable<Name extends DurableJobName>(
  tx: Pick<Prisma.TransactionClient, '$executeRawUnsafe'>,
  name: Name,
  tasks: Task<Name>[],
): Promise<void> {
  await tx.$executeRawUnsafe(STAGE, name, JSON.stringify(tasks), traceparent())
}

/** Stages durable jobs in a transaction of a plain connection. */
export async function stageDurableOn<Name extends DurableJobName>(
  client: Pick<pg.ClientBase, 'query'>,
  name: Name,
  tasks: Task<Name>[],
): Promise<void> {
  await client.query(STAGE, [name, JSON.stringify(tasks), traceparent()])
}

const STAGED = `INSERT INTO outbox (name, payload, traceparent) SELECT job, task || jsonb_build_object('lasting_id', id)`
const WHEN_LOST = `now() + make_interval(secs => ${LOST_AFTER_MS / 1000})`

const STAGE = `
  WITH job_rows AS (
    INSERT INTO lasting_jobs (job, task, due_at) SELECT $1, value, ${WHEN_LOST} FROM jsonb_array_elements($2::jsonb) RETURNING id, job, task)
  ${STAGED}, $3::text FROM job_rows ORDER BY id`

/** Stages durable jobs that may not run before a time: the first sweep after it issues them. A job that already waits for that time is not staged again. */
export async function stageDurableAt<Name extends DurableJobName>(
  client: Pick<pg.ClientBase, 'query'>,
  name: Name,
  jobs: { task: Task<Name>; due_at: Date }[],
): Promise<void> {
  if (jobs.length > 0) await client.query(STAGE_AT, [name, JSON.stringify(jobs)])
}

const STAGE_AT = `
  INSERT INTO lasting_jobs (job, task, due_at)
  SELECT $1, later.task, later.due_at FROM jsonb_to_recordset($2::jsonb) AS later (task jsonb, due_at timestamptz)
   WHERE NOT EXISTS (SELECT FROM lasting_jobs l WHERE l.due_at = later.due_at AND l.job = $1 AND l.task = later.task)`

/** A running job renews its row this often, so that it is not considered lost. */
const HEARTBEAT_MS = 20_000

/**
 * Runs a staged job and deletes its row; does nothing if the job is already done. If the job throws, the row stays. A job that is issued once an
 * hour does not run when the queue itself repeats it after a death.
 */
export async function runDurable(
  { pool, log }: { pool: pg.Pool; log: Pick<Logger, 'error'> },
  id: number,
  work: () => Promise<unknown>,
): Promise<typeof TRIED_AGAIN | undefined> {
  const { rows } = await pool.query<{ starts: number }>(START, [id])
  const [row] = rows
  if (!row) return (await pool.query('SELECT FROM lasting_jobs WHERE id = $1', [id])).rowCount ? TRIED_AGAIN : undefined
  // If a heartbeat is lost, the worst case is that the work runs twice.
  const heartbeat = setInterval(() => void pool.query(RENEW, [id]).catch(() => {}), HEARTBEAT_MS)
  await runStarted({ pool, log }, { table: 'lasting_jobs', column: 'starts', id, starts: row.starts }, work).finally(() =>
    clearInterval(heartbeat),
  )
  await forget(pool, id)
  return undefined
}

/** @param starts SQL for the starts before this one */
const whenLost = (starts: string) =>
  `now() + make_interval(secs => CASE WHEN ${starts} < ${STARTS_MAX} THEN ${LOST_AFTER_MS / 1000} ELSE ${RARELY_MS / 1000} END)`
const RENEW = `UPDATE lasting_jobs SET due_at = ${whenLost('starts - 1')} WHERE id = $1`
/** The due time is at most a minute away after a job was issued, and an hour after a start of one that is issued rarely. */
const START = `
  UPDATE lasting_jobs SET due_at = ${whenLost('starts')}, starts = starts + 1
   WHERE id = $1 AND (starts < ${STARTS_MAX} OR due_at <= ${WHEN_LOST}) RETURNING starts`

/** Minutes before the second and each further try. By the last one a service that was down is back, or needs somebody's attention. */
export const RETRY_AFTER_MIN: readonly number[] = [1, 2, 4, 8]

/** How often a job is tried, if not on the usual schedule, and what is done when it is dropped. */
interface RetryOptions {
  /** Minutes before the next try after the given number of failed ones; undefined if none follows. */
  minutesAfter?(tries: number): Promise<number | undefined>
  giveUp?(): Promise<unknown>
}

/** What a run returns that failed, or did not start, and is followed by another. */
export const TRIED_AGAIN = Symbol('tried again')

/**
 * Runs a staged job that calls another service: retries are minutes apart, and the row stores their schedule.
 * @throws the fault of the last try; the job is then dropped
 */
export async function runWithRetry(
  { pool, log }: { pool: pg.Pool; log: Pick<Logger, 'warn' | 'error'> },
  id: number,
  work: () => Promise<unknown>,
  { minutesAfter = async (tries) => RETRY_AFTER_MIN[tries - 1], giveUp = async () => {} }: RetryOptions = {},
): Promise<typeof TRIED_AGAIN | undefined> {
  try {
    return await runDurable({ pool, log }, id, work)
  } catch (fault) {
    const { rows } = await pool.query<{ tries: number }>('UPDATE lasting_jobs SET tries = tries + 1 WHERE id = $1 RETURNING tries', [id])
    const [row] = rows
    if (!row) throw fault
    const again_in_min = await minutesAfter(row.tries)
    if (again_in_min === undefined) {
      await giveUp()
      await forget(pool, id)
      throw dropped(fault)
    }
    await pool.query('UPDATE lasting_jobs SET due_at = now() + make_interval(mins => $2) WHERE id = $1', [id, again_in_min])
    log.warn({ err: fault, again_in_min }, 'a job failed and is tried again')
    return TRIED_AGAIN
  }
}

/** Faults of jobs that were dropped with them. */
const faultsOfDropped = new WeakSet<object>()

function dropped(fault: unknown): unknown {
  if (typeof fault === 'object' && fault !== null) faultsOfDropped.add(fault)
  return fault
}

/** Whether the job that threw this has no row any more because of it: nothing issues it again. */
export function isDropped(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && faultsOfDropped.has(fault)
}

async function forget(pool: pg.Pool, id: number): Promise<void> {
  await pool.query('DELETE FROM lasting_jobs WHERE id = $1', [id])
}

/** Issues the jobs that are due: they failed and have waited, or they were issued or started long ago and are not done. */
export async function reissueDurable({ pool }: { pool: pg.Pool }): Promise<void> {
  await pool.query({ name: 'reissue_durable', text: REISSUE, values: [REISSUED_AT_ONCE] })
}

const REISSUE = `
  WITH due AS (
    UPDATE lasting_jobs SET due_at = ${WHEN_LOST}
     WHERE id = ANY (ARRAY(SELECT id FROM lasting_jobs l WHERE due_at < now()
                     AND NOT EXISTS (SELECT FROM outbox o WHERE o.name = l.job AND (o.payload ->> 'lasting_id')::bigint = l.id)
                   ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING id, job, task)
  ${STAGED}, NULL FROM due ORDER BY id`
