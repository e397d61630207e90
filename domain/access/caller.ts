import type { Ability } from '#domain/access/abilities.ts'
import type { ScopedDb } from '#domain/access/scope.ts'
import type { TeamRole } from '#domain/closed-sets.ts'
import type { Plan } from '#domain/plans/plans.ts'

/** The caller, built once for a request, with everything that a rule needs to know. */
export interface Caller {
  team: CallerTeam
  /** The current tier with the team's overrides applied. */
  plan: Plan
  abilities: ReadonlySet<Ability>
  token: CallerToken
  /** The signed-in person; null for a request with a token. */
  person: CallerPerson | null
  /** The Prisma client scoped to the team: rows of other teams are invisible. */
  db: ScopedDb
  /**
   * Reads the token or session again, for a request that has run or waited for a while, without counting a request.
   * @throws Refusal as for a new request that is not admitted
   */
  admitAgain(): Promise<Caller>
  /**
   * Call it after the body, which may take half a minute, and before a write that may have waited: a request that was admitted more than
   * a second ago is checked again.
   * @throws Refusal as for a new request that is not admitted, or whose token or person has lost an ability
   */
  requireAdmitted(): Promise<void>
}

/** The token of the request, or the session used instead. */
export interface CallerToken {
  id: string
  /** Key for counting the token's requests. */
  hash: string
  name: string
  /** First nine characters of the token; `session` for a session. */
  prefix: string
  expires_at: Date | null
  last_used_at: Date
}

/** A member of the team, signed in with a session. */
export interface CallerPerson {
  id: string
  email: string
  name: string | null
  role: TeamRole
  session_id: string
}

export interface CallerTeam {
  id: string
  name: string
  timezone: string
  on_trial: boolean
  /** If true, reads work, and writes that cost credits or watch a place are refused with 402 `lapsed`. */
  lapsed: boolean
  created_at: Date
}
