import type { Caller } from '#domain/access/caller.ts'
import { withinTeam } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import type { Replica } from '#domain/engines/replica.ts'
import { isEngineUnavailable, isOutOfTime } from '#domain/kernel/engine-unavailable.ts'
import { codeOf } from '#domain/kernel/fault.ts'

/**
 * Reads for a team from the replica if it has all of the team's own writes, else from the primary. If the replica fails during the
 * read, the read runs again on the primary. `read` must not write, because it may run twice.
 *
 * Each write of a team adds to its audit log chain in the same transaction, and the head of the chain is a replicated row: a replica
 * with the same head as the primary has every write that was acknowledged before.
 */
export async function readFromReplica<Result>(app: App, caller: Caller, read: (app: App) => Promise<Result>): Promise<Result> {
  const { replica, metrics } = app
  if (!replica) return read(withinTeam(app, caller))
  const unfit = replica.unfit() ?? (await behind(app, replica, caller.team.id))
  if (!unfit) {
    try {
      const result = await replica.whileItAnswers(read(withinTeam({ ...app, pool: replica.pool }, caller)))
      metrics.reads.inc({ server: 'replica', reason: 'fresh' })
      return result
    } catch (fault) {
      // A query that is too expensive for one server is not sent to the other as well.
      if (isOutOfTime(fault) || (!isEngineUnavailable(fault) && codeOf(fault) !== CONFLICT)) throw fault
    }
  }
  metrics.reads.inc({ server: 'primary', reason: unfit ?? 'failed' })
  return read(withinTeam(app, caller))
}

/** The replica's error for a read that needs a row which the primary has vacuumed meanwhile. */
const CONFLICT = '40001'

const HEAD = 'SELECT sequence::int AS sequence FROM audit_chains WHERE team_id = $1'

async function behind(app: App, replica: Replica, team_id: string): Promise<'behind' | 'away' | null> {
  const ask = async (pool: App['pool']) => {
    const { rows } = await pool.query<{ sequence: number }>({ name: 'chain.head', text: HEAD, values: [team_id] })
    return rows[0]?.sequence ?? 0
  }
  const [written, replicated] = await Promise.all([ask(app.pool), replica.whileItAnswers(ask(replica.pool)).catch(() => null)])
  if (replicated === null) return 'away'
  return replicated < written ? 'behind' : null
}
