import type pg from 'pg'
import { keepSession, newConnection } from '#domain/engines/pool.ts'

/** Pause before a lost connection is opened again. */
const RECONNECT_DELAY_MS = 1000

export interface Listening {
  close(): Promise<void>
}

/** What a connection that listens calls. */
export interface Listener {
  notice(payload: string): void
  /** Called whenever listening starts: earlier notices were missed. */
  started(): void
}

/**
 * Listens for PostgreSQL notifications on a separate connection, and reconnects when it is lost.
 * @param application_name name under which the server lists the connection
 */
export function listen(database_url: string, channel: 'outbox' | 'changes', application_name: string, listener: Listener): Listening {
  let client: pg.Client | undefined
  let session: { stop(): void } | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const scheduleReconnect = () => {
    client = undefined
    if (!closed) timer = setTimeout(open, RECONNECT_DELAY_MS)
  }
  const open = () => {
    const { client: connection, open: connect } = newConnection(database_url, application_name)
    client = connection
    let lost = false
    const handleLoss = () => {
      if (lost) return
      lost = true
      session?.stop()
      connection.end().catch(() => {})
      scheduleReconnect()
    }
    connection.on('error', handleLoss)
    connection.on('end', handleLoss)
    connection.on('notification', ({ payload }) => listener.notice(payload ?? ''))
    connect()
      .then(async () => {
        session = await keepSession(connection)
        await connection.query(`LISTEN ${channel}`)
      })
      .then(listener.started, handleLoss)
  }
  open()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      session?.stop()
      await client?.end().catch(() => {})
    },
  }
}
