import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '#domain/engines/log.ts'
import { openPool } from '#domain/engines/pool.ts'
import { prepareScopes, scopedPool, sharedPool } from '#domain/engines/row-scope.ts'
import { messageOf } from '#domain/kernel/fault.ts'

/** Why the primary is asked instead. */
export type Unfit = 'away' | 'lagging'

/** A server that follows the primary and answers reads. */
export interface Replica {
  /** Sees every team's rows, as the primary's does. */
  pool: pg.Pool
  /** Null while it answers and is no further behind than it may be. The first call begins to watch it, and answers that it is away. */
  unfit(): Unfit | null
  /** How far behind the primary it is, in milliseconds; null while it is away. */
  lag(): number | null
  /** Fails with what is read as soon as the replica is found to be away: what stands still is not waited for. */
  whileItAnswers<Result>(read: Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** It is looked at so often. */
const LOOK_EVERY_MS = 250
/** A look that is not answered by then finds it away. With the pause between two looks, whoever waits for it does so for less than a second. */
const ANSWERS_WITHIN_MS = 600
/** What others than the team itself have changed, jobs and imports, may be seen so much later. */
const LAG_MAX_MS = 1000
/** What the primary had written, look by look: more than the lag that is allowed. */
const LOOKS_KEPT = 20

/** Where the primary's log stood at a moment of the process's own running time. */
interface Look {
  at: number
  lsn: number
}

/**
 * Opens a pool on the replica. Its lag is the age of the newest position of the primary's log that it has
 * replayed: a clock of neither server is asked.
 */
export function openReplica(replica_url: string, primary: pg.Pool, max: number, log: Log): Replica {
  const pool = scopedPool(openPool(replica_url, { max, application_name: 'weather', prepare: prepareScopes }), 'system')
  const watching = openPool(replica_url, { max: 1, application_name: 'weather replica' })
  const looks: Look[] = []
  const reads = new Set<(fault: Error) => void>()
  let state: { unfit: Unfit | null; lag: number | null } = { unfit: 'away', lag: null }
  let closed = false
  let watched: Promise<void> | undefined
  const becomes = (next: typeof state, reason?: string) => {
    if (next.unfit !== state.unfit) log.info({ unfit: next.unfit, lag_ms: next.lag, reason }, 'the replica')
    state = next
    if (next.unfit === 'away') for (const fail of reads) fail(AWAY())
  }
  const look = async () => {
    // Read first: what the replica has by then is compared with what the primary had before.
    const at = performance.now()
    looks.push({ at, lsn: await readLsn(sharedPool(primary), 'SELECT pg_current_wal_flush_lsn()::text AS lsn') })
    looks.splice(0, looks.length - LOOKS_KEPT)
    const replayed = await readLsn(watching, FOLLOWING)
    const newest = looks.findLast(({ lsn }) => lsn <= replayed)
    const lag = newest ? at - newest.at : Number.POSITIVE_INFINITY
    return { unfit: lag <= LAG_MAX_MS ? null : ('lagging' as const), lag }
  }
  const watch = async () => {
    while (!closed) {
      await within(ANSWERS_WITHIN_MS, look()).then(becomes, (fault) => becomes({ unfit: 'away', lag: null }, messageOf(fault)))
      await pause(LOOK_EVERY_MS)
    }
  }
  return {
    pool,
    unfit() {
      watched ??= watch()
      return state.unfit
    },
    lag: () => state.lag,
    async whileItAnswers(read) {
      let fail = (_: Error) => {}
      const lost = new Promise<never>((_, reject) => {
        fail = reject
      })
      reads.add(fail)
      return Promise.race([read, lost]).finally(() => reads.delete(fail))
    },
    async close() {
      closed = true
      await watched
      await Promise.all([pool.end(), watching.end()])
    },
  }
}

/** One that was made the primary replays nothing more: it follows nobody. */
const FOLLOWING = 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text AS lsn'

/** @throws Error where the server has no such position */
async function readLsn(pool: pg.Pool, text: string): Promise<number> {
  const { rows } = await pool.query<{ lsn: string | null }>(text)
  const [high, low] = rows[0]?.lsn?.split('/') ?? []
  if (!high || !low) throw new Error('the replica does not follow the primary')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(AWAY()), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const AWAY = () => new Error('The database does not answer: the replica.')
