import type { App } from '#domain/app.ts'
import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { newestCheckpoint } from '#domain/fingerprint-log/read.ts'
import { stampText } from '#domain/fingerprint-log/timestamp.ts'
import { askWitness } from '#domain/fingerprint-log/witnesses.ts'
import { messageOf } from '#domain/kernel/fault.ts'

type Attesting = Pick<App, 'pool' | 'config' | 'http' | 'clock' | 'log'>

/** A witness or authority that failed is not asked for this long, so that it delays only one document. */
const RETRY_AFTER_MS = 300_000

/**
 * Asks witnesses to cosign the newest checkpoint and the authority to stamp it, all concurrently, each with its own timeout of
 * a few seconds. None of them is required: a failure is logged, and the one that failed is not asked for a while.
 */
export async function attestNewest(app: Attesting): Promise<void> {
  const { log_witnesses, timestamp_url } = app.config
  if (log_witnesses.length === 0 && timestamp_url === null) return
  const newest = await newestCheckpoint(app.pool)
  if (!newest) return
  const { rows } = await app.pool.query<{ note: string }>({ name: 'log.own', text: STORED_CHECKPOINT, values: [newest.size] })
  const note = rows[0]?.note
  if (note === undefined) return
  await Promise.all([
    ...log_witnesses.map((witness) => withBackoff(app, witness.url, () => askWitness(app, witness, note))),
    ...(timestamp_url === null || newest.timestamp
      ? []
      : [withBackoff(app, timestamp_url, () => stampCheckpoint(app, timestamp_url, newest.size, note))]),
  ])
}

async function stampCheckpoint(app: Attesting, url: string, size: number, note: string): Promise<void> {
  const { token, at } = await stampText(app, url, readCheckpoint(note).text)
  await app.pool.query({ name: 'log.stamp', text: STAMP, values: [size, token, at] })
}

/** When each one that failed may be asked again, per install in this process. */
const left_alone = new WeakMap<App['pool'], Map<string, number>>()

async function withBackoff({ pool, clock, log }: Attesting, url: string, work: () => Promise<void>): Promise<void> {
  const until = left_alone.get(pool) ?? new Map<string, number>()
  left_alone.set(pool, until)
  if ((until.get(url) ?? 0) > clock.now().getTime()) return
  try {
    await work()
    until.delete(url)
  } catch (fault) {
    until.set(url, clock.now().getTime() + RETRY_AFTER_MS)
    log.warn({ host: new URL(url).host, reason: messageOf(fault) }, 'a checkpoint of the log of fingerprints was not attested')
  }
}

const STORED_CHECKPOINT = 'SELECT note FROM fingerprint_log_checkpoints WHERE size = $1::bigint'
const STAMP = 'INSERT INTO fingerprint_log_timestamps (size, token, at) VALUES ($1::bigint, $2, $3) ON CONFLICT DO NOTHING'
