import ipaddr from 'ipaddr.js'
import { auditedValues, type TargetKind } from '#domain/audit/audited-keys.ts'
import type { ActorKind } from '#domain/closed-sets.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'

/** One operation of one caller. */
export interface Operation {
  actor_kind: ActorKind
  actor: string
  /** Name of the GraphQL mutation, which REST's endpoints perform too. */
  operation: string
  /** The team of the caller; null for the operator and the service. */
  team_id: string | null
  request_id: string | null
  /** The client's address, whole: `networkOf` cuts it. */
  address: string | null
}

/** What a transaction writes, as the audit log records it. */
export interface AuditedWrite {
  /** Whose chain: left out, that of the caller's team, or the install's. */
  team_id?: string
  kind: TargetKind
  /** Null for what has none: a batch. */
  id: string | number | null
  before?: object | null
  after?: object | null
  /** Fields that changed, those too whose values are not shown. */
  changed?: readonly string[]
}

/** The team of the install's own chain. */
export const INSTALL = '00000000-0000-0000-0000-000000000000'

/** What was noted in each transaction that is recorded. */
const notes = new WeakMap<object, AuditedWrite[]>()

/**
 * Notes what a transaction writes: a row of the audit log, written as its last statement. Nothing where nobody asked for it, as in a job.
 */
export function auditWrite(tx: object, written: AuditedWrite): void {
  notes.get(tx)?.push(written)
}

/** What sends the statement of a row: a transaction of Prisma's. */
interface Sending {
  $executeRaw(statement: TemplateStringsArray, ...values: unknown[]): Promise<number>
}

interface Transacting {
  $transaction(work: (tx: never) => Promise<unknown>, options?: object): Promise<unknown>
}

/** The same client, whose transactions end with a row for what was noted in them: both are kept, or neither. */
export function withAuditLog<Client extends object>(db: Client, doing: Operation): Client {
  const client = db as unknown as Transacting
  const $transaction = (work: (tx: Sending) => Promise<unknown>, options?: object) =>
    client.$transaction(async (tx: Sending) => {
      const noted: AuditedWrite[] = []
      notes.set(tx, noted)
      const result = await work(tx)
      // Last: the chain is locked from here to the end of the transaction.
      for (const one of noted) await appendEntry(tx, doing, one)
      return result
    }, options)
  return new Proxy(db, { get: (_, key) => (key === '$transaction' ? $transaction : Reflect.get(db, key)) })
}

/** Adds a row at once: by whoever has a transaction of tagged statements, and writes nothing after it. */
export async function appendEntry(tx: Sending, doing: Operation, written: AuditedWrite): Promise<void> {
  const { chain, entry } = rowOf(doing, written)
  await tx.$executeRaw`SELECT append_audit(${chain}::uuid, ${entry}::json)`
}

/** The same on a connection of the pool's, in the transaction that it has open. */
export async function appendEntryOn(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  doing: Operation,
  written: AuditedWrite,
): Promise<void> {
  const { chain, entry } = rowOf(doing, written)
  await client.query('SELECT append_audit($1::uuid, $2::json)', [chain, entry])
}

function rowOf(doing: Operation, { team_id, kind, id, before, after, changed }: AuditedWrite): { chain: string; entry: string } {
  const { actor_kind, actor, operation, request_id, address } = doing
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
  return { chain: team_id ?? doing.team_id ?? INSTALL, entry: canonicalJson(entry) }
}

/** 203.0.113.0/24 of 203.0.113.9, or the /48 of an address of version 6: a network, and no household in it. Null for what is no address. */
export function networkOf(address: string | null): string | null {
  const [plain = ''] = (address ?? '').split('%', 1)
  if (!ipaddr.isValid(plain)) return null
  const parsed = ipaddr.process(plain)
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/48`)}/48`
}
