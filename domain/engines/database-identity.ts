import pg from 'pg'
import { present } from '#domain/kernel/present.ts'

/** A database, however it is reached: a pooler may give it another name. */
export interface DatabaseIdentity {
  name: string
  /** When its server started, in seconds since 1970: two servers do not start in the same microsecond. */
  server: string
  oid: string
}

/** Reads to which database the connections of a pool lead. */
export async function databaseIdentity(pool: Pick<pg.ClientBase, 'query'>): Promise<DatabaseIdentity> {
  const { rows } = await pool.query<DatabaseIdentity>(
    `SELECT datname AS name, extract(epoch FROM pg_postmaster_start_time())::text AS server, oid::text
       FROM pg_database WHERE datname = current_database()`,
  )
  return present(rows[0])
}

/** Reads to which database an address leads, over one connection that leaves no settings behind: the address may be a pooler's. */
export async function identityAt(connectionString: string): Promise<DatabaseIdentity> {
  const client = new pg.Client({
    connectionString,
    application_name: 'weather-migrations',
    connectionTimeoutMillis: RESPOND_WITHIN_MS,
    query_timeout: RESPOND_WITHIN_MS,
  })
  // A connection that is lost fails what waits for it; unheard, the event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await databaseIdentity(client)
  } finally {
    await client.end()
  }
}

/** Time to connect, and to respond, in milliseconds. */
const RESPOND_WITHIN_MS = 5000

/** Whether two connections lead to the same database. */
export function isSameDatabase(one: DatabaseIdentity, other: DatabaseIdentity): boolean {
  return one.server === other.server && one.oid === other.oid
}
