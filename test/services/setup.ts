import type { TestProject } from 'vitest/node'
import { ACCESS_KEY, openObjectStore, SECRET_KEY } from '#test/support/object-store.ts'
import { pgBouncerIsHere } from '#test/support/pgbouncer.ts'
import { redisIsHere } from '#test/support/redis.ts'
import { sentinelsAreHere, startSentinels } from '#test/support/sentinels.ts'
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
 * WEATHER_TEST_POOLER is 1, on a packaged one behind PgBouncer; where WEATHER_TEST_FLEET is 1, with a replica, Redis by sentinels and documents
 * in a bucket besides.
 */
export async function setup(project: TestProject): Promise<void> {
  if (!redisIsHere) throw new Error('The production shape needs redis-server on the PATH: install Redis 6.2 or later.')
  const fleet = process.env.WEATHER_TEST_FLEET === '1' ? await openFleet() : null
  const pooled = fleet !== null || process.env.WEATHER_TEST_POOLER === '1'
  if (pooled && !pgBouncerIsHere) throw new Error('WEATHER_TEST_POOLER=1 and WEATHER_TEST_FLEET=1 need pgbouncer on the PATH.')
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
    redis_url: fleet?.redis_url ?? redis.url,
  })
}

/** Servers that the production shape can do without. */
async function openFleet() {
  if (!sentinelsAreHere) throw new Error('WEATHER_TEST_FLEET=1 needs redis-sentinel on the PATH.')
  const [sentinels, store] = await Promise.all([startSentinels(), openObjectStore()])
  const key = { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: SECRET_KEY }
  return {
    settings: { REDIS_URL: sentinels.url, WEATHER_BLOBS: store.address(), ...key },
    redis_url: (await sentinels.master()).url,
    close: () => Promise.all([sentinels.stop(), store.close()]),
  }
}

export const teardown = () => close()
