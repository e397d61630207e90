import type { Db, Tx } from '#domain/engines/database.ts'

/**
 * Wraps the database so that code can run in the middle of its transactions: after each statement that is sent as
 * text, with the rows that it read.
 */
export function readInTransaction(db: Db, happen: (rows: unknown[]) => Promise<void> | void): Db {
  const watched = (tx: Tx): Tx =>
    replaced(tx, '$queryRawUnsafe', async (text: string, ...values: unknown[]) => {
      const rows = await tx.$queryRawUnsafe<unknown[]>(text, ...values)
      await happen(rows)
      return rows
    })
  const transact = (work: (tx: Tx) => Promise<unknown>, options?: object) => db.$transaction((tx) => work(watched(tx)), options)
  return replaced(db, '$transaction', transact)
}

function replaced<Of extends object>(of: Of, name: keyof Of, by: unknown): Of {
  return new Proxy(of, { get: (target, key) => (key === name ? by : Reflect.get(target, key)) })
}
