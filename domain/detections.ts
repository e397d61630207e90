import type pg from 'pg'
import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { BackfillTask, DetectionTask } from '#domain/outbox.ts'

/** What detection has yet to look at is a row until it is done: nothing else would tell that a queue has lost it. */
interface Tasks {
  'detection.run': DetectionTask
  'detection.backfill': BackfillTask
}

/** Work that was issued so long ago, and has not begun since, is issued again: the job may be lost with its queue. */
const REISSUE_AFTER_S = 60
/** Taken up by one sweep: the next follows within seconds. */
const REISSUED_AT_ONCE = 500

/** Stages what is to be looked at in the caller's transaction: it exists exactly when the transaction's rows do. */
export async function stageLasting<Job extends keyof Tasks>(tx: Pick<Tx, '$executeRawUnsafe'>, job: Job, task: Tasks[Job]): Promise<void> {
  await tx.$executeRawUnsafe(STAGE, job, JSON.stringify([task]))
}

/** The same in a transaction of a plain connection. */
export async function stageLastingOn<Job extends keyof Tasks>(
  client: Pick<pg.ClientBase, 'query'>,
  job: Job,
  tasks: Tasks[Job][],
): Promise<void> {
  await client.query(STAGE, [job, JSON.stringify(tasks)])
}

const STAGED = `INSERT INTO outbox (name, payload) SELECT job, task || jsonb_build_object('detection_id', id)`

const STAGE = `
  WITH lasting AS (INSERT INTO detections (job, task) SELECT $1, value FROM jsonb_array_elements($2::jsonb) RETURNING id, job, task)
  ${STAGED} FROM lasting ORDER BY id`

/** Work that goes on says so often enough that nobody takes it for lost. */
const BEAT_MS = 20_000

/** Does staged work, and notes that it is done; nothing where that was done before. Where it throws, it stays to be done. */
export async function untilDone({ pool }: Pick<App, 'pool'>, detection_id: number, work: () => Promise<unknown>): Promise<void> {
  const goesOn = () => pool.query('UPDATE detections SET issued_at = now() WHERE id = $1', [detection_id])
  if ((await goesOn()).rowCount === 0) return
  // A beat that is lost costs at most that the work is done twice.
  const beat = setInterval(() => void goesOn().catch(() => {}), BEAT_MS)
  await work().finally(() => clearInterval(beat))
  await pool.query('DELETE FROM detections WHERE id = $1', [detection_id])
}

/** Issues again what was issued or begun long ago and is not done. */
export async function reissueDetections({ pool }: Pick<App, 'pool'>): Promise<void> {
  await pool.query({ name: 'reissue_detections', text: REISSUE, values: [REISSUE_AFTER_S, REISSUED_AT_ONCE] })
}

const REISSUE = `
  WITH lost AS (
    UPDATE detections SET issued_at = now()
     WHERE id IN (SELECT id FROM detections d WHERE issued_at < now() - make_interval(secs => $1)
                     AND NOT EXISTS (SELECT FROM outbox o WHERE o.name = d.job AND (o.payload ->> 'detection_id')::bigint = d.id)
                   ORDER BY issued_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id, job, task)
  ${STAGED} FROM lost ORDER BY id`
