import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { TransactionClient } from '#domain/engines/transaction-client.ts'

/**
 * Timeouts of a session, in milliseconds; 0: no limit. They bound how long a process that hangs, or whose connection was cut
 * silently, keeps its locks: the server ends its statement or its session.
 */
export interface Limits {
  statement: number
  /** A wait for a lock of another session. */
  lock: number
  /** The time between two statements of a transaction. */
  idle_in_transaction: number
}

/**
 * Requests and jobs: work that takes longer has a problem, and is retried. When a hanging process holds a lock, its transaction is
 * ended before the waiting session times out, so the waiting session gets the lock.
 */
export const ORDINARY: Limits = { statement: 8000, lock: 6000, idle_in_transaction: 5000 }
/** Work on the whole archive: one statement may read or delete millions of rows, and a page of maps is rendered between two. */
export const LONG: Limits = { statement: 900_000, lock: 60_000, idle_in_transaction: 10_000 }

/** By then the server has ended the transaction of a process that hangs between two statements. Every lease is longer. */
export const ABANDONED_AFTER_MS = ORDINARY.idle_in_transaction

/** Connection timeout. */
const CONNECT_WITHIN_MS = 5000
/**
 * An unused connection is closed after this time. It outlasts the pauses between requests of a quiet hour, so that few requests wait for a DNS
 * lookup, a password check and the settings of a session. A lost server does not need it: see `KEEPALIVE_AFTER_MS`.
 */
const UNUSED_CLOSED_AFTER_MS = 60_000
/** An idle connection is probed after this time, then every second; after ten probes without a response it is closed. */
const KEEPALIVE_AFTER_MS = 3000

/** Server-side detection of lost clients, through the server's own socket. */
const LOST_CLIENTS = {
  // Closes a connection after 14 s of silence.
  tcp_keepalives_idle: '5s',
  tcp_keepalives_interval: '3s',
  tcp_keepalives_count: '3',
  // Closes a connection whose client does not receive data, for example because its process hangs.
  tcp_user_timeout: '12s',
  // Cancels a running statement once its client is gone.
  client_connection_check_interval: '5s',
}

export interface PoolOptions {
  max: number
  application_name: string
  limits?: Limits
  /** Further settings of every session. */
  settings?: Record<string, string>
  /** The URL is that of a pooler in transaction mode: session settings are not used, and statements have no names. */
  by_transaction?: boolean
  /** Further work once for every new connection. */
  prepare?(client: pg.ClientBase): Promise<void>
}

/**
 * Opens a pool whose sessions all have timeouts. A statement sets them when a connection opens: PgBouncer refuses startup
 * options, and a setting of the role would be left to the operator. Over a pooler in transaction mode, `scopedPool` makes
 * each transaction set them.
 */
export function openPool(connectionString: string, options: PoolOptions): pg.Pool {
  const { max, application_name, limits = ORDINARY, settings = {}, by_transaction = false, prepare } = options
  const opened = new Set<pg.ClientBase>()
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name,
    idleTimeoutMillis: UNUSED_CLOSED_AFTER_MS,
    ...CONNECTION,
    Client: (by_transaction ? newTransactionClient : newClient) as never,
    onConnect: async (client) => {
      opened.add(client)
      client.once('end', () => opened.delete(client))
      closeOnSilence(client, limits, opened)
      if (by_transaction) return
      openings.set(client, { limits, settings })
      await configureSession(client, limits, settings)
      await prepare?.(client)
    },
  })
  if (by_transaction) limitsByTransaction.set(pool, settingsOf(limits))
  ignoreLostConnections(pool)
  return pool
}

/** Returns the settings that each transaction must set itself, because sessions do not persist; null if sessions keep them. */
export const settingsByTransaction = (pool: pg.Pool): Record<string, string> | null => limitsByTransaction.get(pool) ?? null
const limitsByTransaction = new WeakMap<pg.Pool, Record<string, string>>()

/** Creates a single connection outside a pool, as for notifications, with the same timeouts once it is open. */
export function newConnection(connectionString: string, application_name: string): { client: pg.Client; open(): Promise<void> } {
  const client = newClient({ connectionString, application_name, ...CONNECTION })
  return {
    client,
    async open() {
      await client.connect()
      closeOnSilence(client, ORDINARY, new Set([client]))
      await configureSession(client, ORDINARY, {})
    },
  }
}

/**
 * Gives a session other timeouts until `returnSession`, or until it is closed.
 * @throws Error if the connection goes to a pooler in transaction mode: use `sessionPool` instead
 */
export async function setSessionLimits(client: pg.ClientBase, limits: Limits): Promise<void> {
  if (client instanceof TransactionClient) throw new Error('a connection to a pooler in transaction mode keeps no limits')
  await client.query(SET, columnsOf(settingsOf(limits)))
  streamOf(client).setTimeout(silenceLimitOf(limits))
}

/**
 * Returns a session to its pool as it was when it opened: its locks, cursors, temporary tables and settings end now. Opening another takes
 * several times as long. It is closed instead if its transaction is still open, or if it does not respond.
 */
export async function returnSession(client: pg.PoolClient): Promise<void> {
  const opening = openings.get(client)
  if (!opening || client.getTransactionStatus() !== 'I') return client.release(true)
  try {
    await client.query('SELECT pg_advisory_unlock_all(); CLOSE ALL; DISCARD TEMP; RESET ALL')
    await configureSession(client, opening.limits, opening.settings)
    streamOf(client).setTimeout(silenceLimitOf(opening.limits))
  } catch {
    return client.release(true)
  }
  client.release()
}

/** What each session of a pool was opened with. */
const openings = new WeakMap<pg.ClientBase, { limits: Limits; settings: Record<string, string> }>()

/**
 * Runs work with the timeouts of long work in a session from a pool, and returns the session. If the work fails, the session is closed, with
 * its transaction and its locks.
 */
export async function withLongSession<Result>(client: pg.PoolClient, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  try {
    await setSessionLimits(client, LONG)
    const result = await work(client)
    await returnSession(client)
    return result
  } catch (fault) {
    client.release(true)
    throw fault
  }
}

/** Runs one statement that reads or deletes a lot, on a separate connection. */
export async function longQuery<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string, values: unknown[] = []): Promise<Row[]> {
  return withLongSession(await pool.connect(), async (client) => (await client.query<Row>(text, values)).rows)
}

/** Heartbeat of a session that holds a lock between its transactions; without it the server ends the session. */
const HEARTBEAT_MS = 4000
const IDLE_SESSION_TIMEOUT = '15s'

/** Keeps an idle session open as long as its process runs. Stop it before the session is released. */
export async function keepSession(client: pg.ClientBase): Promise<{ stop(): void }> {
  await client.query(SET, columnsOf({ idle_session_timeout: IDLE_SESSION_TIMEOUT }))
  const heartbeat = setInterval(() => {
    if (isIdle(client)) client.query('SELECT').catch(() => {})
  }, HEARTBEAT_MS)
  return { stop: () => clearInterval(heartbeat) }
}

/**
 * Handles the error events of lost connections, idle or checked out: without a listener they would stop the process. Nothing else
 * is needed: a query on a lost connection fails, and the next one gets a new connection.
 */
export function ignoreLostConnections(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

const CONNECTION = { keepAlive: true, keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS }

/** The pool's own timeout would also include the wait for a free connection. */
function newClient(options: pg.ClientConfig): pg.Client {
  return new pg.Client({ ...options, connectionTimeoutMillis: CONNECT_WITHIN_MS })
}
function newTransactionClient(options: pg.ClientConfig): pg.Client {
  return new TransactionClient({ ...options, connectionTimeoutMillis: CONNECT_WITHIN_MS })
}

async function configureSession(client: pg.ClientBase, limits: Limits, settings: Record<string, string>): Promise<void> {
  await client.query(SET, columnsOf({ ...settingsOf(limits), ...LOST_CLIENTS, ...settings }))
}

/** Skips settings that an older server does not have. */
const SET = `SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
              WHERE current_setting(name, true) IS NOT NULL`

const columnsOf = (settings: Record<string, string>) => [Object.keys(settings), Object.values(settings)]

function settingsOf({ statement, lock, idle_in_transaction }: Limits): Record<string, string> {
  return {
    statement_timeout: `${statement}ms`,
    lock_timeout: `${lock}ms`,
    idle_in_transaction_session_timeout: `${idle_in_transaction}ms`,
  }
}

/** By then the server has ended a statement and reported it; if not, it hangs, is cut off, or was replaced. 0: never. */
const silenceLimitOf = ({ statement }: Limits) => statement && statement + TIMEOUT_REPORT_MS
const TIMEOUT_REPORT_MS = 1000
/** Time to read data that arrived while this process itself was blocked. */
const READ_GRACE_MS = 250

/**
 * Closes a connection that gets no response, and with it the connections of the same pool that are idle or have received nothing
 * since: each of them would time out in turn.
 */
function closeOnSilence(client: pg.ClientBase, limits: Limits, connections: Set<pg.ClientBase>): void {
  const stream = streamOf(client)
  receivedAt.set(client, performance.now())
  stream.on('data', () => receivedAt.set(client, performance.now()))
  stream.setTimeout(silenceLimitOf(limits))
  stream.on('timeout', async () => {
    const since = lastReceivedAt(client)
    if (isIdle(client)) return
    await pause(READ_GRACE_MS)
    if (lastReceivedAt(client) > since) return
    for (const one of connections)
      if (isIdle(one) || lastReceivedAt(one) <= since) streamOf(one).destroy(new Error('The database does not answer.'))
  })
}

const receivedAt = new WeakMap<pg.ClientBase, number>()
const lastReceivedAt = (client: pg.ClientBase) => receivedAt.get(client) ?? 0

/** Whether it is between two statements: no response is expected from the server. */
const isIdle = (client: pg.ClientBase) => client.readyForQuery === true

function streamOf(client: pg.ClientBase): Socket {
  const stream = client instanceof pg.Client ? client.connection.stream : null
  if (!(stream instanceof Socket)) throw new Error('a connection has no socket')
  return stream
}

declare module 'pg' {
  /** The driver has this property, but its types omit it. */
  interface ClientBase {
    readyForQuery: boolean | null
  }
}
