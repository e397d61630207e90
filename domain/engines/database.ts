import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { openPool } from '#domain/engines/pool.ts'
import { prepareScopes, scopedPool } from '#domain/engines/row-scope.ts'
import { Prisma, PrismaClient } from '#generated/prisma/client.ts'

export type Db = PrismaClient
/** For functions that run inside or outside a transaction. */
export type Tx = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>
/** For functions that only run tagged statements. */
export type RawTx = Pick<Tx, '$queryRaw' | '$executeRaw'>

export interface Database {
  /** `db` and `pool` serve the service's own work and see every team's rows. Requests of a team go through `withinTeam`. */
  db: Db
  /** The pool under the client, for named statements on hot paths and for COPY. */
  pool: pg.Pool
  close(): Promise<void>
}

/** PostgreSQL's type id of `date`. */
const DATE_OID = 1082
/** Prepared statements kept on a connection: more would only use memory for texts seen once. */
const NAMED_STATEMENTS_MAX = 500

/** Dates stay text: the driver would convert them to local midnight. */
pg.types.setTypeParser(DATE_OID, (text) => text)

/**
 * Opens one pool and a Prisma client over it.
 * @param max connections; 5 to 10 is best on a small machine, more make one busy team slower.
 * @param wait_ms how long a transaction of the client waits for a free connection; Prisma's default of 2 s is shorter than one statement
 *   may take.
 * @param direct_url the server itself, if `url` is a pooler in transaction mode
 */
export function openDatabase(url: string, max = 8, wait_ms = 15_000, direct_url = url): Database {
  const sessions = openPool(direct_url, { max, application_name: 'weather', prepare: prepareScopes })
  const pool =
    direct_url === url
      ? scopedPool(sessions, 'system')
      : scopedPool(openPool(url, { max, application_name: 'weather', by_transaction: true }), 'system', sessions)
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator: nameStatement })
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: wait_ms } })
  return { db, pool, close: () => db.$disconnect() }
}

/**
 * Runs tagged statements in a transaction on one connection. They work as Prisma's raw statements do and are prepared under the
 * same names, but avoid the CPU time of Prisma's engine. Dates are returned as text.
 */
export async function transact<Result>(pool: pg.Pool, work: (tx: RawTx) => Promise<Result>): Promise<Result> {
  return inTransaction(pool, (client) => {
    const run = (statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      const { text, values: parameters } = 'raw' in statement ? Prisma.sql(statement, ...values) : statement
      return client.query({ name: nameStatement({ sql: text }), text, values: parameters })
    }
    return work({
      $queryRaw: async (...statement: Parameters<typeof run>) => (await run(...statement)).rows,
      $executeRaw: async (...statement: Parameters<typeof run>) => (await run(...statement)).rowCount ?? 0,
    } as unknown as RawTx)
  })
}

/** Runs work in a transaction on one driver connection; rolls back if the work fails. */
export async function inTransaction<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (fault) {
    await client.query('ROLLBACK').catch((lost: Error) => {
      broken = lost
    })
    throw fault
  } finally {
    client.release(broken)
  }
}

/** Names the first statements seen, so that the server parses each of them once a connection. */
function nameStatement({ sql }: { sql: string }): string {
  const known = statementNames.get(sql)
  if (known || statementNames.size >= NAMED_STATEMENTS_MAX) return known ?? ''
  const name = `s${createHash('sha1').update(sql).digest('hex').slice(0, 16)}`
  statementNames.set(sql, name)
  return name
}

const statementNames = new Map<string, string>()
