import pg from 'pg'
import { settingsByTransaction } from '#domain/engines/pool.ts'
import { unnamed } from '#domain/engines/transaction-client.ts'
import { activeSpan, type Span } from '#domain/kernel/trace.ts'

/**
 * Whose rows a connection sees: one team's, or every team's for the service's own work. Row-level security shows no rows to a
 * connection without a scope.
 */
export type RowScope = { team_id: string } | 'system'

/**
 * Returns a pool on the same connections that applies a scope: each single statement, and each transaction that starts with BEGIN, sets
 * the scope for its own duration, in the same round trip. Nothing stays on the connection, so poolers in transaction mode are safe.
 *
 * A connection from `connect` sets the scope at BEGIN and for statements with values. A plain text outside a transaction is sent
 * unchanged, since VACUUM and similar commands must run alone.
 * @param sessions a pool on the same database that keeps sessions, if `pool` uses a pooler in transaction mode
 */
export function scopedPool(pool: pg.Pool | ScopedPool, scope: RowScope, sessions: pg.Pool | null = null): pg.Pool {
  const under = 'under' in pool ? pool.under : pool
  const scoping = scopings.get(under) ?? scopingOf(under, sessions)
  scopings.set(under, scoping)
  return Object.assign(Object.create(scoping), { scope })
}

/** Returns the pool without a scope: for tables that all teams share. It sees no team's rows. */
export function sharedPool(pool: pg.Pool | ScopedPool): pg.Pool {
  return 'shared' in pool ? pool.shared : pool
}

/** Returns a pool with the same scope that keeps sessions: for locks, timeouts, temporary tables and cursors that outlast a transaction. */
export function sessionPool(pool: pg.Pool | ScopedPool): pg.Pool {
  return 'sessions' in pool && pool.sessions ? scopedPool(pool.sessions, pool.scope ?? 'system') : pool
}

/** For a pool's `prepare` option: prepares the statements that set a scope, once a connection. */
export async function prepareScopes(client: pg.ClientBase): Promise<void> {
  for (const [name, text] of Object.entries(naming)) await client.query({ name, text, values: [''] })
}

type Statement = string | pg.QueryConfig

/** Prepared statements that set a scope for the rest of the transaction and return no row. */
const naming = {
  name_team: "SELECT WHERE set_config('app.team_id', $1, true) IS NULL",
  name_scope: "SELECT WHERE set_config('app.scope', $1, true) IS NULL",
}

/** Settings for each transaction, by name, if sessions do not keep them; null if they do. */
type Settings = Record<string, string> | null

/** Returns the statement that sets a scope, the setting and its value. */
function settingOf(scope: RowScope): { statement: keyof typeof naming; setting: string; value: string } {
  return scope === 'system'
    ? { statement: 'name_scope', setting: 'app.scope', value: scope }
    : { statement: 'name_team', setting: 'app.team_id', value: scope.team_id }
}

/** SET LOCAL takes no parameters, so values are checked before they become part of the text. */
function setLocal(scope: RowScope | null, settings: Settings): string[] {
  const named = scope ? [settingOf(scope)] : []
  const all = [...named, ...Object.entries(settings ?? {}).map(([setting, value]) => ({ setting, value }))]
  return all.map(({ setting, value }) => {
    if (!/^[0-9a-z-]+$/.test(value)) throw new Error(`${setting} cannot be set to this value`)
    return `SET LOCAL ${setting} = '${value}'`
  })
}

/** Returns one statement, never prepared, that sets the scope and the settings for the transaction and returns no row. */
function settingText(scope: RowScope | null, settings: Record<string, string>): string {
  const named = scope ? [`set_config('${settingOf(scope).setting}', $1, true) IS NULL`] : []
  const others = Object.entries(settings).map(([setting, value]) => `set_config('${setting}', '${value}', true) IS NULL`)
  return `SELECT WHERE ${[...named, ...others].join(' OR ')}`
}

/** The protocol messages of a connection that a statement sends; the driver's types omit them. */
interface Wire {
  parse(of: { text: string }): void
  bind(of: { statement: string; values: string[] }): void
  execute(of: { portal: string }): void
}

/** Members of the driver's Query that its types omit. */
interface Sending {
  text: string
  requiresPreparation(): boolean
  prepare(wire: Wire): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
const DriverQuery = pg.Query as unknown as new (config: Statement, values?: unknown[]) => Sending & pg.Submittable

/**
 * One statement preceded by the one that sets its scope. Both are sent before the Sync message, which makes them one
 * transaction. A plain text follows SET LOCAL in the same message, which makes them one transaction too.
 */
class ScopedQuery extends DriverQuery {
  #scope: RowScope | null
  #settings: Settings
  /** Number of command completions that come before the statement's own. */
  #ahead = 1

  constructor(scope: RowScope | null, settings: Settings, statement: Statement, values?: unknown[]) {
    super(settings ? unnamed(statement) : statement, values)
    this.#scope = scope
    this.#settings = settings
    if (this.requiresPreparation()) return
    const ahead = setLocal(scope, settings)
    this.#ahead = ahead.length
    this.text = [...ahead, this.text].join('; ')
  }

  override prepare(wire: Wire): void {
    const { statement, value } = this.#scope ? settingOf(this.#scope) : { statement: '', value: null }
    if (this.#settings) wire.parse({ text: settingText(this.#scope, this.#settings) })
    wire.bind({ statement: this.#settings ? '' : statement, values: value === null ? [] : [value] })
    wire.execute({ portal: '' })
    super.prepare(wire)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#ahead > 0) this.#ahead--
    else super.handleCommandComplete(message, wire)
  }
}

/** Wraps a statement for the driver, which accepts a ready-made query although its types do not say so. */
const within = (scope: RowScope | null, settings: Settings, statement: Statement, values?: unknown[]) =>
  new ScopedQuery(scope, settings, statement, values) as unknown as pg.QueryConfig

/**
 * A pool that wraps another and inherits everything that it does not override. With a null scope it sets no scope, only the settings
 * that each transaction needs.
 */
type ScopedPool = pg.Pool & { under: pg.Pool; shared: pg.Pool; sessions: pg.Pool | null; scope: RowScope | null }

/** The shared part of all scoped pools over one pool; a scoped pool is created for each request of a team. */
const scopings = new WeakMap<pg.Pool, ScopedPool>()

function scopingOf(under: pg.Pool, sessions: pg.Pool | null): ScopedPool {
  const settings = settingsByTransaction(under)
  const scoping: ScopedPool = Object.assign(Object.create(under), {
    under,
    sessions,
    query(this: ScopedPool, statement: Statement, values?: unknown[]) {
      return under.query(within(this.scope, settings, statement, values))
    },
    async connect(this: ScopedPool) {
      return scopedClient(await under.connect(), this.scope, settings)
    },
    async end() {
      await Promise.all([under.end(), sessions?.end()])
    },
  })
  return Object.assign(scoping, { shared: settings ? Object.assign(Object.create(scoping), { scope: null }) : under })
}

/** Scopes a checked-out connection until it is released. */
function scopedClient(client: pg.PoolClient, scope: RowScope | null, settings: Settings): pg.PoolClient {
  const { query, release } = client
  const send = query.bind(client) as (...sent: unknown[]) => unknown
  let transaction: Span | undefined
  return Object.assign(client, {
    query(statement: Statement | pg.Submittable, values?: unknown[]) {
      if (begins(statement)) {
        transaction = activeSpan()?.begin('transaction', { kind: 'client' })
        return send([textOf(statement), ...setLocal(scope, settings)].join('; '))
      }
      if (transaction && ends(statement)) {
        const answer = send(statement, values)
        endWith(transaction, textOf(statement), answer)
        transaction = undefined
        return answer
      }
      if (client.getTransactionStatus() !== 'I' || stands(statement, values)) return send(statement, values)
      return new Promise((resolve, reject) =>
        send(within(scope, settings, statement, values), (fault: Error | null, result: unknown) =>
          fault ? reject(fault) : resolve(result),
        ),
      )
    },
    release(lost?: Error | boolean) {
      Reflect.deleteProperty(client, 'query')
      // The transaction was still open.
      transaction?.end(lost || undefined)
      release(lost)
    },
  })
}

const textOf = (statement: Statement | pg.Submittable) =>
  typeof statement === 'string' ? statement : 'text' in statement ? statement.text : ''
const begins = (statement: Statement | pg.Submittable) => /^BEGIN\b/i.test(textOf(statement))

const ends = (statement: Statement | pg.Submittable) => /^(COMMIT|ROLLBACK)$/i.test(textOf(statement))

/** A transaction is over when the server has responded to the statement that ends it. */
function endWith(transaction: Span, outcome: string, answer: unknown): void {
  transaction.note({ 'weather.outcome': outcome })
  Promise.resolve(answer).then(
    () => transaction.end(),
    (fault) => transaction.end(fault),
  )
}

/** Whether a statement is sent unchanged: a driver stream, or a plain text without values. */
function stands(statement: Statement | pg.Submittable, values: unknown[] | undefined): statement is pg.Submittable {
  return typeof statement === 'string' ? !values : 'submit' in statement
}
