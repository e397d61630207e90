import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '#domain/engines/log.ts'
import { openPool } from '#domain/engines/pool.ts'
import { prepareScopes, scopedPool } from '#domain/engines/row-scope.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { withTimeLimit } from '#domain/kernel/time-limit.ts'

/** Why the primary is used instead. */
export type UnusableReason = 'away' | 'lagging'

/** A read replica. */
export interface Replica {
  /** Sees every team's rows, as the primary's does. */
  pool: pg.Pool
  /** Null while it responds and its lag is within the limit. The first call starts the watch, and returns `away`. */
  unfit(): UnusableReason | null
  /** Its lag behind the primary, in milliseconds; null while it is unavailable. */
  lag(): number | null
  /** Returns the read, or fails as soon as the replica is found unavailable: a hanging replica is not waited for. */
  whileItAnswers<Result>(read: Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Interval of the health check. */
const CHECK_INTERVAL_MS = 250
/** Timeouts of a health check. Together with the pause between two checks, a read waits less than a second for a lost replica. */
const PRIMARY_ANSWERS_WITHIN_MS = 200
const REPLICA_ANSWERS_WITHIN_MS = 400
/** Maximum lag: changes not made by the team itself (jobs, imports) may appear this much later. */
const LAG_MAX_MS = 1000
/** Positions of the primary that are remembered: they span more than the maximum lag. */
const POSITIONS_KEPT = 20

/** Position that the primary's WAL had reached or passed at a moment; `at` is in milliseconds since the process started. */
interface WalPosition {
  at: number
  lsn: number
}

/**
 * Opens a pool on the replica. Its lag is the age of the newest position of the primary's WAL that it has
 * replayed, by this process's clock: no server clock is used. While the primary does not answer, the lag grows until the
 * replica is `lagging`.
 *
 * Checks have connections of their own: they do not wait for a free one in a busy pool.
 * @param primary_url the server itself, if requests use a pooler
 */
export function openReplica(replica_url: string, primary_url: string, max: number, log: Log): Replica {
  const pool = scopedPool(openPool(replica_url, { max, application_name: 'weather', prepare: prepareScopes }), 'system')
  const watching = (url: string) => openPool(url, { max: 1, application_name: 'weather replica' })
  const [primary, replica] = [watching(primary_url), watching(replica_url)]
  const positions: WalPosition[] = []
  const reads = new Set<(fault: Error) => void>()
  let state: { unfit: UnusableReason | null; lag: number | null } = { unfit: 'away', lag: null }
  let closed = false
  let watched: Promise<void> | undefined
  const setState = (next: typeof state, reason?: string) => {
    if (next.unfit !== state.unfit) log.info({ unfit: next.unfit, lag_ms: next.lag, reason }, 'the state of the replica changed')
    state = next
    if (next.unfit === 'away') for (const fail of reads) fail(unavailable('replica'))
  }
  const readPosition = unlessRunning(async () => {
    const at = performance.now()
    positions.push({ at, lsn: await readLsn(primary, WRITTEN) })
    positions.splice(0, positions.length - POSITIONS_KEPT)
  })
  const readReplayed = unlessRunning(() => readLsn(replica, REPLAYED))
  const checkReplica = async () => {
    const at = performance.now()
    // Read the primary first: the replica's later position is compared with it.
    const fault = await within(PRIMARY_ANSWERS_WITHIN_MS, 'primary', readPosition()).then(() => undefined, messageOf)
    const replayed = await within(REPLICA_ANSWERS_WITHIN_MS, 'replica', readReplayed())
    const newest = positions.findLast(({ lsn }) => lsn <= replayed)
    const lag = newest ? Math.max(0, at - newest.at) : Number.POSITIVE_INFINITY
    setState({ unfit: lag <= LAG_MAX_MS ? null : 'lagging', lag }, fault)
  }
  const watch = async () => {
    while (!closed) {
      await checkReplica().catch((fault) => setState({ unfit: 'away', lag: null }, messageOf(fault)))
      await pause(CHECK_INTERVAL_MS)
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
      await Promise.all([pool.end(), primary.end(), replica.end()])
    },
  }
}

const WRITTEN = 'SELECT pg_current_wal_flush_lsn()::text AS lsn'
/** A replica that was promoted replays nothing more. */
const REPLAYED = 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text AS lsn'

/** @throws Error if the server has no such position */
async function readLsn(pool: pg.Pool, text: string): Promise<number> {
  const { rows } = await pool.query<{ lsn: string | null }>(text)
  const [high, low] = rows[0]?.lsn?.split('/') ?? []
  if (!high || !low) throw new Error('the replica does not follow the primary')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** Returns the result of the run under way instead of starting another: runs that time out do not pile up. */
function unlessRunning<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

const within = <Result>(ms: number, server: Server, work: Promise<Result>) => withTimeLimit(ms, work, unavailable(server).message)

type Server = 'primary' | 'replica'
const unavailable = (server: Server) => new Error(`The database does not answer: the ${server}.`)
