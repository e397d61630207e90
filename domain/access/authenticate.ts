import { type AdmittedToken, admit, readToken } from '#domain/access/admit.ts'
import type { Caller } from '#domain/access/caller.ts'
import { permit } from '#domain/access/permit.ts'
import { countFailure, requireAllowed } from '#domain/access/rate-limit.ts'
import { type ScopedDb, scopedDb } from '#domain/access/scope.ts'
import { tokenLooksRight } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import { type Rate, Refusal } from '#domain/kernel/refusal.ts'
import { requireApiAccess } from '#domain/plans/ceilings.ts'
import { planOf, planStatus } from '#domain/plans/plans.ts'

type Gate = Pick<App, 'db' | 'pool' | 'limiter' | 'clock' | 'config'>

/** The caller, and the values of the rate headers. */
export interface Admission {
  caller: Caller
  rate: Rate
}

/**
 * Reads the token, its team and plan, and counts the request, in one round trip.
 * @param authorization the header as sent.
 * @param address the client's IP address, by which refused credentials are counted.
 * @throws Refusal `unauthenticated`, or `rate_limited` with the values of the rate headers.
 */
export async function authenticate(app: Gate, authorization: string | undefined, address?: string): Promise<Admission> {
  const token = bearerOf(authorization)
  const found = token && tokenLooksRight(token) ? await admit(app, token) : null
  if (!found) {
    if (address) await countFailure(app, address)
    throw unauthenticated(token)
  }
  const rate = requireAllowed(found.rate, app.clock)
  return { caller: callerOf(app, found.row, token), rate }
}

/** Returns the caller of an admitted request with the current token, team and plan. @throws Refusal unauthenticated, plan_limit */
async function authenticateAgain(app: Gate, token: string | null): Promise<Caller> {
  const row = token && (await readToken(app, token))
  if (!row) throw unauthenticated(token)
  const caller = callerOf(app, row, token)
  requireApiAccess(caller)
  return caller
}

const unauthenticated = (token: string | null) =>
  new Refusal(
    'unauthenticated',
    token ? 'This token is unknown, expired or revoked.' : 'Send a token in the header Authorization: Bearer wt_...',
  )

/** Returns the credential of an Authorization header as sent; null if it has none. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** The columns of a team that a caller needs. */
export type TeamColumns = Pick<
  AdmittedToken,
  'team_id' | 'team_name' | 'timezone' | 'plan' | 'trial_ends_at' | 'lapsed_at' | 'limit_overrides' | 'team_created_at'
>

function callerOf(app: Gate, row: AdmittedToken, token: string | null): Caller {
  return callerOfTeam(app, row, {
    abilities: new Set(row.abilities),
    token: {
      id: row.token_id,
      hash: row.token_hash,
      name: row.token_name,
      prefix: row.prefix,
      expires_at: row.expires_at,
      last_used_at: row.last_used_at,
    },
    person: null,
    admitAgain: () => authenticateAgain(app, token),
  })
}

/** How long an admission is enough for a write: a revoked token writes nothing after this time. */
const ADMITTED_FOR_MS = 1000

/** Builds a caller of the row's team from the given token or person. */
export function callerOfTeam(
  app: Pick<App, 'db' | 'clock'>,
  row: TeamColumns,
  who: Pick<Caller, 'abilities' | 'token' | 'person' | 'admitAgain'>,
): Caller {
  const now = app.clock.now()
  const admittedAt = performance.now()
  let db: ScopedDb | undefined
  return {
    team: { id: row.team_id, name: row.team_name, timezone: row.timezone, created_at: row.team_created_at, ...planStatus(row, now) },
    plan: planOf(row, now),
    ...who,
    async requireAdmitted() {
      if (performance.now() - admittedAt < ADMITTED_FOR_MS) return
      const again = await who.admitAgain()
      for (const ability of who.abilities) permit(again, ability)
    },
    // Created at first use: most reads use the pool.
    get db() {
      db ??= scopedDb(app.db, row.team_id)
      return db
    },
  }
}
