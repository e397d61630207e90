import { randomUUID } from 'node:crypto'
import type { App } from '#domain/app.ts'

/** How often a process says which secret keys it holds. */
const BEAT_MS = 20_000
/** A process that has said nothing for so long has been killed, or stands still. */
const GONE_AFTER_S = 65
/** Older rows answer nothing that is asked: links that a key signed end after minutes. */
const KEPT = '1 day'

/** Has this process say, while it runs, which secret keys it holds. */
export async function announceRing({ pool, config, log }: Pick<App, 'pool' | 'config' | 'log'>): Promise<{ end(): Promise<void> }> {
  const process_id = randomUUID()
  const key_ids = config.secret_keys.map(({ id }) => id)
  const beat = () =>
    pool.query(
      `INSERT INTO secret_key_rings (process_id, key_ids) VALUES ($1, $2)
       ON CONFLICT (process_id) DO UPDATE SET seen_at = now()`,
      [process_id, key_ids],
    )
  await pool.query(`DELETE FROM secret_key_rings WHERE seen_at < now() - interval '${KEPT}'`)
  await beat()
  const timer = setInterval(() => void beat().catch((fault) => log.debug({ err: fault }, 'the secret keys held were not noted')), BEAT_MS)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      // Whoever ends while the database is away is taken for gone after a minute.
      await pool.query('UPDATE secret_key_rings SET seen_at = now(), ended_at = now() WHERE process_id = $1', [process_id]).catch(() => {})
    },
  }
}

/** Processes that held the same keys in the same order. */
export interface AnnouncedRing {
  key_ids: string[]
  /** How many of them run. */
  running: number
  /** When the last of them was there, and seconds since, by the database's clock. */
  seen_at: Date
  seconds_ago: number
}

/** What the processes of the last day held, those that run and those that ended. */
export async function announcedRings({ pool }: Pick<App, 'pool'>): Promise<AnnouncedRing[]> {
  const { rows } = await pool.query<AnnouncedRing>(
    `SELECT key_ids, max(seen_at) AS seen_at, extract(epoch FROM now() - max(seen_at))::int AS seconds_ago,
            count(*) FILTER (WHERE ended_at IS NULL AND seen_at > now() - make_interval(secs => $1))::int AS running
       FROM secret_key_rings GROUP BY key_ids`,
    [GONE_AFTER_S],
  )
  return rows
}
