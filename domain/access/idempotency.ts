import { createHash } from 'node:crypto'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { INSTALL } from '#domain/audit/audit-log.ts'
import type { Db, Tx } from '#domain/engines/database.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import { isLockFault } from '#domain/kernel/engine-unavailable.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal, retryLater } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { Prisma } from '#generated/prisma/client.ts'

/** A request with an Idempotency-Key. A key belongs to the team, across all endpoints; an operator's key to the install. */
export interface IdempotentRequest {
  key: string
  method: string
  path: string
  /** The body as parsed. */
  body: unknown
}

/** The owner of a key, and the client that does the work. A team's caller is a holder. */
export interface Holder<Client> {
  team: { id: string }
  db: { $transaction<Result>(work: (tx: Client) => Promise<Result>, options?: { timeout?: number }): Promise<Result> }
  /** As of a caller; absent for the service's own work. */
  requireAdmitted?(): Promise<void>
}

/** Returns the holder of operators' keys: operators belong to no team, so all their keys belong to the install. */
export const installHolder = (db: Db): Holder<Tx> => ({ team: { id: INSTALL }, db })

/** Visible ASCII, which every proxy and log keeps unchanged. */
export const KEY_PATTERN = '^[!-~]+$'
export const KEY_LENGTH_MAX = 255
const KEY = new RegExp(KEY_PATTERN)

/** @throws Refusal validation_failed for an invalid key */
export function checkKey(key: string): string {
  if (KEY.test(key) && key.length <= KEY_LENGTH_MAX) return key
  return refuseField('idempotency_key', `The Idempotency-Key must have 1 to ${KEY_LENGTH_MAX} visible ASCII characters.`)
}

/** How long a key is stored. */
export const KEY_HOURS = 24

/** Transaction timeout of a create: a batch writes a hundred rows, each behind its team's lock. */
const TRANSACTION_MS = 30_000

/**
 * Runs the work once for a key, in one transaction with the key's row: the result and the key are committed together or
 * not at all. The outcome contains ids, never bodies: a replay reads the records in their current state. Without a
 * request, the work just runs in a transaction.
 * @throws Refusal `idempotency_in_flight` while the first request runs, `idempotency_key_reused` for a different request; as for a new
 * request if this one has waited and is not admitted any more.
 */
export async function once<Outcome, Client extends KeyClient = ScopedTx>(
  caller: Holder<Client>,
  request: IdempotentRequest | null,
  work: (tx: Client) => Promise<Outcome>,
  { timeout = TRANSACTION_MS, onReplay }: OnceOptions<Outcome, Client> = {},
): Promise<{ outcome: Outcome; replayed: boolean }> {
  const inTransaction = async () => {
    await caller.requireAdmitted?.()
    return caller.db.$transaction(
      async (tx) => {
        if (!request) return { outcome: await work(tx), replayed: false }
        await lockKey(tx, caller.team.id, request.key)
        const stored = storedOutcomeFor(
          request,
          (await tx.$queryRaw<StoredOutcome<Outcome>[]>(storedOutcomeSql(caller.team.id, request.key)))[0],
        )
        if (stored && !onReplay) return { outcome: stored.outcome, replayed: true }
        const outcome = stored && onReplay ? await onReplay(tx, stored.outcome) : await work(tx)
        await storeOutcome(tx, caller.team.id, request, outcome)
        return { outcome, replayed: stored !== null }
      },
      { timeout },
    )
  }
  return perTeamLimit(caller.team.id, () => retryOnLockFault(inTransaction))
}

/**
 * Like `once`, for a result that is shown once and not stored, such as a token. A repeated key means that the result was lost, so a
 * repeat creates a replacement.
 * @param work receives what the key stored about the lost result; returns what the key stores, and what is shown
 */
export async function onceWithSecret<Kept, Shown, Client extends KeyClient = ScopedTx>(
  caller: Holder<Client>,
  request: IdempotentRequest | null,
  work: (tx: Client, lost: Kept | null) => Promise<{ kept: Kept; shown: Shown }>,
): Promise<Shown> {
  const results: Shown[] = []
  const make = async (tx: Client, lost: Kept | null) => {
    const { kept, shown } = await work(tx, lost)
    results.push(shown)
    return kept
  }
  await once(caller, request, (tx) => make(tx, null), { onReplay: make })
  // If the transaction was retried, only the last run took effect.
  return present(results.at(-1))
}

interface OnceOptions<Outcome, Client> {
  /** Transaction timeout in milliseconds. */
  timeout?: number
  /** Work for a replay, given the stored outcome; its own outcome replaces the stored one. */
  onReplay?: (tx: Client, kept: Outcome) => Promise<Outcome>
}

/** The part of a transaction that stores a key. */
export type KeyClient = Pick<Tx, '$queryRaw' | 'idempotencyKey'>

/**
 * Transactions of one team at once: they wait for the team's row, which a hanging process may lock for seconds, and must leave
 * connections of the pool to other teams.
 */
const perTeamLimit = concurrencyLimit(3)

/**
 * Of deadlocked transactions, the database ends one: a second deadlock in a row is rare, a third is a bug. A lock that timed out is
 * granted at the next attempt.
 */
const ATTEMPTS = 3

/**
 * Retries a transaction that the database ended because of a deadlock or a lock timeout. Deadlocks occur, for example, when two
 * properties swap addresses at the same time: unique keys cannot be locked in a fixed order. The failed run leaves nothing behind.
 */
async function retryOnLockFault<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (fault) {
      if (attempt === ATTEMPTS || !isLockFault(fault)) throw fault
    }
  }
}

/**
 * Returns the outcome stored for the request, before anything else of it is checked; null if the key is unused.
 * @throws Refusal `idempotency_key_reused` if a different request used the key.
 */
export async function findOutcome<Outcome>(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Holder<unknown>, 'team'>,
  request: IdempotentRequest,
): Promise<{ outcome: Outcome } | null> {
  const { text, values } = storedOutcomeSql(team.id, request.key)
  const { rows } = await pool.query<StoredOutcome<Outcome>>({ name: 'idempotency.peek', text, values })
  return storedOutcomeFor(request, rows[0])
}

/** Locks a key for one request; the lock ends with the transaction, however it ends. */
async function lockKey(tx: KeyClient, team_id: string, key: string): Promise<void> {
  const [row] = await tx.$queryRaw<
    [{ taken: boolean }]
  >`SELECT pg_try_advisory_xact_lock(hashtextextended(${`${team_id} ${key}`}, 24)) AS taken`
  if (!row.taken) throw retryLater('idempotency_in_flight', 'A request with this Idempotency-Key is being processed.', 1)
}

interface StoredOutcome<Outcome> {
  method: string
  path: string
  body_hash: string
  outcome: Outcome
}

const storedOutcomeSql = (team_id: string, key: string) => Prisma.sql`
  SELECT method, path, body_hash, outcome FROM idempotency_keys
   WHERE team_id = ${team_id}::uuid AND key = ${key} AND created_at > now() - make_interval(hours => ${KEY_HOURS})`

function storedOutcomeFor<Outcome>(request: IdempotentRequest, stored: StoredOutcome<Outcome> | undefined): { outcome: Outcome } | null {
  if (!stored) return null
  if (stored.method !== request.method || stored.path !== request.path || stored.body_hash !== hashBody(request.body)) {
    throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was used for a different request: send this one with a new key.')
  }
  return { outcome: stored.outcome }
}

async function storeOutcome(tx: KeyClient, team_id: string, request: IdempotentRequest, outcome: unknown): Promise<void> {
  const { key, method, path } = request
  const row = { team_id, key, method, path, body_hash: hashBody(request.body), outcome: outcome as Prisma.InputJsonValue }
  await tx.idempotencyKey.deleteMany({ where: { team_id, key } })
  await tx.idempotencyKey.create({ data: row })
}

function hashBody(body: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(body ?? null))
    .digest('hex')
}
