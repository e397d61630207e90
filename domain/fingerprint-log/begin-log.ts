import { createHash, createPublicKey } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { transact } from '#domain/engines/database.ts'
import { appendEntries, emptyLog, type LogState, lockLog, readState } from '#domain/fingerprint-log/append.ts'
import { endedLine, type LogHead, readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logKey, rotateLogKey } from '#domain/fingerprint-log/log-key.ts'
import { readHashes } from '#domain/fingerprint-log/read.ts'
import { NOTE_KEY_TYPES, signsNote } from '#domain/fingerprint-log/signed-note.ts'
import { LOG_NAME } from '#domain/kernel/setting-types.ts'
import { refuseField } from '#domain/kernel/validation.ts'

type Deps = Pick<App, 'pool' | 'db' | 'config' | 'clock' | 'log'>

/** A log that began, and the one that it followed. */
export interface BegunLog {
  origin: string
  size: number
  key_id: string
  ended: LogHead
}

/**
 * Ends the log and begins another under a new name and a new key, after a restore took the log back to an earlier state: what was
 * appended since would contradict what was published. The new log's first entry of its own is a hash of the statement that it
 * follows the old one, and every checkpoint of it repeats that statement. It also has the entries that the database still has, so
 * that their reports can be proven in it; it does not prove that it extends the old log.
 * @param published the last checkpoint of the old log that anybody kept, as it was served; null: the last one in the database
 * @throws Refusal validation_failed if the name was used before, or if the checkpoint is not one of this log or nothing of it was lost
 */
export async function beginLog(app: Deps, origin: string, published: string | null): Promise<BegunLog> {
  if (!LOG_NAME.test(origin)) refuseField('origin', 'The name must have 1 to 200 characters, without spaces and plus signs.')
  const current = await transact(app.pool, readState)
  const last = published === null ? current : await readPublished(app, current, published)
  if (!last) return refuseField('published', 'The log is empty: give the last checkpoint that was published, or set LOG_ORIGIN.')
  if ([last, ...(current?.ended ?? [])].some((log) => log.origin === origin))
    refuseField('origin', 'A log of this service already had this name: choose another.')
  const { key_id } = await rotateLogKey(app)
  const key = await logKey(app)
  const { ended, size } = await transact(app.pool, async (tx) => {
    await lockLog(tx)
    // A worker may have appended meanwhile: what it signed is part of the end, unless somebody kept more.
    const end = await readState(tx)
    const state: LogState = end ?? emptyLog(last.origin)
    if (state.origin !== last.origin) refuseField('origin', `The log has just got the name ${state.origin}.`)
    const { size, root } = (published === null && end) || last
    const ended: LogHead = { origin: last.origin, size, root }
    const begun = { origin, size: state.size, ended: [...state.ended, ended] }
    const note = await appendEntries(tx, begun, [beginEntry(origin, ended)], { key, now: app.clock.now() })
    return { ended, size: readCheckpoint(note).size }
  })
  app.log.warn({ origin, size, ended: ended.origin, key_id }, 'the log of fingerprints ended, and another began')
  return { origin, size, key_id, ended }
}

/** The entry with which a log begins after another one: 32 bytes, as every entry. */
export function beginEntry(origin: string, ended: LogHead): Buffer {
  return createHash('sha256')
    .update(`weather-log-begin/1\n${origin}\n${endedLine(ended)}`, 'utf8')
    .digest()
}

/** Reads the last checkpoint that was published, which the database lost. */
async function readPublished({ pool, db, config }: Deps, current: LogHead | null, note: string): Promise<LogHead> {
  const checkpoint = checkpointFrom(note)
  const origin = current?.origin ?? config.log_origin
  if (checkpoint.origin !== origin) refuseField('published', `The checkpoint is of ${checkpoint.origin}, but the log is ${origin}.`)
  const rows = await db.signingKey.findMany({ where: { purpose: 'log' }, select: { public_key: true } })
  const keys = rows.map(({ public_key }) => createPublicKey({ key: Buffer.from(public_key), format: 'der', type: 'spki' }))
  const isSigned = checkpoint.signatures.some((line) =>
    keys.some((key) => signsNote(checkpoint.text, line, { name: origin, type: NOTE_KEY_TYPES.ed25519, key })),
  )
  if (!isSigned) refuseField('published', 'No key of the log signed this checkpoint.')
  if (current && checkpoint.size > 0 && checkpoint.size <= current.size) {
    const [root] = await readHashes(pool, [{ start: 0, end: checkpoint.size }])
    if (root?.equals(checkpoint.root)) refuseField('published', 'The log has every entry of this checkpoint: nothing of it was lost.')
  }
  return checkpoint
}

/** Programs that keep a checkpoint may end it with further newlines. */
function checkpointFrom(note: string) {
  try {
    return readCheckpoint(`${note.trimEnd()}\n`)
  } catch {
    return refuseField('published', 'This is not a checkpoint, as /log/checkpoint returns one.')
  }
}
