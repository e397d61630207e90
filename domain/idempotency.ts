import { createHash } from 'node:crypto'
import type { ScopedDb, ScopedTx } from '#domain/access/scope.ts'
import type { Caller } from '#domain/caller.ts'
import { canonicalJson } from '#domain/canonical-json.ts'
import { refuseField } from '#domain/check.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Prisma } from '#generated/prisma/client.ts'

/** A request that carries an Idempotency-Key. A key belongs to the team, whatever the endpoint. */
export interface IdempotentRequest {
  key: string
  method: string
  path: string
  /** The body as parsed. */
  body: unknown
}

/** Visible ASCII: a key that survives every proxy and log unchanged. */
const KEY = /^[\x21-\x7e]{1,255}$/

/** @throws Refusal validation_failed for a key that is no key */
export function checkKey(key: string): string {
  return KEY.test(key) ? key : refuseField('idempotency_key', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/** How long a key is kept. */
export const KEY_HOURS = 24

/** A create waits so long for a connection when many arrive at once: a client's own patience. */
const CONNECTION_WAIT_MS = 15_000
/** And its transaction may last so long: a batch writes a hundred rows in it, each behind its team's lock. */
const TRANSACTION_MS = 30_000

/**
 * Does the work once for a key, in one transaction with the key's row: what was made, and that it was made, are
 * kept together or not at all. The outcome holds ids, never bodies: a replay reads the records as they stand.
 * Without a request the work is simply done in a transaction.
 * @throws Refusal `idempotency_in_flight` while the first is at work, `idempotency_key_reused` for another request.
 */
export async function once<Outcome>(
  caller: Pick<Caller, 'team' | 'db'>,
  request: IdempotentRequest | null,
  work: (tx: ScopedTx) => Promise<Outcome>,
): Promise<{ outcome: Outcome; replayed: boolean }> {
  return unlessDeadlocked(() =>
    caller.db.$transaction(
      async (tx) => {
        if (!request) return { outcome: await work(tx), replayed: false }
        await takeTurn(tx, caller.team.id, request.key)
        const kept = await readKept<Outcome>(tx, caller.team.id, request)
        if (kept) return { outcome: kept.outcome, replayed: true }
        const outcome = await work(tx)
        await keep(tx, caller.team.id, request, outcome)
        return { outcome, replayed: false }
      },
      { maxWait: CONNECTION_WAIT_MS, timeout: TRANSACTION_MS },
    ),
  )
}

/** Of transactions that wait for each other all but one go on: a second meeting is rare, a third a fault of ours. */
const ATTEMPTS = 3

/**
 * Runs a transaction again where the database ended it for another's sake, as when two properties take each other's address
 * at once: no order of locks holds over unique keys. Nothing of the first run is left.
 */
async function unlessDeadlocked<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (fault) {
      if (attempt === ATTEMPTS || !wasDeadlocked(fault)) throw fault
    }
  }
}

/** PostgreSQL's 40P01 or 40001, as Prisma tells it of an operation and of a statement of ours. */
function wasDeadlocked(fault: unknown): boolean {
  const { code, meta } = fault as { code?: string; meta?: { driverAdapterError?: { cause?: { kind?: string; originalCode?: string } } } }
  const cause = meta?.driverAdapterError?.cause
  return code === 'P2034' || cause?.kind === 'TransactionWriteConflict' || cause?.originalCode === '40P01'
}

/**
 * The outcome kept for the request, before anything else of it is judged; null where the key is free.
 * @throws Refusal `idempotency_key_reused` where another request used the key.
 */
export async function peek<Outcome>(caller: Pick<Caller, 'team' | 'db'>, request: IdempotentRequest): Promise<{ outcome: Outcome } | null> {
  return readKept<Outcome>(caller.db, caller.team.id, request)
}

/** One request of a key at a time; the lock ends with the transaction, however it ends. */
async function takeTurn(tx: ScopedTx, team_id: string, key: string): Promise<void> {
  const [row] = await tx.$queryRaw<
    [{ taken: boolean }]
  >`SELECT pg_try_advisory_xact_lock(hashtextextended(${`${team_id} ${key}`}, 24)) AS taken`
  if (!row.taken) throw new Refusal('idempotency_in_flight', 'A request with this Idempotency-Key is being processed.', { retry_after: 1 })
}

async function readKept<Outcome>(
  db: ScopedTx | ScopedDb,
  team_id: string,
  request: IdempotentRequest,
): Promise<{ outcome: Outcome } | null> {
  const rows = await db.$queryRaw<{ method: string; path: string; body_hash: string; outcome: Outcome }[]>`
    SELECT method, path, body_hash, outcome FROM idempotency_keys
     WHERE team_id = ${team_id}::uuid AND key = ${request.key} AND created_at > now() - make_interval(hours => ${KEY_HOURS})`
  const kept = rows[0]
  if (!kept) return null
  if (kept.method !== request.method || kept.path !== request.path || kept.body_hash !== hashBody(request.body)) {
    throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was used for a different request.')
  }
  return { outcome: kept.outcome }
}

async function keep(tx: ScopedTx, team_id: string, request: IdempotentRequest, outcome: unknown): Promise<void> {
  const { key, method, path } = request
  const row = { team_id, key, method, path, body_hash: hashBody(request.body), outcome: outcome as Prisma.InputJsonValue }
  await tx.idempotencyKey.deleteMany({ where: { key } })
  await tx.idempotencyKey.create({ data: row })
}

function hashBody(body: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(body ?? null))
    .digest('hex')
}
