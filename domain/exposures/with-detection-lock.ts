import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { Team } from '#generated/prisma/client.ts'

/** A page is written in well under a second. The limit leaves time for a machine that swaps, and ends a stuck transaction. */
const TRANSACTION_TIMEOUT_MS = 120_000
/** The archive is read over another connection during the transaction; a process that stalls for this long loses its turn. */
const IDLE_TIMEOUT_MS = 10_000

/**
 * Runs work on a team's exposures in one transaction, one detection of a team at a time: each reads the archive after the
 * previous one has committed. Returns null, without running it, for a team that no longer exists.
 */
export async function withDetectionLock<Result>(
  app: Pick<App, 'db'>,
  team_id: string,
  work: (tx: Tx, team: Team) => Promise<Result>,
): Promise<Result | null> {
  return app.db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(IDLE_TIMEOUT_MS)}, true)`
      await lockDetection(tx, team_id)
      const team = await tx.team.findUnique({ where: { id: team_id } })
      return team && work(tx, team)
    },
    { timeout: TRANSACTION_TIMEOUT_MS },
  )
}

/** Waits for the team's running detection and blocks others until the transaction ends. */
export async function lockDetection(tx: Pick<Tx, '$queryRaw'>, team_id: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`detection ${team_id}`}, 0))::text`
}
