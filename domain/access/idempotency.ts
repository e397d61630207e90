import { createHash } from 'node:crypto'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { INSTALL } from '#domain/audit/audit-log.ts'
import type { Db, Tx } from '#domain/engines/database.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import { hasFacts } from '#domain/kernel/fault.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isOneOf, refuseField } from '#domain/kernel/validation.ts'
import { Prisma } from '#generated/prisma/client.ts'

/** A request that carries an Idempotency-Key. A key belongs to the team, whatever the endpoint; an operator's to the install. */
export interface IdempotentRequest {
  key: string
  method: string
  path: string
  /** The body as parsed. */
  body: unknown
}

/** Whose a key is, and the client that does the work: a caller of a team is one. */
export interface Holder<Client> {
  team: { id: string }
  db: { $transaction<Result>(work: (tx: Client) => Promise<Result>, options?: { timeout?: number }): Promise<Result> }
}

/** Operators belong to no team: their keys are the install's, whoever of them sends one, and no team's. */
export const heldByInstall = (db: Db): Holder<Tx> => ({ team: { id: INSTALL }, db })

/** Visible ASCII: a key that survives every proxy and log unchanged. */
export const KEY_PATTERN = '^[!-~]+$'
export const KEY_LENGTH_MAX = 255
const KEY = new RegExp(KEY_PATTERN)

/** @throws Refusal validation_failed for a key that is no key */
export function checkKey(key: string): string {
  if (KEY.test(key) && key.length <= KEY_LENGTH_MAX) return key
  return refuseField('idempotency_key', `The Idempotency-Key must have 1 to ${KEY_LENGTH_MAX} visible ASCII characters.`)
}

/** How long a key is kept. */
export const KEY_HOURS = 24

/** A create's transaction may last so long: a batch writes a hundred rows in it, each behind its team's lock. */
const TRANSACTION_MS = 30_000

/**
 * Does the work once for a key, in one transaction with the key's row: what was made, and that it was made, are
 * kept together or not at all. The outcome holds ids, never bodies: a replay reads the records as they stand.
 * Without a request the work is simply done in a transaction.
 * @throws Refusal `idempotency_in_flight` while the first is at work, `idempotency_key_reused` for another request.
 */
export async function once<Outcome, Client extends KeyClient = ScopedTx>(
  caller: Holder<Client>,
  request: IdempotentRequest | null,
  work: (tx: Client) => Promise<Outcome>,
  { timeout = TRANSACTION_MS, again }: OnceOptions<Outcome, Client> = {},
): Promise<{ outcome: Outcome; replayed: boolean }> {
  const inTransaction = () =>
    caller.db.$transaction(
      async (tx) => {
        if (!request) return { outcome: await work(tx), replayed: false }
        await lockKey(tx, caller.team.id, request.key)
        const kept = keptFor(request, (await tx.$queryRaw<StoredOutcome<Outcome>[]>(keptRow(caller.team.id, request.key)))[0])
        if (kept && !again) return { outcome: kept.outcome, replayed: true }
        const outcome = kept && again ? await again(tx, kept.outcome) : await work(tx)
        await keep(tx, caller.team.id, request, outcome)
        return { outcome, replayed: kept !== null }
      },
      { timeout },
    )
  return forTeam(caller.team.id, () => unlessBlocked(inTransaction))
}

/**
 * The same where what is made is shown once and kept nowhere, such as a token: whoever repeats the key has lost it, so that a repeat makes
 * another in its place.
 * @param work is handed what was kept of the one that was lost; answers what the key keeps, and what is shown
 */
export async function onceShown<Kept, Shown, Client extends KeyClient = ScopedTx>(
  caller: Holder<Client>,
  request: IdempotentRequest | null,
  work: (tx: Client, lost: Kept | null) => Promise<{ kept: Kept; shown: Shown }>,
): Promise<Shown> {
  const all: Shown[] = []
  const make = async (tx: Client, lost: Kept | null) => {
    const { kept, shown } = await work(tx, lost)
    all.push(shown)
    return kept
  }
  await once(caller, request, (tx) => make(tx, null), { again: make })
  // A transaction that is run again leaves nothing of the first run.
  return present(all.at(-1))
}

interface OnceOptions<Outcome, Client> {
  /** Milliseconds that the transaction may last. */
  timeout?: number
  /** What a replay does in the place of nothing, with the outcome that is kept; its own is kept from then on. */
  again?: (tx: Client, kept: Outcome) => Promise<Outcome>
}

/** What of a transaction keeps a key. */
export type KeyClient = Pick<Tx, '$queryRaw' | 'idempotencyKey'>

/**
 * Transactions of one team at once: they wait for the team's row, which a process that stands still may hold for seconds, and
 * must leave connections of the pool to other teams.
 */
const forTeam = concurrencyLimit(3)

/**
 * Of transactions that wait for each other all but one go on: a second meeting is rare, a third a fault of ours. A lock that is
 * waited for in vain is had the next time.
 */
const ATTEMPTS = 3

/**
 * Runs a transaction again where the database ended it for another's sake, as when two properties take each other's address
 * at once: no order of locks holds over unique keys; or where it waited too long. Nothing of the first run is left.
 */
async function unlessBlocked<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (fault) {
      if (attempt === ATTEMPTS || !wasBlocked(fault)) throw fault
    }
  }
}

/** PostgreSQL's 40P01, 40001 or 55P03, as Prisma reports it for its own operations and for raw statements. */
function wasBlocked(fault: unknown): boolean {
  if (!hasFacts(fault)) return false
  const said = fault.meta?.driverAdapterError
  const cause = hasFacts(said) && hasFacts(said.cause) ? said.cause : {}
  return fault.code === 'P2034' || cause.kind === 'TransactionWriteConflict' || isOneOf(BLOCKED, cause.originalCode)
}

/** A deadlock, a lock that was not to be had in time. */
const BLOCKED = ['40P01', '55P03']

/**
 * The outcome kept for the request, before anything else of it is judged; null where the key is free.
 * @throws Refusal `idempotency_key_reused` where another request used the key.
 */
export async function findOutcome<Outcome>(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Holder<unknown>, 'team'>,
  request: IdempotentRequest,
): Promise<{ outcome: Outcome } | null> {
  const { text, values } = keptRow(team.id, request.key)
  const { rows } = await pool.query<StoredOutcome<Outcome>>({ name: 'idempotency.peek', text, values })
  return keptFor(request, rows[0])
}

/** One request of a key at a time; the lock ends with the transaction, however it ends. */
async function lockKey(tx: KeyClient, team_id: string, key: string): Promise<void> {
  const [row] = await tx.$queryRaw<
    [{ taken: boolean }]
  >`SELECT pg_try_advisory_xact_lock(hashtextextended(${`${team_id} ${key}`}, 24)) AS taken`
  if (!row.taken) throw new Refusal('idempotency_in_flight', 'A request with this Idempotency-Key is being processed.', { retry_after: 1 })
}

interface StoredOutcome<Outcome> {
  method: string
  path: string
  body_hash: string
  outcome: Outcome
}

const keptRow = (team_id: string, key: string) => Prisma.sql`
  SELECT method, path, body_hash, outcome FROM idempotency_keys
   WHERE team_id = ${team_id}::uuid AND key = ${key} AND created_at > now() - make_interval(hours => ${KEY_HOURS})`

function keptFor<Outcome>(request: IdempotentRequest, kept: StoredOutcome<Outcome> | undefined): { outcome: Outcome } | null {
  if (!kept) return null
  if (kept.method !== request.method || kept.path !== request.path || kept.body_hash !== hashBody(request.body)) {
    throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was used for a different request.')
  }
  return { outcome: kept.outcome }
}

async function keep(tx: KeyClient, team_id: string, request: IdempotentRequest, outcome: unknown): Promise<void> {
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
