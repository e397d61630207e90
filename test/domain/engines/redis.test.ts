import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLimiter } from '#domain/engines/limiter.ts'
import type { Log } from '#domain/engines/log.ts'
import { openRedis, watchRedis } from '#domain/engines/redis.ts'
import { freePort } from '#test/support/free-port.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/support/redis.ts'
import { launchSentinel, type Sentinels, sentinelsAreHere, startSentinels } from '#test/support/sentinels.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** A sentinel considers a silent master down after 1 s, agrees with another, and promotes the follower. */
const TAKEN_OVER_WITHIN_MS = 15_000

describe.skipIf(!sentinelsAreHere)('through three sentinels', () => {
  let world: World
  let sentinels: Sentinels
  beforeAll(async () => {
    world = await openWorld()
    sentinels = await startSentinels()
  })
  afterAll(async () => {
    await sentinels.stop()
    await world.close()
  })

  it('fails over from a stalled master, and then from one that is killed together with a sentinel', async () => {
    const redis = openRedis({ redis_url: sentinels.url }, { maxRetriesPerRequest: 0, commandTimeout: 250, enableOfflineQueue: false })
    redis.on('error', () => {})
    const watch = watchRedis(redis)
    const writes = async () => (await redis.set('written', String(Date.now())).catch(() => null)) === 'OK'
    await waitUntil(writes)
    const still = await sentinels.master()
    still.freeze()
    await waitUntil(writes, TAKEN_OVER_WITHIN_MS)
    still.thaw()
    // The former master follows the new one, which may then be lost.
    await waitUntil(async () => {
      const follower = openRedis({ redis_url: still.url }, {})
      follower.on('error', () => {})
      const replication = await follower.info('replication').catch(() => '')
      follower.disconnect()
      return /role:slave[\s\S]*master_link_status:up/.test(replication)
    })
    await sentinels.killSentinel(0)
    await (await sentinels.master()).kill()
    await waitUntil(writes, TAKEN_OVER_WITHIN_MS)
    watch.stop()
    redis.disconnect()
  })

  it('two limiters count one token exactly before, during and after the loss of a master', async ({ onTestFinished }) => {
    const fresh = await startSentinels()
    onTestFinished(() => fresh.stop())
    const config = { redis_url: fresh.url }
    let changes = 0
    const note = (facts: unknown, message = String(facts)) => {
      if (/uses the database|uses Redis again/.test(message)) changes++
    }
    const log: Log = Object.assign(Object.create(world.app.log), { warn: note, info: note })
    const limiters = [openLimiter(config, world.app.pool, log), openLimiter(config, world.app.pool, log)]
    const inDatabase = () => limiters.filter(({ in_database }) => in_database).length
    onTestFinished(async () => {
      for (const limiter of limiters) await limiter.close()
    })
    /** Each limiter notices where Redis is when it counts. */
    const counting = (here: number, within_ms?: number) =>
      waitUntil(async () => {
        for (const limiter of limiters) await limiter.hit('warm', 1_000_000, 1, null)
        return inDatabase() === here
      }, within_ms)
    /** How many of sixty hits are allowed. Repeats if a limiter lost Redis in between and began its minute in the database. */
    const passed = async (when: string, here: number, within_ms?: number) => {
      for (let attempt = 1; attempt <= 5; attempt++) {
        await counting(here, within_ms)
        const before = changes
        const hits = Array.from({ length: 60 }, (_, turn) => limiters[turn % 2]?.hit(`${when} ${attempt}`, 20, 1, null))
        const found = (await Promise.all(hits)).filter((result) => result?.allowed).length
        if (inDatabase() === here && changes === before) return found
      }
      return 'no attempt went without a change'
    }
    expect(await passed('before', 0)).toBe(20)
    await (await fresh.master()).kill()
    expect(await passed('while', limiters.length)).toBe(20)
    expect(await passed('after', 0, TAKEN_OVER_WITHIN_MS)).toBe(20)
  })
})

describe.skipIf(!redisIsHere)('over TLS', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'weather-redis-ca-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => path.join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })

  const files = { 'tls-cert-file': at('redis.pem'), 'tls-key-file': at('redis.key'), 'tls-ca-cert-file': at('ca.pem') }
  const authority = (name: string) => readFileSync(at(`${name}.pem`), 'utf8')
  let server: RedisServer
  let port: number

  beforeAll(async () => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    for (const name of ['ca', 'stranger'])
      openssl('req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), '-out', at(`${name}.pem`))
    openssl('req', ...key, '-subj', '/CN=redis', '-keyout', at('redis.key'), '-out', at('redis.csr'))
    writeFileSync(at('san'), 'subjectAltName=IP:127.0.0.1')
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'san']
    openssl('x509', '-req', '-in', 'redis.csr', ...signed, '-out', 'redis.pem')
    port = await freePort()
    server = await startRedis({ 'tls-port': String(port), 'tls-auth-clients': 'no', ...files })
  })
  afterAll(() => server.stop())

  /** Connects with the authority that signed the certificate. Every other authority must fail with an error that matches `words`. */
  async function expectTrust(url: string, words: RegExp) {
    const trusting = openRedis({ redis_url: url, redis_ca: authority('ca') }, {})
    // A sentinel that just started may not respond yet.
    trusting.on('error', () => {})
    expect(await trusting.ping()).toBe('PONG')
    trusting.disconnect()
    for (const redis_ca of [authority('stranger'), null]) {
      const once = { retryStrategy: () => null, sentinelRetryStrategy: () => null, lazyConnect: true }
      const untrusting = openRedis({ redis_url: url, redis_ca }, once)
      const messages: string[] = []
      untrusting.on('error', (fault: Error) => messages.push(fault.message))
      await expect(untrusting.connect()).rejects.toThrow()
      expect(messages.join()).toMatch(words)
      untrusting.disconnect()
    }
  }

  it('trusts only a server whose certificate the configured authority signed', () =>
    expectTrust(`rediss://127.0.0.1:${port}`, /certificate/i))

  it.skipIf(!sentinelsAreHere)('trusts only such a sentinel, and only such a server that it names', async () => {
    const sentinel = await launchSentinel(at('sentinel.conf'), port, files)
    await expectTrust(`rediss+sentinel://127.0.0.1:${sentinel.port}/weather/0`, /All sentinels are unreachable/).finally(sentinel.stop)
  })
})
