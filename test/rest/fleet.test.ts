import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openBucket } from '#domain/engines/bucket.ts'
import { openRedis } from '#domain/engines/redis.ts'
import { documentFolder } from '#domain/reports/document-store/document-folder.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** For WEATHER_TEST_FLEET=1: shows that a world uses the servers that it is given, and no others. */
describe.skipIf(!inject('fleet'))('a world on the servers of the fleet', () => {
  let world: World
  let rest: Rest
  let token: string
  beforeAll(async () => {
    world = await openWorld({ config: { rate_limit_per_minute: 10_000 } })
    rest = await openRest(world)
    token = (await aToken(world, await aTeam(world, { plan: 'professional' }))).token
  })
  afterAll(() => rest.close())

  it('gives each transaction a free session, and keeps one session for work that needs it', async () => {
    const { database_url, database_direct_url } = world.app.config
    const { rows } = await world.app.pool.query<{ port: number }>('SELECT inet_server_port() AS port')
    expect(String(rows[0]?.port)).toBe(new URL(database_direct_url).port)
    expect(new URL(database_url).port).not.toBe(new URL(database_direct_url).port)
    const clients = await Promise.all(Array.from({ length: 6 }, () => world.app.pool.connect()))
    const sessions = new Set<number>()
    for (const client of clients) {
      await client.query('BEGIN')
      const { rows: of } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      sessions.add(of[0]?.pid as number)
      await client.query('COMMIT')
    }
    for (const client of clients) client.release()
    expect(sessions.size, 'six connections share sessions').toBeLessThan(6)
  })

  it('reads on the replica what a request or a manual write has just written', async () => {
    const { rows } = await (world.app.replica as NonNullable<typeof world.app.replica>).pool.query('SELECT pg_is_in_recovery() AS follows')
    expect(rows).toEqual([{ follows: true }])
    world.app.metrics.reads.reset()
    for (let nth = 1; nth <= 20; nth++) {
      const body = { address: `${100 + nth} Main Street, Frisco, TX 75034` }
      expect((await rest.call('POST', '/properties', { token, body })).status).toBe(201)
      expect((await rest.call('GET', '/properties', { token })).body.meta.total).toBe(nth)
    }
    await world.owner.query("UPDATE properties SET label = 'by hand'")
    const { data } = (await rest.call('GET', '/properties', { token })).body
    expect(new Set(data.map(({ label }: { label: string }) => label))).toEqual(new Set(['by hand']))
    const { values } = await world.app.metrics.reads.get()
    expect(values.map(({ labels, value }) => [labels.server, value])).toEqual([['replica', 21]])
  })

  it('counts requests in Redis, and stores the document of a report in the bucket', async () => {
    const { redis_url, bucket, blobs } = world.app.config
    const redis = openRedis({ redis_url }, {})
    expect(await redis.keys('rate:*').finally(() => redis.disconnect())).not.toEqual([])

    await seedSample(world.app)
    const { address, window_start, window_end } = sampleStorm
    const { id } = (await rest.call('POST', '/reports', { token, body: { address, window_start, window_end } })).body.data
    await world.drain()
    expect((await rest.call('GET', `/reports/${id}/pdf`, { token })).status).toBe(200)
    const { key, bytes } = await world.app.db.document.findUniqueOrThrow({ where: { report_id: id } })
    const store = openBucket(bucket as NonNullable<typeof bucket>)
    expect((await store.get(key))?.length).toBe(bytes)
    store.close()
    expect(existsSync(path.join(blobs, documentFolder(id)))).toBe(false)
  })
})
