import pg from 'pg'

/** What begins, ends and scopes a transaction, which answers no row, and what watches how far a replica has come. */
const ACCOMPANYING = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|DEALLOCATE)\b|set_config\(|_wal_(flush|replay)_lsn\(/i
/** What a transaction of one statement sets before it, in the same message. */
const SETTING = /^(SET LOCAL [^;]+; )+/

/** The statements that this process sends while the work lasts, over whatever pool or client. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function counted(this: pg.Client, ...asked: unknown[]) {
    const [statement] = asked as [string | { text?: string }]
    const text = (typeof statement === 'string' ? statement : (statement.text ?? '')).replace(SETTING, '')
    if (!ACCOMPANYING.test(text)) sent.push(text)
    return Reflect.apply(query, this, asked)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}
