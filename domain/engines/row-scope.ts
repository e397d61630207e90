import pg from 'pg'
import { settingsByTransaction } from '#domain/engines/pool.ts'
import { unnamed } from '#domain/engines/transaction-client.ts'
import { activeSpan, type Span } from '#domain/kernel/trace.ts'

/**
 * Whose rows a connection sees: one team's, or every team's for the service's own work. Row-level security shows none to a
 * connection that names neither.
 */
export type RowScope = { team_id: string } | 'system'

/**
 * The same connections within a scope: each statement of its own, and each transaction that begins with BEGIN, names the scope for
 * as long as it lasts, in the same round trip. Nothing stays on the connection, so poolers that give each transaction another one do no harm.
 *
 * A connection taken with `connect` names the scope at BEGIN and at statements with values; a bare text outside a transaction goes as
 * it is, since VACUUM and its like stand alone.
 * @param sessions another way to the same database, on which a session is kept: where `pool` goes through a pooler that keeps none
 */
export function scopedPool(pool: pg.Pool | ScopedPool, scope: RowScope, sessions: pg.Pool | null = null): pg.Pool {
  const under = 'under' in pool ? pool.under : pool
  const scoping = scopings.get(under) ?? scopingOf(under, sessions)
  scopings.set(under, scoping)
  return Object.assign(Object.create(scoping), { scope })
}

/** The pool under a scoped one: for tables that all teams share. It finds no row of any team, and names no scope. */
export function sharedPool(pool: pg.Pool | ScopedPool): pg.Pool {
  return 'shared' in pool ? pool.shared : pool
}

/** The same scope on sessions that stay: for locks, limits, temporary tables and cursors that outlast a transaction. */
export function sessionPool(pool: pg.Pool | ScopedPool): pg.Pool {
  return 'sessions' in pool && pool.sessions ? scopedPool(pool.sessions, pool.scope ?? 'system') : pool
}

/** For the option `onConnect` of a pool: what names a scope is prepared once a connection. */
export async function prepareScopes(client: pg.ClientBase): Promise<void> {
  for (const [name, text] of Object.entries(naming)) await client.query({ name, text, values: [''] })
}

type Statement = string | pg.QueryConfig

/** Prepared statements that name a scope for the rest of the transaction, and answer no row. */
const naming = {
  name_team: "SELECT WHERE set_config('app.team_id', $1, true) IS NULL",
  name_scope: "SELECT WHERE set_config('app.scope', $1, true) IS NULL",
}

/** Settings of a transaction, by name, where no session has them; null where each has. */
type Settings = Record<string, string> | null

/** What a scope sets: the statement that does it, the setting and its value. */
function settingOf(scope: RowScope): { statement: keyof typeof naming; setting: string; value: string } {
  return scope === 'system'
    ? { statement: 'name_scope', setting: 'app.scope', value: scope }
    : { statement: 'name_team', setting: 'app.team_id', value: scope.team_id }
}

/** SET LOCAL takes no parameter: whatever is no id of ours never comes into it. */
function setLocal(scope: RowScope | null, settings: Settings): string[] {
  const named = scope ? [settingOf(scope)] : []
  const all = [...named, ...Object.entries(settings ?? {}).map(([setting, value]) => ({ setting, value }))]
  return all.map(({ setting, value }) => {
    if (!/^[0-9a-z-]+$/.test(value)) throw new Error(`${setting} cannot be set to this value`)
    return `SET LOCAL ${setting} = '${value}'`
  })
}

/** One statement, never prepared, that names a scope and sets the rest for as long as the transaction lasts, and answers no row. */
function settingText(scope: RowScope | null, settings: Record<string, string>): string {
  const named = scope ? [`set_config('${settingOf(scope).setting}', $1, true) IS NULL`] : []
  const others = Object.entries(settings).map(([setting, value]) => `set_config('${setting}', '${value}', true) IS NULL`)
  return `SELECT WHERE ${[...named, ...others].join(' OR ')}`
}

/** The messages of a connection that a statement sends; the driver's types leave them out. */
interface Wire {
  parse(of: { text: string }): void
  bind(of: { statement: string; values: string[] }): void
  execute(of: { portal: string }): void
}

/** What the driver's Query does, and its types do not say. */
interface Sending {
  text: string
  requiresPreparation(): boolean
  prepare(wire: Wire): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
const DriverQuery = pg.Query as unknown as new (config: Statement, values?: unknown[]) => Sending & pg.Submittable

/**
 * One statement behind the one that names its scope. Both are sent before the connection is asked to finish, which makes them one
 * transaction; a bare text becomes one by standing behind SET LOCAL in the same message.
 */
class ScopedQuery extends DriverQuery {
  #scope: RowScope | null
  #settings: Settings
  /** How many of the things that complete come before the statement's own. */
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

/** Answers the driver's own promise: it takes a query that is ready to be sent, and its types do not say so. */
const within = (scope: RowScope | null, settings: Settings, statement: Statement, values?: unknown[]) =>
  new ScopedQuery(scope, settings, statement, values) as unknown as pg.QueryConfig

/**
 * A pool that stands before another: whatever it does not do itself, the other does. A null scope names none, and sets what each
 * transaction needs.
 */
type ScopedPool = pg.Pool & { under: pg.Pool; shared: pg.Pool; sessions: pg.Pool | null; scope: RowScope | null }

/** What the scoped pools before each pool have in common: one is made for each request of a team. */
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

/** A connection in somebody's hands, until it is released. */
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
      // It was lost in the middle.
      transaction?.end(lost || undefined)
      release(lost)
    },
  })
}

const textOf = (statement: Statement | pg.Submittable) =>
  typeof statement === 'string' ? statement : 'text' in statement ? statement.text : ''
const begins = (statement: Statement | pg.Submittable) => /^BEGIN\b/i.test(textOf(statement))

const ends = (statement: Statement | pg.Submittable) => /^(COMMIT|ROLLBACK)$/i.test(textOf(statement))

/** A transaction is over when the server has answered what ends it. */
function endWith(transaction: Span, outcome: string, answer: unknown): void {
  transaction.note({ 'weather.outcome': outcome })
  Promise.resolve(answer).then(
    () => transaction.end(),
    (fault) => transaction.end(fault),
  )
}

/** Goes alone: a stream of the driver's, and a bare text. */
function stands(statement: Statement | pg.Submittable, values: unknown[] | undefined): statement is pg.Submittable {
  return typeof statement === 'string' ? !values : 'submit' in statement
}
