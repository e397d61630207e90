import type { App } from '#domain/app.ts'
import type { Db } from '#domain/engines/database.ts'
import { scopedPool } from '#domain/engines/row-scope.ts'
import type { Prisma } from '#generated/prisma/client.ts'

declare const scoped: unique symbol
/** Marks a client that sees only one team, so that an unscoped client cannot be passed instead. */
interface Scoped {
  readonly [scoped]: true
}

/** A transaction of the scoped client. */
export type ScopedTx = Prisma.TransactionClient & Scoped

/** The Prisma client of one team: rows of other teams are invisible, and new rows belong to the team. */
export type ScopedDb = Omit<Db, '$transaction' | '$extends' | '$on' | '$connect' | '$disconnect'> &
  Scoped & {
    $transaction<Result>(
      work: (tx: ScopedTx) => Promise<Result>,
      options?: { maxWait?: number; timeout?: number; isolationLevel?: Prisma.TransactionIsolationLevel },
    ): Promise<Result>
  }

/** Models whose rows each belong to a team, with the column that names the team. All other models are shared. */
const ownerColumn: Partial<Record<Prisma.ModelName, 'id' | 'team_id'>> = {
  Team: 'id',
  Token: 'team_id',
  CreditTransaction: 'team_id',
  IdempotencyKey: 'team_id',
  AuditEntry: 'team_id',
  AuditChain: 'team_id',
  Report: 'team_id',
  ReportPreviews: 'team_id',
  Finding: 'team_id',
  ReportRecord: 'team_id',
  Document: 'team_id',
  Property: 'team_id',
  Contact: 'team_id',
  Territory: 'team_id',
  WatchCell: 'team_id',
  Exposure: 'team_id',
  Event: 'team_id',
  Integration: 'team_id',
  Delivery: 'team_id',
  AlertRule: 'team_id',
  AlertRecipient: 'team_id',
  AlertAddress: 'team_id',
  AlertMatch: 'team_id',
  AlertMail: 'team_id',
  Digest: 'team_id',
  Membership: 'team_id',
  Invitation: 'team_id',
}

/**
 * Returns the App for a team's request: its pool and its client see only that team's rows, whatever a statement requests.
 */
export function withinTeam(app: App, caller: { team: { id: string }; db: ScopedDb }): App {
  return {
    ...app,
    pool: scopedPool(app.pool, { team_id: caller.team.id }),
    get db() {
      return caller.db as unknown as Db
    },
  }
}

/**
 * Limits the client to one team in two ways: its transactions set the team, so that row-level security shows only the team's rows,
 * and the team is added to every condition and every new row of owned models. Neither covers nested writes: relations are written
 * as scalar ids, and the database's composite keys and triggers refuse references to other teams.
 */
export function scopedDb(db: Db, team_id: string): ScopedDb {
  const ownedDb = db.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const column = ownerColumn[model]
          return column ? query(withOwner(operation, args, { [column]: team_id }) as never) : query(args)
        },
      },
    },
  }) as unknown as ScopedDb
  const $transaction: ScopedDb['$transaction'] = (work, options) =>
    ownedDb.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT set_config('app.team_id', ${team_id}, true), set_config('app.scope', '', true)`
      return work(tx)
    }, options)
  return withOwnTransaction(db, $transaction)
}

/** Runs each operation on a team's rows in its own transaction, unless the caller has opened one. */
function withOwnTransaction(db: Db, $transaction: ScopedDb['$transaction']): ScopedDb {
  /** Runs a client operation in a transaction instead; model and operation are given by name. */
  const runInTransaction = (model: string | null, operation: string, args: unknown[]) =>
    $transaction((tx) => {
      const target = model === null ? tx : Reflect.get(tx, model.charAt(0).toLowerCase() + model.slice(1))
      return Reflect.get(target, operation).apply(target, args)
    })
  const transactional = db.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) =>
          ownerColumn[model] ? runInTransaction(model, operation, [args]) : query(args),
      },
      $queryRawUnsafe: ({ args }) => runInTransaction(null, '$queryRawUnsafe', args),
      $executeRawUnsafe: ({ args }) => runInTransaction(null, '$executeRawUnsafe', args),
      $queryRaw: ({ args }) => runInTransaction(null, '$queryRaw', [args]),
      $executeRaw: ({ args }) => runInTransaction(null, '$executeRaw', [args]),
    },
  })
  return new Proxy(transactional as unknown as ScopedDb, {
    get: (client, key) => (key === '$transaction' ? $transaction : Reflect.get(client, key)),
  })
}

type Args = { where?: object; data?: object | object[]; create?: object }

function withOwner(operation: string, args: Args, owner: object): Args {
  const addOwner = (part: object | undefined) => ({ ...part, ...owner })
  switch (operation) {
    case 'create':
      return { ...args, data: addOwner(args.data) }
    case 'createMany':
    case 'createManyAndReturn':
      return { ...args, data: [args.data ?? []].flat().map(addOwner) }
    case 'upsert':
      return { ...args, where: addOwner(args.where), create: addOwner(args.create) }
    default:
      return { ...args, where: addOwner(args.where) }
  }
}
