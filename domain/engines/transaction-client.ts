import pg from 'pg'

/**
 * A connection to a pooler that gives each transaction another session of the server, as PgBouncer in transaction mode does. What
 * is prepared on one session is not known to the next: statements go without the names under which they would be.
 */
export class TransactionClient extends pg.Client {}

Object.defineProperty(TransactionClient.prototype, 'query', {
  configurable: true,
  writable: true,
  value(this: TransactionClient, statement: unknown, ...rest: unknown[]) {
    return Reflect.apply(pg.Client.prototype.query, this, [unnamed(statement), ...rest])
  },
})

/** The same statement without its name; a query that is ready to be sent goes as it is. */
export function unnamed<Statement>(statement: Statement): Statement {
  if (typeof statement !== 'object' || statement === null || 'submit' in statement || !('name' in statement)) return statement
  return { ...statement, name: undefined }
}
