import type { App } from '#domain/app.ts'
import type { Clock } from '#domain/engines/clock.ts'
import { inTransaction } from '#domain/engines/database.ts'

/** How soon a change of the clock is noticed while a worker runs. */
const MEASURE_EVERY_MS = 10_000
/** Smaller differences come from the round trip to the database and do not matter to a worker. */
const TOLERANCE_MS = 1000
/** A clock that differs by more needs attention: it is logged, at the start or once it is set wrong. */
const LOG_THRESHOLD_MS = 60_000
const needsAttention = (ahead_ms: number) => Math.abs(ahead_ms) > LOG_THRESHOLD_MS

/**
 * A clock that follows the database. All workers thus agree on what is due, late or past its retention. A worker whose
 * machine is a day ahead would otherwise time out new reports and delete idempotency keys too early.
 */
export async function followDatabaseClock({
  pool,
  clock,
  log,
}: Pick<App, 'pool' | 'clock' | 'log'>): Promise<{ clock: Clock; stop(): void }> {
  let ahead = 0
  correctBy((await measure()).ahead)
  const timer = setInterval(() => {
    measure().then(
      (measured) => {
        if (measured.is_precise) correctBy(measured.ahead)
      },
      // If the database does not respond, the last measurement stays in use.
      () => {},
    )
  }, MEASURE_EVERY_MS)
  timer.unref()
  return { clock: { now: () => new Date(clock.now().getTime() - ahead) }, stop: () => clearInterval(timer) }

  function correctBy(ms: number): void {
    if (needsAttention(ms) && !needsAttention(ahead))
      log.warn({ ahead_ms: ms }, 'this machine’s clock differs from the database’s, which is used')
    ahead = ms
  }

  /**
   * `ahead`: milliseconds by which our clock is ahead; negative if it is behind. It is not precise if the database or this process took
   * long, or if our clock was set meanwhile.
   */
  async function measure(): Promise<{ ahead: number; is_precise: boolean }> {
    return inTransaction(pool, async (client) => {
      // Only now: a busy pool may have let it wait for a connection.
      const sentAt = clock.now().getTime()
      const { rows } = await client.query<{ now: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now')
      const receivedAt = clock.now().getTime()
      const ms = (sentAt + receivedAt) / 2 - (rows[0]?.now as number)
      return { ahead: Math.abs(ms) < TOLERANCE_MS ? 0 : Math.round(ms), is_precise: Math.abs(receivedAt - sentAt) < TOLERANCE_MS }
    })
  }
}
