import type { Ability } from '#domain/access/abilities.ts'
import { hashToken } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { momentForStore } from '#domain/engines/clock.ts'
import type { RateLimitResult } from '#domain/engines/limiter.ts'
import { sharedReadsOf } from '#domain/engines/shared-reads.ts'

type Gate = Pick<App, 'pool' | 'limiter' | 'clock' | 'config'>

/** A valid token with its team, as returned by the database function `admit`. */
export interface AdmittedToken {
  token_hash: string
  token_id: string
  token_name: string
  prefix: string
  abilities: Ability[]
  expires_at: Date | null
  last_used_at: Date
  team_id: string
  team_name: string
  timezone: string
  plan: TierId
  trial_ends_at: Date | null
  lapsed_at: Date | null
  limit_overrides: unknown
  team_created_at: Date
}

/**
 * Reads a token and counts one request, in one round trip. Requests that arrive together share the round trip, so a busy
 * server sends fewer queries than it gets requests. Null for an invalid token.
 *
 * Requests are counted by the token's hash, not its prefix: if the log is outside the database, counting starts before the
 * token is verified, and a forged token with a known prefix must not use up the real token's limit.
 */
export async function admit(gate: Gate, token: string): Promise<{ row: AdmittedToken; rate: RateLimitResult } | null> {
  const limit = gate.config.rate_limit_per_minute
  const hash = hashToken(token)
  if (gate.limiter.in_database) return read(gate, hash, limit)
  const [found, rate] = await Promise.all([read(gate, hash, null), gate.limiter.hit(hash, limit, 1, momentForStore(gate.clock))])
  return found && { row: found.row, rate }
}

/** Reads a token without counting a request. Null for an invalid token. */
export async function readToken(gate: Gate, token: string): Promise<AdmittedToken | null> {
  return (await read(gate, hashToken(token), null))?.row ?? null
}

/** Reads by rate limit: those that share a statement share the limit. */
const readsByCap = new Map<number | null, ReturnType<typeof sharedReadsOf<Gate, AdmittedRow>>>()

/** @param cap null: reads the token without counting. */
async function read(gate: Gate, hash: string, cap: number | null): Promise<{ row: AdmittedToken; rate: RateLimitResult } | null> {
  const readCounted =
    readsByCap.get(cap) ??
    sharedReadsOf(
      ({ pool }: Gate) => pool,
      (one, wanted) => queryTokens(one, wanted, cap),
    )
  readsByCap.set(cap, readCounted)
  const { row, place } = await readCounted(gate, hash)
  return row ? { row, rate: rateOf(row, place, cap) } : null
}

/** A row of `admit`: of the counted requests, the first `granted` fit into the `free` ones. */
type AdmittedRow = AdmittedToken & { granted: number; free: number; reset_at: Date }

const ADMIT = 'SELECT * FROM admit($1, $2, $3, $4)'

async function queryTokens(
  { pool, clock }: Gate,
  wanted: ReadonlyMap<string, number>,
  cap: number | null,
): Promise<Map<string, AdmittedRow>> {
  const values = [[...wanted.keys()], [...wanted.values()], cap, momentForStore(clock)]
  const { rows } = await pool.query<AdmittedRow>({ name: 'admit', text: ADMIT, values })
  return new Map(rows.map((row) => [row.token_hash, row]))
}

function rateOf({ granted, free, reset_at }: AdmittedRow, place: number, cap: number | null): RateLimitResult {
  const allowed = place < granted
  return { limit: cap ?? 0, allowed, remaining: allowed ? free - place - 1 : free - granted, reset_at }
}
