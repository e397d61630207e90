import pg from 'pg'

/** What begins, ends and scopes a transaction: it answers no row. */
const ACCOMPANYING = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|DEALLOCATE)\b|set_config\(/i

/** The statements that this process sends while the work lasts, over whatever pool or client. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function counted(this: pg.Client, ...asked: unknown[]) {
    const [statement] = asked as [string | { text?: string }]
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
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
