import type { Ability } from '#domain/access/abilities.ts'
import { hashToken } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { momentForStore } from '#domain/engines/clock.ts'
import type { Verdict } from '#domain/engines/limiter.ts'

type Gate = Pick<App, 'pool' | 'limiter' | 'clock' | 'config'>

/** A token in force with its team, as the database's function `admit` reads them. */
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
 * Reads a token and counts one request of it, in one round trip. Requests that arrive together share the trip, so a
 * busy server asks less often than it is asked. Null for a token that is not in force.
 *
 * Requests are counted by the token's hash: where the log lies outside the database they are counted while the token is
 * still looked up, and what is forged with a known prefix must not use up the minute of the token that has it.
 */
export async function admit(gate: Gate, token: string): Promise<{ row: AdmittedToken; verdict: Verdict } | null> {
  const limit = gate.config.rate_limit_per_minute
  const hash = hashToken(token)
  if (gate.limiter.in_database) return read(gate, hash, limit)
  const [found, verdict] = await Promise.all([read(gate, hash, null), gate.limiter.hit(hash, limit, 1, momentForStore(gate.clock))])
  return found && { row: found.row, verdict }
}

type Found = { row: AdmittedToken; verdict: Verdict } | null

/** Requests that wait for the next trip, by the hash of their token. */
interface Batch {
  waiting: Map<string, { resolve(found: Found): void; reject(fault: unknown): void }[]>
  trips: number
}

/** Trips under way at once: while one is made, the next is filled. */
const TRIPS_MAX = 2

const batches = new WeakMap<App['pool'], Map<number | null, Batch>>()

/** @param cap null: the token is read and nothing is counted. */
function read(gate: Gate, hash: string, cap: number | null): Promise<Found> {
  const ofPool = batches.get(gate.pool) ?? new Map<number | null, Batch>()
  batches.set(gate.pool, ofPool)
  const batch = ofPool.get(cap) ?? { waiting: new Map(), trips: 0 }
  ofPool.set(cap, batch)
  return new Promise((resolve, reject) => {
    const alike = batch.waiting.get(hash)
    if (alike) alike.push({ resolve, reject })
    else batch.waiting.set(hash, [{ resolve, reject }])
    // What else arrived in this turn of the event loop joins the batch.
    if (batch.waiting.size === 1 && !alike) setImmediate(() => flush(gate, batch, cap))
  })
}

async function flush(gate: Gate, batch: Batch, cap: number | null): Promise<void> {
  if (batch.trips >= TRIPS_MAX || batch.waiting.size === 0) return
  const pending = batch.waiting
  batch.waiting = new Map()
  batch.trips += 1
  try {
    const found = await ask(gate, pending, cap)
    for (const [hash, requests] of pending) {
      const token = found.get(hash)
      for (const [place, { resolve }] of requests.entries()) resolve(token ? { row: token, verdict: verdictOf(token, place, cap) } : null)
    }
  } catch (fault) {
    for (const { reject } of [...pending.values()].flat()) reject(fault)
  } finally {
    batch.trips -= 1
    flush(gate, batch, cap)
  }
}

/** A row of `admit`: of the requests counted, the first `granted` fit into what was `free`. */
type AdmittedRow = AdmittedToken & { granted: number; free: number; reset_at: Date }

const ADMIT = 'SELECT * FROM admit($1, $2, $3, $4)'

async function ask({ pool, clock }: Gate, pending: Batch['waiting'], cap: number | null): Promise<Map<string, AdmittedRow>> {
  const wanted = [...pending.values()].map((requests) => requests.length)
  const values = [[...pending.keys()], wanted, cap, momentForStore(clock)]
  const { rows } = await pool.query<AdmittedRow>({ name: 'admit', text: ADMIT, values })
  return new Map(rows.map((row) => [row.token_hash, row]))
}

function verdictOf({ granted, free, reset_at }: AdmittedRow, place: number, cap: number | null): Verdict {
  const allowed = place < granted
  return { limit: cap ?? 0, allowed, remaining: allowed ? free - place - 1 : free - granted, reset_at }
}
