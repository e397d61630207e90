import { ACCESS_KEY, type ObjectStore, openObjectStore, SECRET_KEY } from './object-store.ts'
import { pgBouncerIsHere } from './pgbouncer.ts'
import { type Sentinels, sentinelsAreHere, startSentinels } from './sentinels.ts'

/** The optional servers of the production shape: Redis with three sentinels, and a bucket for documents. */
export interface FleetServers {
  sentinels: Sentinels
  store: ObjectStore
  /** Settings for processes that use them. */
  settings: Record<string, string>
  close(): Promise<void>
}

/** Whether this machine can run the whole fleet, including PgBouncer before its PostgreSQL. */
export const fleetIsHere = pgBouncerIsHere && sentinelsAreHere

/** @param redis settings of the Redis servers, besides those of production */
export async function openFleetServers(redis: Record<string, string> = {}): Promise<FleetServers> {
  const [sentinels, store] = await Promise.all([startSentinels(redis), openObjectStore()])
  return {
    sentinels,
    store,
    settings: {
      REDIS_URL: sentinels.url,
      WEATHER_BLOBS: store.address(),
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    },
    async close() {
      await Promise.all([sentinels.stop(), store.close()])
    },
  }
}
