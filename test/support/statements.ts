import pg from 'pg'

/** Statements that begin, end and scope a transaction, which return no row, and those that read a replica's position. */
const ACCOMPANYING = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|DEALLOCATE)\b|set_config\(|_wal_(flush|replay)_lsn\(/i
/** The settings before a transaction of one statement, in the same message. */
const SETTING = /^(SET LOCAL [^;]+; )+/

/** Returns the statements that this process sends during the work, over any pool or client. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string }]
    const text = (typeof statement === 'string' ? statement : (statement.text ?? '')).replace(SETTING, '')
    if (!ACCOMPANYING.test(text)) sent.push(text)
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}
