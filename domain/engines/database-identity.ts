import type pg from 'pg'
import { present } from '#domain/kernel/present.ts'

/** A database, however it is reached: a pooler may give it another name. */
export interface DatabaseIdentity {
  name: string
  /** When its server started, in seconds since 1970: two servers do not start in the same microsecond. */
  server: string
  oid: string
}

/** Reads to which database the connections of a pool lead. */
export async function databaseIdentity(pool: Pick<pg.Pool, 'query'>): Promise<DatabaseIdentity> {
  const { rows } = await pool.query<DatabaseIdentity>(
    `SELECT datname AS name, extract(epoch FROM pg_postmaster_start_time())::text AS server, oid::text
       FROM pg_database WHERE datname = current_database()`,
  )
  return present(rows[0])
}

/** Whether two connections lead to the same database. */
export function isSameDatabase(one: DatabaseIdentity, other: DatabaseIdentity): boolean {
  return one.server === other.server && one.oid === other.oid
}
