import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { readConfig } from '#domain/kernel/config.ts'
import { type FleetAddresses, READS } from './fleet-config.ts'
import { fleetIsHere, openFleetServers } from './fleet-servers.ts'
import { openPostgres } from './own-postgres.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { makeTemplate, templateName } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The fleet's servers that worlds use; absent if worlds use the embedded ones. */
    fleet?: FleetAddresses
  }
}

/** PostgreSQL sessions for each database behind the pooler: fewer than a world has connections, so that clients share them. */
const SESSIONS = 4
/** Redis databases: 16 for each worker, and one for everybody's counts. */
const REDIS_DATABASES = 64

/**
 * Replaces global-setup.ts when WEATHER_TEST_FLEET is 1. Starts a PostgreSQL of the run's own behind PgBouncer in
 * transaction mode, a synchronous stand-by, Redis with three sentinels, and a bucket. The stand-by applies each
 * commit before the commit is confirmed: rows that a test writes by hand are in no team's audit chain, and the next
 * read must find them. Prints at the end how much each server has served.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!fleetIsHere) throw new Error('WEATHER_TEST_FLEET=1 needs pgbouncer and redis-sentinel on the PATH.')
  const [postgres, servers] = await Promise.all([
    openPostgres({ durable: false }),
    openFleetServers({ databases: String(REDIS_DATABASES) }),
  ])
  const template = templateName()
  const run = new pg.Client({ connectionString: databaseOf(postgres.url, 'postgres') })
  await run.connect()
  const at = { url: (name: string) => databaseOf(postgres.url, name), serving: (name: string) => databaseOf(postgres.serving, name) }
  await makeTemplate(run, at, template).finally(() => run.end())
  const standby = await postgres.openStandby({ synchronous: true, applied: true })
  const pooler = await startPgBouncer(postgres.serving, SESSIONS)
  const { bucket } = readConfig({ ...servers.settings, DATABASE_URL: pooler.url, WEATHER_SECRET_KEY: randomBytes(32).toString('base64') })
  if (!bucket) throw new Error('the fleet has no bucket')
  project.provide('postgres', at.url('postgres'))
  project.provide('serving', at.serving('postgres'))
  project.provide('template', template)
  project.provide('databases', `test_${process.pid}_`)
  project.provide('fleet', { pooler: pooler.url, replica: standby.serving, redis: servers.sentinels.url, bucket })
  return async () => {
    const kept = servers.store.requests.filter(({ method }) => method === 'PUT').length
    const master = new Redis((await servers.sentinels.master()).url)
    const reads = await master.hgetall(READS).finally(() => master.disconnect())
    console.log(
      `the fleet served: ${await pooler.transactions()} transactions through PgBouncer, reads by ${JSON.stringify(reads)}, ${kept} objects into the bucket`,
    )
    await pooler.stop()
    await standby.stop()
    await postgres.stop()
    await servers.close()
  }
}

function databaseOf(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}
