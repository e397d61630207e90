import ipaddr from 'ipaddr.js'
import { auditedValues, type TargetKind } from '#domain/audit/audited-keys.ts'
import type { ActorKind } from '#domain/closed-sets.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'

/** One operation of one caller. */
export interface Operation {
  actor_kind: ActorKind
  actor: string
  /** Name of the GraphQL mutation, also for the matching REST endpoint. */
  operation: string
  /** The team of the caller; null for the operator and the service. */
  team_id: string | null
  request_id: string | null
  /** The client's full IP address; `networkOf` shortens it. */
  address: string | null
}

/** A write of a transaction, as the audit log records it. */
export interface AuditedWrite {
  /** The team whose chain records it; by default the caller's team, or else the install. */
  team_id?: string
  kind: TargetKind
  /** Null for a target without an id: a batch. */
  id: string | number | null
  before?: object | null
  after?: object | null
  /** Changed fields, including those whose values are not recorded. */
  changed?: readonly string[]
}

/** Team id of the install's own chain. */
export const INSTALL = '00000000-0000-0000-0000-000000000000'

/** The pending writes of each recorded transaction. */
const pendingWrites = new WeakMap<object, AuditedWrite[]>()

/**
 * Queues a row of the audit log, which the transaction writes as its last statement. Does nothing in a transaction without an audit
 * log, such as that of a job.
 */
export function auditWrite(tx: object, write: AuditedWrite): void {
  pendingWrites.get(tx)?.push(write)
}

/** A Prisma transaction that can send the statement. */
interface RawExecutor {
  $executeRaw(statement: TemplateStringsArray, ...values: unknown[]): Promise<number>
}

interface TransactionalClient {
  $transaction(work: (tx: never) => Promise<unknown>, options?: object): Promise<unknown>
}

/** Wraps a client so that each transaction ends with a row for every queued write: both are committed, or neither. */
export function withAuditLog<Client extends object>(db: Client, context: Operation): Client {
  const client = db as unknown as TransactionalClient
  const $transaction = (work: (tx: RawExecutor) => Promise<unknown>, options?: object) =>
    client.$transaction(async (tx: RawExecutor) => {
      const writes: AuditedWrite[] = []
      pendingWrites.set(tx, writes)
      const result = await work(tx)
      // Last, because the chain is locked from here to the end of the transaction.
      for (const write of writes) await appendEntry(tx, context, write)
      return result
    }, options)
  return new Proxy(db, { get: (_, key) => (key === '$transaction' ? $transaction : Reflect.get(db, key)) })
}

/** Adds a row at once, in a transaction of tagged statements that writes nothing afterwards. */
export async function appendEntry(tx: RawExecutor, context: Operation, write: AuditedWrite): Promise<void> {
  const { chain, entry } = rowOf(context, write)
  await tx.$executeRaw`SELECT append_audit(${chain}::uuid, ${entry}::json)`
}

/** Adds a row in the open transaction of a pool connection. */
export async function appendEntryOn(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  context: Operation,
  write: AuditedWrite,
): Promise<void> {
  const { chain, entry } = rowOf(context, write)
  await client.query('SELECT append_audit($1::uuid, $2::json)', [chain, entry])
}

function rowOf(context: Operation, { team_id, kind, id, before, after, changed }: AuditedWrite): { chain: string; entry: string } {
  const { actor_kind, actor, operation, request_id, address } = context
  const entry = {
    actor_kind,
    actor,
    operation,
    target_kind: kind,
    target_id: id === null ? null : String(id),
    before: auditedValues(kind, before),
    after: auditedValues(kind, after),
    changed: changed?.toSorted() ?? null,
    request_id,
    network: networkOf(address),
  }
  return { chain: team_id ?? context.team_id ?? INSTALL, entry: canonicalJson(entry) }
}

/** Returns 203.0.113.0/24 for 203.0.113.9, or the /48 of an IPv6 address: a network, not a household. Null if it is not an address. */
export function networkOf(address: string | null): string | null {
  const [plain = ''] = (address ?? '').split('%', 1)
  if (!ipaddr.isValid(plain)) return null
  const parsed = ipaddr.process(plain)
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/48`)}/48`
}
