import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '#generated/prisma/client.ts'

export type Db = PrismaClient
/** What a function needs that runs inside or outside a transaction. */
export type Tx = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

export interface Database {
  db: Db
  /** The pool under the client: for named statements on hot paths, COPY and LISTEN. */
  pool: pg.Pool
  close(): Promise<void>
}

/** PostgreSQL's type id of `date`. */
const DATE_OID = 1082
/** Statements kept prepared on a connection: more would only hold memory for texts seen once. */
const NAMED_STATEMENTS_MAX = 500

/** A day crosses as its text: the driver would make it local midnight. */
pg.types.setTypeParser(DATE_OID, (text) => text)

/**
 * Opens one pool and a Prisma client over it.
 * @param max connections; 5 to 10 is best on a small machine, above that one busy team gets slower.
 */
export function openDatabase(url: string, max = 8): Database {
  const pool = new pg.Pool({ connectionString: url, max, application_name: 'weather' })
  // An idle connection that the server ends is replaced at the next query: nothing to do, but unheard it would end us.
  pool.on('error', () => {})
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator: nameStatements() })
  const db = new PrismaClient({ adapter })
  return { db, pool, close: () => db.$disconnect() }
}

/** Names the first statements seen, so that the server parses each only once a connection. */
function nameStatements() {
  const names = new Map<string, string>()
  return ({ sql }: { sql: string }) => {
    const known = names.get(sql)
    if (known || names.size >= NAMED_STATEMENTS_MAX) return known ?? ''
    const name = `s${createHash('sha1').update(sql).digest('hex').slice(0, 16)}`
    names.set(sql, name)
    return name
  }
}
