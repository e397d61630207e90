import type pg from 'pg'
import { expect, it } from 'vitest'
import { withSource } from '#domain/archive/ingest/source-lock.ts'
import { openPool } from '#domain/engines/pool.ts'
import { openWorld } from '#test/support/world.ts'

it('a session that is ended as soon as it has the lock gives its connection back', async () => {
  const { config } = (await openWorld()).app
  const pool = openPool(config.database_url, { max: 2, application_name: 'weather test' })
  const client = await pool.connect()
  const query = client.query as (text: string, values: unknown[]) => Promise<unknown>
  const lockThenEnd = async (text: string, values: unknown[]) => {
    const locked = await query.call(client, text, values)
    Object.assign(client, { query })
    const ended = new Promise((resolve) => client.once('end', resolve))
    await pool.query('SELECT pg_terminate_backend($1)', [(client as pg.PoolClient & { processID: number }).processID])
    await ended
    return locked
  }
  Object.assign(client, { query: lockThenEnd })
  client.release()
  await expect(withSource({ pool }, 'storm_events', async () => 'done')).rejects.toThrow()
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
  expect(await withSource({ pool }, 'storm_events', async () => 'done')).toBe('done')
  await pool.end()
})
