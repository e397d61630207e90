import pg from 'pg'

/**
 * A connection to a pooler in transaction mode, such as PgBouncer, where each transaction may get another server session. Statements
 * are sent without names, since a statement prepared in one session is unknown in the next.
 */
export class TransactionClient extends pg.Client {}

Object.defineProperty(TransactionClient.prototype, 'query', {
  configurable: true,
  writable: true,
  value(this: TransactionClient, statement: unknown, ...rest: unknown[]) {
    return Reflect.apply(pg.Client.prototype.query, this, [unnamed(statement), ...rest])
  },
})

/** Returns the statement without its name; a ready-made query object is returned unchanged. */
export function unnamed<Statement>(statement: Statement): Statement {
  if (typeof statement !== 'object' || statement === null || 'submit' in statement || !('name' in statement)) return statement
  return { ...statement, name: undefined }
}
