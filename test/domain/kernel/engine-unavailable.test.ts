import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '#domain/engines/database.ts'
import { isEngineUnavailable, isOutOfTime } from '#domain/kernel/engine-unavailable.ts'
import { openWorld } from '#test/support/world.ts'

const faultOf = (promise: Promise<unknown>) => promise.then(() => null).catch((fault: unknown) => fault)

test('recognises the errors of the driver and the client for a missing database', async () => {
  const { db, pool, close } = openDatabase('postgresql://nobody@127.0.0.1:9/none', 2)
  expect(isEngineUnavailable(await faultOf(pool.query('SELECT 1')))).toBe(true)
  expect(isEngineUnavailable(await faultOf(db.team.findMany()))).toBe(true)
  expect(isEngineUnavailable(await faultOf(db.$queryRaw`SELECT 1`))).toBe(true)
  expect(isEngineUnavailable(await faultOf(db.$transaction((tx) => tx.team.count())))).toBe(true)
  await close()
})

test('recognises a database that accepts connections but never responds', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const { pool, close } = openDatabase(`postgresql://nobody@127.0.0.1:${port}/none`, 2)
  expect(isEngineUnavailable(await faultOf(pool.query('SELECT 1')))).toBe(true)
  expect(isEngineUnavailable(new Error('The database does not answer.'))).toBe(true)
  await close()
  silent.close()
})

test('recognises a connection that the server closed and a statement that timed out', async () => {
  const { app } = await openWorld()
  const client = new pg.Client({ connectionString: app.config.database_url })
  client.on('error', () => {})
  await client.connect()
  expect(isEngineUnavailable(await faultOf(client.query('SELECT pg_terminate_backend(pg_backend_pid())')))).toBe(true)
  expect(isEngineUnavailable(await faultOf(client.query('SELECT 1')))).toBe(true)
  const late = app.db.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL statement_timeout = 50`
    await tx.$queryRaw`SELECT pg_sleep(5)::text`
  })
  const fault = await faultOf(late)
  expect([isEngineUnavailable(fault), isOutOfTime(fault)]).toEqual([true, true])
})

test('recognises a transaction that the database ended because of a deadlock', async () => {
  const { app } = await openWorld()
  const deadlock = "DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END $$"
  expect(isEngineUnavailable(await faultOf(app.pool.query(deadlock)))).toBe(true)
  expect(isEngineUnavailable(await faultOf(app.db.$transaction((tx) => tx.$executeRawUnsafe(deadlock))))).toBe(true)
  expect(isEngineUnavailable({ code: 'P2034' })).toBe(true)
})

test('does not count an error in a statement', async () => {
  const { app } = await openWorld()
  expect(isEngineUnavailable(await faultOf(app.pool.query('SELECT 1 / 0')))).toBe(false)
  expect(isEngineUnavailable(await faultOf(app.pool.query('SELECT * FROM nothing_of_this_name')))).toBe(false)
  expect(isEngineUnavailable(await faultOf(app.db.$queryRaw`SELECT 1 / 0`))).toBe(false)
  expect(isOutOfTime(await faultOf(app.db.$queryRaw`SELECT 1 / 0`))).toBe(false)
  expect(isEngineUnavailable(new TypeError('x is not a function'))).toBe(false)
  expect(isEngineUnavailable(null)).toBe(false)
})
