import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { TransactionClient } from '#domain/engines/transaction-client.ts'

/**
 * How long a session may take for each part of its work, in milliseconds. A process that stands still in mid-work, or whose
 * connection was cut without a word, keeps its locks no longer: the server ends its statement or its session by itself.
 * 0: no limit.
 */
export interface Limits {
  statement: number
  /** Waiting for a lock that another session holds. */
  lock: number
  /** Between two statements of a transaction. */
  idle_in_transaction: number
}

/**
 * Requests and jobs: what takes longer is in trouble, and is tried again. Who waits for a lock of a process that stands still has it
 * when that one's transaction is ended, before its own wait is.
 */
export const ORDINARY: Limits = { statement: 8000, lock: 6000, idle_in_transaction: 5000 }
/** Work on the whole archive: one statement may read or remove millions of rows, and a page of maps is made between two. */
export const LONG: Limits = { statement: 900_000, lock: 60_000, idle_in_transaction: 10_000 }

/** After so long the server has ended the transaction of a process that stands still between two statements. Every lease is longer. */
export const ABANDONED_AFTER_MS = ORDINARY.idle_in_transaction

/** A connection that is not open by then is given up. */
const CONNECT_WITHIN_MS = 5000
/** An idle connection is probed after so long, then every second: after ten probes without an answer it is closed. */
const KEEPALIVE_AFTER_MS = 3000

/** What the server does about a client that is not there any more, by the server's own socket. */
const LOST_CLIENTS = {
  // 14 s of silence.
  tcp_keepalives_idle: '5s',
  tcp_keepalives_interval: '3s',
  tcp_keepalives_count: '3',
  // An answer that nobody takes: of a process that stands still, too.
  tcp_user_timeout: '12s',
  // A statement whose client has gone ends then, not when it has its answer.
  client_connection_check_interval: '5s',
}

export interface PoolOptions {
  max: number
  application_name: string
  limits?: Limits
  /** Further settings of every session. */
  settings?: Record<string, string>
  /** The address is that of a pooler that gives each transaction another session: none is set, and statements have no names. */
  by_transaction?: boolean
  /** What else is sent once over every connection. */
  prepare?(client: pg.ClientBase): Promise<void>
}

/**
 * Opens a pool whose every session has limits. They are set by a statement when a connection is opened, not by startup
 * options, which PgBouncer refuses, nor by a role, which an operator would have to alter. Over a pooler that gives each transaction
 * another session, `scopedPool` has each transaction set them.
 */
export function openPool(connectionString: string, options: PoolOptions): pg.Pool {
  const { max, application_name, limits = ORDINARY, settings = {}, by_transaction = false, prepare } = options
  const opened = new Set<pg.ClientBase>()
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name,
    ...CONNECTION,
    Client: (by_transaction ? openingSoonByTransaction : openingSoon) as never,
    onConnect: async (client) => {
      opened.add(client)
      client.once('end', () => opened.delete(client))
      endInSilence(client, limits, opened)
      if (by_transaction) return
      await begin(client, limits, settings)
      await prepare?.(client)
    },
  })
  if (by_transaction) limitsByTransaction.set(pool, settingsOf(limits))
  hearLostConnections(pool)
  return pool
}

/** What each transaction has to set over this pool, since no session keeps it there; null where sessions do. */
export const settingsByTransaction = (pool: pg.Pool): Record<string, string> | null => limitsByTransaction.get(pool) ?? null
const limitsByTransaction = new WeakMap<pg.Pool, Record<string, string>>()

/** A connection by itself, as for notices, with the same limits once it is open. */
export function newConnection(connectionString: string, application_name: string): { client: pg.Client; open(): Promise<void> } {
  const client = openingSoon({ connectionString, application_name, ...CONNECTION })
  return {
    client,
    async open() {
      await client.connect()
      endInSilence(client, ORDINARY, new Set([client]))
      await begin(client, ORDINARY, {})
    },
  }
}

/**
 * Gives a session other limits, until it is closed: release it with `true`.
 * @throws Error where the connection gives each transaction another session: those come from `sessionPool`
 */
export async function setSessionLimits(client: pg.ClientBase, limits: Limits): Promise<void> {
  if (client instanceof TransactionClient) throw new Error('a connection to a pooler keeps no limits')
  await client.query(SET, columnsOf(settingsOf(limits)))
  streamOf(client).setTimeout(silenceOf(limits))
}

/** One statement that reads or removes much, on a connection of its own. */
export async function longQuery<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = await pool.connect()
  try {
    await setSessionLimits(client, LONG)
    return (await client.query<Row>(text, values)).rows
  } finally {
    client.release(true)
  }
}

/** A session that holds a lock between its transactions says so often that it lives, and is ended by the server where it does not. */
const BEAT_MS = 4000
const ENDED_AFTER_SILENCE = '15s'

/** Keeps a session for as long as its process goes on, however long it has nothing to do. Stop it before the session is released. */
export async function keepSession(client: pg.ClientBase): Promise<{ stop(): void }> {
  await client.query(SET, columnsOf({ idle_session_timeout: ENDED_AFTER_SILENCE }))
  const beat = setInterval(() => {
    if (isIdle(client)) client.query('SELECT').catch(() => {})
  }, BEAT_MS)
  return { stop: () => clearInterval(beat) }
}

/**
 * A connection that the server ends is replaced at the next query, and a query on it fails: there is nothing to do, but
 * unheard the loss would end the process, be the connection idle or in somebody's hands between two queries.
 */
export function hearLostConnections(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

const CONNECTION = { keepAlive: true, keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS }

/** The pool's own limit would also count the wait for a connection that is free. */
function openingSoon(options: pg.ClientConfig): pg.Client {
  return new pg.Client({ ...options, connectionTimeoutMillis: CONNECT_WITHIN_MS })
}
function openingSoonByTransaction(options: pg.ClientConfig): pg.Client {
  return new TransactionClient({ ...options, connectionTimeoutMillis: CONNECT_WITHIN_MS })
}

async function begin(client: pg.ClientBase, limits: Limits, settings: Record<string, string>): Promise<void> {
  await client.query(SET, columnsOf({ ...settingsOf(limits), ...LOST_CLIENTS, ...settings }))
}

/** What an older server does not know is left out. */
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

/** The server has ended a statement by then, and said so: one that has not is frozen, cut off, or was replaced by another. 0: never. */
const silenceOf = ({ statement }: Limits) => statement && statement + SAID_WITHIN_MS
const SAID_WITHIN_MS = 1000
/** What came while this process itself stood still is read in this time. */
const READ_WITHIN_MS = 250

/**
 * Ends a connection over which no answer comes, and with it those of the same pool over which none came since, at work or
 * idle: each would be silent in its turn.
 */
function endInSilence(client: pg.ClientBase, limits: Limits, beside: Set<pg.ClientBase>): void {
  const stream = streamOf(client)
  heard.set(client, performance.now())
  stream.on('data', () => heard.set(client, performance.now()))
  stream.setTimeout(silenceOf(limits))
  stream.on('timeout', async () => {
    const since = lastHeard(client)
    if (isIdle(client)) return
    await pause(READ_WITHIN_MS)
    if (lastHeard(client) > since) return
    for (const one of beside) if (isIdle(one) || lastHeard(one) <= since) streamOf(one).destroy(new Error('The database does not answer.'))
  })
}

const heard = new WeakMap<pg.ClientBase, number>()
const lastHeard = (client: pg.ClientBase) => heard.get(client) ?? 0

/** Between two statements: nothing is expected from the server. */
const isIdle = (client: pg.ClientBase) => client.readyForQuery === true

function streamOf(client: pg.ClientBase): Socket {
  const stream = client instanceof pg.Client ? client.connection.stream : null
  if (!(stream instanceof Socket)) throw new Error('a connection has no socket')
  return stream
}

declare module 'pg' {
  /** What the driver has, and its types do not say. */
  interface ClientBase {
    readyForQuery: boolean | null
  }
}
