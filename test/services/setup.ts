import type { TestProject } from 'vitest/node'
import { fleetIsHere, openFleetServers } from '#test/support/fleet-servers.ts'
import { pgBouncerIsHere } from '#test/support/pgbouncer.ts'
import { redisIsHere } from '#test/support/redis.ts'
import { openShape } from '#test/support/shape.ts'
import { makeDatabase } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The running service: addresses of its two API processes, its folder of documents, its database and its Redis. */
    service: { base_urls: [string, string]; blobs: string; database_url: string; redis_url: string }
  }
}

let close = async () => {}

/**
 * Starts the production shape for the whole run. PostgreSQL is that of DATABASE_URL if it is set, else a packaged
 * one. If WEATHER_TEST_POOLER is 1, it is a packaged one behind PgBouncer; if WEATHER_TEST_FLEET is 1, there are
 * also a replica, Redis with sentinels, and documents in a bucket.
 */
export async function setup(project: TestProject): Promise<void> {
  if (!redisIsHere) throw new Error('The production shape needs redis-server on the PATH: install Redis 6.2 or later.')
  const wanted = process.env.WEATHER_TEST_FLEET === '1'
  if (wanted && !fleetIsHere) throw new Error('WEATHER_TEST_FLEET=1 needs pgbouncer and redis-sentinel on the PATH.')
  const fleet = wanted ? await openFleetServers() : null
  const pooled = fleet !== null || process.env.WEATHER_TEST_POOLER === '1'
  if (pooled && !pgBouncerIsHere) throw new Error('WEATHER_TEST_POOLER=1 needs pgbouncer on the PATH.')
  const made = process.env.DATABASE_URL && !pooled ? await makeDatabase(process.env.DATABASE_URL) : null
  const shape = await openShape(fleet?.settings ?? {}, made?.url, { pooled, replicated: fleet !== null })
  close = async () => {
    await shape.close()
    await made?.drop()
    await fleet?.close()
  }
  const { base_urls, blobs, redis } = shape
  project.provide('service', {
    base_urls,
    blobs,
    database_url: shape.world.app.config.database_url,
    redis_url: (await fleet?.sentinels.master())?.url ?? redis.url,
  })
}

export const teardown = () => close()
