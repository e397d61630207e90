import type { App } from '#domain/app.ts'
import { longQuery } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'

/** A violated invariant. */
export type InvariantViolation = {
  invariant: string
  team_id: string
  /** Id of the faulty row. */
  subject: string
  detail: string
}

/** Reads the invariant view, which is empty unless data is inconsistent. */
export function readInvariants({ pool }: Pick<App, 'pool'>): Promise<InvariantViolation[]> {
  return longQuery(sessionPool(pool), 'SELECT invariant, team_id, subject, detail FROM invariant_violations ORDER BY invariant, subject')
}
