import type pg from 'pg'
import { keepSession, newConnection } from '#domain/engines/pool.ts'

/** Pause before a lost connection is opened again. */
const AGAIN_AFTER_MS = 1000

export interface Listening {
  close(): Promise<void>
}

interface Listener {
  notice(payload: string): void
  /** Called whenever listening starts: earlier notices were missed. */
  began(): void
}

/**
 * Listens for PostgreSQL notifications on a separate connection, and reconnects when it is lost.
 * @param application_name name under which the server lists the connection
 */
export function listen(database_url: string, channel: 'outbox' | 'changes', application_name: string, heard: Listener): Listening {
  let client: pg.Client | undefined
  let session: { stop(): void } | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const again = () => {
    client = undefined
    if (!closed) timer = setTimeout(open, AGAIN_AFTER_MS)
  }
  const open = () => {
    const { client: opened, open: opening } = newConnection(database_url, application_name)
    client = opened
    let lost = false
    const lose = () => {
      if (lost) return
      lost = true
      session?.stop()
      opened.end().catch(() => {})
      again()
    }
    opened.on('error', lose)
    opened.on('end', lose)
    opened.on('notification', ({ payload }) => heard.notice(payload ?? ''))
    opening()
      .then(async () => {
        session = await keepSession(opened)
        await opened.query(`LISTEN ${channel}`)
      })
      .then(heard.began, lose)
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
