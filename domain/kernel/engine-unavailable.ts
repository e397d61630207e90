import { type FaultFacts, hasFacts } from '#domain/kernel/fault.ts'

/** SQLSTATEs of a server that is unavailable: connection lost, too many connections, shutting down, starting, busy. */
const SQL_STATE = /^(08...|53300|57P0[123]|25006|57014|25P03)$/
/** Error codes of sockets and name lookups. */
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** Error codes of a disk, a mount or a bucket that is unavailable: the document store uses one of them. */
const DISK_CODES = new Set(['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOTCONN', 'ENOTDIR', 'EMFILE', 'ENFILE', 'STORE_AWAY'])
/** Prisma's codes: not reached, timed out, closed, no free connection, and a transaction that could not begin. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'])
/** Messages of the driver and its adapter that come without a code. */
const SENTENCES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|The database does not answer|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/
const ADAPTER_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'TooManyConnections', 'SocketTimeout'])
/** A deadlock and a lock timeout; Prisma's code for a deadlock of its own operations, and its adapter's. */
const LOCK_CODES = new Set(['40P01', '55P03', 'P2034'])
const LOCK_KIND = 'TransactionWriteConflict'
/** How deep the chain of causes is followed. */
const CAUSES_MAX = 5

/**
 * Whether a fault means that PostgreSQL, or another engine behind a socket or a mount, is unavailable: unreachable, full, stopping,
 * read-only after a failover, or too slow; or a transaction waited in vain for another. The same request can succeed a moment later.
 */
export function isEngineUnavailable(fault: unknown): boolean {
  return isLockFault(fault) || causesOf(fault).some(saysAway)
}

/** Whether the database ended a transaction because of a deadlock or a lock timeout: it may run again, since the failed run leaves nothing. */
export function isLockFault(fault: unknown): boolean {
  return causesOf(fault).some(
    ({ code, originalCode, kind }) => kind === LOCK_KIND || [code, originalCode].some((one) => LOCK_CODES.has(String(one))),
  )
}

/** Whether a statement reached its timeout (PostgreSQL's "query canceled"): the database is available, but the query was too large. */
export function isOutOfTime(fault: unknown): boolean {
  return causesOf(fault).some(({ code, originalCode }) => code === CANCELED || originalCode === CANCELED)
}

const CANCELED = '57014'

/** A fault and its causes, outermost first. */
function causesOf(fault: unknown): FaultFacts[] {
  const causes: FaultFacts[] = []
  let cause = fault
  while (causes.length < CAUSES_MAX && hasFacts(cause)) {
    causes.push(cause)
    const { cause: next, meta, errors }: FaultFacts = cause
    cause = next ?? meta?.driverAdapterError ?? errors?.[0]
  }
  return causes
}

function saysAway({ code, originalCode, kind, message }: FaultFacts): boolean {
  const codes = [code, originalCode].map(String)
  return (
    codes.some((one) => SQL_STATE.test(one) || SOCKET_CODES.has(one) || DISK_CODES.has(one) || PRISMA_CODES.has(one)) ||
    ADAPTER_KINDS.has(String(kind)) ||
    SENTENCES.test(String(message))
  )
}
