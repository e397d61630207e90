import type { App } from '#domain/app.ts'
import type { Db } from '#domain/engines/database.ts'
import { scopedPool } from '#domain/engines/row-scope.ts'
import type { Prisma } from '#generated/prisma/client.ts'

declare const scoped: unique symbol
/** Marks a client that sees one team only, so that an unscoped one cannot take its place. */
interface Scoped {
  readonly [scoped]: true
}

/** A transaction of the scoped client. */
export type ScopedTx = Prisma.TransactionClient & Scoped

/** The Prisma client of one team: what another team owns is not there, what is made belongs to the team. */
export type ScopedDb = Omit<Db, '$transaction' | '$extends' | '$on' | '$connect' | '$disconnect'> &
  Scoped & {
    $transaction<Result>(
      work: (tx: ScopedTx) => Promise<Result>,
      options?: { maxWait?: number; timeout?: number; isolationLevel?: Prisma.TransactionIsolationLevel },
    ): Promise<Result>
  }

/** Models whose every row belongs to a team, by the column that names it. Everything else is shared by all teams. */
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
 * The App as a team's request reaches it: its pool and its client see that team's rows alone, whatever a statement asks for.
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
 * Narrows the client to one team twice: its transactions name the team, which is all that row-level security then shows them,
 * and the team is added to every condition and every new row of owned models. Neither sees into nested writes: relations are
 * written as scalar ids, and the database's composite keys and triggers refuse what would leave the team.
 */
export function scopedDb(db: Db, team_id: string): ScopedDb {
  const owning = db.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const column = ownerColumn[model]
          return column ? query(owned(operation, args, { [column]: team_id }) as never) : query(args)
        },
      },
    },
  }) as unknown as ScopedDb
  const $transaction: ScopedDb['$transaction'] = (work, options) =>
    owning.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT set_config('app.team_id', ${team_id}, true), set_config('app.scope', '', true)`
      return work(tx)
    }, options)
  return withOwnTransaction(db, $transaction)
}

/** Outside a transaction of the caller's, an operation on a team's rows is a transaction of its own. */
function withOwnTransaction(db: Db, $transaction: ScopedDb['$transaction']): ScopedDb {
  /** Does what was asked of the client in a transaction instead: models and operations are known by their names alone. */
  const instead = (model: string | null, operation: string, args: unknown[]) =>
    $transaction((tx) => {
      const asked = model === null ? tx : Reflect.get(tx, model.charAt(0).toLowerCase() + model.slice(1))
      return Reflect.get(asked, operation).apply(asked, args)
    })
  const alone = db.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) => (ownerColumn[model] ? instead(model, operation, [args]) : query(args)),
      },
      $queryRawUnsafe: ({ args }) => instead(null, '$queryRawUnsafe', args),
      $executeRawUnsafe: ({ args }) => instead(null, '$executeRawUnsafe', args),
      $queryRaw: ({ args }) => instead(null, '$queryRaw', [args]),
      $executeRaw: ({ args }) => instead(null, '$executeRaw', [args]),
    },
  })
  return new Proxy(alone as unknown as ScopedDb, {
    get: (client, key) => (key === '$transaction' ? $transaction : Reflect.get(client, key)),
  })
}

type Args = { where?: object; data?: object | object[]; create?: object }

function owned(operation: string, args: Args, owner: object): Args {
  const within = (part: object | undefined) => ({ ...part, ...owner })
  switch (operation) {
    case 'create':
      return { ...args, data: within(args.data) }
    case 'createMany':
    case 'createManyAndReturn':
      return { ...args, data: [args.data ?? []].flat().map(within) }
    case 'upsert':
      return { ...args, where: within(args.where), create: within(args.create) }
    default:
      return { ...args, where: within(args.where) }
  }
}
