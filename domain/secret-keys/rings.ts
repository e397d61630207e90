import { randomUUID } from 'node:crypto'
import { STOP_LINK_DAYS } from '#domain/alerts/stop-link.ts'
import type { App } from '#domain/app.ts'
import { BadSettings } from '#domain/kernel/config.ts'
import { present } from '#domain/kernel/present.ts'

/** How often a process reports which secret keys it holds. */
const HEARTBEAT_MS = 20_000
/** A process that has reported nothing for this long was killed or has stalled. */
const STOPPED_AFTER_S = 65
/** Older rows are of no use: no link that a key signed needs it any longer. */
const KEPT = `${STOP_LINK_DAYS + 1} days`

/**
 * Makes this process report which secret keys it holds, for as long as it runs.
 * @throws BadSettings if it shares no key with the processes that run: neither would read what the other seals, and each would replace the
 * other's signing keys
 */
export async function announceRing({ pool, config, log }: Pick<App, 'pool' | 'config' | 'log'>): Promise<{ end(): Promise<void> }> {
  const process_id = randomUUID()
  const key_ids = config.secret_keys.map(({ id }) => id)
  const reportKeys = () =>
    pool.query(
      `INSERT INTO secret_key_rings (process_id, key_ids) VALUES ($1, $2)
       ON CONFLICT (process_id) DO UPDATE SET seen_at = now()`,
      [process_id, key_ids],
    )
  if (await isStranger(pool, key_ids)) throw new BadSettings([STRANGER])
  await pool.query(`DELETE FROM secret_key_rings WHERE seen_at < now() - interval '${KEPT}'`)
  await reportKeys()
  const timer = setInterval(
    () => void reportKeys().catch((fault) => log.debug({ err: fault }, 'the secret keys held were not recorded')),
    HEARTBEAT_MS,
  )
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      // If the database is unavailable when a process stops, the process counts as gone after a minute.
      await pool.query('UPDATE secret_key_rings SET seen_at = now(), ended_at = now() WHERE process_id = $1', [process_id]).catch(() => {})
    },
  }
}

const STRANGER = `WEATHER_SECRET_KEY has no key of the processes that run: give it theirs. If they were killed, and their keys are lost, start again after ${STOPPED_AFTER_S} s`

/** Whether processes run and none of them holds any of these keys. */
async function isStranger(pool: App['pool'], key_ids: string[]): Promise<boolean> {
  const { rows } = await pool.query<{ running: number; sharing: number }>(
    `SELECT count(*)::int AS running, count(*) FILTER (WHERE key_ids && $2)::int AS sharing
       FROM secret_key_rings WHERE ended_at IS NULL AND seen_at > now() - make_interval(secs => $1)`,
    [STOPPED_AFTER_S, key_ids],
  )
  const { running, sharing } = present(rows[0])
  return running > 0 && sharing === 0
}

/** Processes that held the same keys in the same order. */
export interface AnnouncedRing {
  key_ids: string[]
  /** How many of them are running. */
  running: number
  /** When one of them last reported, and the seconds since then, by the database's clock. */
  seen_at: Date
  seconds_ago: number
}

/** Returns the keys of the processes of the last 31 days, running and stopped. */
export async function announcedRings({ pool }: Pick<App, 'pool'>): Promise<AnnouncedRing[]> {
  const { rows } = await pool.query<AnnouncedRing>(
    `SELECT key_ids, max(seen_at) AS seen_at, extract(epoch FROM now() - max(seen_at))::int AS seconds_ago,
            count(*) FILTER (WHERE ended_at IS NULL AND seen_at > now() - make_interval(secs => $1))::int AS running
       FROM secret_key_rings GROUP BY key_ids`,
    [STOPPED_AFTER_S],
  )
  return rows
}
