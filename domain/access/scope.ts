import type { Db } from '#domain/engines/database.ts'
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
  Report: 'team_id',
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
  Digest: 'team_id',
}

/**
 * Narrows the client to one team by adding the team to every condition and every new row of owned models.
 * It cannot see into raw SQL, which carries team_id itself, nor into nested writes: relations are written
 * as scalar ids, and the database's composite keys and triggers refuse what would leave the team.
 */
export function scopedDb(db: Db, team_id: string): ScopedDb {
  return db.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const column = ownerColumn[model]
          return query(column ? (owned(operation, args, { [column]: team_id }) as typeof args) : args)
        },
      },
    },
  }) as unknown as ScopedDb
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
