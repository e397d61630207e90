import type { App } from '#domain/app.ts'
import { openRedis } from '#domain/engines/redis.ts'
import type { BucketSettings } from '#domain/kernel/bucket-settings.ts'
import type { Config } from '#domain/kernel/config.ts'

/** Addresses of the fleet's servers for worlds that use it. */
export interface FleetAddresses {
  /** PostgreSQL for the role that serves, through PgBouncer in transaction mode. */
  pooler: string
  /** A server that has applied every commit, for the same role. */
  replica: string
  /** Redis, through its sentinels. */
  redis: string
  bucket: BucketSettings
}

/** The part of the fleet that belongs to one database of a worker. */
export interface FleetSlot {
  database: string
  /** Number of its Redis database. */
  redis_database: number
}

/** Redis databases that only one worker uses. */
const A_WORKER = 16
/** The Redis database that all workers share. */
const SHARED = 0
/** Key in the shared database: reads that the replica may serve, by server and reason, over all worlds of the run. */
export const READS = 'reads'

/** @param nth of the worker's databases */
export function redisDatabaseOf(nth: number): number {
  return Number(process.env.VITEST_POOL_ID) * A_WORKER + nth
}

let worlds = 0

/**
 * Returns the settings of a world on the fleet. A setting for the database or the documents is left out if the test
 * sets its own. Each world gets an empty part of the bucket.
 * @param own what the test sets
 */
export function fleetConfig(
  { pooler, replica, redis, bucket }: FleetAddresses,
  { database, redis_database }: FleetSlot,
  direct_url: string,
  own: Partial<Config>,
): Partial<Config> {
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
  return {
    ...(!own.database_url && { database_url: at(pooler), database_direct_url: direct_url, database_replica_url: at(replica) }),
    redis_url: redis.replace(/\d+$/, String(redis_database)),
    ...(own.blobs === undefined && { bucket: { ...bucket, prefix: `${database}/${worlds++}/` } }),
  }
}

/** Removes what the last world left in Redis. */
export async function emptyRedis({ redis }: FleetAddresses, { redis_database }: FleetSlot): Promise<void> {
  await inRedis(redis, redis_database, (client) => client.flushdb())
}

/** Adds the servers of a world's reads to the counts of the run. */
export async function countReads({ redis }: FleetAddresses, { metrics }: Pick<App, 'metrics'>): Promise<void> {
  const { values } = await metrics.reads.get()
  await inRedis(redis, SHARED, async (client) => {
    for (const { labels, value } of values) await client.hincrby(READS, `${labels.server}: ${labels.reason}`, value)
  })
}

async function inRedis(redis: string, database: number, work: (client: ReturnType<typeof openRedis>) => Promise<unknown>): Promise<void> {
  const client = openRedis({ redis_url: redis.replace(/\d+$/, String(database)) }, {})
  await work(client).finally(() => client.disconnect())
}
