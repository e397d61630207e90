import { type FaultFacts, hasFacts } from '#domain/kernel/fault.ts'

/** SQLSTATE classes and codes of a server that cannot be used now: lost connections, too many of them, shutting down, starting, busy. */
const SQL_STATE = /^(08...|53300|57P0[123]|25006|55P03|57014|25P03)$/
/** What sockets and name lookups say. */
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** What a disk or a mount says that cannot be used now, and a bucket: the store of documents is one. */
const DISK_CODES = new Set(['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOTCONN', 'ENOTDIR', 'EMFILE', 'ENFILE', 'STORE_AWAY'])
/** Prisma's: not reached, timed out, closed, no free connection, and a transaction that could not begin. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'])
/** What the driver and its adapter say without a code. */
const SENTENCES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|The database does not answer|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/
const ADAPTER_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'TooManyConnections', 'SocketTimeout'])
/** An error's causes are followed so far. */
const CAUSES_MAX = 5

/**
 * Whether something failed because PostgreSQL, or another engine behind a socket or a mount, cannot be used now: away, full, stopping,
 * read-only after a fail-over, or not in time. The same request can succeed a moment later.
 */
export function isEngineAway(fault: unknown): boolean {
  return causesOf(fault).some(saysAway)
}

/** Whether a statement took all the time that it has (PostgreSQL's "query canceled"): the database is there, and was asked for much. */
export function isOutOfTime(fault: unknown): boolean {
  return causesOf(fault).some(({ code, originalCode }) => code === CANCELED || originalCode === CANCELED)
}

const CANCELED = '57014'

/** A fault and what caused it, the outermost first. */
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
