import type { App } from '#domain/app.ts'
import type { Clock } from '#domain/engines/clock.ts'

/** A clock that is set while a worker runs is noticed so soon. */
const MEASURE_EVERY_MS = 10_000
/** Less than this is the way to the database and back, and of no account to what a worker judges by it. */
const TOLERANCE_MS = 1000
/** More than this is a clock that somebody should look at. */
const WORTH_SAYING_MS = 60_000

/**
 * The database's time, as a clock. By it all workers agree on what is due, late or past its keeping: one whose machine is
 * a day ahead would else give up on what was just asked for, and forget keys that still stand.
 */
export async function followDatabaseClock({
  pool,
  clock,
  log,
}: Pick<App, 'pool' | 'clock' | 'log'>): Promise<{ clock: Clock; stop(): void }> {
  let ahead = await measure()
  if (Math.abs(ahead) > WORTH_SAYING_MS) log.warn({ ahead_ms: ahead }, 'this machine’s clock is not the database’s, which is followed')
  const timer = setInterval(() => {
    measure().then(
      (ms) => {
        ahead = ms
      },
      // Without an answer what was measured last holds on.
      () => {},
    )
  }, MEASURE_EVERY_MS)
  timer.unref()
  return { clock: { now: () => new Date(clock.now().getTime() - ahead) }, stop: () => clearInterval(timer) }

  /** Milliseconds by which our clock is ahead; negative where it is behind. */
  async function measure(): Promise<number> {
    const asked = clock.now().getTime()
    const { rows } = await pool.query<{ now: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now')
    const ms = (asked + clock.now().getTime()) / 2 - (rows[0]?.now as number)
    return Math.abs(ms) < TOLERANCE_MS ? 0 : Math.round(ms)
  }
}
