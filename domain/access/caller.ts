import type { Ability } from '#domain/access/abilities.ts'
import type { ScopedDb } from '#domain/access/scope.ts'
import type { TeamRole } from '#domain/closed-sets.ts'
import type { Plan } from '#domain/plans/plans.ts'

/** Who asks. Built once for a request; everything a rule needs to know about the asker is here. */
export interface Caller {
  team: CallerTeam
  /** The tier in force, the team's overrides already applied. */
  plan: Plan
  abilities: ReadonlySet<Ability>
  token: CallerToken
  /** Who is signed in; null where a token asks for itself. */
  person: CallerPerson | null
  /** The Prisma client scoped to the team: another team's row is not there. */
  db: ScopedDb
}

/** The token that asks, or the session that stands in its place. */
export interface CallerToken {
  id: string
  /** By it the token's requests are counted. */
  hash: string
  name: string
  /** First nine characters of the token; `session` for a session. */
  prefix: string
  expires_at: Date | null
  last_used_at: Date
}

/** Somebody of the team, in a session. */
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
  /** Reads go on; what costs or watches is refused with 402 `lapsed`. */
  lapsed: boolean
  created_at: Date
}
