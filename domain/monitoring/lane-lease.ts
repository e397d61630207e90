import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#domain/app.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'

type Engines = Pick<App, 'pool' | 'clock'>

/** A lane that only this process runs until the lease ends. */
export interface LaneLease {
  lane: LaneName
  token: string
}

/** A lease not renewed for this long belongs to a dead process, or to one that has lost the database. */
const LEASE_MS = MINUTE_MS
/** A live process renews it this often, however long a file takes: one of the final record may take ten minutes. */
export const HEARTBEAT_MS = 20_000

/** Leases a lane; null if another process has it. */
export async function leaseLane({ pool, clock }: Engines, lane: LaneName): Promise<LaneLease | null> {
  const token = randomUUID()
  const now = clock.now()
  const { rowCount } = await pool.query(
    `INSERT INTO lanes AS l (lane, lease_token, leased_until) VALUES ($1, $2, $3)
     ON CONFLICT (lane) DO UPDATE SET lease_token = excluded.lease_token, leased_until = excluded.leased_until
      WHERE l.leased_until IS NULL OR l.leased_until < $4`,
    [lane, token, new Date(now.getTime() + LEASE_MS), now],
  )
  return rowCount === 1 ? { lane, token } : null
}

/** Returns false if another process has taken over the lane. */
export async function renewLease({ pool, clock }: Engines, { lane, token }: LaneLease): Promise<boolean> {
  const until = new Date(clock.now().getTime() + LEASE_MS)
  const { rowCount } = await pool.query('UPDATE lanes SET leased_until = $3 WHERE lane = $1 AND lease_token = $2', [lane, token, until])
  return rowCount === 1
}

/** Ends the lease before its time. */
export async function endLease({ pool }: Pick<App, 'pool'>, { lane, token }: LaneLease): Promise<void> {
  await pool.query('UPDATE lanes SET lease_token = NULL, leased_until = NULL WHERE lane = $1 AND lease_token = $2', [lane, token])
}

/** How often the lease of another process is read. */
const CHECK_INTERVAL_MS = 2000

/**
 * Waits until the lease of the lane ends. False if it is renewed or ended before: its process lives.
 * @param stop aborted when this process stops
 */
export async function waitUntilAbandoned({ pool, clock }: Engines, lane: LaneName, stop?: AbortSignal): Promise<boolean> {
  const leasedUntil = async () => {
    const { rows } = await pool.query<{ leased_until: Date | null }>('SELECT leased_until FROM lanes WHERE lane = $1', [lane])
    return rows[0]?.leased_until ?? null
  }
  const found = await leasedUntil()
  if (!found) return false
  for (const ends = performance.now() + LEASE_MS + CHECK_INTERVAL_MS; performance.now() < ends; await pause(CHECK_INTERVAL_MS)) {
    const until = await leasedUntil()
    if (stop?.aborted || until?.getTime() !== found.getTime()) return false
    if (until < clock.now()) return true
  }
  return false
}
