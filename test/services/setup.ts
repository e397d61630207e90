import type { TestProject } from 'vitest/node'
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
 * Starts the production shape for the whole run, on the PostgreSQL of DATABASE_URL where it is set, else on a packaged one; where
 * WEATHER_TEST_POOLER is 1, on a packaged one behind PgBouncer.
 */
export async function setup(project: TestProject): Promise<void> {
  if (!redisIsHere) throw new Error('The production shape needs redis-server on the PATH: install Redis 6.2 or later.')
  const pooled = process.env.WEATHER_TEST_POOLER === '1'
  if (pooled && !pgBouncerIsHere) throw new Error('WEATHER_TEST_POOLER=1 needs pgbouncer on the PATH.')
  const made = process.env.DATABASE_URL && !pooled ? await makeDatabase(process.env.DATABASE_URL) : null
  const shape = await openShape({}, made?.url, { pooled })
  close = async () => {
    await shape.close()
    await made?.drop()
  }
  const { base_urls, blobs, redis } = shape
  project.provide('service', { base_urls, blobs, database_url: shape.world.app.config.database_url, redis_url: redis.url })
}

export const teardown = () => close()
